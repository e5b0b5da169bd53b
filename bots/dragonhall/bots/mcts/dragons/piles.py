"""The piles of a simulated year, and what each is worth to each seat: kept up to date card by card.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons.worth import ARMOUR, GROUPS, WIDTH, Appraisal
from dragonhall.bots.mcts.problem import mix
from dragonhall.rules.dragons.facts import COINS, FACES, SWORD

_KEY_BITS: Final = (1 << 60) - 1


@final
class Piles:
    """What lies where. A pile of seat numbers as high as there are seats, as in the rules' `State`."""

    def __init__(self, appraisal: Appraisal) -> None:
        seats = appraisal.seats
        self.seats: i64 = seats
        self.appraisal: Appraisal = appraisal
        self.worth: vec[float] = vec[float]([0.0] * (seats * seats))
        """Of a pile to seat *s*, at ``s * seats + pile``: what it adds to all that the seat owns."""
        self.counts: vec[i64] = vec[i64]([0] * (seats * FACES))
        """Of pile *p*: cards of a group or coin face, at ``p * FACES + group``."""
        self.key: i64 = 0
        """A number for all that lies where, in whatever order it came."""

    def become(self, other: Piles) -> None:
        """The same as ``other``, of the same appraisal."""
        self.worth = other.worth[:]
        self.counts = other.counts[:]
        self.key = other.key

    def clear(self) -> None:
        """No cards on any pile."""
        for place in range(i64(len(self.worth))):
            self.worth[place] = 0.0
        for place in range(i64(len(self.counts))):
            self.counts[place] = 0
        self.key = 0

    def lay(self, pile: i64, face: i64) -> None:
        """A card more on a pile."""
        for seat in range(self.seats):
            self.worth[seat * self.seats + pile] += self.gain(seat, pile, face)
        self.counts[pile * FACES + self._place(face)] += 1
        self.key = self.key + mix(pile + 1, face + 1) & _KEY_BITS

    def gain(self, seat: i64, pile: i64, face: i64) -> float:
        """What a card more on a pile adds to what the pile is worth to a seat."""
        if face > COINS:
            return float(face - COINS)
        appraisal, base = self.appraisal, pile * FACES
        if SWORD <= face < SWORD + ARMOUR:
            before = appraisal.armour_value(seat, self.counts, base)
            self.counts[base + face] += 1
            after = appraisal.armour_value(seat, self.counts, base)
            self.counts[base + face] -= 1
            return after - before
        group = appraisal.group(face)
        count = self.counts[base + group]
        if count > WIDTH - 2:
            count = WIDTH - 2
        place = (seat * GROUPS + group) * WIDTH + count
        return appraisal.values[place + 1] - appraisal.values[place]

    def _place(self, face: i64) -> i64:
        return face if face > COINS else self.appraisal.group(face)
