"""DragonIsles for the search.

In reading order: `odds` and `hands` (what dice and cards can do), `temper` and `guide` (a fast policy for every seat),
`worth` (how likely each seat is to win), `candidates` (what is worth a look), `problem`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from functools import cache
from importlib.resources import files

from librt.random import Random
from librt.vecs import vec

from dragonhall.bots.mcts.dragonisles.problem import IslesProblem, Setup
from dragonhall.rules.dragonisles.belief import Belief
from dragonhall.rules.game import Knowledge


@cache
def _network() -> tuple[vec[float], vec[float]]:
    """The network of `worth.Worth`: its inner and its outer weights."""
    data = tomllib.loads(files(__package__).joinpath("network.toml").read_text(encoding="utf-8"))
    return vec[float]([weight for row in data["inner"] for weight in row]), vec[float](data["outer"])


def problem(knowledge: Knowledge, without: Collection[str] = frozenset()) -> IslesProblem:
    """The problem of the decision that seat ``knowledge.viewer`` is asked. Raises `InconsistentKnowledge`.

    ``without``, for ablations: ``estimate`` (worlds are played to the end), ``playouts`` (an estimate is all; but near
    the end), ``guide`` (worlds are played to the end at random), ``priors``, ``luck`` (each simulation has its own).
    """
    belief = Belief(knowledge)
    inner, outer = _network()
    trust = 0.0 if "estimate" in without else 1.0 if "playouts" in without else Setup.trust
    setup = Setup(trust, "guide" not in without, "priors" not in without, "luck" not in without)
    return IslesProblem(belief, belief.sample(Random(0)), inner, outer, setup)
