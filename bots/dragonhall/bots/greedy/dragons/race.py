"""How a year may go on from here: a forecast with numbers only, in which nobody draws a real card.

Everybody is taken to weigh its best pile against an even share of all that is still on the table, and to claim when the
pile is worth more. A card that is drawn makes every free pile worth a little more.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Race:
    """What the free piles are worth to the seats that wait for one."""

    turn_order: list[int]
    """Waiting seats, the one that acts next first."""
    free_piles: list[int]
    worth: dict[int, list[float]]
    """By seat and pile: points that the pile brings, now."""
    card_worth: dict[int, float]
    """By seat: points that one more card brings on average."""
    deck: int
    greed: float = 1.0
    """How many times an even share a pile must be worth before a seat claims it."""

    def run(self) -> dict[int, float]:
        """Plays the year out. Returns by seat what it brings home, in points."""
        return self._play(must_draw=False)

    def run_after_draw(self) -> dict[int, float]:
        """The same, if the seat that acts next draws a card now."""
        return self._play(must_draw=True)

    def _play(self, must_draw: bool) -> dict[int, float]:
        order, piles, deck = list(self.turn_order), list(self.free_piles), self.deck
        growth = dict.fromkeys(order, 0.0)
        home: dict[int, float] = {}
        while len(order) > 1:
            seat = order.pop(0)
            worth = self.worth[seat]
            best = max(piles, key=worth.__getitem__)
            if not must_draw and self._claims(seat, piles, best, growth[seat], deck):
                home[seat] = worth[best] + growth[seat]
                piles.remove(best)
            else:
                must_draw = False
                deck -= 1
                order.append(seat)
                for other in order:
                    growth[other] += self.card_worth[other] / len(piles)
        last = order[0]
        home[last] = self.worth[last][piles[0]] + growth[last] + deck * self.card_worth[last]
        return home

    def _claims(self, seat: int, piles: list[int], best: int, growth: float, deck: int) -> bool:
        if deck == 0:
            return True
        worth = self.worth[seat]
        on_table = sum(worth[pile] for pile in piles) + growth * len(piles) + deck * self.card_worth[seat]
        return (worth[best] + growth) * len(piles) >= self.greed * on_table
