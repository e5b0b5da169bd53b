"""Thinking about one decision: from what a seat knows to what a search finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.budget import Budget, spend
from dragonhall.bots.mcts.pondering import Pondering
from dragonhall.bots.mcts.problem import WIN_WEIGHT, Problem
from dragonhall.bots.mcts.search import Search, Tuning
from dragonhall.bots.mcts.thoughts import Thoughts, thoughts_of
from dragonhall.bots.mcts.tree import Tree
from dragonhall.rules.game import Knowledge

_MOST_KEPT: Final = 200_000
"""Nodes of a tree that is kept for the next decision; with their edges some 50 MB."""
_PONDERED: Final = 0.75
"""So much of that pondering fills: the search of the next decision adds to it, and all is to be kept even then."""


@dataclass(frozen=True)
class Method:
    """How one game is searched."""

    problem: Callable[..., Problem]
    """``problem(knowledge)`` makes the problem of the decision that ``knowledge.viewer`` is asked. Raises
    `InconsistentKnowledge`. For ablations it takes ``without``: a set of names of what is to be left out."""
    tuning: Tuning = field(default_factory=Tuning)
    win_weight: float = WIN_WEIGHT
    """How much of a utility is the seat's share of the win; the rest is how good its rank is."""
    has_secrets: Callable[[Any], bool] = lambda options: True
    """Whether, with these options, there is anything that one seat sees and others do not."""
    ponders: bool = True
    """Whether a search can begin at others' decisions, and what it finds comes up again at the own ones."""

    def win_expectation(self, utility: float, rank: float, seats: int) -> float:
        """The share of the win, 0 to 1, that is in a mean utility and a mean rank (1 to ``seats``).

        >>> round(Method(problem=Problem, win_weight=0.9).win_expectation(utility=0.95, rank=1.5, seats=2), 3)
        1.0
        """
        standing = (seats - rank) / (seats - 1)
        share = (utility - (1.0 - self.win_weight) * standing) / self.win_weight
        return min(1.0, max(0.0, share))


class Study:
    """One decision, taken in and ready to be thought about."""

    def __init__(self, method: Method, knowledge: Knowledge, tree: Tree) -> None:
        """Raises `InconsistentKnowledge`."""
        if knowledge.viewer is None:
            raise ValueError("only a seat is asked to decide, not a spectator")
        self._seat = knowledge.viewer
        self._tuning = method.tuning
        self._problem = method.problem(knowledge)
        self._search = Search(self._problem, tree, method.tuning)
        self.runs = self._problem.state().legal_runs(self._seat)
        """The codes of all legal actions, in canonical order."""

    def think(
        self, seed: int, budget: Budget, also: Sequence[int] = (), goes_on: Callable[[], bool] = lambda: True
    ) -> Thoughts:
        """What is found out by a search.

        ``seed``: 0 to 2**62 - 1; all luck comes from it. ``also``: codes of legal actions that are considered whatever
        the game's guide thinks of them, and more thoroughly. ``goes_on``: see `spend`.
        """
        rng = Random(seed)
        root = self._search.take_root(self._seat, vec[i64](also), self._tuning.advice, rng)
        seconds = spend(budget, self._search, root, rng, goes_on)
        return thoughts_of(self._search, root, seconds)


class Mind:
    """Thinks for one seat of one game. With ``keeps_tree`` it goes on from what it found for earlier decisions: then
    what it chooses depends on what it was asked before."""

    def __init__(self, method: Method, keeps_tree: bool = False, most_kept: int = _MOST_KEPT) -> None:
        """``most_kept``: a tree with more nodes than this is not gone on from."""
        self._method = method
        self._keeps_tree = keeps_tree
        self._most_kept = most_kept
        self._tree = Tree()

    def study(self, knowledge: Knowledge) -> Study:
        """Takes in the decision that seat ``knowledge.viewer`` is asked. Raises `InconsistentKnowledge`."""
        self._make_room()
        return Study(self._method, knowledge, self._tree)

    def ponder(self, knowledge: Knowledge, seed: int, seconds: float) -> Pondering:
        """Thinks about what seat ``knowledge.viewer`` may be asked next, while others are asked; of use only with
        ``keeps_tree``.

        ``seed``: as for `Study.think`. ``seconds``: at most so long. Raises `InconsistentKnowledge`.
        """
        self._make_room()
        search = Search(self._method.problem(knowledge), self._tree, self._method.tuning)
        return Pondering(search, self._tree, Random(seed), seconds, int(self._most_kept * _PONDERED))

    def _make_room(self) -> None:
        if not self._keeps_tree or len(self._tree.keys) > self._most_kept:
            self._tree = Tree()

    def forget(self) -> None:
        """Lets go of what is kept for the next decision."""
        self._tree = Tree()
