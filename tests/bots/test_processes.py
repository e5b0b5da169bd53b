"""Bots as processes of their own: they find their seats, play many games at once, and outlive kills."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from dragonhall.client import Client, bot_seat, open_seat
from dragonhall.v1 import game_pb2, record_pb2
from tests.client.games import DRAGONS, seated_game
from tests.processes import BotProcess, ServerProcess

LIMIT = 90.0
"""Seconds that the games of one test may take on a busy machine."""


async def create_games(client: Client, names: Sequence[str], count: int, seed: bytes = b"") -> list[str]:
    """Games whose seats are reserved for the bots of these names."""
    created = [await client.create_game(DRAGONS, [bot_seat(name) for name in names], seed=seed) for _ in range(count)]
    return [answer.game.game_id for answer in created]


async def finished(client: Client, game_ids: Sequence[str]) -> list[game_pb2.Game]:
    """The games once all of them are finished."""

    async def last_state(game_id: str) -> game_pb2.Game:
        async for _ in client.observe(game_id):
            pass
        return await client.get_game(game_id)

    async with asyncio.timeout(LIMIT):
        games = await asyncio.gather(*map(last_state, game_ids))
    assert {game.status for game in games} == {game_pb2.GAME_STATUS_FINISHED}
    return games


async def some_are_under_way(client: Client, game_ids: Sequence[str]) -> None:
    """Returns when the first of the games is finished and others are not."""
    async with asyncio.timeout(LIMIT):
        while True:
            games = [await client.get_game(game_id) for game_id in game_ids]
            if any(game.status == game_pb2.GAME_STATUS_FINISHED for game in games):
                break
            await asyncio.sleep(0.02)
    assert any(game.status == game_pb2.GAME_STATUS_RUNNING for game in games), "the test needs more games"


def told(record: record_pb2.GameRecord) -> list[bytes]:
    """What happened in a game: decisions and events, without ids and times."""
    for step in record.steps:
        step.ClearField("time")
    return [step.SerializeToString(deterministic=True) for step in record.steps]


async def test_bots_of_two_kinds_play_many_games_at_once(server: ServerProcess, client: Client, tmp_path: Path) -> None:
    early = await create_games(client, ["greedy", "random", "random"], 5)
    async with (
        BotProcess("greedy", "greedy", server.target, tmp_path) as greedy,
        BotProcess("random", "random", server.target, tmp_path),
    ):
        late = await create_games(client, ["random", "greedy", "random", "random"], 5)
        games = await finished(client, early + late)
    assert [seat.player_name for seat in games[-1].seats] == ["random", "greedy", "random", "random"]
    starts = [line for line in greedy.log.read_text().splitlines() if " starts; seat " in line]
    ends = [line for line in greedy.log.read_text().splitlines() if " ends; seat " in line]
    assert (len(starts), len(ends)) == (10, 10)


async def test_games_go_on_when_the_server_comes_back(server: ServerProcess, client: Client, tmp_path: Path) -> None:
    async with BotProcess("greedy", "greedy", server.target, tmp_path):
        game_ids = await create_games(client, ["greedy"] * 3, 15)
        await some_are_under_way(client, game_ids)
        await server.restart()
        await finished(client, game_ids)


async def test_a_killed_bot_goes_on_with_its_identity(server: ServerProcess, client: Client, tmp_path: Path) -> None:
    identity = str(tmp_path / "greedy.identity")
    bot = BotProcess("greedy", "greedy", server.target, tmp_path, "--identity", identity)
    await bot.start()
    game_ids = await create_games(client, ["greedy"] * 3, 15)
    await some_are_under_way(client, game_ids)
    await bot.kill()
    async with bot:
        await finished(client, game_ids)


async def test_two_processes_of_one_name_play_every_seat_once(
    server: ServerProcess, client: Client, tmp_path: Path
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    async with (
        BotProcess("rex", "random", server.target, tmp_path / "one") as one,
        BotProcess("rex", "random", server.target, tmp_path / "two") as two,
    ):
        await finished(client, await create_games(client, ["rex"] * 4, 20))
    ends = [bot.log.read_text().count(" ends; seat ") for bot in (one, two)]
    assert sum(ends) == 80, "how many each of them gets is a race, in which one may be faster every time"


async def test_a_bot_that_is_told_to_stop_ends_well(server: ServerProcess, client: Client, tmp_path: Path) -> None:
    bot = BotProcess("greedy", "greedy", server.target, tmp_path)
    await bot.start()
    await create_games(client, ["greedy"] * 3, 5)
    await asyncio.sleep(0.1)
    assert await bot.stop() == 0
    assert "Traceback" not in bot.log.read_text()


async def test_a_bot_leaves_open_and_foreign_seats_alone(server: ServerProcess, client: Client, tmp_path: Path) -> None:
    created = await client.create_game(DRAGONS, [bot_seat("rex"), bot_seat("other"), open_seat()])
    async with BotProcess("rex", "random", server.target, tmp_path):
        await finished(client, await create_games(client, ["rex"] * 3, 1))
    game = await client.get_game(created.game.game_id)
    assert [seat.taken for seat in game.seats] == [True, False, False]


async def test_same_seeds_same_game(server: ServerProcess, client: Client, tmp_path: Path) -> None:
    async with (
        BotProcess("greedy", "greedy", server.target, tmp_path, "--seed", "cave"),
        BotProcess("random", "random", server.target, tmp_path, "--seed", "cave"),
    ):
        game_ids = await create_games(client, ["greedy", "random", "greedy"], 2, seed=bytes(32))
        await finished(client, game_ids)
    first, second = [told(await client.record(game_id)) for game_id in game_ids]
    assert first == second


async def test_seats_of_server_drawn_games_get_a_nonce_and_of_given_seeds_none(
    server: ServerProcess, client: Client, tmp_path: Path
) -> None:
    async with BotProcess("rex", "random", server.target, tmp_path):
        (drawn,) = await finished(client, await create_games(client, ["rex"] * 3, 1))
        (given,) = await finished(client, await create_games(client, ["rex"] * 3, 1, seed=bytes(32)))
    assert len({seat.nonce for seat in drawn.seats}) == 3
    assert all(len(seat.nonce) == 32 for seat in drawn.seats)
    assert not any(seat.nonce for seat in given.seats)


async def test_a_bot_waits_for_its_server(server: ServerProcess, client: Client, tmp_path: Path) -> None:
    await seated_game(client)
    await server.kill()
    bot = BotProcess("rex", "random", server.target, tmp_path)
    starting = asyncio.create_task(bot.start())
    await asyncio.sleep(1.0)
    assert not starting.done()
    await server.start()
    await starting
    await bot.stop()
