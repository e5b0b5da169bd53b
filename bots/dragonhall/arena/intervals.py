"""95 % intervals for means of a few independent numbers.

Mirrored games of one deal are not independent of each other; deals are. So intervals are taken over deals: each
contributes one number, the mean of its games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Final

CONFIDENCE: Final = 0.95
_Z: Final = 1.959963984540054
"""The normal distribution's quantile for `CONFIDENCE`, two-sided."""


@dataclass(frozen=True)
class Interval:
    """From ``low`` to ``high``."""

    low: float
    high: float


def mean_interval(shares: Sequence[float]) -> Interval | None:
    """Where the true mean of ``shares`` (each 0 to 1) lies with 95 % confidence; ``None`` for fewer than two.

    Student's t interval, kept within 0 and 1. If all shares are the same, their spread says nothing, and Wilson's
    interval for that many independent trials is given.

    >>> mean_interval([0.5, 1.0, 0.75, 0.75])
    Interval(low=0.4251..., high=1.0)
    >>> mean_interval([1.0] * 20)
    Interval(low=0.8388..., high=1.0)
    """
    count = len(shares)
    if count < 2:
        return None
    mean, spread = fmean(shares), stdev(shares)
    if spread == 0.0:
        return _wilson(mean, count)
    half = t_quantile(count - 1) * spread / math.sqrt(count)
    return Interval(max(0.0, mean - half), min(1.0, mean + half))


def _wilson(share: float, count: int) -> Interval:
    square = _Z * _Z
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = _Z / (1 + square / count) * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    # At the ends the interval ends there too, which rounding would miss by a hair.
    return Interval(0.0 if share == 0.0 else middle - half, 1.0 if share == 1.0 else middle + half)


def t_quantile(freedom: int) -> float:
    """The t below whose absolute value 95 % of Student's distribution with ``freedom`` (1 or more) degrees lie.

    >>> [round(t_quantile(freedom), 3) for freedom in (1, 2, 9, 30, 199)]
    [12.706, 4.303, 2.262, 2.042, 1.972]
    """
    return _bisect(lambda t: t_probability(t, freedom), CONFIDENCE, 0.0, 1_000.0)


def t_probability(t: float, freedom: int) -> float:
    """P(\\|T\\| <= ``t``) of Student's distribution: the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4."""
    theta = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(theta), math.cos(theta)
    if freedom % 2 == 0:
        return sine * _sum(1.0, cosine, range(2, freedom, 2))
    if freedom == 1:
        return 2 * theta / math.pi
    return 2 / math.pi * (theta + sine * _sum(cosine, cosine, range(3, freedom, 2)))


def _sum(first: float, cosine: float, steps: range) -> float:
    """``first``, plus for each step the term before times ``(step - 1) / step * cosine ** 2``."""
    term = total = first
    for step in steps:
        term *= (step - 1) / step * cosine * cosine
        total += term
    return total


def _bisect(function: Callable[[float], float], value: float, low: float, high: float) -> float:
    """Where the increasing ``function`` reaches ``value``."""
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < value else (low, middle)
    return high
