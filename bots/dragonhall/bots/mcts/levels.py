"""How strong an MCTS bot is: by name, or by what a decision may cost."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from dragonhall.bots.greedy.dragonisles import GreedyDragonIsles
from dragonhall.bots.greedy.dragons import GreedyDragons
from dragonhall.bots.greedy.dragons_interest import GreedyDragonsInterest
from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.methods import METHODS
from dragonhall.bots.mcts.policy import MctsPolicy
from dragonhall.bots.policy import PolicyFactory

LEVELS: Final[Mapping[str, Budget]] = {
    "mcts-fast": Budget(seconds=0.1),
    "mcts": Budget(seconds=1.0),
    "mcts-strong": Budget(seconds=5.0),
}
"""Kind of bot -> what each of its decisions may cost, on one processor core."""

ADVISORS: Final[Mapping[str, PolicyFactory]] = {
    "dragons": GreedyDragons,
    "dragons_interest": GreedyDragonsInterest,
    "dragonisles": GreedyDragonIsles,
}
"""Game name -> the policy whose choice the search is told beforehand."""


def budget_of(kind: str) -> Budget | None:
    """Of a level, or of ``mcts@2000`` (simulations) or ``mcts@0.5s`` (seconds); ``None`` for any other kind of bot.

    Raises `InvalidBudget` for what follows the @.
    """
    if kind.startswith("mcts@"):
        return Budget.of_text(kind.removeprefix("mcts@"))
    return LEVELS.get(kind)


def is_timed(kind: str) -> bool:
    """Whether it is a search with a budget of time, and of nothing else. Raises `InvalidBudget`."""
    budget = budget_of(kind)
    return budget is not None and budget.simulations is None


def mcts_policies(budget: Budget) -> dict[str, PolicyFactory]:
    """Game name -> what makes MCTS policies with this budget."""
    return {game: partial(MctsPolicy, method, budget, ADVISORS[game]) for game, method in METHODS.items()}
