"""Policies that do what none should, to be run by a server's workers."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any


@dataclass(frozen=True)
class First:
    """Takes the first action of all. Those below do the same, if they come to it."""

    def __call__(self, options: Any, components: Any, seats: int, seat: int, rng: Random) -> First:
        return self

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: Sequence[Any]) -> int:
        return 0


@dataclass(frozen=True)
class Slow(First):
    """Thinks for so much processor time about each decision."""

    seconds: float

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: Sequence[Any]) -> int:
        until = time.process_time() + self.seconds
        while time.process_time() < until:
            pass
        return 0


@dataclass(frozen=True)
class Deadly(First):
    """Kills the process that it runs in, the first ``times``; the file counts."""

    file: Path
    times: int

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: Sequence[Any]) -> int:
        deaths = len(self.file.read_bytes()) if self.file.exists() else 0
        if deaths < self.times:
            with self.file.open("ab") as file:
                file.write(b".")
            os._exit(1)
        return 0


@dataclass(frozen=True)
class Faulty(First):
    """Raises what nobody expects."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: Sequence[Any]) -> int:
        raise ZeroDivisionError("a fault of the policy")


@dataclass(frozen=True)
class Talkative(First):
    """Prints, where answers go."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: Sequence[Any]) -> int:
        print("what a fine hand")
        return 0


@dataclass(frozen=True)
class Greedy(First):
    """Wants all the memory there is."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: Sequence[Any]) -> int:
        return len(bytearray(1 << 40))
