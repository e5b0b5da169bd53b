"""How a game of Dragons ended: the scoring breakdown of every seat, eliminations and ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragons.facts import BLUE_GEM, COW, FACES, ONE_RING, PINK_GEM, POLISH, SHEEP
from dragonhall.rules.dragons.scoring import (
    alone_with_fewest,
    armour_of,
    coin_points,
    eliminated_seats,
    gem_majority,
    gem_points,
    jewels_of,
    one_ring_points,
    polish_points,
)
from dragonhall.rules.game import Outcome, SeatResult
from dragonhall.rules.ranking import ranks

Famine = Literal["animals", "cows", "sheep"]
"""What a seat alone had the fewest of: animals with 3 or 4 seats, cows or sheep with 5 or 6."""


@dataclass(frozen=True)
class Breakdown:
    """How a seat scored, step by step."""

    cows: int
    sheep: int
    famines: tuple[Famine, ...]
    """Why the seat was eliminated; empty if it was not."""
    coins: int
    """1 per coin."""
    one_ring: int
    """7 or 0."""
    armour: int
    """10 per complete set."""
    jewels: int
    """10 per three of a kind."""
    pink_gems: int
    """0 to 12; 0 if eliminated."""
    blue_gems: int
    """0 to 12; 0 if eliminated."""
    polish: int
    """The number of cans, squared."""

    @property
    def score(self) -> int:
        """The sum of all points."""
        return self.coins + self.one_ring + self.armour + self.jewels + self.pink_gems + self.blue_gems + self.polish


def breakdowns(treasure: vec[i64], seats: int) -> list[Breakdown]:
    """The breakdown of every seat from what all of them own (`scoring` says how a treasure is laid out)."""
    eliminated = eliminated_seats(treasure, seats)
    pink = gem_majority(treasure, seats, PINK_GEM, eliminated)
    blue = gem_majority(treasure, seats, BLUE_GEM, eliminated)
    famines = _famines(treasure, seats)
    return [
        Breakdown(
            cows=treasure[seat * FACES + COW],
            sheep=treasure[seat * FACES + SHEEP],
            famines=tuple(famine for famine, starved in famines.items() if starved >> seat & 1),
            coins=coin_points(treasure, seat),
            one_ring=one_ring_points(treasure[seat * FACES + ONE_RING]),
            armour=armour_of(treasure, seat),
            jewels=jewels_of(treasure, seat),
            pink_gems=gem_points(pink) if pink >> seat & 1 else 0,
            blue_gems=gem_points(blue) if blue >> seat & 1 else 0,
            polish=polish_points(treasure[seat * FACES + POLISH]),
        )
        for seat in range(seats)
    ]


def _famines(treasure: vec[i64], seats: int) -> dict[Famine, int]:
    if seats <= 4:
        return {"animals": alone_with_fewest(treasure, seats, COW, SHEEP)}
    return {
        "cows": alone_with_fewest(treasure, seats, COW, COW),
        "sheep": alone_with_fewest(treasure, seats, SHEEP, SHEEP),
    }


def outcome(treasure: vec[i64], seats: int) -> Outcome:
    """The result of a finished game from what all seats own.

    Ranks: seats that were eliminated come behind all others (RD-7); equal scores share a rank (RD-8).
    """
    found = breakdowns(treasure, seats)
    places = ranks([(not breakdown.famines, breakdown.score) for breakdown in found])
    return Outcome(
        tuple(
            SeatResult(
                seat=seat,
                score=breakdown.score,
                rank=places[seat],
                eliminated=bool(breakdown.famines),
                breakdown=breakdown,
            )
            for seat, breakdown in enumerate(found)
        )
    )
