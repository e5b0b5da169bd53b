"""Every game that there is, as its tests play it: with every number of seats and in every variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tests.rules import dragonisles_tables, dragons_interest_tables, dragons_tables
from tests.rules.driver import Driver, PlayedGame, seeded

PLAYED: Final = {
    played.game.name: played
    for played in (dragons_tables.PLAYED, dragons_interest_tables.PLAYED, dragonisles_tables.PLAYED)
}
"""By the game's name."""


@dataclass(frozen=True)
class Case:
    """A game with a number of seats and a variant."""

    played: PlayedGame
    seats: int
    variant: str

    def __str__(self) -> str:
        return f"{self.played.game.name}-{self.seats}-{self.variant}"

    def driver(self, number: int = 0) -> Driver[Any]:
        """The table of a random game; those of the same number begin alike."""
        chance = seeded(self.seats, number.to_bytes(32, "big"))
        return Driver(self.played, self.seats, self.played.variants[self.variant], chance)

    def rng(self, number: int = 0) -> Random:
        """What that game is driven with."""
        return Random(f"{self} {number}")

    def numbers(self, games: int) -> range:
        """``games`` random games for each number of seats, in equal parts of each variant."""
        return range(max(1, games // len(self.played.variants)))


CASES: Final = [
    Case(played, seats, variant) for played in PLAYED.values() for seats in played.seats for variant in played.variants
]


def looked_at(driver: Driver[Any], rng: Random) -> Iterator[Driver[Any]]:
    """Plays on to the end, and stops at some moments: where a kind of question is new, and now and then."""
    seen: Counter[type] = Counter()
    for moment in driver.moments(rng):
        kinds = {type(ticket.decision) for ticket in driver.table.tickets.values()}
        seen.update(kinds)
        if rng.random() < 0.05 or any(seen[kind] <= 3 for kind in kinds):
            yield moment
