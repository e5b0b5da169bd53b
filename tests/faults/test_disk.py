"""A disk that is full, or that cannot be written: clean refusals, reads go on, and no restart is needed afterwards."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from dragonhall.server.store.base import Append, StoreError
from dragonhall.v1 import game_pb2, game_service_pb2
from dragonhall.wire.records import verify_record
from tests.faults.torture import each
from tests.processes import ServerProcess
from tests.service.harness import Client, Running, Seated, at_random, connected, prompt_of, refused, running


async def expect_store_unavailable(server: Client, game: Seated, seat: int, decision_id: int) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await server.submit(game, seat, decision_id, 0)
    refusal = refused(caught.value)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
    assert "disk" not in refusal.message  # what is wrong with it is the operator's business


async def test_a_server_whose_store_cannot_be_written_refuses_and_goes_on_when_it_can(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        game = await server.seated(3)
        seat, prompt = await server.prompt(game)
        before = await server.game(game.game_id)
        stream = server.observe(game.game_id, game.tokens[seat], seat)
        first = await anext(stream)
        writer = server.server.store.writer_connection
        writer.execute("PRAGMA query_only = ON")
        for _ in range(3):
            await expect_store_unavailable(server, game, seat, prompt.decision_id)
            assert await server.game(game.game_id) == before
            assert await server.watch_first(game.game_id, game.tokens[seat], seat) == first
        with pytest.raises(grpc.aio.AioRpcError):
            await server.create(3)
        assert len((await server.games.ListGames(game_service_pb2.ListGamesRequest())).games) == 1
        writer.execute("PRAGMA query_only = OFF")
        result = await server.submit(game, seat, prompt.decision_id, 0)
        assert not result.repeated
        assert (await anext(stream)).revision == result.revision == before.revision + 1
        await stream.aclose()
        await play_to_the_end(server, game)


async def test_an_answer_that_was_stored_although_the_store_said_no_is_found_again(tmp_path: Path) -> None:
    """A commit may fail after it has become durable: then the answer stands, and the retry is told so."""
    async with running(tmp_path / "games.db") as server:
        game = await server.seated(3)
        seat, prompt = await server.prompt(game)
        store = server.server.store
        append = store.append

        async def append_and_fail(write: Append) -> None:
            await append(write)
            raise StoreError("the reply was lost")

        store.append = append_and_fail  # type: ignore[method-assign,assignment]
        await expect_store_unavailable(server, game, seat, prompt.decision_id)
        store.append = append  # type: ignore[method-assign]
        result = await server.submit(game, seat, prompt.decision_id, 0)
        assert result.repeated
        await play_to_the_end(server, game)


async def test_what_another_server_wrote_is_neither_overwritten_nor_missed(tmp_path: Path) -> None:
    """Two live copies of one game: the store lets one of them write, the other learns what happened."""
    async with running(tmp_path / "games.db") as server:
        game = await server.seated(3)
        seat, prompt = await server.prompt(game)
        hub = server.server.hub
        copy = hub._live(game.game_id)
        copy.restore(await server.server.store.load(game.game_id))
        await server.submit(game, seat, prompt.decision_id, 0)
        hub._games[game.game_id] = copy  # from here on the server looks at the copy that missed the answer
        await expect_store_unavailable(server, game, seat, prompt.decision_id)
        assert (await server.submit(game, seat, prompt.decision_id, 0)).repeated
        await play_to_the_end(server, game)


async def test_a_copy_that_missed_the_start_learns_all_of_it(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        created = await server.create(3)
        game_id = created.game.game_id
        hub = server.server.hub
        copy = hub._live(game_id)
        copy.restore(await server.server.store.load(game_id))
        game = await server.fill(created)
        seat, prompt = await server.prompt(game)
        await server.submit(game, seat, prompt.decision_id, 0)
        expected = await server.game(game_id)
        hub._games[game_id] = copy
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.take(game_id)  # it believes that seats are free
        assert refused(caught.value).reason == "STORE_UNAVAILABLE"
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.take(game_id)
        assert refused(caught.value).reason == "SEAT_UNAVAILABLE"
        assert await server.game(game_id) == expected
        await play_to_the_end(server, game)


async def test_a_full_disk_under_a_real_server(process: ServerProcess) -> None:
    async with connected(process.port) as channel:
        server = Client(channel)
        game = await server.seated(3)
        seat, prompt = await server.prompt(game)
        process.limit_file_size(4096)
        await expect_store_unavailable(server, game, seat, prompt.decision_id)
        await expect_store_unavailable(server, game, seat, prompt.decision_id)
        assert (await server.game(game.game_id)).revision == 5
        assert await server.prompt(game) == (seat, prompt)
        process.lift_file_size_limit()
        assert (await server.submit(game, seat, prompt.decision_id, 0)).revision == 6
        await play_to_the_end(server, game)
        assert "event=store_failed" in process.log.read_text()
    assert await process.stop() == 0


async def test_a_server_on_a_full_disk_says_so_and_recovers_by_itself(process: ServerProcess) -> None:
    """Nobody has to restart it, nor even to write: it tries."""
    async with connected(process.port) as channel:
        server = Client(channel)
        game = await server.seated(3)
        stub = health_pb2_grpc.HealthStub(channel.plain)
        watch = stub.Watch(health_pb2.HealthCheckRequest(service="dragonhall.v1.PlayService"))
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        seat, prompt = await server.prompt(game)
        process.limit_file_size(4096)
        await expect_store_unavailable(server, game, seat, prompt.decision_id)
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        record = await stub.Check(health_pb2.HealthCheckRequest(service="dragonhall.v1.RecordService"))
        assert record.status == health_pb2.HealthCheckResponse.SERVING
        assert await server.prompt(game) == (seat, prompt)
        process.lift_file_size_limit()
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        log = process.log.read_text()
        assert log.count("event=writes_fail") == log.count("event=writes_done_again") == 1
    assert await process.stop() == 0


async def test_time_in_which_nothing_could_be_written_is_not_charged(process: ServerProcess) -> None:
    async with connected(process.port) as channel:
        server = Client(channel)
        game = await server.seated(3, settings=game_pb2.GameSettings(time_control=each(3)))
        seat, before = await server.prompt(game)
        process.limit_file_size(4096)
        await expect_store_unavailable(server, game, seat, before.decision_id)
        await asyncio.sleep(3.5)
        now, prompt = await server.prompt(game)  # its time is up, but nothing can be written
        assert (now, prompt.decision_id, prompt.deadline) == (seat, before.decision_id, before.deadline)
        process.lift_file_size_limit()
        async for message in server.observe(game.game_id, from_revision=6):
            if message.HasField("update"):
                assert message.update.events[0].HasField("server_was_down")
                break
    assert await process.stop() == 0


async def play_to_the_end(server: Client | Running, game: Seated) -> None:
    choose = at_random(Random(1))
    while True:
        game_now = await server.game(game.game_id)
        if game_now.HasField("outcome"):
            break
        seat = (await server.watch_first(game.game_id)).snapshot.waiting[0].seat
        prompt = prompt_of(await server.watch_first(game.game_id, game.tokens[seat], seat))
        assert prompt is not None
        await server.submit(game, seat, prompt.decision_id, choose(prompt))
    assert verify_record(await server.record(game.game_id)).findings == ()
