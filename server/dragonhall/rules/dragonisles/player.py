"""What lies before one seat: its character board, hand, tokens, treasures, encounters and trophies.

Hot: one source that CPython runs and mypyc compiles. Small counts share a number: `count_in` and `one` say how.
"""

from __future__ import annotations

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.dragonisles.combinations import count_combinations
from dragonhall.rules.dragonisles.setting import NONE, POTION_KINDS, SNEAK, STEAL, STRIKE, TYPES


def count_in(counts: i64, kind: i64) -> i64:
    """One of several counts up to 255 that share a number, eight bits each.

    >>> count_in(one(2) + one(2) + one(0), 2)
    2
    """
    return counts >> (kind * 8) & 255


def one(kind: i64) -> i64:
    """What to add to such a number for one more of a kind."""
    return masks.bit(kind * 8)


def all_potions(potions: i64) -> i64:
    """How many potions of all kinds these counts are."""
    total: i64 = 0
    for kind in range(i64(POTION_KINDS)):
        total += count_in(potions, kind)
    return total


@final
class Player:
    """A seat's belongings."""

    def __init__(self, treasures: vec[i64], encounters: vec[i64]) -> None:
        self.character: i64 = NONE
        """Place in `facts.CHARACTERS`."""
        self.hand: i64 = 0
        """A card set (`cards`)."""
        self.cubes: i64 = 0
        """Positions of the experience cubes, by place on the board (`count_in`)."""
        self.potions: i64 = 0
        """By kind (`count_in`)."""
        self.coins: i64 = 0
        """Their value (RL-11)."""
        self.symbols: i64 = 0
        """By encounter type, scrolls included (`count_in`)."""
        self.variety_trophy: bool = False
        self.treasures: vec[i64] = treasures
        """Kinds, in the order in which they were earned."""
        self.encounters: vec[i64] = encounters
        """Kinds, in the order in which they were won."""
        self.counted_hand: i64 = 0
        """The hand for which these were counted, since it seldom changes from turn to turn:"""
        self.sneaks: i64 = 0
        self.steals: i64 = 0
        self.strikes: i64 = 0

    def copy(self) -> Player:
        """An independent copy."""
        twin = Player(self.treasures[:], self.encounters[:])
        twin.character = self.character
        twin.hand = self.hand
        twin.cubes = self.cubes
        twin.potions = self.potions
        twin.coins = self.coins
        twin.symbols = self.symbols
        twin.variety_trophy = self.variety_trophy
        twin.counted_hand = self.counted_hand
        twin.sneaks = self.sneaks
        twin.steals = self.steals
        twin.strikes = self.strikes
        return twin

    def count_combinations(self, approach: i64) -> i64:
        """In how many ways its hand can challenge by an approach."""
        if self.counted_hand != self.hand:
            self.counted_hand = self.hand
            self.sneaks = count_combinations(SNEAK, self.hand)
            self.steals = count_combinations(STEAL, self.hand)
            self.strikes = count_combinations(STRIKE, self.hand)
        if approach == SNEAK:
            return self.sneaks
        return self.steals if approach == STEAL else self.strikes

    def has_every_symbol(self) -> bool:
        """Whether it has a symbol of each type."""
        kind: i64 = 0
        while kind < TYPES and count_in(self.symbols, kind):
            kind += 1
        return kind == TYPES
