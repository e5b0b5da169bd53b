"""Dragons for the search, in reading order: `worth` (what cards are worth), `piles` and `race` (a year in numbers),
`guide` (a fast policy for every seat), `prospects` (how likely each seat is to win), `problem`.
"""

from __future__ import annotations

from collections.abc import Collection

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons.problem import DragonsProblem
from dragonhall.rules.dragons.belief import Belief
from dragonhall.rules.game import Knowledge


def problem(knowledge: Knowledge, without: Collection[str] = ()) -> DragonsProblem:
    """The problem of the decision that seat ``knowledge.viewer`` is asked. Raises `InconsistentKnowledge`.

    ``without``, for ablations: ``evaluation`` (worlds are played to the end).
    """
    counts = vec[i64](knowledge.components.counts)
    return DragonsProblem(Belief(knowledge), counts, "evaluation" in without)
