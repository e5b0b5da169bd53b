"""Whole games over the wire, by random legal play."""

from __future__ import annotations

import asyncio
import hashlib

import pytest

from dragonhall.v1 import game_pb2
from tests.service.harness import ALWAYS, Running, dragons
from tests.service.promises import check_resumed
from tests.service.whole_games import check_finished_alike, check_resumed_anywhere, check_told_what_is_recorded


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
async def test_a_game_is_played_to_its_end_and_everyone_sees_the_same_outcome(server: Running, seats: int) -> None:
    game = await server.seated(seats, options=dragons(hidden_card=seats % 2 == 0, open_piles=seats > 4))
    spectator = asyncio.create_task(server.watch_to_end(game.game_id))
    await server.play_out(game, choices=seats)
    await spectator
    assert len(server.streams) == seats + 1
    check_finished_alike(server.streams)
    listed = await server.game(game.game_id)
    assert listed.status == game_pb2.GAME_STATUS_FINISHED
    assert listed.outcome == server.streams[0].messages[-1].update.events[-1].game_finished.outcome
    assert [result.seat for result in listed.outcome.results] == list(range(seats))


async def test_a_record_is_what_the_streams_told_and_verifies(server: Running) -> None:
    game = await server.seated(4, options=dragons(hidden_card=True, extra_year=True), title="Verified")
    spectator = asyncio.create_task(server.watch_to_end(game.game_id))
    await server.play_out(game)
    await spectator
    await check_told_what_is_recorded(server, game.game_id, server.streams)
    record = await server.record(game.game_id)
    assert record.title == "Verified"
    assert hashlib.sha256(record.seed).digest() == (await server.game(game.game_id)).seed_commitment


async def test_every_revision_comes_to_every_reader(server: Running) -> None:
    created = await server.create(3)
    whole = asyncio.create_task(server.watch_to_end(created.game.game_id, from_revision=1))
    await server.play_out(await server.fill(created))
    stream = await whole
    newest = (await server.game(created.game.game_id)).revision
    assert [message.revision for message in stream.messages] == list(range(1, newest + 1))


async def test_resuming_from_any_revision_continues_the_stream(server: Running) -> None:
    game = await server.seated(3, options=dragons(hidden_card=True))
    await server.play_out(game)
    await check_resumed_anywhere(server, game, seats=range(3))


async def test_a_stream_that_was_live_equals_one_replayed_from_the_log(server: Running) -> None:
    created = await server.create(3, options=dragons(hidden_card=True))
    game_id = created.game.game_id
    live = asyncio.create_task(server.watch_to_end(game_id, from_revision=1, view_delivery=ALWAYS))
    await server.play_out(await server.fill(created))
    replayed = await server.watch_to_end(game_id, from_revision=1, view_delivery=ALWAYS)
    check_resumed(await live, replayed)
    assert any(message.update.HasField("view") for message in replayed.messages)
