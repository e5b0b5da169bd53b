"""What the lines of a version-1 store lack, read from their summaries: only here a store looks into one."""

from __future__ import annotations

import sqlite3

from dragonhall.server.wall_clock import now_us
from dragonhall.v1 import game_pb2


def add_functions(connection: sqlite3.Connection) -> None:
    """The SQL functions that the migration to version 2 calls."""
    connection.create_function("now_us", 0, now_us)
    connection.create_function("seats_of", 1, seats_of)
    connection.create_function("open_seat_of", 1, open_seat_of)
    connection.create_function("with_settings", 1, with_settings)


def seats_of(summary: bytes) -> int:
    """How many seats the game has."""
    return len(game_pb2.Game.FromString(summary).seats)


def open_seat_of(summary: bytes) -> bool:
    """Whether it waits and has a seat that anyone may take."""
    game = game_pb2.Game.FromString(summary)
    waits = game.status == game_pb2.GAME_STATUS_WAITING
    return waits and any(seat.kind == game_pb2.SEAT_KIND_OPEN and not seat.taken for seat in game.seats)


def with_settings(summary: bytes) -> bytes:
    """The summary as it is written today: all games were held in one way then, and only hosts aborted them."""
    game = game_pb2.Game.FromString(summary)
    game.settings.absence = game_pb2.ABSENCE_POLICY_DEFAULT_ACTION
    game.settings.start = game_pb2.START_POLICY_WHEN_FULL
    game.settings.visibility = game_pb2.VISIBILITY_PUBLIC
    for seat in game.seats:
        seat.state = game_pb2.SEAT_STATE_PLAYING if seat.taken else game_pb2.SEAT_STATE_FREE
    if game.status == game_pb2.GAME_STATUS_ABORTED:
        game.abort_cause = game_pb2.ABORT_CAUSE_HOST
    return game.SerializeToString(deterministic=True)
