"""How a game of Dragon's Interest ended: the scoring breakdown of every seat, ruin, and ranks."""

from __future__ import annotations

from dataclasses import dataclass

from dragonhall.rules.dragons_interest.facts import BuildingType


@dataclass(frozen=True)
class Breakdown:
    """How a seat scored. A ruined seat has discarded its buildings: they are not counted."""

    buildings: tuple[int, ...]
    """How many of each type it has, in the order of `BUILDING_TYPES`, 6 numbers; zeros if it is ruined."""
    types: tuple[BuildingType, ...]
    """The types of which it has one at least: 1 point each."""
    majorities: tuple[BuildingType, ...]
    """The types of which it alone has the most: 1 point each."""
    ruined: bool
    """It could not pay its interest: it scores nothing and ranks behind every seat that could (RI-12)."""
    knights: int
    """Held at the end: the first tie-breaker."""
    gold: int
    """Held at the end: the second tie-breaker; 0 if it is ruined (RI-10)."""

    @property
    def score(self) -> int:
        """The sum of all points."""
        return len(self.types) + len(self.majorities)
