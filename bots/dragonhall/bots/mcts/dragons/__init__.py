"""Dragons for the search, in reading order: `worth` (what cards are worth), `piles` and `race` (a year in numbers),
`guide` (a fast policy for every seat), `prospects` (how likely each seat is to win), `problem`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from functools import cache
from importlib.resources import files

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons.problem import DragonsProblem
from dragonhall.bots.mcts.dragons.prospects import Prospects
from dragonhall.rules.dragons.belief import Belief
from dragonhall.rules.game import Knowledge


@cache
def _network(seats: int) -> tuple[vec[float], vec[float]]:
    """The weights of `prospects.Prospects`: its inner and its outer ones."""
    data = tomllib.loads(files(__package__).joinpath("network.toml").read_text(encoding="utf-8"))[f"seats-{seats}"]
    return vec[float]([weight for row in data["inner"] for weight in row]), vec[float](data["outer"])


def problem(knowledge: Knowledge, without: Collection[str] = ()) -> DragonsProblem:
    """The problem of the decision that seat ``knowledge.viewer`` is asked. Raises `InconsistentKnowledge`.

    ``without``, for ablations: ``evaluation`` (worlds are played to the end).
    """
    belief = Belief(knowledge)
    seats = len(knowledge.view.seats)
    counts = vec[i64](knowledge.components.counts)
    return DragonsProblem(belief, counts, Prospects(seats, counts, *_network(seats)), "evaluation" in without)
