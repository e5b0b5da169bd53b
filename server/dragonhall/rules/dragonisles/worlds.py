"""Dealing anew what a reader does not know, for beliefs.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from librt.random import Random
from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.dragonisles.decks import Deck
from dragonhall.rules.dragonisles.setting import NONE

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

TO_DECK: Final = -1
TO_OFFER: Final = -2
"""Where an adventurer card is, if it is in no seat's hand."""


@final
class Unknown:
    """The cards whose places a reader does not know, and the places where they are."""

    def __init__(
        self,
        adventurers: vec[i64],
        places: vec[i64],
        pool_ends: vec[i64],
        encounters: vec[i64],
        treasures: vec[i64],
        offered_treasures: i64,
    ) -> None:
        self.adventurers: vec[i64] = adventurers
        """Pool after pool: within a pool each card may be in each place."""
        self.places: vec[i64] = places
        """As many: seats, `TO_DECK`, `TO_OFFER`."""
        self.pool_ends: vec[i64] = pool_ends
        """By pool: the number of cards in it and in those before it."""
        self.encounters: vec[i64] = encounters
        """Those in the deck."""
        self.treasures: vec[i64] = treasures
        """Those in the deck, and those of them that are on offer."""
        self.offered_treasures: i64 = offered_treasures
        """How many of these are on offer."""

    def dealt(self, table: State, rng: Random) -> State:
        """A copy of a table that lacks these cards, with each in a place of its pool; each way is as likely."""
        world = table.copy()
        self._deal_adventurers(world, rng)
        self._deal_treasures(world, rng)
        order = shuffled(self.encounters, 0, len(self.encounters), rng)
        world.encounters = Deck(order, world.encounters.discards)
        return world

    def _deal_adventurers(self, world: State, rng: Random) -> None:
        cards = self.adventurers
        begin: i64 = 0
        for pool in range(len(self.pool_ends)):
            cards = shuffled(cards, begin, self.pool_ends[pool], rng)
            begin = self.pool_ends[pool]
        deck = vec[i64](capacity=len(cards))
        for at in range(len(cards)):
            place = self.places[at]
            if place == TO_DECK:
                deck = append(deck, cards[at])
            elif place == TO_OFFER:
                world.adventurer_offer += masks.bit(cards[at])
            else:
                world.players[place].hand += masks.bit(cards[at])
        world.adventurers = Deck(deck, world.adventurers.discards)

    def _deal_treasures(self, world: State, rng: Random) -> None:
        order = shuffled(self.treasures, 0, len(self.treasures), rng)
        for at in range(self.offered_treasures):
            offer(world, order[at])
        world.treasures = Deck(order[self.offered_treasures :], world.treasures.discards)


def offer(world: State, treasure: i64) -> None:
    """One more treasure is on offer; the lower one stands first."""
    if world.treasure_offer == NONE:
        world.treasure_offer = treasure
    elif treasure < world.treasure_offer:
        world.second_treasure = world.treasure_offer
        world.treasure_offer = treasure
    else:
        world.second_treasure = treasure


def shuffled(cards: vec[i64], begin: i64, end: i64, rng: Random) -> vec[i64]:
    """A copy with those from ``begin`` on and before ``end`` in random order."""
    order = cards[:]
    left = end
    while left - begin > 1:
        chosen = begin + rng.randrange(left - begin)
        left -= 1
        kept = order[left]
        order[left] = order[chosen]
        order[chosen] = kept
    return order
