"""What encounters are worth in DragonIsles, in victory points at the end, and what the last one makes of the game."""

from __future__ import annotations

from dragonhall.bots.greedy.dragonisles.growth import Growth
from dragonhall.bots.greedy.dragonisles.stock import Stock
from dragonhall.bots.greedy.dragonisles.table import Table
from dragonhall.bots.greedy.dragonisles.temper import Temper
from dragonhall.bots.greedy.dragonisles.trophies import Trophies
from dragonhall.rules.dragonisles.facts import Encounter, Target


class Appraisal:
    """All worths for one seat at one table."""

    def __init__(self, table: Table, temper: Temper) -> None:
        self.table = table
        self.temper = temper
        self.stock = Stock(table, temper)
        self.trophies = Trophies(table, temper)
        self.growth = Growth(table, temper, self.stock, self.trophies)

    def success(self, encounter: Encounter, target: Target) -> float:
        """To win an encounter by way of one of its targets; cards and what treasures do then are left out."""
        if self.table.to_win == 1:
            margin = self._margin(encounter, target)
            return max(-1.0, min(1.0, margin / self.temper.sure_margin)) * self.temper.ending
        return (
            encounter.victory_points
            + self.trophies.gain(encounter.type, encounter.symbols)
            + self.growth.reward(target.bonus)
            + self.temper.advance
        )

    def _margin(self, encounter: Encounter, target: Target) -> float:
        """By how much the seat would be ahead of the best other if it won this encounter, and the game ended."""
        scores = self.trophies.at_the_end(encounter.type, encounter.symbols)
        for seat in range(self.table.seats):
            scores[seat] += self.table.score(seat)
        own = scores.pop(self.table.me) + encounter.victory_points
        return own + self.growth.reward(target.bonus) + max(self.growth.advances) - max(scores)
