"""How a game of Dragon's Interest ended: the scoring breakdown of every seat, ruin, and ranks."""

from __future__ import annotations

from dataclasses import dataclass

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragons_interest.facts import BUILDING_TYPES, TYPES, BuildingType
from dragonhall.rules.dragons_interest.scoring import alone_with_most
from dragonhall.rules.game import Outcome, SeatResult
from dragonhall.rules.ranking import ranks


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


def breakdowns(buildings: vec[i64], gold: vec[i64], knights: vec[i64], ruined: int) -> list[Breakdown]:
    """The breakdown of every seat.

    ``buildings``: as `scoring` lays them out, none for a ruined seat; ``gold`` and ``knights``: by seat; ``ruined``: a
    bit mask of seats.
    """
    seats = len(gold)
    leaders = [alone_with_most(buildings, seats, building) for building in range(TYPES)]
    return [
        Breakdown(
            buildings=(own := tuple(buildings[seat * TYPES : (seat + 1) * TYPES])),
            types=tuple(name for name, count in zip(BUILDING_TYPES, own, strict=True) if count),
            majorities=tuple(name for name, leader in zip(BUILDING_TYPES, leaders, strict=True) if leader == seat),
            ruined=ruined >> seat & 1 != 0,
            knights=knights[seat],
            gold=gold[seat],
        )
        for seat in range(seats)
    ]


def outcome(buildings: vec[i64], gold: vec[i64], knights: vec[i64], ruined: int) -> Outcome:
    """The result of a finished game; arguments as for `breakdowns`.

    Ranks: ruined seats come behind all others (RI-12). Equal points are ranked by knights, then by gold, then shared.
    """
    found = breakdowns(buildings, gold, knights, ruined)
    places = ranks([(not seat.ruined, seat.score, seat.knights, seat.gold) for seat in found])
    return Outcome(
        tuple(
            SeatResult(seat, breakdown.score, places[seat], breakdown.ruined, breakdown)
            for seat, breakdown in enumerate(found)
        )
    )
