"""A server that is told to stop: for a while games go on and none are made; then it ends, saying when to come again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

from dragonhall.v1 import game_pb2, game_service_pb2
from tests.processes import ServerProcess
from tests.service.harness import Client, Running, Seated, connected, dragons, refused, running

DELAY = timedelta(seconds=4)
REQUEST = "a-request-id-of-these-tests"


async def told_delay(attempt: Awaitable[Any]) -> float:
    """How many seconds a refused client is told to wait."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await attempt
    assert refused(caught.value).reason == "SHUTTING_DOWN"
    trailers = dict(iter(caught.value.trailing_metadata() or ()))
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    retry = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(retry) for detail in status.details)
    delay: timedelta = retry.retry_delay.ToTimedelta()
    return delay.total_seconds()


def find(server: Client) -> Awaitable[game_service_pb2.FindGameResponse]:
    return server.games.FindGame(game_service_pb2.FindGameRequest(options=dragons(), seats=3, player_name="Someone"))


async def test_a_draining_server_lets_games_go_on_and_makes_none(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", drain=timedelta(seconds=60), reconnect_delay=DELAY) as server:
        waiting = await server.create(3, request_id=REQUEST)
        await find(server)
        game = await server.seated(3)
        stream = asyncio.create_task(server.watch_to_end(game.game_id))
        hurry = asyncio.Event()
        draining = asyncio.create_task(server.server.drain(hurry))
        await asyncio.sleep(0)
        for attempt in (server.create(3), find(server)):
            assert await told_delay(attempt) > 0
        assert await server.create(3, request_id=REQUEST) == waiting  # made before: the same answer again
        await server.play_out(game)
        assert (await stream).messages[-1].update.events[-1].HasField("game_finished")
        filled = await server.fill(waiting)
        await server.play_out(filled)
        assert not draining.done()
        health: Any = health_pb2_grpc.HealthStub(server.channel.plain)
        status = (await health.Check(health_pb2.HealthCheckRequest())).status
        assert status == health_pb2.HealthCheckResponse.NOT_SERVING
        hurry.set()
        await draining


async def test_clients_are_told_to_come_again_at_different_times(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", reconnect_delay=DELAY) as server:
        server.server.hub.drain()
        delays = [await told_delay(server.create(3)) for _ in range(20)]
        assert all(0.5 * DELAY.total_seconds() <= delay <= 1.5 * DELAY.total_seconds() for delay in delays)
        assert len(set(delays)) > 10


async def test_streams_of_a_stopping_server_say_when_to_come_again(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", reconnect_delay=DELAY) as server:
        game = await server.seated(3)
        streams = [
            asyncio.create_task(server.watch_to_end(game.game_id)),
            asyncio.create_task(server.play_seat(game, 0, lambda prompt: 0)),
            asyncio.create_task(play(server)),
            asyncio.create_task(watch_lobby(server)),
        ]
        await server.watch_first(game.game_id)
        await asyncio.sleep(0.1)
        await server.server.stop()
        for stream in streams:
            assert await told_delay(stream) >= 0.5 * DELAY.total_seconds()


async def play(server: Running) -> None:
    call: Any = server.play.Play()
    while await call.read() is not grpc.aio.EOF:
        pass


async def watch_lobby(server: Running) -> None:
    async for _ in server.games.WatchGames(game_service_pb2.WatchGamesRequest()):
        pass


@pytest.mark.parametrize("signals", [1, 2])
async def test_a_second_signal_ends_the_wait(tmp_path: Path, signals: int) -> None:
    """With one, games go on for as long as was asked for; with two, it ends at once. Nothing that was told is lost."""
    server = ServerProcess(tmp_path, "--drain", "1.5" if signals == 1 else "60")
    async with server, connected(server.port) as channel:
        client = Client(channel)
        game = await client.seated(3)
        stopping = asyncio.create_task(server.stop())
        revision = await play_until_it_drains(client, game)
        for _ in range(signals - 1):
            server.ask_to_stop()
        assert await asyncio.wait_for(stopping, 30) == 0
        await server.start()
        assert (await client.game(game.game_id)).revision >= revision
        assert (await client.game(game.game_id)).status == game_pb2.GAME_STATUS_RUNNING
        await server.kill()  # it would drain once more


async def play_until_it_drains(client: Client, game: Seated) -> int:
    """Answers until no games are made any more, and twice more; the newest revision."""
    for i in range(1000):
        seat, prompt = await client.prompt(game)
        revision = (await client.submit(game, seat, prompt.decision_id, 0)).revision
        if i % 2 and await is_draining(client):
            seat, prompt = await client.prompt(game)
            return (await client.submit(game, seat, prompt.decision_id, 0)).revision
    raise AssertionError(f"it does not drain, and the game is at revision {revision}")


async def is_draining(client: Client) -> bool:
    try:
        await client.create(3)
    except grpc.aio.AioRpcError as error:
        return refused(error).reason == "SHUTTING_DOWN"
    return False
