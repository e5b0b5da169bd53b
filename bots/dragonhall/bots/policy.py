"""What a bot is made of: a policy for one seat, which chooses among the legal actions from what the seat may know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, runtime_checkable

from dragonhall.rules.actions import ActionList


@dataclass(frozen=True)
class Chair:
    """What a policy is told once, when it sits down. All of it is public."""

    options: Any
    """The game's options dataclass, as `dragonhall.rules.dragons.facts.Options`."""
    components: Any
    """What the game is played with, as `dragonhall.rules.dragons.facts.Components`."""
    seats: int
    """How many players there are."""
    seat: int
    """The policy's own seat, 0-based, clockwise."""


class Policy(Protocol):
    """Chooses for one seat of one game. Knows its `Chair`, what it is given here, and nothing else."""

    def __init__(self, chair: Chair, rng: Random) -> None:
        """Sits down in ``chair``, as the game starts or when the bot comes back to it.

        ``rng``: all luck is to come from it. It is seeded anew for each decision.
        """

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        """The position in ``actions`` of the action to take.

        ``view``: what the seat sees on the table now. ``seen``: all events that it was told since the start, in order.
        ``decision``: what it is asked. ``actions``: every legal action, in canonical order, at least one. All are the
        game's own dataclasses. Where an amount is asked for, every amount is an action of its own; `ActionList`, which
        ``actions`` is, makes such an action when it is looked at: rather than look at all of thousands, ask it for its
        ``entries``, or for the ``index`` of an action.

        The same arguments and the same state of its random numbers give the same choice, whatever was asked before: a
        bot that was started anew goes on as if nothing had happened.
        """
        ...


@runtime_checkable
class ClockedPolicy(Policy, Protocol):
    """A policy that can tell how long it may think."""

    def choose_within(
        self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList, time_left: float | None
    ) -> int:
        """As `choose`, which is then not asked.

        ``time_left``: the seconds that this decision may take, so that the answer is there in time and, of a bank of
        time, enough is left for the decisions to come; ``None``: as long as it likes.
        """
        ...


PolicyFactory = Callable[[Chair, Random], Policy]
"""Makes the policy of one seat: a class as `Policy`, or a function that is called as its constructor is."""
