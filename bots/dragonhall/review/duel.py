"""Two actions of one decision against each other: in the same worlds, each as often as the other.

What a search says of an action that it hardly tried is worth little, and what it says of its favourite is a little too
good, since it is the favourite for that. So what a decision has cost is measured afterwards, by searches of their own.
"""

from __future__ import annotations

import time
from typing import Final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.problem import Problem
from dragonhall.bots.mcts.search import Search, Tuning
from dragonhall.bots.mcts.think import Method
from dragonhall.bots.mcts.tree import Tree
from dragonhall.review.samples import Samples
from dragonhall.rules.game import Knowledge

_LEAST: Final = 16
"""Worlds that are tried, however short the time."""
_SEED_STEP: Final = 0x9E3779B9
"""Between the seeds of one world and the next."""
_MOST: Final = 2**62 - 1


def duel(method: Method, knowledge: Knowledge, best: int, played: int, seed: int, budget: Budget) -> Samples:
    """By how much the rank of ``knowledge.viewer`` is higher (worse) with the action ``played`` than with ``best``.

    Both are codes of legal actions, each tried with half of the budget. The samples are worlds that fit what the seat
    knew, so the luck that both actions share is not in their spread. ``seed``: 0 to 2**60; all luck comes from it.
    """
    assert knowledge.viewer is not None
    problem = method.problem(knowledge)
    trials = [_Trial(problem, method.tuning, knowledge.viewer, code) for code in (best, played)]
    loss = Samples()
    begin = time.perf_counter()
    while _goes_on(budget, loss.count, time.perf_counter() - begin):
        world = (seed + loss.count * _SEED_STEP) & _MOST
        with_best, with_played = (trial.rank_in(world) for trial in trials)
        loss.add(with_played - with_best)
    return loss


def _goes_on(budget: Budget, worlds: int, seconds: float) -> bool:
    if worlds < _LEAST:
        return True
    if budget.simulations is not None and 2 * worlds >= budget.simulations:
        return False
    return budget.seconds is None or seconds < budget.seconds


class _Trial:
    """One action of a decision, tried again and again: a search whose root has nothing else."""

    def __init__(self, problem: Problem, tuning: Tuning, seat: int, code: int) -> None:
        self._tree = Tree()
        self._search = Search(problem, self._tree, tuning)
        root = self._search.take_root(seat, vec[i64](), 0.0, Random(0))
        self._tree.expand(root, vec[i64]([code]), vec[float]([1.0]))
        self._edge = self._tree.first_edge[root]

    def rank_in(self, world: int) -> float:
        """The seat's rank in one more world, which another trial can have, too."""
        before = self._tree.edge_rank[self._edge]
        self._search.run(1, Random(world))
        return self._tree.edge_rank[self._edge] - before
