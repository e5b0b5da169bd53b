"""Policies for worker processes. Each shows by what it chooses, or does, how it was treated."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from dragonhall.bots.policy import Chair
from dragonhall.rules.actions import ActionList

PATIENCE = 20.0
"""Seconds: far more than what is not to wait for a thought takes on a busy machine."""


class _Long:
    thinks_long = True

    def __init__(self, chair: Chair, rng: Random) -> None:
        self.chair = chair
        self.rng = rng


class Remembering(_Long):
    """Draws by chance, but what it may do depends on all that it was told."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        luck = Random(f"{self.rng.random()} {[repr(event) for event in seen]} {view!r}")
        return luck.randrange(len(actions))


class Slow(_Long):
    """Takes 50 ms."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        time.sleep(0.05)
        return 0


class Raising(_Long):
    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        raise ValueError("a question too many")


class OutOfRange(_Long):
    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        return len(actions)


class Deadly(_Long):
    """Ends its process in seat 1."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        if self.chair.seat == 1:
            os._exit(7)
        time.sleep(0.1)
        return 0


class Endless(_Long):
    """Never comes to an end in seat 0, and cannot be asked to."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        while self.chair.seat == 0:
            time.sleep(0.01)
        return 0


class Printing(_Long):
    """Reads and prints, as an author does who looks for a fault."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        print("thinking about", decision, flush=True)
        try:
            return int(input())
        except EOFError:
            return 0


class Clocked(_Long):
    """Chooses by the time that it has: the first action without a clock, else one later for every minute left."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        raise AssertionError("choose_within is there")

    def choose_within(
        self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList, time_left: float | None
    ) -> int:
        return 0 if time_left is None else min(len(actions) - 1, int(time_left / 60))


class Patient(_Long):
    """Thinks for `PATIENCE` seconds, of whatever it is asked."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        time.sleep(PATIENCE)
        return 0


class Punctual(_Long):
    """Thinks for most of the time that it has."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        return 0

    def choose_within(
        self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList, time_left: float | None
    ) -> int:
        time.sleep(0.8 * (time_left or 0.0))
        return self.rng.randrange(len(actions))


class Tardy(_Long):
    """Takes more time than it has, the first time."""

    late = False

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        if not Tardy.late:
            Tardy.late = True
            time.sleep(3.0)
        return self.rng.randrange(len(actions))


class RaisingInSeat1(_Long):
    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        if self.chair.seat == 1:
            raise ValueError("a question too many")
        return self.rng.randrange(len(actions))
