"""Having games played on a real server: all of them, once, and none left running."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from dragonhall.arena import (
    BotsMissing,
    GameAborted,
    GamePlan,
    NotServing,
    Pairing,
    PlayedGame,
    Schedule,
    Watcher,
    play_games,
    standings,
)
from dragonhall.bots import run_bot
from dragonhall.client import Client, bank
from dragonhall.dragons.v1 import dragons_pb2
from dragonhall.server import Server, ServerConfig
from dragonhall.v1 import game_pb2, game_service_pb2, games_pb2, play_service_pb2, record_pb2

DRAGONS = games_pb2.GameOptions(dragons=dragons_pb2.Options())
PLAN = GamePlan(DRAGONS, title="A test of the arena")
SEED = bytes(range(32))


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    server = Server(ServerConfig(listen="127.0.0.1:0", store=tmp_path / "hall.db"))
    port = await server.start()
    try:
        async with Client(f"127.0.0.1:{port}") as connected:
            yield connected
    finally:
        await server.stop()


@pytest.fixture
async def bots(client: Client) -> AsyncIterator[None]:
    stop = asyncio.Event()
    running = [
        asyncio.create_task(run_bot(name, kind, client.target, seed="arena", stop=stop))
        for name, kind in (("a", "random"), ("b", "random"), ("g", "greedy"))
    ]
    yield
    stop.set()
    await asyncio.gather(*running)


async def _play(client: Client, schedule: Schedule, plan: GamePlan = PLAN, at_once: int = 3) -> list[PlayedGame]:
    played = [game async for game in play_games(client, schedule, plan, at_once=at_once)]
    return sorted(played, key=lambda game: game.pairing.number)


@pytest.mark.usefixtures("bots")
async def test_every_game_of_the_schedule_is_played_once_as_planned(client: Client) -> None:
    played = await _play(client, Schedule(("a", "b", "g"), 3, SEED))
    assert [game.pairing.number for game in played] == list(range(9))
    for game in played:
        assert [seat.bot_name for seat in game.game.seats] == list(game.pairing.seats)
        assert game.game.seed_source == game_pb2.SEED_SOURCE_HOST
        assert game.game.title == PLAN.title
    assert len({game.game.game_id for game in played}) == 9


@pytest.mark.usefixtures("bots")
async def test_the_same_seeds_give_the_same_results(client: Client) -> None:
    first = await _play(client, Schedule(("a", "b", "g"), 2, SEED))
    again = await _play(client, Schedule(("a", "b", "g"), 2, SEED), at_once=1)
    assert [list(game.results) for game in first] == [list(game.results) for game in again]


@pytest.mark.usefixtures("bots")
async def test_mirrored_games_of_equals_tie_exactly(client: Client) -> None:
    """Bots that play alike get the same from the same seat, so that over whole deals they get the same."""
    equals = standings(await _play(client, Schedule(("a", "b", "a", "b"), 2, SEED)))
    assert len({(standing.wins, standing.mean_rank, standing.mean_score) for standing in equals}) == 1


@pytest.mark.usefixtures("bots")
async def test_a_plan_without_seeds_lets_the_server_draw_them(client: Client) -> None:
    [played] = await _play(client, Schedule(("a", "b", "g"), 1, SEED, position=2), GamePlan(DRAGONS, use_seeds=False))
    assert played.game.seed_source == game_pb2.SEED_SOURCE_SERVER


@pytest.mark.usefixtures("bots")
async def test_no_more_games_run_at_a_time_than_asked_for(client: Client) -> None:
    class Count(Watcher):
        running = most = 0

        def observed(self, pairing: Pairing, observation: play_service_pb2.ObserveResponse) -> None:
            if observation.HasField("snapshot"):
                self.running += 1
            self.most = max(self.most, self.running)

    count = Count()
    async with aclosing(
        play_games(client, Schedule(("a", "b", "g"), 3, SEED), PLAN, at_once=2, watcher=count)
    ) as games:
        async for _ in games:
            count.running -= 1
    assert count.most == 2


async def test_games_that_are_given_up_are_aborted(client: Client) -> None:
    """Nobody comes: the consumer loses patience, and no game is left waiting."""
    games = play_games(client, Schedule(("nobody",) * 3, 4, SEED), PLAN, at_once=2)
    with pytest.raises(TimeoutError):
        async with aclosing(games), asyncio.timeout(3.0):
            await anext(games)
    statuses = [game.status async for game in client.list_games()]
    assert statuses == [game_pb2.GAME_STATUS_ABORTED] * 2


async def test_of_games_that_fail_at_once_one_is_told_and_none_forgotten(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    abort_game, together, complaints = client.abort_game, asyncio.Barrier(3), []

    async def abort_together(game_id: str, host_token: str) -> game_pb2.Game:
        game = await abort_game(game_id, host_token)
        await together.wait()
        return game

    monkeypatch.setattr(client, "abort_game", abort_together)
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context["message"]))
    plan = replace(PLAN, give_up_after=timedelta(seconds=0.3))
    with pytest.raises(BotsMissing, match="it waited for 'nobody'"):
        await _play(client, Schedule(("nobody",) * 3, 3, SEED), plan)
    gc.collect()
    assert complaints == []


async def test_a_game_aborted_by_another_stops_the_schedule(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    created: asyncio.Future[game_service_pb2.CreateGameResponse] = asyncio.get_running_loop().create_future()
    create_game = client.create_game

    async def spied(*args: Any, **kwargs: Any) -> game_service_pb2.CreateGameResponse:
        created.set_result(await create_game(*args, **kwargs))
        return created.result()

    monkeypatch.setattr(client, "create_game", spied)
    games = play_games(client, Schedule(("nobody",) * 3, 1, SEED), PLAN)
    waiting = asyncio.ensure_future(anext(games))
    await client.abort_game((await created).game.game_id, created.result().host_token)
    with pytest.raises(GameAborted, match="was aborted before it was finished"):
        await waiting


class Wait(Watcher):
    """Notes the first bots that a game waits for."""

    def __init__(self) -> None:
        self.told: asyncio.Future[Sequence[str]] = asyncio.get_running_loop().create_future()

    def waiting(self, pairing: Pairing, missing: Sequence[str]) -> None:
        if not self.told.done():
            self.told.set_result(missing)


async def _first_missing(client: Client, line_up: Sequence[str]) -> Sequence[str]:
    watcher = Wait()
    games = play_games(client, Schedule(line_up, 1, SEED), PLAN, watcher=watcher)
    playing = asyncio.ensure_future(anext(games))
    try:
        return await asyncio.wait_for(watcher.told, 20)
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await games.aclose()


async def test_a_watcher_is_told_which_bots_have_not_come(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragonhall.arena.runner.WAIT_FOR_BOTS", timedelta(seconds=0.1))
    assert await _first_missing(client, ("late", "absent", "late")) == ["absent", "late"]


class Troubles(Watcher):
    """Notes what is said of a server that cannot go on."""

    def __init__(self) -> None:
        self.missing: list[str] = []
        self.said: set[str] = set()
        self.games_left: set[str] = set()

    def waiting(self, pairing: Pairing, missing: Sequence[str]) -> None:
        self.missing += missing

    def troubled(self, pairing: Pairing, trouble: str) -> None:
        self.said.add(trouble)

    def left(self, pairing: Pairing, game_id: str, trouble: str) -> None:
        self.said.add(trouble)
        self.games_left.add(game_id)


async def test_on_a_full_disk_it_is_the_servers_fault_and_no_game_is_said_to_be_aborted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be written from the moment at which the games are there."""
    monkeypatch.setattr("dragonhall.arena.runner.WAIT_FOR_BOTS", timedelta(seconds=0.5))
    monkeypatch.setattr("dragonhall.arena.runner._ABORT_LIMIT", timedelta(seconds=2))
    server = Server(ServerConfig(listen="127.0.0.1:0", store=tmp_path / "hall.db"))
    port, watcher, game_ids = await server.start(), Troubles(), set[str]()
    plan = replace(PLAN, give_up_after=timedelta(seconds=4))
    try:
        async with Client(f"127.0.0.1:{port}") as client:
            games = play_games(client, Schedule(("nobody",) * 3, 2, SEED), plan, at_once=2, watcher=watcher)
            playing = asyncio.ensure_future(anext(games))
            async for message in client.watch_games():
                game_ids.add(message.game.game_id)
                if len(game_ids) == 3:  # with none, which tells that those before were there
                    break
            server.store.writer_connection.execute("PRAGMA query_only = ON")
            comes = asyncio.create_task(client.take_seat(max(game_ids), "Somebody", bot_name="nobody"))
            with pytest.raises(
                NotServing, match="was given up: nothing happened in it for 4 s; the server cannot write"
            ):
                await playing
            await games.aclose()
            comes.cancel()
            listed = [game async for game in client.list_games()]
            assert {game.status for game in listed} == {game_pb2.GAME_STATUS_WAITING}
            assert watcher.games_left == {game.game_id for game in listed}
            assert len(watcher.said) == 1
    finally:
        server.store.writer_connection.execute("PRAGMA query_only = OFF")
        await server.stop()


@asynccontextmanager
async def _sleeper(client: Client) -> AsyncIterator[None]:
    """A bot that takes its seats and never answers anything."""

    async def sit_down_and_sleep() -> None:
        async for message in client.watch_games(reserved_for="sleepy"):
            for seat in message.game.seats:
                if seat.bot_name == "sleepy" and not seat.taken and not message.left_filter:
                    await client.take_seat(message.game.game_id, "Z", seat=seat.seat, bot_name="sleepy")

    sleeping = asyncio.create_task(sit_down_and_sleep())
    try:
        yield
    finally:
        sleeping.cancel()
        await asyncio.gather(sleeping, return_exceptions=True)


async def test_a_watcher_is_told_which_bot_does_not_answer(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragonhall.arena.runner.WAIT_FOR_ANSWERS", timedelta(seconds=0.1))
    async with _sleeper(client):
        assert await _first_missing(client, ("sleepy",) * 3) == ["sleepy"]


@pytest.mark.usefixtures("bots")
async def test_a_game_with_a_bot_that_never_answers_ends_all_the_same_if_time_is_limited(client: Client) -> None:
    little_time = bank(timedelta(seconds=1), increment=timedelta(seconds=0.02))
    limited = replace(PLAN, settings=game_pb2.GameSettings(time_control=little_time))
    pairing = Pairing(0, 0, 0, ("sleepy", "a", "g"), SEED)
    async with _sleeper(client), asyncio.timeout(60):
        [played] = [played async for played in play_games(client, [pairing], limited)]
    assert played.game.status == game_pb2.GAME_STATUS_FINISHED
    record = await client.record(played.game.game_id)
    given_by: list[set[record_pb2.AnsweredBy.ValueType]] = [set(), set(), set()]
    for step in record.steps:
        for decision in step.decisions:
            given_by[decision.seat].add(decision.by)
    assert given_by[0] == {record_pb2.ANSWERED_BY_TIME}
    assert all(record_pb2.ANSWERED_BY_SEAT in given for given in given_by[1:])  # a busy machine may make any bot late
