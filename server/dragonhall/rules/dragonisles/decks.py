"""A deck of cards and its discards.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import final

from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles.setting import NONE


@final
class Deck:
    """Cards face down, and the cards discarded since the last shuffle."""

    def __init__(self, order: vec[i64], discards: vec[i64]) -> None:
        self.order: vec[i64] = order
        """The cards as they were shuffled last. Never written to: copies share it."""
        self.drawn: i64 = 0
        """How many of them are drawn already."""
        self.discards: vec[i64] = discards
        """The last one lies on top."""

    def copy(self) -> Deck:
        """An independent copy."""
        twin = Deck(self.order, self.discards[:])
        twin.drawn = self.drawn
        return twin

    def size(self) -> i64:
        """Cards face down."""
        return len(self.order) - self.drawn

    def top(self) -> i64:
        """The top of the discards, or `NONE`."""
        return self.discards[len(self.discards) - 1] if len(self.discards) > 0 else NONE

    def draw(self) -> i64:
        """Takes the first card of a deck that is not empty."""
        card = self.order[self.drawn]
        self.drawn += 1
        return card

    def discard(self, card: i64) -> None:
        """Puts a card on top of the discards."""
        self.discards = append(self.discards, card)

    def shuffle(self, stream: str, chance: Chance) -> None:
        """Shuffles all cards of a deck from which none was drawn yet."""
        self.order = vec[i64](chance.shuffle(stream, list(self.order)))

    def shuffle_discards(self, stream: str, chance: Chance) -> None:
        """The discards, shuffled, are the deck: in place of one that ran out."""
        self.order = vec[i64](chance.shuffle(stream, list(self.discards)))
        self.drawn = 0
        self.discards = vec[i64]()

    def cards_left(self) -> list[int]:
        """The cards face down, first card first."""
        return list(self.order[self.drawn :])
