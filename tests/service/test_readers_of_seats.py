"""Streams of seats end with the update by which the seat is the reader's no more, and nobody else's stream does."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from dragonhall.v1 import game_pb2
from tests.service.harness import ALWAYS, Running, Seated, refused
from tests.service.lobbying import leave, settings, take_back
from tests.service.streams import stream_of

WITH_SUBSTITUTES = settings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="greedy")


async def left_to_a_substitute(server: Running) -> tuple[Seated, Seated]:
    """A game whose seat 1 is played by a substitute: with the players' tokens, and with the substitute's for seat 1."""
    game = await server.seated(3, settings=WITH_SUBSTITUTES)
    await leave(server, game.game_id, game.tokens[1])
    substitute = await server.take(game.game_id, "Greedy", bot_name="greedy")
    assert substitute.seat == 1
    tokens = [game.tokens[0], substitute.seat_token, game.tokens[2]]
    return game, Seated(game.game_id, game.host_token, tokens)


async def begun(server: Running, game_id: str, readers: int) -> None:
    """Until so many streams have begun."""
    live = await server.server.hub.game(game_id)
    for _ in range(500):
        if len(live._readers) == readers:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("streams do not begin")


@pytest.mark.parametrize("first", [0, 1])
async def test_a_substitutes_stream_ends_when_the_seat_is_taken_back_and_the_players_goes_on(
    server: Running, first: int
) -> None:
    game, with_substitute = await left_to_a_substitute(server)
    watching = [
        asyncio.create_task(server.watch_to_end(game.game_id, tokens[1], 1, from_revision=first, view_delivery=ALWAYS))
        for tokens in (with_substitute.tokens, game.tokens)
    ]
    async with stream_of(server) as stream:
        await stream.send(stream.attach(with_substitute, 1, 7, from_revision=first))
        await stream.receive_until("observation")
        await begun(server, game.game_id, 3)
        back = (await take_back(server, game.game_id, game.tokens[1])).revision
        substitutes = await asyncio.wait_for(watching[0], 10)
        assert substitutes.messages[-1].revision == back
        changed = substitutes.messages[-1].update.events[-1].seat_changed
        assert (changed.seat.seat, changed.seat.state) == (1, game_pb2.SEAT_STATE_PLAYING)
        closed = await stream.receive_until("closed")
        assert (closed.channel, closed.command_id) == (7, 0)
        assert stream.channels[7].messages[-1].revision == back
    await server.play_out(game)
    assert (await watching[1]).updates[-1].update.events[-1].HasField("game_finished")
    await expect_refused(server, game, with_substitute.tokens[1])


async def test_a_stream_that_resumes_after_the_seat_was_given_back_is_refused_and_one_that_runs_ends(
    server: Running,
) -> None:
    created = await server.create(3)
    game_id = created.game.game_id
    first = await server.take(game_id)
    watching = asyncio.create_task(server.watch_to_end(game_id, first.seat_token, 0))
    await begun(server, game_id, 1)
    left = await leave(server, game_id, first.seat_token)
    assert (await asyncio.wait_for(watching, 10)).messages[-1].revision == left.revision
    await server.take(game_id)  # of another, who is told nothing by the first one's token
    await expect_refused(server, Seated(game_id, "", []), first.seat_token)


async def expect_refused(server: Running, game: Seated, token: str, **fields: Any) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await server.watch_first(game.game_id, token, **fields)
    assert refused(error.value).reason == "TOKEN_INVALID"
