"""What a game costs at rest, how fast it is back, and how fast a server with many stored games starts."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path

from dragonhall.server.store.base import LineFilter
from dragonhall.server.wall_clock import now_us
from tests.service.harness import Running, Seated, dragons, running

LONG = dragons(hidden_card=True, extra_year=True)


async def test_a_whole_game_at_rest_fits_in_20_kib(server: Running) -> None:
    game = await server.seated(6, options=LONG, title="x" * 200)
    await draw_out(server, game)
    log = await server.server.store.load(game.game_id)
    assert len(log) > 100
    assert sum(len(entry) + 16 for entry in log) < 20 * 1024


async def test_a_game_is_back_from_the_store_in_a_few_milliseconds(server: Running) -> None:
    game = await server.seated(6, options=LONG)
    await draw_out(server, game)
    seconds = []
    for _ in range(5):
        server.server.hub.drop_games_idle_since(float("inf"))
        assert server.server.hub.games_in_memory == 0
        began = time.perf_counter()
        await server.server.hub.game(game.game_id)
        seconds.append(time.perf_counter() - began)
    assert min(seconds) < 0.05  # measured: 5 ms; the bound is for busy machines


async def test_a_server_with_100000_stored_games_starts_at_once(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with running(path) as server:
        game = await server.seated(3)
    copy_game(path, 100_000)
    began = time.process_time()
    async with running(path) as server:
        seconds = time.process_time() - began
        assert len(server.server.hub.deadlines) == 5_000
        assert len(await server.server.store.lines(LineFilter(statuses=(2,)), 500)) == 500
        await server.play_out(game)
    assert seconds < 1.5


def copy_game(path: Path, copies: int) -> None:
    """The store's only game many times, its log too. In one of twenty copies somebody's clock runs."""
    connection = sqlite3.connect(path)
    connection.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
        "INSERT INTO games(game_id, status, game, free_bots, summary, seats, changed_us, deadline_us) "
        "SELECT 'copy ' || i, 2 + i % 2, game, free_bots, summary, seats, changed_us, iif(i % 20, NULL, ?) "
        "FROM games, n",
        (copies, now_us() + 86_400_000_000),
    )
    connection.execute(
        "INSERT INTO entries SELECT g.position, e.revision, e.entry FROM games AS g, entries AS e WHERE g.position > 1"
    )
    connection.commit()
    connection.close()


async def draw_out(server: Running, game: Seated) -> None:
    """A long game: everyone draws whenever there is a card left."""
    await asyncio.gather(*(server.play_seat(game, seat, lambda prompt: 0) for seat in range(len(game.tokens))))
