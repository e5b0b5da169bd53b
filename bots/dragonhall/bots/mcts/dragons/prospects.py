"""How a game may end, from what all seats own at the end of a year.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from math import exp
from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragons.facts import FACES
from dragonhall.rules.dragons.scoring import eliminated_seats, scores


@final
class Prospects:
    """Chances to win and expected ranks."""

    def __init__(self, seats: i64) -> None:
        self.seats: i64 = seats
        self.chances: vec[float] = vec[float]([0.0] * seats)
        """By seat: the chance to win; of a win shared, a part."""
        self.ranks: vec[float] = vec[float]([0.0] * seats)
        """By seat: the expected rank; seats that tie have their places' mean."""

    def settle(self, treasure: vec[i64]) -> None:
        """The game is over: ranks as they are (RD-7, RD-8)."""
        eliminated = eliminated_seats(treasure, self.seats)
        points = scores(treasure, self.seats, eliminated)
        for seat in range(self.seats):
            if eliminated >> seat & 1:
                points[seat] -= 1000
        for seat in range(self.seats):
            better: i64 = 0
            alike: i64 = 0
            for other in range(self.seats):
                if points[other] > points[seat]:
                    better += 1
                elif points[other] == points[seat]:
                    alike += 1
            self.chances[seat] = 1.0 / float(alike) if better == 0 else 0.0
            self.ranks[seat] = 1.0 + float(better) + float(alike - 1) / 2.0

    def estimate(self, treasure: vec[i64], later: i64) -> None:
        """The game goes on with ``later`` cards more."""
        points = scores(treasure, self.seats, 0)
        animals = vec[i64]([0] * self.seats)
        fewest: i64 = 99
        for seat in range(self.seats):
            animals[seat] = treasure[seat * FACES] + treasure[seat * FACES + 1]
            fewest = min(fewest, animals[seat])
        total = 0.0
        for seat in range(self.seats):
            strength = float(points[seat]) - 15.0 * exp(-float(animals[seat] - fewest) * 30.0 / float(later + 1))
            self.chances[seat] = exp(strength / (4.0 + 0.12 * float(later)))
            total += self.chances[seat]
        for seat in range(self.seats):
            self.chances[seat] /= total
        for seat in range(self.seats):
            rank = 1.0
            for other in range(self.seats):
                if other != seat:
                    rank += self.chances[other] / (self.chances[seat] + self.chances[other])
            self.ranks[seat] = rank
