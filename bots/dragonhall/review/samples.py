"""A mean, and how far it is to be trusted."""

from __future__ import annotations

import math


class Samples:
    """Numbers that are added up one by one (Welford's method)."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, number: float) -> None:
        """One more."""
        self.count += 1
        off = number - self.mean
        self.mean += off / self.count
        self._squares += off * (number - self.mean)

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite below two samples."""
        if self.count < 2:
            return math.inf
        return math.sqrt(self._squares / (self.count - 1) / self.count)
