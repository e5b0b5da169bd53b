"""What kingdoms of Dragon's Interest will score: types that are present, and types of which a seat alone has the most.

How that will be at the end is the less certain the more rounds are still to come: a lead of one building is then a
chance, and a type that a seat has not is not yet lost.
"""

from __future__ import annotations

from math import exp, sqrt

from dragonhall.bots.greedy.dragons_interest.table import Column
from dragonhall.rules.dragons_interest.facts import BUILDINGS_TO_END

GAINED = 0.12
"""The chance that a seat gets a first building of a type that it has not, in a round."""
LOST = 0.04
"""The chance that a seat loses its only building of a type, in a round."""
WIDTH = 0.08
"""Of the scale on which a lead in buildings is weighed, at the end: narrow enough that a lead is a lead."""
WIDTH_OF_ROUNDS = 0.33
"""What rounds to come add to it, times the root of their number."""

Buildings = tuple[Column, ...]
"""By type: how many buildings every seat has."""


class Kingdoms:
    """Scores buildings, and remembers what it has scored."""

    def __init__(self) -> None:
        self._points: dict[tuple[Buildings, float], list[float]] = {}
        self._type_points: dict[tuple[Column, float], list[float]] = {}

    def points(self, buildings: Buildings, rounds: float) -> list[float]:
        """By seat: what its kingdom may be expected to score after so many rounds more; ruin is left out.

        At the end it is what the rules say, the example of the rulebook with 4 arenas against 3:

        >>> none = (0, 0)
        >>> [round(points, 2) for points in Kingdoms().points((none, none, none, none, none, (3, 4)), 0.0)]
        [1.0, 2.0]
        """
        key = (buildings, rounds)
        points = self._points.get(key)
        if points is None:
            columns = [self._column(column, rounds) for column in buildings]
            points = self._points[key] = [sum(column) for column in zip(*columns, strict=True)]
        return points

    def _column(self, column: Column, rounds: float) -> list[float]:
        key = (column, rounds)
        points = self._type_points.get(key)
        if points is None:
            points = [_present(count, rounds) + _majority(column, seat, rounds) for seat, count in enumerate(column)]
            self._type_points[key] = points
        return points


def completed(buildings: Buildings) -> bool:
    """Whether a kingdom has the buildings that end the game."""
    return max(map(sum, zip(*buildings, strict=True))) >= BUILDINGS_TO_END


def _present(count: int, rounds: float) -> float:
    """The chance to have a type in the end, of which a seat has ``count`` now."""
    if count == 0:
        return float(1 - (1 - GAINED) ** rounds)
    return float((1 - LOST) ** rounds) if count == 1 else 1.0


def _majority(column: Column, seat: int, rounds: float) -> float:
    """The chance to have alone the most of a type in the end."""
    width = WIDTH + WIDTH_OF_ROUNDS * sqrt(rounds)
    chance = 1.0
    for other, count in enumerate(column):
        if other != seat:
            chance /= 1 + exp((count + 0.5 - column[seat]) / width)
    return chance
