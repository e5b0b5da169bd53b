"""Victory points (Count Up Your Victory Points).

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.dragonisles.setting import NONE, PIRATE, TROPHIES_TRACK
from dragonhall.rules.dragonisles.trophies import trophies_of

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

ENCOUNTER_TROPHY_POINTS: Final = 3
VARIETY_TROPHY_POINTS: Final = 5


def encounter_points(state: State, seat: i64) -> i64:
    """Printed on the encounters won."""
    points: i64 = 0
    encounters = state.players[seat].encounters
    for place in range(len(encounters)):
        points += state.setting.victory_points[encounters[place]]
    return points


def scroll_points(state: State, seat: i64) -> i64:
    """1 a scroll."""
    points: i64 = 0
    treasures = state.players[seat].treasures
    for place in range(len(treasures)):
        if state.setting.scroll[treasures[place]] != NONE:
            points += 1
    return points


def encounter_trophy_points(state: State, seat: i64) -> i64:
    """3 for each encounter trophy."""
    return ENCOUNTER_TROPHY_POINTS * masks.size(trophies_of(state, seat))


def variety_trophy_points(state: State, seat: i64) -> i64:
    """5 for a variety trophy."""
    return VARIETY_TROPHY_POINTS if state.players[seat].variety_trophy else 0


def trophy_track_points(state: State, seat: i64) -> i64:
    """The trophies track's value for each trophy of both kinds."""
    trophies = masks.size(trophies_of(state, seat))
    if state.players[seat].variety_trophy:
        trophies += 1
    return trophies * state.track(seat, TROPHIES_TRACK)


def coin_points(state: State, seat: i64) -> i64:
    """1 for each coin, 2 as the Pirate."""
    player = state.players[seat]
    return 2 * player.coins if player.character == PIRATE else player.coins


def points(state: State, seat: i64) -> i64:
    """A seat's victory points for what it has."""
    return (
        encounter_points(state, seat)
        + scroll_points(state, seat)
        + encounter_trophy_points(state, seat)
        + variety_trophy_points(state, seat)
        + trophy_track_points(state, seat)
        + coin_points(state, seat)
    )
