"""What cards are worth to each seat, in points at the end: tables that are made once a year and then only read.

The terms are those of the greedy bot (`dragonhall.bots.greedy.dragons.value`): coins, rings, armour, jewels and cans
with the chance to get more of them, the races for the gems, and the danger of hunger. Here every *group* of cards that
count together has a table by number of cards; armour alone depends on several groups at once.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragons.facts import (
    BLUE_GEM,
    COINS,
    COW,
    CROWN,
    FACES,
    NECKLACE,
    ONE_RING,
    PINK_GEM,
    POLISH,
    SHEEP,
    SWORD,
)
from dragonhall.rules.dragons.scoring import MAJORITY_POINTS, SET_POINTS

GROUPS: Final = 14
"""Faces below `COINS`; cows and sheep are one group, `COW`, where they count together."""
WIDTH: Final = 22
"""Numbers of cards in a table: 0 to 21; more are taken to be 21."""
ARMOUR: Final = 4
"""Kinds of armour."""

_HUNGER: Final = 40.0
"""Points that being eliminated costs."""
_ZEAL: Final = 1.2
"""How much likelier than its share a seat gets a card that it collects."""
_DREAD: Final = 0.6
"""How much likelier than its share a seat gets a second ring."""
_TIE_IS_SAFE: Final = 0.4
"""Who shares the fewest animals is not eliminated: as good as this many animals more."""


@final
class Appraisal:
    """What cards are worth at one point of the game."""

    def __init__(self, seats: i64) -> None:
        self.seats: i64 = seats
        self.values: vec[float] = vec[float]([0.0] * (seats * GROUPS * WIDTH))
        """Of seat *s*, group *g*: points with *n* cards more, at ``(s * GROUPS + g) * WIDTH + n``."""
        self.card_worth: vec[float] = vec[float]([0.0] * seats)
        """By seat: what a card of the deck brings on average."""
        self.armour: vec[i64] = vec[i64]([0] * (seats * ARMOUR))
        """By seat and kind: pieces owned."""
        self.hunger: vec[float] = vec[float]([0.0] * seats)
        """By seat: the chance to be eliminated, with nothing more of this year."""
        self._missing: vec[float] = vec[float]([0.0] * (ARMOUR * WIDTH))
        """By kind of armour and number: the chance to get as many more in later years."""
        self._tails: vec[float] = vec[float]([0.0] * (WIDTH + 1))
        self._strengths: vec[float] = vec[float]([0.0] * seats)
        self._total: float = 1.0
        self._share: float = 0.0
        self._chance: float = 0.0

    def appraise(self, owned: vec[i64], unseen: vec[i64], lying: vec[i64], deck: i64, later: i64) -> None:
        """Makes the tables.

        ``owned``: by seat and face; ``unseen``: by face, what may still come, and ``lying``: what lies on free piles;
        ``deck``: cards left this year, ``later``: cards of later years.
        """
        total: i64 = 0
        for face in range(i64(FACES)):
            total += unseen[face]
        self._total = float(total) if total > 0 else 1.0
        self._share = float(later) / self._total / float(self.seats)
        self._chance = min(1.0, self._share * _ZEAL)
        self._rings(owned, unseen[ONE_RING])
        self._cans(owned, float(unseen[POLISH]))
        for kind in range(i64(CROWN), i64(NECKLACE + 1)):
            self._jewels(owned, kind, unseen[kind])
        for kind in range(i64(ARMOUR)):
            self._pieces(owned, kind, unseen[SWORD + kind])
        self._contests(owned, unseen, lying, deck, later)
        for seat in range(self.seats):
            self.card_worth[seat] = self._average_card(seat, unseen)

    def _rings(self, owned: vec[i64], unseen: i64) -> None:
        """7 times the chance to end with exactly one."""
        chance = min(1.0, self._share * _DREAD)
        none_more = (1.0 - chance) ** float(unseen)
        one_more = float(unseen) * chance * (1.0 - chance) ** float(unseen - 1) if unseen > 0 else 0.0
        for seat in range(self.seats):
            base = (seat * GROUPS + ONE_RING) * WIDTH
            for more in range(i64(WIDTH)):
                rings = owned[seat * FACES + ONE_RING] + more
                value = 0.0
                if rings == 0:
                    value = 7.0 * one_more
                elif rings == 1:
                    value = 7.0 * none_more
                self.values[base + more] = value

    def _cans(self, owned: vec[i64], unseen: float) -> None:
        """The expected square of the number of cans."""
        to_come = unseen * self._chance
        spread = to_come * (1.0 - self._chance)
        for seat in range(self.seats):
            base = (seat * GROUPS + POLISH) * WIDTH
            for more in range(i64(WIDTH)):
                cans = float(owned[seat * FACES + POLISH] + more) + to_come
                self.values[base + more] = cans * cans + spread

    def _jewels(self, owned: vec[i64], kind: i64, unseen: i64) -> None:
        """10 for each three of a kind, times the chance to complete it."""
        self._reckon_tails(unseen)
        for seat in range(self.seats):
            base = (seat * GROUPS + kind) * WIDTH
            for more in range(i64(WIDTH)):
                jewels = owned[seat * FACES + kind] + more
                threes = float(jewels // 3)
                needed: i64 = 3 - jewels % 3
                while needed <= unseen:
                    threes += self._tails[needed]
                    needed += 3
                self.values[base + more] = float(SET_POINTS) * threes

    def _pieces(self, owned: vec[i64], kind: i64, unseen: i64) -> None:
        self._reckon_tails(unseen)
        for missing in range(i64(WIDTH)):
            self._missing[kind * WIDTH + missing] = self._tails[missing]
        for seat in range(self.seats):
            self.armour[seat * ARMOUR + kind] = owned[seat * FACES + SWORD + kind]

    def _reckon_tails(self, unseen: i64) -> None:
        """By number: the chance to get at least as many of ``unseen`` cards."""
        chance = self._chance
        if unseen > WIDTH - 1:
            unseen = WIDTH - 1
        for number in range(unseen + 1, i64(WIDTH + 1)):
            self._tails[number] = 0.0
        if chance > 0.999:
            chance = 0.999
        exactly = (1.0 - chance) ** float(unseen)
        tail = 1.0
        for number in range(unseen + 1):
            self._tails[number] = tail
            tail -= exactly
            exactly *= float(unseen - number) / float(number + 1) * chance / (1.0 - chance)

    def armour_value(self, seat: i64, counts: vec[i64], base: i64) -> float:
        """10 for each set, times the chance to complete it, with ``counts[base + SWORD]`` … more pieces."""
        points = 0.0
        sets: i64 = 0
        chance = 1.0
        while chance > 0.02:
            sets += 1
            chance = 1.0
            for kind in range(i64(ARMOUR)):
                missing = sets - self.armour[seat * ARMOUR + kind] - counts[base + SWORD + kind]
                if missing > 0:
                    chance *= self._missing[kind * WIDTH + missing]
            points += float(SET_POINTS) * chance
        return points

    def _contests(self, owned: vec[i64], unseen: vec[i64], lying: vec[i64], deck: i64, later: i64) -> None:
        for seat in range(self.seats):
            self.hunger[seat] = 0.0
        for gem in (PINK_GEM, BLUE_GEM):
            self._contest(owned, unseen, lying, deck, later, gem, gem, 1.0, float(MAJORITY_POINTS))
        if self.seats <= 4:
            self._contest(owned, unseen, lying, deck, later, COW, SHEEP, -1.0, -_HUNGER)
        else:
            self._contest(owned, unseen, lying, deck, later, COW, COW, -1.0, -_HUNGER)
            self._contest(owned, unseen, lying, deck, later, SHEEP, SHEEP, -1.0, -_HUNGER)

    def _contest(
        self,
        owned: vec[i64],
        unseen: vec[i64],
        lying: vec[i64],
        deck: i64,
        later: i64,
        first: i64,
        last: i64,
        sign: float,
        prize: float,
    ) -> None:
        """Who will have the most (``sign`` 1) or the fewest (-1) of the faces ``first`` to ``last``.

        A seat's chance grows exponentially with its lead, the less steeply the more is still to come.
        """
        seats = self.seats
        to_come, on_table = 0.0, 0.0
        for face in range(first, last + 1):
            to_come += float(unseen[face])
            on_table += float(lying[face])
        scale = self._spread(to_come * float(later + deck) / self._total)
        this_year = on_table + to_come * float(deck) / self._total
        for seat in range(seats):
            self._strengths[seat] = exp(sign * float(_count(owned, seat, first, last)) / scale)
        for seat in range(seats):
            rivals = 0.0
            for other in range(seats):
                if other != seat:
                    rivals += self._strengths[other]
            mine = self._strengths[seat] * (exp(-_TIE_IS_SAFE / scale) if sign < 0.0 else 1.0)
            base = (seat * GROUPS + first) * WIDTH
            for more in range(i64(WIDTH)):
                left = max(0.0, this_year - float(more)) / float(seats - 1)
                ours = mine * exp(sign * float(more) / scale)
                chance = ours / (ours + rivals * exp(sign * left / scale))
                self.values[base + more] = prize * chance
            if sign < 0.0:
                self.hunger[seat] += self.values[base] / prize

    def _spread(self, to_come: float) -> float:
        """The scale of a logistic distribution as wide as what two seats' further cards may differ by."""
        share = 1.0 / float(self.seats)
        return 0.15 + 0.55 * sqrt(2.0 * to_come * share * (1.0 - share))

    def _average_card(self, seat: i64, unseen: vec[i64]) -> float:
        worth = 0.0
        for face in range(i64(FACES)):
            if unseen[face] > 0:
                worth += float(unseen[face]) * self.card_value(seat, face)
        return worth / self._total

    def card_value(self, seat: i64, face: i64) -> float:
        """What one card of ``face`` adds to what ``seat`` owns."""
        if face > COINS:
            return float(face - COINS)
        if SWORD <= face < SWORD + ARMOUR:
            kind = face - SWORD
            before = self.armour_value(seat, _NOTHING, 0)
            self.armour[seat * ARMOUR + kind] += 1
            after = self.armour_value(seat, _NOTHING, 0)
            self.armour[seat * ARMOUR + kind] -= 1
            return after - before
        base = (seat * GROUPS + self.group(face)) * WIDTH
        return self.values[base + 1] - self.values[base]

    def group(self, face: i64) -> i64:
        """The group that a card below `COINS` counts in."""
        return COW if face == SHEEP and self.seats <= 4 else face


_NOTHING: Final = vec[i64]([0] * FACES)


def _count(owned: vec[i64], seat: i64, first: i64, last: i64) -> i64:
    count: i64 = 0
    for face in range(seat * FACES + first, seat * FACES + last + 1):
        count += owned[face]
    return count
