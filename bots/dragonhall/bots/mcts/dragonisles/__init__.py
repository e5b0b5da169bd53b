"""DragonIsles for the search.

In reading order: `odds` and `hands` (what dice and cards can do), `temper` and `outlook` (what they are worth),
`guide` (a fast policy for every seat), `features` and `worth` (how likely each seat is to win), `past` and
`plausibility` (which hands others may well have), `candidates`, `problem`.
"""

from __future__ import annotations

from collections.abc import Collection

from librt.random import Random
from librt.vecs import vec

from dragonhall.bots.mcts.dragonisles.past import steps_back
from dragonhall.bots.mcts.dragonisles.plausibility import Step
from dragonhall.bots.mcts.dragonisles.problem import TRUST, IslesProblem, Setup
from dragonhall.bots.mcts.weights import network_of
from dragonhall.rules.dragonisles.belief import Belief
from dragonhall.rules.game import Knowledge


def problem(knowledge: Knowledge, without: Collection[str] = frozenset()) -> IslesProblem:
    """The problem of the decision that seat ``knowledge.viewer`` is asked. Raises `InconsistentKnowledge`.

    ``without``, for ablations: ``estimate`` (worlds are played to the end), ``playouts`` (an estimate is all; but near
    the end), ``guide`` (worlds are played to the end at random), ``priors``, ``luck`` (each simulation has its own),
    ``weights`` (all hands that fit are as plausible).
    """
    belief = Belief(knowledge)
    trust = 0.0 if "estimate" in without else 1.0 if "playouts" in without else TRUST
    setup = Setup(trust, "guide" not in without, "priors" not in without, "luck" not in without)
    world = belief.sample(Random(0))
    steps = vec[Step]() if "weights" in without else steps_back(world, knowledge.viewer, knowledge.events)
    return IslesProblem(belief, world, network_of(__package__), setup, steps)
