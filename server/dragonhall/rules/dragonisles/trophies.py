"""Symbols, and the trophies that they earn.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from dragonhall.rules.dragonisles import telling
from dragonhall.rules.dragonisles.player import count_in, one
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State


def add_symbols(state: State, kind: i64, count: i64) -> None:
    """Symbols of an encounter type for the seat whose turn it is."""
    state.player().symbols += count * one(kind)


def check_encounter_trophy(state: State, kind: i64, journal: Journal | None) -> None:
    """The seat whose turn it is takes the trophy of a type if it has more symbols than every other seat.

    The present holder is one of them; a tie moves no trophy, and gives none away that is unclaimed (RL-15).
    """
    holder = state.trophies[kind]
    if holder == state.active:
        return
    own = count_in(state.player().symbols, kind)
    for seat in range(state.seats):
        if seat != state.active and count_in(state.players[seat].symbols, kind) >= own:
            return
    state.trophies[kind] = state.active
    if journal is not None:
        telling.encounter_trophy_taken(state, kind, holder, journal)


def check_variety_trophy(state: State, journal: Journal | None) -> None:
    """The seat whose turn it is takes a variety trophy for a symbol of each type, once (Variety Trophies)."""
    player = state.player()
    if not player.variety_trophy and player.has_every_symbol():
        player.variety_trophy = True
        if journal is not None:
            telling.variety_trophy_taken(state, journal)


def trophies_of(state: State, seat: i64) -> i64:
    """The encounter trophies that a seat holds, as a bit mask of types."""
    held: i64 = 0
    for kind in range(len(state.trophies)):
        if state.trophies[kind] == seat:
            held |= 1 << kind
    return held
