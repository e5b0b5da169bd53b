"""How a game may end, from what all seats own at the end of a year. Each seat is described by a few numbers; a small
network, fitted to games of the guide against itself, makes its chance to win of them.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.network import Network, to_chances
from dragonhall.rules.dragons.facts import (
    BLUE_GEM,
    BREASTPLATE,
    COW,
    CROWN,
    FACES,
    NECKLACE,
    ONE_RING,
    PINK_GEM,
    POLISH,
    SHEEP,
    SWORD,
    TOTAL_CARDS,
)
from dragonhall.rules.dragons.scoring import MAJORITY_POINTS, SET_POINTS, coin_points, eliminated_seats, scores

FEATURES: Final = 17
"""Numbers that describe a seat."""

_ZEAL: Final = 1.2
"""How much likelier than its share a seat gets a card that it collects."""
_HUNGER: Final = 40.0
"""Points that being eliminated costs."""
_POINTS: Final = 20.0
"""Differences in points are told in this unit."""
_NEEDED: Final = 4
"""Cards wanted at most, in the table of chances: 0 to 3."""
_BEHIND: Final = 10_000
"""More than all points."""


@final
class Prospects:
    """Standings, and chances to win."""

    def __init__(self, seats: i64, counts: vec[i64], network: Network) -> None:
        """``counts``: cards of each face in the component set."""
        self.seats: i64 = seats
        self.chances: vec[float] = vec[float]([0.0] * seats)
        """By seat: the chance to win, which `estimate` found; of a win shared, a part."""
        self.features: vec[float] = vec[float]([0.0] * (seats * FEATURES))
        """What `describe` found, by seat."""
        self._counts: vec[i64] = counts
        self._network: Network = network
        self._unseen: vec[i64] = counts[:]
        self._expected: vec[float] = vec[float]([0.0] * seats)
        self._sure: vec[float] = vec[float]([0.0] * seats)
        self._strengths: vec[float] = vec[float]([0.0] * seats)
        self._chance: float = min(1.0, _ZEAL / float(seats))
        """That a seat gets a card still to come that it collects."""
        self._tails: vec[float] = _tails(self._chance)

    def standings(self, treasure: vec[i64]) -> vec[i64]:
        """The game is over: a number for each seat, the greater the better (RD-7, RD-8)."""
        eliminated = eliminated_seats(treasure, self.seats)
        points = scores(treasure, self.seats, eliminated)
        for seat in range(self.seats):
            if eliminated >> seat & 1:
                points[seat] -= _BEHIND
        return points

    def estimate(self, treasure: vec[i64], later: i64, first: i64) -> None:
        """The game goes on with ``later`` cards more; seat ``first`` begins. Sets `chances`."""
        self.describe(treasure, later, first)
        for seat in range(self.seats):
            self.chances[seat] = self._network.strength(self.features, seat * FEATURES, FEATURES)
        to_chances(self.chances)

    def describe(self, treasure: vec[i64], later: i64, first: i64) -> None:
        """Sets `features`."""
        for place in range(i64(len(self.features))):
            self.features[place] = 0.0
        self._count_unseen(treasure)
        self._reckon_points(treasure)
        self._contest(treasure, PINK_GEM, PINK_GEM, 1.0, 4, float(MAJORITY_POINTS))
        self._contest(treasure, BLUE_GEM, BLUE_GEM, 1.0, 5, float(MAJORITY_POINTS))
        self._compare(self._expected, 0)
        if self.seats <= 4:
            self._contest(treasure, COW, SHEEP, -1.0, 2, -_HUNGER)
        else:
            self._contest(treasure, COW, COW, -1.0, 2, -_HUNGER)
            self._contest(treasure, SHEEP, SHEEP, -1.0, 3, -_HUNGER)
        self._compare(self._expected, 6)
        self._compare(self._sure, 8)
        for seat in range(self.seats):
            base = seat * FEATURES
            self.features[base + 14] = float(later) / float(TOTAL_CARDS)
            self.features[base + 15] = float((seat - first + self.seats) % self.seats) / float(self.seats)
            self.features[base + 16] = 1.0

    def _count_unseen(self, treasure: vec[i64]) -> None:
        for face in range(i64(FACES)):
            unseen = self._counts[face]
            for seat in range(self.seats):
                unseen -= treasure[seat * FACES + face]
            self._unseen[face] = unseen

    def _reckon_points(self, treasure: vec[i64]) -> None:
        """What each seat has for sure, and may expect, of everything but gems."""
        for seat in range(self.seats):
            base = seat * FACES
            cans = float(treasure[base + POLISH])
            sure = float(coin_points(treasure, seat)) + cans * cans
            more = float(self._unseen[POLISH]) * self._chance
            promised = more * (2.0 * cans + more)
            rings = treasure[base + ONE_RING]
            if rings == 1:
                sure += 7.0
            sets, next_set = self._armour(treasure, base)
            threes, next_threes = self._jewels(treasure, base)
            self._sure[seat] = sure + float(SET_POINTS) * float(sets + threes)
            self._expected[seat] = self._sure[seat] + promised + float(SET_POINTS) * (next_set + next_threes)
            features = seat * FEATURES
            self.features[features + 10] = next_set
            self.features[features + 11] = next_threes
            self.features[features + 12] = cans / 4.0
            self.features[features + 13] = 1.0 if rings == 1 else (-1.0 if rings > 1 else 0.0)

    def _armour(self, treasure: vec[i64], base: i64) -> tuple[i64, float]:
        """Complete sets, and the chance of one more."""
        sets = treasure[base + SWORD]
        for face in range(i64(SWORD), i64(BREASTPLATE + 1)):
            sets = min(sets, treasure[base + face])
        chance = 1.0
        for face in range(i64(SWORD), i64(BREASTPLATE + 1)):
            if treasure[base + face] == sets:
                chance *= self._tail(self._unseen[face], 1)
        return sets, chance

    def _jewels(self, treasure: vec[i64], base: i64) -> tuple[i64, float]:
        """Threes of a kind, and how many more are to be expected."""
        threes: i64 = 0
        more = 0.0
        for face in range(i64(CROWN), i64(NECKLACE + 1)):
            jewels = treasure[base + face]
            threes += jewels // 3
            more += self._tail(self._unseen[face], 3 - jewels % 3)
        return threes, more

    def _tail(self, unseen: i64, needed: i64) -> float:
        """The chance to get at least as many of the unseen cards."""
        return self._tails[unseen * _NEEDED + needed]

    def _contest(self, treasure: vec[i64], low: i64, high: i64, sign: float, feature: i64, prize: float) -> None:
        """Each seat's chance to have the most (``sign`` 1) or the fewest (-1) of the faces ``low`` to ``high``."""
        to_come, total = 0.0, 0.0
        for face in range(low, high + 1):
            to_come += float(self._unseen[face])
        share = 1.0 / float(self.seats)
        scale = 0.15 + 0.55 * sqrt(2.0 * to_come * share * (1.0 - share))
        for seat in range(self.seats):
            owned: i64 = 0
            for face in range(low, high + 1):
                owned += treasure[seat * FACES + face]
            self._strengths[seat] = exp(sign * float(owned) / scale)
            total += self._strengths[seat]
        for seat in range(self.seats):
            chance = self._strengths[seat] / total
            self.features[seat * FEATURES + feature] = chance
            self._expected[seat] += prize * chance

    def _compare(self, points: vec[float], feature: i64) -> None:
        """How much more points a seat has than all have on average, and than the best other seat."""
        total = 0.0
        for seat in range(self.seats):
            total += points[seat]
        for seat in range(self.seats):
            best = -1000.0
            for other in range(self.seats):
                if other != seat:
                    best = max(best, points[other])
            base = seat * FEATURES + feature
            self.features[base] = (points[seat] - total / float(self.seats)) / _POINTS
            self.features[base + 1] = (points[seat] - best) / _POINTS


def _tails(chance: float) -> vec[float]:
    """At ``unseen * _NEEDED + needed``: the chance of at least ``needed`` successes in ``unseen`` trials."""
    tails = vec[float]([0.0] * ((TOTAL_CARDS + 1) * _NEEDED))
    tails[0] = 1.0
    for unseen in range(i64(1), i64(TOTAL_CARDS + 1)):
        tails[unseen * _NEEDED] = 1.0
        before = (unseen - 1) * _NEEDED
        for needed in range(i64(1), i64(_NEEDED)):
            tails[unseen * _NEEDED + needed] = (
                chance * tails[before + needed - 1] + (1.0 - chance) * tails[before + needed]
            )
    return tails
