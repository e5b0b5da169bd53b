"""Seats of running games that change hands: left, taken by a substitute in the lobby's way, and taken back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from dragonhall.v1 import game_pb2
from tests.service.harness import Running, Seated, running
from tests.service.lobbying import abort, leave, listed, refusal_of, rematch, settings, take_back
from tests.service.test_lobby import SYNCED, Watcher

REQUEST = "a-request-id-of-the-tests"
RUNNING = game_pb2.GAME_STATUS_RUNNING
WITH_SUBSTITUTE = settings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="greedy")


async def test_who_left_may_come_back_and_asking_again_changes_nothing(server: Running) -> None:
    game = await server.seated(3)
    left = await leave(server, game.game_id, game.tokens[1])
    assert left.seats[1].state == game_pb2.SEAT_STATE_AWAY
    assert (await leave(server, game.game_id, game.tokens[1])).seats[1].state == game_pb2.SEAT_STATE_AWAY
    assert (await server.watch_first(game.game_id, game.tokens[1], 1)).snapshot.seat == 1
    back = await take_back(server, game.game_id, game.tokens[1])
    assert back.seats[1].state == game_pb2.SEAT_STATE_PLAYING
    revision = (await server.game(game.game_id)).revision
    assert (await take_back(server, game.game_id, game.tokens[1])).revision == revision
    await server.play_out(game)


async def test_a_seat_that_was_taken_before_the_start_is_played_already(server: Running) -> None:
    created = await server.create(3)
    token = (await server.take(created.game.game_id)).seat_token
    assert (await take_back(server, created.game.game_id, token)).revision == 2


async def test_a_forfeited_seat_is_not_taken_back(server: Running) -> None:
    game = await server.seated(3, settings=settings(absence=game_pb2.ABSENCE_POLICY_FORFEIT))
    left = await leave(server, game.game_id, game.tokens[0])
    assert left.seats[0].state == game_pb2.SEAT_STATE_FORFEITED
    refusal = await refusal_of(take_back(server, game.game_id, game.tokens[0]))
    assert (refusal.reason, refusal.metadata["seat"]) == ("SEAT_UNAVAILABLE", "0")


@pytest.mark.parametrize("visibility", [game_pb2.VISIBILITY_PUBLIC, game_pb2.VISIBILITY_PRIVATE])
async def test_a_bot_finds_the_vacant_seat_in_the_lobby_and_takes_it(server: Running, visibility: Any) -> None:
    wanted = settings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="greedy", visibility=visibility)
    game = await server.seated(3, settings=wanted)
    bots, others = Watcher(server, reserved_for="greedy"), Watcher(server, reserved_for="random")
    assert await bots.next() == SYNCED
    assert await others.next() == SYNCED
    left = await leave(server, game.game_id, game.tokens[2])
    assert (left.seats[2].state, left.seats[2].substitute) == (game_pb2.SEAT_STATE_VACANT, "greedy")
    assert await bots.next() == (game.game_id, RUNNING, False)
    assert await listed(server, reserved_for="greedy", statuses=[RUNNING]) == [game.game_id]
    expected = "SEAT_UNAVAILABLE" if visibility == game_pb2.VISIBILITY_PUBLIC else "GAME_NOT_FOUND"
    for fields in ({}, {"bot_name": "random"}, {"bot_name": "greedy", "seat": 0}, {"seat": 2}):
        assert (await refusal_of(server.take(game.game_id, **fields))).reason == expected
    taken = await server.take(game.game_id, "The Greedy", bot_name="greedy", request_id=REQUEST)
    assert (taken.seat, taken.game.seats[2].state) == (2, game_pb2.SEAT_STATE_SUBSTITUTED)
    assert taken.game.seats[2].player_name == "Player 2"
    assert await bots.next() == (game.game_id, RUNNING, True)
    assert await server.take(game.game_id, "The Greedy", bot_name="greedy", request_id=REQUEST) == taken
    assert (await server.watch_first(game.game_id, taken.seat_token, 2)).snapshot.seat == 2
    assert (await refusal_of(server.take(game.game_id, bot_name="greedy"))).reason == expected
    assert await others.nothing_more()
    await server.play_out(Seated(game.game_id, "", [*game.tokens[:2], taken.seat_token]))


async def test_what_a_substitute_may_not(server: Running) -> None:
    game = await server.seated(3, settings=WITH_SUBSTITUTE)
    await leave(server, game.game_id, game.tokens[0])
    substitute = (await server.take(game.game_id, bot_name="greedy")).seat_token
    assert (await refusal_of(take_back(server, game.game_id, substitute))).reason == "NOT_YOUR_ROLE"
    left_again = await leave(server, game.game_id, game.tokens[0])  # by whoever is not there: the bot plays on
    assert left_again.seats[0].state == game_pb2.SEAT_STATE_SUBSTITUTED
    assert (await leave(server, game.game_id, substitute)).seats[0].state == game_pb2.SEAT_STATE_VACANT
    again = (await server.take(game.game_id, bot_name="greedy")).seat_token
    await abort(server, game.game_id, game.host_token)
    assert (await refusal_of(rematch(server, game.game_id, again))).reason == "NOT_YOUR_ROLE"
    assert (await rematch(server, game.game_id, game.tokens[0])).seat == 1


async def test_a_substitutes_seat_that_was_taken_back_is_not_handed_out_again(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        game = await server.seated(3, settings=WITH_SUBSTITUTE)
        await leave(server, game.game_id, game.tokens[1])
        taken = await server.take(game.game_id, bot_name="greedy", request_id=REQUEST)
    async with running(tmp_path / "games.db") as server:
        assert await server.take(game.game_id, bot_name="greedy", request_id=REQUEST) == taken
        back = await take_back(server, game.game_id, game.tokens[1])
        assert (back.seats[1].state, back.seats[1].substitute) == (game_pb2.SEAT_STATE_PLAYING, "")
        assert (await refusal_of(server.watch_first(game.game_id, taken.seat_token))).reason == "TOKEN_INVALID"
        attempt = server.take(game.game_id, bot_name="greedy", request_id=REQUEST)
        assert (await refusal_of(attempt)).reason == "REQUEST_ID_REUSED"
        await server.play_out(game)


async def test_of_many_bots_one_becomes_the_substitute(server: Running) -> None:
    game = await server.seated(3, settings=WITH_SUBSTITUTE)
    await leave(server, game.game_id, game.tokens[1])
    attempts = (server.take(game.game_id, bot_name="greedy") for _ in range(6))
    results = await asyncio.gather(*attempts, return_exceptions=True)
    assert sum(not isinstance(result, BaseException) for result in results) == 1
