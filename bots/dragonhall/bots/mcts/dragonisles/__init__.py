"""DragonIsles for the search.

In reading order: `odds` and `hands` (what dice and cards can do), `temper` and `guide` (a fast policy for every seat),
`worth` (how likely each seat is to win), `candidates` (what is worth a look), `problem`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from typing import Final

from librt.random import Random
from librt.vecs import vec

from dragonhall.bots.mcts.dragonisles.problem import IslesProblem
from dragonhall.rules.dragonisles.belief import Belief
from dragonhall.rules.game import Knowledge

ROUNDS: Final = 1
"""Turns of every seat after which a simulated world is weighed."""


@cache
def _network() -> tuple[vec[float], vec[float]]:
    """The network of `worth.Worth`: its inner and its outer weights."""
    data = tomllib.loads(files(__package__).joinpath("network.toml").read_text(encoding="utf-8"))
    return vec[float]([weight for row in data["inner"] for weight in row]), vec[float](data["outer"])


def problem(knowledge: Knowledge, without: Collection[str] = frozenset()) -> IslesProblem:
    """The problem of the decision that seat ``knowledge.viewer`` is asked. Raises `InconsistentKnowledge`.

    ``without``, for ablations: ``evaluation`` (worlds are played to the end).
    """
    belief = Belief(knowledge)
    inner, outer = _network()
    return IslesProblem(belief, belief.sample(Random(0)), inner, outer, 0 if "evaluation" in without else ROUNDS)
