"""How long a decision may be thought about: the answer is to be there in time, and a bank of time is to last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_FIRST_RESERVE: Final = 0.1
"""Seconds, before anything was measured."""
_LEAST_RESERVE: Final = 0.02
_MOST_MEASURED: Final = 2.0
"""Seconds that a round trip counts for at most: what took longer was an outage."""
_DECISIONS_OF_A_BANK: Final = 20
"""A decision may take this part of the bank; so a bank never runs out, and games have 20 to 60 decisions a seat."""
_SPENT_OF_INCREMENT: Final = 0.8


class RoundTrips:
    """How long answers take to be stored and their results to come back, as TCP estimates it (RFC 6298)."""

    def __init__(self) -> None:
        self._mean = 0.0
        self._deviation = 0.0
        self._measured = False

    def note(self, seconds: float) -> None:
        """One more was measured."""
        seconds = min(seconds, _MOST_MEASURED)
        if not self._measured:
            self._mean, self._deviation, self._measured = seconds, seconds / 2, True
            return
        self._deviation += (abs(seconds - self._mean) - self._deviation) / 4
        self._mean += (seconds - self._mean) / 8

    @property
    def reserve(self) -> float:
        """The seconds to keep for an answer's way."""
        if not self._measured:
            return _FIRST_RESERVE
        return max(_LEAST_RESERVE, self._mean + 4 * self._deviation)


@dataclass(frozen=True)
class Clock:
    """What a prompt says of the time that is left."""

    remaining: float
    """Seconds until the deadline, when the prompt was written."""
    bank: float | None = None
    """What is left in the seat's own bank, this decision not taken off; ``None``: every decision has its own limit."""
    increment: float = 0.0
    """What the bank gets for every decision."""


def time_for(clock: Clock, elapsed: float, reserve: float) -> float:
    """The seconds that a decision may take from now on, ``elapsed`` after the prompt has come; never negative.

    >>> time_for(Clock(remaining=10.0), elapsed=1.0, reserve=0.5)
    8.5
    >>> time_for(Clock(remaining=60.0, bank=60.0, increment=1.0), elapsed=1.0, reserve=0.5)
    2.8
    """
    left = clock.remaining - reserve
    if clock.bank is not None:
        ration = clock.bank / _DECISIONS_OF_A_BANK + _SPENT_OF_INCREMENT * clock.increment
        left = min(left, clock.bank - reserve, ration)
    return max(0.0, left - elapsed)
