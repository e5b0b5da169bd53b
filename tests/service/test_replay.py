"""ReplayGame: a finished game once more, as Observe would have shown it, at a pace."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from dragonhall.server.hub import Hub
from dragonhall.v1.record_service_pb2 import ReplayGameRequest
from tests.service.harness import ALWAYS, Running, Seated, dragons, refused, running
from tests.service.lobbying import PRIVATE, abort, settings
from tests.service.promises import Recorded, timeless
from tests.service.stopped import Clock, bank


async def replayed(server: Running, game_id: str, **fields: Any) -> Recorded:
    """A whole replay."""
    number = len(server.streams)
    async for _ in server.records.ReplayGame(ReplayGameRequest(game_id=game_id, **fields)):
        pass
    return server.streams[number]


async def refusal_of(server: Running, game_id: str, **fields: Any) -> Any:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await replayed(server, game_id, **fields)
    return refused(error.value)


@pytest.fixture
async def finished(server: Running) -> Seated:
    game = await server.seated(3, options=dragons(hidden_card=True))
    await server.play_out(game)
    return game


@pytest.mark.parametrize("first", [1, 7])
async def test_a_replay_is_what_observe_shows_to_each_viewer(server: Running, finished: Seated, first: int) -> None:
    for viewer, token in [(0, finished.tokens[0]), (2, finished.tokens[2]), (None, "")]:
        shown = await server.watch_to_end(finished.game_id, token, viewer, from_revision=first, view_delivery=ALWAYS)
        again = await replayed(server, finished.game_id, seat=viewer, from_revision=first, view_delivery=ALWAYS)
        assert again.messages == shown.messages
        assert again.has_ended


async def test_a_replay_from_the_beginning_starts_with_a_snapshot_of_the_first_revision(
    server: Running, finished: Seated
) -> None:
    again = await replayed(server, finished.game_id, seat=1)
    newest = (await server.game(finished.game_id)).revision
    assert again.messages[0].HasField("snapshot")
    assert again.messages[0].snapshot.game.revision == 1
    assert again.messages[0].snapshot.seat == 1
    assert [message.revision for message in again.updates] == [*range(2, newest + 1)]
    assert (await replayed(server, finished.game_id, from_revision=newest + 1)).messages == []
    assert (await refusal_of(server, finished.game_id, from_revision=newest + 2)).metadata["revision"] == str(newest)


async def test_deadlines_are_told_as_they_were_then(tmp_path: Path) -> None:
    clock = Clock()
    async with running(tmp_path / "games.db", now_us=clock) as server:
        game = await server.seated(3, settings=settings(time_control=bank(600, 5)))
        live = await server.server.hub.game(game.game_id)
        streams = [
            asyncio.create_task(server.watch_to_end(game.game_id, token, seat, from_revision=1))
            for seat, token in enumerate(game.tokens)
        ]
        await asyncio.sleep(0.1)
        while not live.head.status.is_over:
            clock.tick()
            ticket = live.head.tickets[0]
            await server.submit(game, ticket.seat, ticket.decision_id, 0)
        for seat, stream in enumerate(streams):
            shown, again = await stream, await replayed(server, game.game_id, seat=seat, from_revision=1)
            assert [*map(timeless, again.messages)] == [*map(timeless, shown.messages)]
            asked = [message.update.decision for message in again.messages if message.update.decision.decision_id]
            assert asked
            assert {decision.remaining.seconds >= 500 for decision in asked} == {True}
        clock.tick()


async def test_a_replay_at_an_interval_takes_its_time(server: Running, finished: Seated) -> None:
    newest = (await server.game(finished.game_id)).revision
    loop = asyncio.get_running_loop()
    began = loop.time()
    await replayed(server, finished.game_id, from_revision=newest - 5, interval=Duration(nanos=40_000_000))
    assert 0.2 <= loop.time() - began < 5


async def test_a_replay_at_a_speed_takes_a_part_of_the_time_that_the_game_took(tmp_path: Path) -> None:
    clock = Clock()
    async with running(tmp_path / "games.db", now_us=clock) as server:
        game = await server.seated(3)
        live = await server.server.hub.game(game.game_id)
        while not live.head.status.is_over:
            clock.tick()
            ticket = live.head.tickets[0]
            await server.submit(game, ticket.seat, ticket.decision_id, 0)
        loop = asyncio.get_running_loop()
        began = loop.time()
        await replayed(server, game.game_id, from_revision=live.head.revision - 4, speed=20.0)
        assert 0.2 <= loop.time() - began < 5


async def test_a_pause_is_cut_and_a_replay_that_waits_can_be_cancelled_and_leaves_nothing(
    server: Running, finished: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    real = asyncio.timeout

    def timeout(seconds: float) -> asyncio.Timeout:
        pauses.append(seconds)
        return real(seconds)

    monkeypatch.setattr("asyncio.timeout", timeout)
    before = len(asyncio.all_tasks())
    call = server.records.ReplayGame(ReplayGameRequest(game_id=finished.game_id, speed=1e-300))
    await call.read()
    for _ in range(1000):
        if pauses:
            break
        await asyncio.sleep(0.01)
    call.cancel()
    assert pauses == [10.0]
    for _ in range(1000):
        if not server.server.hub._streams and len(asyncio.all_tasks()) <= before:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("a replay that nobody reads goes on")


async def test_a_client_that_does_not_read_holds_one_message(server: Running, finished: Seated) -> None:
    """Revisions are read from the log as they are taken."""
    calls = [server.records.ReplayGame(ReplayGameRequest(game_id=finished.game_id)) for _ in range(20)]
    await asyncio.wait_for(replayed(server, finished.game_id), 10)
    for call in calls:
        call.cancel()


async def test_a_server_that_stops_ends_replays(server: Running, finished: Seated) -> None:
    call = server.records.ReplayGame(ReplayGameRequest(game_id=finished.game_id, interval=Duration(seconds=60)))
    await call.read()
    hub: Hub = server.server.hub
    hub.close()
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await asyncio.wait_for(call.read(), 5)
    assert refused(error.value).reason == "SHUTTING_DOWN"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"seat": 3}, "seat"),
        ({"view_delivery": 99}, "view_delivery"),
        ({"speed": 0.0}, "speed"),
        ({"speed": -1.0}, "speed"),
        ({"speed": float("nan")}, "speed"),
        ({"speed": float("inf")}, "speed"),
        ({"interval": Duration(seconds=-1)}, "interval"),
        ({"interval": Duration(seconds=61)}, "interval"),
    ],
)
async def test_absurd_wishes_are_refused(server: Running, finished: Seated, fields: Any, field: str) -> None:
    refusal = await refusal_of(server, finished.game_id, **fields)
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", [field])


async def test_a_game_that_is_not_finished_is_not_replayed_to_anyone(server: Running) -> None:
    running_game, aborted = await server.seated(3), await server.seated(3)
    await abort(server, aborted.game_id, aborted.host_token)
    for game, status in ((running_game, "RUNNING"), (aborted, "ABORTED")):
        for token in ("", game.host_token, game.tokens[0]):
            refusal = await refusal_of(server, game.game_id, token=token)
            assert (refusal.reason, refusal.metadata["status"]) == ("RECORD_NOT_READY", status)


async def test_a_private_game_is_replayed_to_those_with_a_token(server: Running) -> None:
    game = await server.seated(3, settings=PRIVATE)
    await server.play_out(game)
    assert (await refusal_of(server, game.game_id)).reason == "GAME_NOT_FOUND"
    assert (await replayed(server, game.game_id, token=game.tokens[0], seat=2)).has_ended
