"""Dragons for the search, in reading order: `worth` (what cards are worth), `piles` and `race` (a year in numbers),
`guide` (a fast policy for every seat), `prospects` (how likely each seat is to win), `hands` (what others may hold),
`problem`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons.problem import DragonsProblem, Manner
from dragonhall.bots.mcts.dragons.prospects import Prospects
from dragonhall.bots.mcts.weights import network_of
from dragonhall.rules.dragons.belief import Belief
from dragonhall.rules.dragons.events import CardPlaced, YearStarted
from dragonhall.rules.game import Knowledge


def problem(knowledge: Knowledge, without: Collection[str] = ()) -> DragonsProblem:
    """The problem of the decision that seat ``knowledge.viewer`` is asked. Raises `InconsistentKnowledge`.

    ``without``, for ablations: ``evaluation``, ``playouts``, ``priors``, ``weights`` (see `problem.Manner`).
    """
    belief = Belief(knowledge)
    seats = len(knowledge.view.seats)
    counts = vec[i64](knowledge.components.counts)
    manner = Manner(*(name not in without for name in ("evaluation", "playouts", "priors", "weights")))
    prospects = Prospects(seats, counts, network_of(__package__, f"seats-{seats}"))
    return DragonsProblem(belief, _choosers(knowledge.events), counts, prospects, manner)


def _choosers(events: Sequence[Any]) -> int:
    """Bit mask of the seats that have played a card this year."""
    choosers = 0
    for event in reversed(events):
        if isinstance(event, YearStarted):
            break
        if isinstance(event, CardPlaced):
            choosers |= 1 << event.seat
    return choosers
