"""A small network that makes one number of what is to be said of a seat: its strength. Chances to win follow from all
seats' strengths.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from math import exp
from typing import final

from librt.vecs import vec
from mypy_extensions import i64


@final
class Network:
    """One hidden layer of rectified units."""

    def __init__(self, inner: vec[float], outer: vec[float]) -> None:
        """``inner``: at ``units * feature + unit`` how much a feature excites a unit. ``outer``: by unit, how much it
        counts."""
        self._inner: vec[float] = inner
        self._outer: vec[float] = outer
        self._excited: vec[float] = vec[float]([0.0] * len(outer))

    def strength(self, features: vec[float], first: i64, count: i64) -> float:
        """What comes of ``count`` features, from ``first`` on."""
        units: i64 = len(self._outer)
        inner, excited = self._inner, self._excited
        for unit in range(units):
            excited[unit] = 0.0
        at: i64 = 0
        for place in range(first, first + count):
            value = features[place]
            if value != 0.0:
                for unit in range(units):
                    excited[unit] += value * inner[at + unit]
            at += units
        strength = 0.0
        for unit in range(units):
            if excited[unit] > 0.0:
                strength += excited[unit] * self._outer[unit]
        return strength


def to_chances(strengths: vec[float]) -> None:
    """Makes strengths chances, in place: each in proportion to its exponential, together 1.

    >>> strengths = vec[float]([1.0, 1.0])
    >>> to_chances(strengths)
    >>> list(strengths)
    [0.5, 0.5]
    """
    highest = strengths[0]
    for strength in strengths:
        highest = max(highest, strength)
    total = 0.0
    for seat in range(i64(len(strengths))):
        strengths[seat] = exp(strengths[seat] - highest)
        total += strengths[seat]
    for seat in range(i64(len(strengths))):
        strengths[seat] /= total
