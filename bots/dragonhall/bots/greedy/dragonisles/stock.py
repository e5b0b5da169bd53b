"""What a seat of DragonIsles keeps in stock, in victory points at the end: cards, potions, and the turns to come.

All of it is worth the less, the sooner the game may end, and the more of it there is already.
"""

from __future__ import annotations

from functools import cached_property
from math import exp
from typing import Final

from dragonhall.bots.greedy.dragonisles.table import Table
from dragonhall.bots.greedy.dragonisles.temper import Temper
from dragonhall.rules.dragonisles.facts import POTIONS, Benefit, Potion

WELCOME: Final = 3.0
"""So many cards in excess of what the encounters still to be won take are worth something."""
SCARCE: Final = 5.0
"""With so many cards too few, a card is worth about two thirds of its price; with more too few, all of it."""

TIE_BREAKER: Final = 0.05
"""What a coin is worth besides its points: coins break ties (RL-17)."""


class Stock:
    """Worths for one seat at one table."""

    def __init__(self, table: Table, temper: Temper) -> None:
        self._table = table
        self._temper = temper
        self.lasting = 1 - exp(-table.turns_left / temper.patience)
        """The part of its worth that what is kept has, with so little time left."""
        self.turn = temper.turn
        self.spare = temper.spare * self.lasting
        self.card = temper.card * self.lasting * self._scarcity()
        self.coin = table.coin_worth(table.me) + TIE_BREAKER

    def _scarcity(self) -> float:
        own = self._table.own
        cards = own.hand_size + 2 * own.potions.draw_two + own.potions.draw_one_and_clear
        missing = self._table.successes_left * self._temper.cards_a_success - cards
        return 1 - exp(-max(0.0, missing + WELCOME) / SCARCE)

    @cached_property
    def potions(self) -> dict[Potion, float]:
        """By kind of potion; the Monk has a card with each."""
        monk = self.card if self._table.own.character == "monk" else 0.0
        wanted = min(1.0, self._table.successes_left / (1 + self._table.own.potions.boost))
        return {
            "draw_two": 2 * self.card + monk,
            "draw_one_and_clear": self.card + self._temper.fresh_board * self.lasting + monk,
            "boost": self._temper.boost * self.lasting * wanted + monk,
        }

    @cached_property
    def potion(self) -> float:
        """A potion of the pile; if it is empty, the best one of another seat (RL-10)."""
        counts = [int(getattr(self._table.view.potion_pile, potion)) for potion in POTIONS]
        if sum(counts):
            worths = [self.potions[potion] for potion in POTIONS]
            return sum(count * worth for count, worth in zip(counts, worths, strict=True)) / sum(counts)
        others = [seat for number, seat in enumerate(self._table.view.seats) if number != self._table.me]
        held = [potion for potion in POTIONS if any(getattr(seat.potions, potion) for seat in others)]
        return max((self.potions[potion] for potion in held), default=0.0)

    def benefit(self, benefit: Benefit | None) -> float:
        """What a treasure gives, once. An extra die is worth something only by what it does to the total."""
        return {"coin": self.coin, "draw_1": self.card}.get(benefit or "", 0.0)
