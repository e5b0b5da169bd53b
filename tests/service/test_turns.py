"""Who looks at a game's past has it replayed in turn: nobody who plays now has to wait for many of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

from dragonhall.server.turns import Turns
from dragonhall.v1 import record_service_pb2
from dragonhall.v1.play_service_pb2 import AttachSeat, PlayCommand, PlayRequest
from tests.service.harness import Running

PIECE_SECONDS = 0.005


async def test_between_two_pieces_of_work_everything_else_has_the_loop_for_as_long() -> None:
    turns, pieces = Turns(), list[tuple[float, float]]()

    async def work() -> None:
        async with turns.turn():
            began = time.monotonic()
            while time.monotonic() < began + PIECE_SECONDS:
                pass
            pieces.append((began, time.monotonic()))

    await asyncio.gather(*(work() for _ in range(5)))
    assert len(pieces) == 5
    for (began, ended), (next_began, _) in pairwise(pieces):
        assert next_began - ended >= 0.9 * (ended - began)


async def test_a_turn_that_nobody_waits_for_any_more_or_that_fails_is_the_next_ones() -> None:
    turns = Turns()

    async def fail() -> None:
        async with turns.turn():
            raise ValueError

    async with turns.turn():
        waiting = [asyncio.create_task(work) for work in (fail(), fail())]
        await asyncio.sleep(0)
        waiting[0].cancel()
    ends = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(end) for end in ends] == [asyncio.CancelledError, ValueError]
    async with asyncio.timeout(5), turns.turn():
        pass


async def first_revision(stream: AsyncIterator[record_service_pb2.ReplayGameResponse]) -> int:
    return (await anext(stream)).observation.revision


async def test_streams_of_the_past_wait_for_their_turn_and_those_of_the_present_do_not(server: Running) -> None:
    game = await server.seated(3)
    await server.play_out(game)
    newest = (await server.game(game.game_id)).revision
    async with server.server.hub.turns.turn():
        past: list[asyncio.Future[Any]] = [
            asyncio.ensure_future(server.watch_first(game.game_id, from_revision=1)),
            asyncio.ensure_future(
                first_revision(
                    server.records.ReplayGame(record_service_pb2.ReplayGameRequest(game_id=game.game_id)).__aiter__()
                )
            ),
        ]
        call: Any = server.play.Play()
        attach = (AttachSeat(game_id=game.game_id, from_revision=revision) for revision in (newest, 1))
        await call.write(
            PlayRequest(
                commands=[PlayCommand(channel=i, command_id=i, attach=seat) for i, seat in enumerate(attach, 1)]
            )
        )
        present = [message for message in (await call.read()).messages if message.HasField("observation")]
        assert [message.channel for message in present] == [1]
        assert (await server.watch_first(game.game_id, from_revision=newest)).revision == newest
        assert (await server.watch_first(game.game_id)).revision == newest
        assert not any(stream.done() for stream in past)
    assert (await past[0]).revision == 1
    assert await past[1] == 1
    revisions: list[int] = []
    while len(revisions) < newest:
        messages = (await call.read()).messages
        revisions += [each.observation.revision for each in messages if each.channel == 2 and each.observation.revision]
    assert revisions == list(range(1, newest + 1))
    call.cancel()
