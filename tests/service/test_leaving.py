"""Clients that go away, however many, leave nothing behind."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest

from dragonhall.server.game import LiveGame
from dragonhall.v1 import play_service_pb2_grpc
from dragonhall.v1.play_service_pb2 import AttachSeat, ObserveRequest, PlayCommand, PlayRequest
from tests.service.harness import ALWAYS, Running, Seated

CYCLES = 250

MOST_OBJECTS = CYCLES // 2
"""By which the process may grow meanwhile: less than one for two streams."""


async def observe(play: Any, game: Seated) -> Any:
    """A stream that has begun."""
    call = play.Observe(ObserveRequest(game_id=game.game_id, seat_token=game.tokens[1]))
    await call.read()
    return call


async def attach_two(play: Any, game: Seated) -> Any:
    """A stream with two channels that have begun."""
    call = play.Play()
    await call.write(
        PlayRequest(
            commands=[
                PlayCommand(channel=i, attach=AttachSeat(game_id=game.game_id, seat_token=token))
                for i, token in enumerate(game.tokens[:2])
            ]
        )
    )
    await call.read()
    return call


async def observe_unread(play: Any, game: Seated) -> Any:
    """A stream whose client leaves before it reads anything."""
    call = play.Observe(ObserveRequest(game_id=game.game_id, view_delivery=ALWAYS))
    await call.wait_for_connection()
    return call


Begin = Callable[[Any, Seated], Awaitable[Any]]


@pytest.mark.parametrize("begin", [observe, attach_two, observe_unread])
async def test_streams_that_clients_cancel_leave_nothing_behind(server: Running, begin: Begin) -> None:
    game = await server.seated(3)
    unrecorded = play_service_pb2_grpc.PlayServiceStub(server.channel.plain)  # all objects of the process are counted
    live = await server.server.hub.game(game.game_id)

    async def open_and_cancel(count: int) -> None:
        for _ in range(count):
            (await begin(unrecorded, game)).cancel()
        await settled(server, live)

    await open_and_cancel(30)
    before = tasks_and_objects()
    await open_and_cancel(CYCLES)
    tasks, objects = (after - then for after, then in zip(tasks_and_objects(), before, strict=True))
    assert tasks <= 2
    assert objects < MOST_OBJECTS
    await server.play_out(game)


async def test_connections_that_break_leave_nothing_behind(server: Running) -> None:
    game = await server.seated(3)
    live = await server.server.hub.game(game.game_id)
    for _ in range(10):
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", [("grpc.use_local_subchannel_pool", 1)]) as c:
            for _ in range(5):
                observed: Any = c.unary_stream("/dragonhall.v1.PlayService/Observe")
                await observed(ObserveRequest(game_id=game.game_id).SerializeToString()).read()
    await settled(server, live)


async def test_many_streams_share_a_connection(server: Running) -> None:
    game = await server.seated(3)
    live = await server.server.hub.game(game.game_id)
    streams = [server.observe(game.game_id) for _ in range(300)]
    for stream in streams:
        await anext(stream)
    ticket = live.head.tickets[0]
    await server.submit(game, ticket.seat, ticket.decision_id, 0)
    assert {(await anext(stream)).revision for stream in streams} == {live.head.revision}
    for stream in streams:
        await stream.aclose()
    await settled(server, live)


async def settled(server: Running, live: LiveGame) -> None:
    """Until the server has noticed that nobody reads: the game's and the hub's subscriptions are gone."""
    for _ in range(1000):
        if not live._readers and not server.server.hub._streams:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("readers that are gone are still subscribed")


def tasks_and_objects() -> tuple[int, int]:
    """How many there are. Timers that were cancelled are not counted: the loop forgets them when they are many."""
    gc.collect()
    of_timers = ("TimerHandle", "Context", "hamt", "hamt_bitmap_node")
    return len(asyncio.all_tasks()), sum(type(thing).__name__ not in of_timers for thing in gc.get_objects())
