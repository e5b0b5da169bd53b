"""Stores that an older server wrote: opened, listed and played on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from dragonhall.dragons.v1 import dragons_pb2
from dragonhall.rules import GAMES
from dragonhall.server.store import schema
from dragonhall.server.store.base import LineFilter
from dragonhall.server.tokens import token_hash
from dragonhall.storage.v1 import log_pb2
from dragonhall.v1 import game_pb2, game_service_pb2, games_pb2
from dragonhall.wire import CODECS
from tests.service.harness import Running, Seated, running

TOKENS = ["seat zero's", "seat one's", "seat two's"]
SEED = bytes(range(32))


def entries(seats: int, *more: log_pb2.LogEntry) -> list[bytes]:
    """A log as version 1 wrote it: a game of Dragons with open seats of which some are taken."""
    game = GAMES["dragons"]
    created = log_pb2.GameCreated(
        options=games_pb2.GameOptions(dragons=dragons_pb2.Options()),
        component_set=CODECS["dragons"].components_to_proto(game.default_components(), with_contents=True),
        rules_version=game.rules_version,
        seats=[log_pb2.CreatedSeat(kind=game_pb2.SEAT_KIND_OPEN)] * len(TOKENS),
        seed=SEED,
        seed_source=game_pb2.SEED_SOURCE_HOST,
        host_token_hash=token_hash("host's"),
    )
    log = [log_pb2.LogEntry(time_us=1, created=created)]
    for seat in range(seats):
        taken = log_pb2.SeatTaken(seat=seat, player_name=f"Player {seat}", token_hash=token_hash(TOKENS[seat]))
        log.append(log_pb2.LogEntry(time_us=2 + seat, seat_taken=taken))
    return [entry.SerializeToString() for entry in (*log, *more)]


def summary(game_id: str, status: game_pb2.GameStatus.ValueType, seats: int) -> bytes:
    """What version 1 kept for lists: no settings, no states of seats, no cause of an abort."""
    return game_pb2.Game(
        game_id=game_id,
        status=status,
        options=games_pb2.GameOptions(dragons=dragons_pb2.Options()),
        seats=[game_pb2.Seat(seat=i, kind=game_pb2.SEAT_KIND_OPEN, taken=i < seats) for i in range(len(TOKENS))],
    ).SerializeToString()


def make_store_of_version_1(path: Path) -> None:
    """A store with a waiting, a running and an aborted game."""
    started = log_pb2.LogEntry(time_us=9, started=log_pb2.GameStarted())
    aborted = log_pb2.LogEntry(time_us=9, aborted=log_pb2.GameAborted())
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        f"{schema.MIGRATIONS[0]} PRAGMA application_id={schema.APPLICATION_ID}; PRAGMA user_version=1;"
    )
    add(connection, "waiting", game_pb2.GAME_STATUS_WAITING, 2, entries(2))
    add(connection, "running", game_pb2.GAME_STATUS_RUNNING, 3, entries(3, started))
    add(connection, "aborted", game_pb2.GAME_STATUS_ABORTED, 0, entries(0, aborted))
    connection.close()


def add(
    connection: sqlite3.Connection,
    game_id: str,
    status: game_pb2.GameStatus.ValueType,
    seats: int,
    log: Iterable[bytes],
) -> None:
    """One game, by the statements of version 1."""
    log = list(log)
    (position,) = connection.execute(
        "INSERT INTO games(game_id, revision, status, game, free_bots, summary) VALUES(?, ?, ?, 'dragons', '', ?) "
        "RETURNING position",
        (game_id, len(log), status, summary(game_id, status, seats)),
    ).fetchone()
    connection.executemany(
        "INSERT INTO entries(position, revision, entry) VALUES(?, ?, ?)",
        [(position, i + 1, entry) for i, entry in enumerate(log)],
    )


async def listed(server: Running, **conditions: object) -> dict[str, game_pb2.Game]:
    """The games that match a filter, by id."""
    wanted = game_service_pb2.GameFilter(**conditions)  # type: ignore[arg-type]
    response = await server.games.ListGames(game_service_pb2.ListGamesRequest(filter=wanted))
    return {game.game_id: game for game in response.games}


async def test_a_store_of_version_1_is_listed_and_its_games_go_on(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    make_store_of_version_1(path)
    async with running(path) as server:
        games = await listed(server)
        assert {game_id: game.revision for game_id, game in games.items()} == {"waiting": 3, "running": 5, "aborted": 2}
        store = server.server.store
        assert [line.game_id for line in await store.lines(LineFilter(open_seat=True), 9)] == ["waiting"]
        assert len(await store.lines(LineFilter(seats=3), 9)) == 3
        assert games["aborted"].abort_cause == game_pb2.ABORT_CAUSE_HOST
        await server.play_out(Seated("running", "host's", TOKENS))
        last = await server.take("waiting")
        await server.play_out(Seated("waiting", "host's", [*TOKENS[:2], last.seat_token]))
    async with running(path) as server:
        games = await listed(server, statuses=[game_pb2.GAME_STATUS_FINISHED])
        assert set(games) == {"waiting", "running"}


async def test_a_list_says_of_an_older_game_what_the_game_says_of_itself(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    make_store_of_version_1(path)
    async with running(path) as server:
        for game_id, game in (await listed(server)).items():
            itself = (await server.watch_first(game_id)).snapshot.game
            assert game.settings == itself.settings
            assert [seat.state for seat in game.seats] == [seat.state for seat in itself.seats]
            assert game.abort_cause == itself.abort_cause
