"""What a bot and its worker processes say to each other, and how it is written into a pipe."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any, Final

from dragonhall.bots.mcts.searching import Findings
from dragonhall.bots.policy import Chair
from dragonhall.rules.actions import ActionList

Place = tuple[str, int]
"""A game's id and the number of a seat."""

LENGTH: Final = Struct("<Q")
"""Before each message: how many bytes it has."""


def written(message: object) -> bytes:
    """A message as it goes into a pipe: its length and its pickle. Both ends are the same program."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data


# -- to the worker ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hello:
    """Comes first."""

    path: Sequence[str]
    """Where the bot's process finds its modules."""


@dataclass(frozen=True)
class Seating:
    """Who is to think for a seat."""

    policy: bytes
    """What makes the policy, as `dragonhall.bots.thinking.recipes` packs it."""
    chair: Chair


@dataclass(frozen=True)
class Question:
    """One decision to be made."""

    decision_id: int
    seed: int
    """All luck comes from it."""
    view: Any
    seen: Sequence[Any]
    """All that the seat was told."""
    decision: Any
    actions: ActionList
    due: float | None = None
    """When the choice has to be there, by `time.monotonic`, which all processes of a machine share; ``None``: it may
    take as long as it likes."""


@dataclass(frozen=True)
class Ask:
    """A question to the policy of one seat."""

    number: int
    """By which the answer is known."""
    place: Place
    question: Question
    """Of what was seen it has what is new."""
    parts: int = 1
    """So many workers think about it at once."""
    seating: Seating | None = None
    """Sit down first: nothing was told to this worker yet, or it does not hold any more."""


@dataclass(frozen=True)
class Drop:
    """A question whose answer nobody needs any more."""

    number: int


@dataclass(frozen=True)
class Situation:
    """What a seat knows while others are asked."""

    view: Any
    seen: Sequence[Any]
    """All that the seat was told."""


@dataclass(frozen=True)
class Ponder:
    """Think about what a seat may be asked next, whenever nobody asks anything: from now on, until something else comes
    for the seat."""

    place: Place
    situation: Situation
    """Of what was seen it has what is new."""


@dataclass(frozen=True)
class Rest:
    """There is nothing to ponder in a seat."""

    place: Place


@dataclass(frozen=True)
class Leave:
    """Nothing more will be asked in a seat."""

    place: Place


News = Ponder | Rest | Leave
"""What has no answer."""


# -- from the worker --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ready:
    """It can be asked."""


@dataclass(frozen=True)
class Begun:
    """It is thinking about this question now: should it die, that may have been the cause."""

    number: int


@dataclass(frozen=True)
class Choice:
    """What a policy chose."""

    position: int
    """Among the legal actions."""
    seconds: float
    """How long it thought."""
    findings: Findings | None = None
    """Of a policy that searches, unless there was only one action."""
    pondered: int = 0
    """Simulations that were made while others were asked, since the decision before."""
    pace: float = 0.0
    """The seconds that it might as well have thought (see `SteadyPolicy`)."""
    held: float = 0.0
    """The seconds for which it was held back, so that it took as long as others."""


@dataclass(frozen=True)
class Answer:
    """The answer to a question."""

    number: int
    choice: Choice


@dataclass(frozen=True)
class Fault:
    """A policy that raised an exception, or chose what is no position."""

    number: int
    traceback: str
