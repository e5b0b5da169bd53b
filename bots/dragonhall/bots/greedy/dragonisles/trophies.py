"""What symbols are worth in DragonIsles: the trophies that they bring nearer, and take from other seats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import exp, sqrt
from typing import Final

from dragonhall.bots.greedy.dragonisles.table import Table
from dragonhall.bots.greedy.dragonisles.temper import Temper
from dragonhall.rules.dragonisles.facts import ENCOUNTER_TYPES, EncounterType
from dragonhall.rules.dragonisles.scoring import ENCOUNTER_TROPHY_POINTS, VARIETY_TROPHY_POINTS

HOLDING: Final = 0.6
"""To hold a trophy is as good as so many symbols more: ties do not move it. So is what nobody holds, for nobody."""
SYMBOLS: Final = 1.25
"""Of an encounter, on average."""
LEAST_SPREAD: Final = 0.35
SPREAD: Final = 0.9
"""Symbols by which luck may part the seats: so many, and this times the root of how many are to come."""
SUCCESSES_A_TYPE: Final = 1.4
"""Encounters that a seat wins until it has one of a type that it misses, if it wants it."""


class Trophies:
    """Chances of trophies for one seat at one table. They grow exponentially with the lead in symbols."""

    def __init__(self, table: Table, temper: Temper) -> None:
        self._table = table
        self._temper = temper
        self._symbols = [table.symbols(seat) for seat in range(table.seats)]
        self._holders = [
            next((number for number, seat in enumerate(table.view.seats) if kind in seat.encounter_trophies), None)
            for kind in ENCOUNTER_TYPES
        ]
        tracks = [table.track("trophies", seat) for seat in range(table.seats)]
        self._prizes = [ENCOUNTER_TROPHY_POINTS + track for track in tracks]
        self._variety_prize = VARIETY_TROPHY_POINTS + tracks[table.me]
        to_come = table.turns_left / temper.pace * SYMBOLS / len(ENCOUNTER_TYPES)
        self._spread = LEAST_SPREAD + SPREAD * sqrt(to_come)
        self._gains: dict[tuple[EncounterType, int], float] = {}

    def gain(self, kind: EncounterType, symbols: int) -> float:
        """Victory points that more symbols of a type promise, those included that the others lose."""
        key = (kind, symbols)
        if key not in self._gains:
            place = ENCOUNTER_TYPES.index(kind)
            self._gains[key] = self._encounter_trophy(place, symbols) + self._variety(place)
        return self._gains[key]

    def _encounter_trophy(self, place: int, symbols: int) -> float:
        me, others = self._table.me, self._table.seats - 1
        before = self._chances(self._counts(place), self._holders[place])
        counts, holder = self._after(place, symbols)
        after = self._chances(counts, holder)
        moved = [prize * (a - b) for prize, a, b in zip(self._prizes, after, before, strict=True)]
        return moved[me] - self._temper.spite * (sum(moved) - moved[me]) / others

    def _counts(self, place: int) -> list[int]:
        return [of_seat[place] for of_seat in self._symbols]

    def _after(self, place: int, symbols: int) -> tuple[list[int], int | None]:
        """The seats' symbols of a type, and who holds its trophy, with more symbols for the own seat (RL-15)."""
        me, counts = self._table.me, self._counts(place)
        counts[me] += symbols
        most = all(count < counts[me] for seat, count in enumerate(counts) if seat != me)
        return counts, me if most else self._holders[place]

    def _chances(self, counts: Sequence[int], holder: int | None) -> list[float]:
        """By seat, to hold a trophy at the end."""
        leads = [count + (HOLDING if seat == holder else 0.0) for seat, count in enumerate(counts)]
        nobody = [HOLDING] if holder is None else []
        top = max(leads + nobody)
        strengths = [exp((lead - top) / self._spread) for lead in leads + nobody]
        return [strength / sum(strengths) for strength in strengths[: self._table.seats]]

    def _variety(self, place: int) -> float:
        own = self._symbols[self._table.me]
        if self._table.own.variety_trophy or own[place]:
            return 0.0
        missing = own.count(0)
        return self._variety_prize * (self._variety_chance(missing - 1) - self._variety_chance(missing))

    def _variety_chance(self, missing: int) -> float:
        if missing == 0:
            return 1.0
        return 1 / (1 + exp(SUCCESSES_A_TYPE * missing - self._table.later_successes))

    @cached_property
    def expected(self) -> float:
        """Trophies of both kinds that the seat may have at the end."""
        me = self._table.me
        variety = 1.0 if self._table.own.variety_trophy else self._variety_chance(self._symbols[me].count(0))
        chances = [self._chances(self._counts(place), holder)[me] for place, holder in enumerate(self._holders)]
        return variety + sum(chances)

    def at_the_end(self, kind: EncounterType, symbols: int) -> list[float]:
        """By seat: what its score changes by if the own seat wins these symbols, and the game is over."""
        me, place = self._table.me, ENCOUNTER_TYPES.index(kind)
        changes = [0.0] * self._table.seats
        before, (_, holder) = self._holders[place], self._after(place, symbols)
        if holder == me != before:
            changes[me] += self._prizes[me]
            if before is not None:
                changes[before] -= self._prizes[before]
        own = self._symbols[me]
        if not self._table.own.variety_trophy and own[place] == 0 and own.count(0) == 1:
            changes[me] += self._variety_prize
        return changes
