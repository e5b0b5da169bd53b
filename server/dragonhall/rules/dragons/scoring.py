"""The points of Dragons (rulebook, End of the Game), as functions of what seats own.

Hot: one source that CPython runs and mypyc compiles. A *treasure* is a flat vector: seat *s* owns
``treasure[s * FACES + face]`` cards of a face.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.rules.dragons.facts import (
    BLUE_GEM,
    BREASTPLATE,
    COINS,
    COW,
    CROWN,
    FACES,
    HELMET,
    MAX_COINS,
    NECKLACE,
    ONE_RING,
    PINK_GEM,
    POLISH,
    SHEEP,
    SHIELD,
    SWORD,
)

MAJORITY_POINTS: Final = 12
"""For the most gems of a colour."""
SET_POINTS: Final = 10
"""For a set of armour, or three jewels of a kind."""


def coin_points(treasure: vec[i64], seat: i64) -> i64:
    """One point a coin."""
    points: i64 = 0
    base: i64 = seat * FACES + COINS
    for coins in range(i64(1), i64(MAX_COINS + 1)):
        points += coins * treasure[base + coins]
    return points


def one_ring_points(rings: i64) -> i64:
    """A single One Ring scores, several do not.

    >>> [one_ring_points(rings) for rings in range(4)]
    [0, 7, 0, 0]
    """
    return 7 if rings == 1 else 0


def armour_points(swords: i64, helmets: i64, shields: i64, breastplates: i64) -> i64:
    """10 a complete set.

    >>> armour_points(2, 2, 5, 1), armour_points(3, 0, 3, 3)
    (10, 0)
    """
    sets = swords
    if helmets < sets:
        sets = helmets
    if shields < sets:
        sets = shields
    if breastplates < sets:
        sets = breastplates
    return SET_POINTS * sets


def jewel_points(jewels: i64) -> i64:
    """10 for each three of one kind (crowns, scepters, bracelets, or necklaces).

    >>> [jewel_points(crowns) for crowns in (2, 3, 5, 6)]
    [0, 10, 10, 20]
    """
    return SET_POINTS * (jewels // 3)


def polish_points(cans: i64) -> i64:
    """Each can scores as many points as there are cans.

    >>> polish_points(4), polish_points(1)
    (16, 1)
    """
    return cans * cans


def armour_of(treasure: vec[i64], seat: i64) -> i64:
    """Points of ``seat`` for armour."""
    base: i64 = seat * FACES
    return armour_points(
        treasure[base + SWORD], treasure[base + HELMET], treasure[base + SHIELD], treasure[base + BREASTPLATE]
    )


def jewels_of(treasure: vec[i64], seat: i64) -> i64:
    """Points of ``seat`` for jewels of all four kinds."""
    points: i64 = 0
    base: i64 = seat * FACES
    for kind in range(base + CROWN, base + NECKLACE + 1):
        points += jewel_points(treasure[kind])
    return points


def own_points(treasure: vec[i64], seat: i64) -> i64:
    """Points of ``seat`` that do not depend on what others own: everything but gems."""
    base: i64 = seat * FACES
    return (
        coin_points(treasure, seat)
        + one_ring_points(treasure[base + ONE_RING])
        + armour_of(treasure, seat)
        + jewels_of(treasure, seat)
        + polish_points(treasure[base + POLISH])
    )


def alone_with_fewest(treasure: vec[i64], seats: i64, first_face: i64, last_face: i64) -> i64:
    """The seat that alone has the fewest cards of these faces, as a bit mask; 0 if several have."""
    fewest: i64 = -1
    alone: i64 = 0
    for seat in range(seats):
        base: i64 = seat * FACES
        count: i64 = 0
        for face in range(base + first_face, base + last_face + 1):
            count += treasure[face]
        if fewest < 0 or count < fewest:
            fewest = count
            alone = 1 << seat
        elif count == fewest:
            alone = 0
    return alone


def eliminated_seats(treasure: vec[i64], seats: i64) -> i64:
    """The seats that starved, as a bit mask: up to 4 seats count animals, 5 and 6 count cows and sheep apart."""
    if seats <= 4:
        return alone_with_fewest(treasure, seats, COW, SHEEP)
    return alone_with_fewest(treasure, seats, COW, COW) | alone_with_fewest(treasure, seats, SHEEP, SHEEP)


def gem_majority(treasure: vec[i64], seats: i64, gem: i64, eliminated: i64) -> i64:
    """The seats that have the most gems of a colour, as a bit mask; only seats not eliminated count.

    Without a gem of the colour among them nobody has the most (RD-6).
    """
    most: i64 = 1
    holders: i64 = 0
    for seat in range(seats):
        if not eliminated >> seat & 1:
            gems = treasure[seat * FACES + gem]
            if gems > most:
                most = gems
                holders = 0
            if gems == most:
                holders |= 1 << seat
    return holders


def gem_points(holders: i64) -> i64:
    """What each seat of a majority (a bit mask) scores: an equal share of 12, rounded down (RD-5).

    >>> gem_points(0b0100), gem_points(0b0101), gem_points(0b11111)
    (12, 6, 2)
    """
    sharing: i64 = 0
    while holders:
        holders &= holders - 1
        sharing += 1
    return MAJORITY_POINTS // sharing if sharing else 0


def scores(treasure: vec[i64], seats: i64, eliminated: i64) -> vec[i64]:
    """Every seat's points, an eliminated seat's (RD-7) included."""
    pink = gem_majority(treasure, seats, PINK_GEM, eliminated)
    blue = gem_majority(treasure, seats, BLUE_GEM, eliminated)
    pink_points = gem_points(pink)
    blue_points = gem_points(blue)
    points = vec[i64](capacity=seats)
    for seat in range(seats):
        total = own_points(treasure, seat)
        if pink >> seat & 1:
            total += pink_points
        if blue >> seat & 1:
            total += blue_points
        points = append(points, total)
    return points
