"""What treasure is worth in Dragons: the points that a seat may expect at the end, given what it owns so far.

Every kind of treasure has its own term. Each card not seen yet comes to a seat with the same chance, its *share*, so
that the number of further cards of a kind is binomial. Gems and hunger are races: there the seats' counts are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb, exp, sqrt
from operator import add, mul
from typing import Final

from dragonhall.bots.greedy.dragons.knowledge import Counts, Position
from dragonhall.rules.dragons.facts import (
    BLUE_GEM,
    BREASTPLATE,
    COINS,
    COW,
    CROWN,
    FACES,
    HELMET,
    NECKLACE,
    ONE_RING,
    PINK_GEM,
    POLISH,
    SHEEP,
    SHIELD,
    SWORD,
)
from dragonhall.rules.dragons.scoring import MAJORITY_POINTS, SET_POINTS

ARMOUR: Final = (SWORD, HELMET, SHIELD, BREASTPLATE)
JEWELS: Final = tuple(range(CROWN, NECKLACE + 1))


@dataclass(frozen=True)
class Weights:
    """What experience has to say."""

    hunger: float = 40.0
    """Points that being eliminated costs: about what a middling score is worth."""
    zeal: float = 1.2
    """How much likelier than its share a seat gets a card that it collects: it chooses among piles."""
    dread: float = 0.6
    """How much likelier than its share a seat gets a second ring: it avoids it."""


NOTHING: Final[Counts] = [0] * FACES
"""An empty pile."""
TIE_IS_SAFE: Final = 0.4
"""Who shares the fewest animals is not eliminated: as good as this many animals more."""
_SHOWN: Final = range(1, FACES - COINS)
"""What the coin cards show, in face order."""
_STEPS: Final = 128
"""Shares are rounded to this part when tables of chances are looked up."""


@cache
def _tails(unseen: int, step: int) -> tuple[float, ...]:
    """``tails[m]``: the chance of at least ``m`` successes in ``unseen`` trials of chance ``step / _STEPS`` each."""
    chance = step / _STEPS
    tails = [0.0] * (unseen + 2)
    for m in range(unseen, -1, -1):
        tails[m] = tails[m + 1] + comb(unseen, m) * chance**m * (1 - chance) ** (unseen - m)
    return tuple(tails)


class _Race:
    """Who will have the most, or the fewest, of some kinds of card.

    Each seat's chance is taken to grow exponentially with its lead, the less steeply the more is still to come. The
    chances of all seats add up to 1, and equal counts have equal chances.
    """

    def __init__(self, position: Position, first_face: int, second_face: int | None, *, fewest: bool) -> None:
        self._first = first_face
        self._second = second_face
        self._sign = -1 if fewest else 1
        self._unseen = self.count(position.unseen)
        self._scale = self._spread(position)
        self._waiting = len(position.waiting)
        counts = [self.count(owned) for owned in position.owned]
        self._lying = sum(self.count(position.piles[pile]) for pile in position.free_piles) + self.count(position.laid)
        self._origin = max(self._sign * count for count in counts)
        self._strengths = [self._strength(count) for count in counts]
        self._settled = sum(self._strengths[seat] for seat in range(position.seats) if seat not in position.waiting)
        self._open = sum(self._strengths[seat] for seat in position.waiting)

    def count(self, counts: Counts) -> int:
        """The cards of the race's kinds."""
        return counts[self._first] + (0 if self._second is None else counts[self._second])

    def chance(self, seat: int, owned: int, taken: int, more: float) -> float:
        """That ``seat`` wins with ``owned`` cards, ``taken`` of them from a free pile, and so many ``more`` to come.

        Other seats that wait for a pile share what lies on the other free piles evenly.
        """
        left = (self._lying - taken) / max(1, self._waiting - 1)
        mine = self._strength(owned + more + TIE_IS_SAFE * (self._sign < 0))
        others = self._settled + (self._open - self._strengths[seat]) * exp(self._sign * left / self._scale)
        return mine / (mine + others)

    def expected(self, share: float) -> float:
        """Cards of the race's kinds in a share of the unseen cards."""
        return self._unseen * share

    def _strength(self, count: float) -> float:
        return exp((self._sign * count - self._origin) / self._scale)

    def _spread(self, position: Position) -> float:
        """The scale of a logistic distribution as wide as what two seats' further cards may differ by."""
        to_come = self._unseen * (position.later + position.deck) / max(1, position.unseen_total)
        share = 1 / position.seats
        return 0.15 + 0.55 * sqrt(2 * to_come * share * (1 - share))


class Valuation:
    """Values treasures in one position, for every seat alike."""

    def __init__(self, position: Position, weights: Weights) -> None:
        self._position = position
        self._weights = weights
        self._unseen = position.unseen
        self._total = max(1, position.unseen_total)
        self._unseen_coins = _coins(position.unseen)
        self.base_share = position.later / self._total / position.seats
        """The share of the unseen cards that each seat gets in the years to come."""
        self._gems = [_Race(position, gem, None, fewest=False) for gem in (PINK_GEM, BLUE_GEM)]
        food = [(COW, SHEEP)] if position.seats <= 4 else [(COW, None), (SHEEP, None)]
        self._hunger = [_Race(position, first, second, fewest=True) for first, second in food]

    def share_with(self, deck_cards: float) -> float:
        """The share of a seat that besides gets so many cards of this year's deck."""
        return self.base_share + deck_cards / self._total

    def worth(self, seat: int, pile: Counts, share: float) -> float:
        """Points that ``seat`` may expect with ``pile`` added to what it owns and its ``share`` of the unseen cards.

        A pile that lies free is on top of it; an empty one (``NOTHING``) is fine.
        """
        owned = list(map(add, self._position.owned[seat], pile))
        step = min(_STEPS, round(share * self._weights.zeal * _STEPS))
        return (
            _coins(owned)
            + self._unseen_coins * share
            + self._ring(owned[ONE_RING], share)
            + self._armour(owned, step)
            + self._jewels(owned, step)
            + self._polish(owned[POLISH], step / _STEPS)
            + self._majorities(seat, owned, pile, share)
            - self._danger_of_hunger(seat, owned, pile, share)
        )

    def _ring(self, rings: int, share: float) -> float:
        """7 times the chance to end with exactly one."""
        if rings > 1:
            return 0.0
        chance = min(1.0, share * self._weights.dread)
        unseen = self._unseen[ONE_RING]
        none_more = (1 - chance) ** unseen
        if rings == 1:
            return 7 * none_more
        return 7 * unseen * chance * (1 - chance) ** (unseen - 1) if unseen else 0.0

    def _armour(self, owned: Counts, step: int) -> float:
        """10 for each set, times the chance to complete it."""
        unseen = self._unseen
        sets = min(owned[SWORD : BREASTPLATE + 1])
        points = float(SET_POINTS * sets)
        chance = 1.0
        while chance > 0.02:
            sets += 1
            chance = 1.0
            for face in ARMOUR:
                missing = sets - owned[face]
                if missing > 0:
                    chance *= _tails(unseen[face], step)[missing] if missing <= unseen[face] else 0.0
            points += SET_POINTS * chance
        return points

    def _jewels(self, owned: Counts, step: int) -> float:
        """10 for each three of a kind, times the chance to complete it."""
        threes = 0.0
        for face in JEWELS:
            whole, over = divmod(owned[face], 3)
            threes += whole + sum(_tails(self._unseen[face], step)[3 - over :: 3])
        return SET_POINTS * threes

    def _polish(self, cans: int, chance: float) -> float:
        """The expected square of the number of cans."""
        more = self._unseen[POLISH] * chance
        return (cans + more) ** 2 + more * (1 - chance)

    def _majorities(self, seat: int, owned: Counts, pile: Counts, share: float) -> float:
        return MAJORITY_POINTS * self._chances(self._gems, seat, owned, pile, share)

    def _danger_of_hunger(self, seat: int, owned: Counts, pile: Counts, share: float) -> float:
        return self._weights.hunger * self._chances(self._hunger, seat, owned, pile, share)

    def _chances(self, races: list[_Race], seat: int, owned: Counts, pile: Counts, share: float) -> float:
        more = share - self.base_share
        chances = 0.0
        for race in races:
            chances += race.chance(seat, race.count(owned), race.count(pile), race.expected(more))
        return chances


def _coins(counts: Counts) -> int:
    return sum(map(mul, counts[COINS + 1 :], _SHOWN))
