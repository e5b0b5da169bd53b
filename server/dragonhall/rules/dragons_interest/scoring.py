"""The points of Dragon's Interest (rulebook, Final Scoring), as functions of the buildings that seats have.

Hot: one source that CPython runs and mypyc compiles. *Buildings* are a flat vector: seat *s* has
``buildings[s * TYPES + t]`` of type *t*.
"""

from __future__ import annotations

from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.rules.dragons_interest.facts import NOBODY, TYPES


def type_points(buildings: vec[i64], seat: i64) -> i64:
    """1 for each type of which ``seat`` has one at least.

    The rulebook's example, a castle, a harbor and an arena:

    >>> type_points(vec[i64]([1, 1, 0, 0, 0, 1]), 0)
    3
    """
    points: i64 = 0
    base: i64 = seat * TYPES
    for place in range(base, base + TYPES):
        if buildings[place] > 0:
            points += 1
    return points


def alone_with_most(buildings: vec[i64], seats: i64, building: i64) -> i64:
    """The seat that alone has the most of a type; `NOBODY` if several have, or none has any.

    The rulebook's examples, 4 arenas against 3, and 2 harbors against 2:

    >>> alone_with_most(vec[i64]([0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 4]), 2, 5)
    1
    >>> alone_with_most(vec[i64]([0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]), 2, 1)
    -1
    """
    most: i64 = 0
    alone: i64 = NOBODY
    for seat in range(seats):
        count = buildings[seat * TYPES + building]
        if count > most:
            most = count
            alone = seat
        elif count == most:
            alone = NOBODY
    return alone


def scores(buildings: vec[i64], seats: i64) -> vec[i64]:
    """Every seat's points. A ruined seat has discarded its buildings, so it has none.

    >>> list(scores(vec[i64]([1, 1, 0, 0, 0, 3, 0, 2, 0, 0, 0, 4]), 2))
    [4, 4]
    """
    points = vec[i64](capacity=seats)
    for seat in range(seats):
        points = append(points, type_points(buildings, seat))
    for building in range(i64(TYPES)):
        alone = alone_with_most(buildings, seats, building)
        if alone != NOBODY:
            points[alone] += 1
    return points
