"""What worker processes are given to do in tests."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Squares:
    """Squares numbers; the lower ones take longer, ``refused`` raises, ``deadly`` ends the process, ``endless`` takes
    an hour, and ``printed`` is printed each time."""

    refused: int = -1
    deadly: int = -1
    endless: int = -1
    printed: str = ""

    def __call__(self) -> Callable[[int], tuple[int, int]]:
        return self.square

    def square(self, number: int) -> tuple[int, int]:
        """With the process's id."""
        if number == self.refused:
            raise ValueError(f"{number} is refused")
        if number == self.deadly:
            os._exit(9)
        if self.printed:
            print(self.printed, flush=True)
        time.sleep(3600 if number == self.endless else 0.05 if number < 2 else 0)
        return number * number, os.getpid()
