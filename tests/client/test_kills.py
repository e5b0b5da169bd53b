"""The client and a server that is killed with -9 and comes back: nothing is lost, nothing happens twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import timedelta
from random import Random

import pytest

from dragonhall.client import (
    Client,
    ConnectionClosed,
    DragonhallError,
    Patience,
    ServerUnavailable,
    bot_seat,
    open_seat,
)
from tests.client.games import (
    DRAGONS,
    check_promises,
    first_decision,
    many_seats,
    play_all,
    play_patiently,
    seated_game,
    told,
)
from tests.processes import ServerProcess

THINK = 0.02
"""Seconds, so that a game of 150 answers is not over before the server is killed."""


@pytest.fixture
async def client(server: ServerProcess) -> AsyncIterator[Client]:
    """Connected to the server that the test kills."""
    async with Client(server.target) as connected:
        yield connected


async def test_lobby_tells_after_a_restart_what_ceased_to_match_meanwhile(
    server: ServerProcess, client: Client
) -> None:
    game_id = (await client.create_game(DRAGONS, [bot_seat("rex"), open_seat(), open_seat()])).game.game_id
    async with aclosing(client.watch_games(reserved_for="rex")) as lobby:
        await anext(lobby)
        assert not (await anext(lobby)).HasField("game")
        await server.restart()
        async with Client(server.target) as other:
            await other.take_seat(game_id, "Rex", bot_name="rex")
        left = await anext(lobby)
        assert (left.game.game_id, left.left_filter) == (game_id, True)
        assert not (await anext(lobby)).HasField("game")


async def test_calls_wait_for_the_server_to_come_back(server: ServerProcess, client: Client) -> None:
    game_id = (await client.create_game(DRAGONS, [open_seat()] * 3)).game.game_id
    await server.kill()
    asked = asyncio.create_task(client.take_seat(game_id, "Ann"))
    await asyncio.sleep(0.5)
    assert not asked.done()
    await server.start()
    assert (await asked).number == 0


async def test_observing_goes_on_over_kills_of_the_server(server: ServerProcess, client: Client) -> None:
    seats = await seated_game(client)
    playing = asyncio.gather(*(play_patiently(seat.observe(), seat, Random(seat.number), THINK) for seat in seats))
    for _ in range(3):
        await asyncio.sleep(0.2)
        assert not playing.done()
        await server.restart()
    for seen in await playing:
        check_promises(seen)


async def test_repeated_answer_returns_the_first_result_also_after_a_kill(
    server: ServerProcess, client: Client
) -> None:
    seats = await seated_game(client)
    waiting = await first_decision(client, seats[0].game_id)
    seat = seats[waiting.seat]
    first = await seat.submit(waiting.decision_id, action_index=0)
    again = await seat.submit(waiting.decision_id, action_index=0)
    await server.restart()
    after_kill = await seat.submit(waiting.decision_id, action=first.action)
    assert not first.repeated
    for repeated in (again, after_kill):
        assert repeated.repeated
        assert (repeated.revision, repeated.action) == (first.revision, first.action)
    with pytest.raises(DragonhallError, match="DECISION_ANSWERED"):
        await seat.submit(waiting.decision_id, action_index=1)


async def test_answer_given_while_the_server_is_down_is_stored_once(server: ServerProcess, client: Client) -> None:
    seats = await seated_game(client)
    waiting = await first_decision(client, seats[0].game_id)
    seat = seats[waiting.seat]
    await server.kill()
    answering = asyncio.gather(*(seat.submit(waiting.decision_id, action_index=0) for _ in range(5)))
    await asyncio.sleep(0.2)
    await server.start()
    results = await answering
    assert {result.revision for result in results} == {results[0].revision}
    assert sorted(result.repeated for result in results) == [False, True, True, True, True]


async def test_all_games_end_although_the_server_is_killed_again_and_again(
    server: ServerProcess, client: Client
) -> None:
    seats = await many_seats(client, 6)
    async with client.play() as connection:
        playing = asyncio.create_task(play_all(connection, seats, think=THINK))
        for _ in range(3):
            await asyncio.sleep(0.2)
            assert not playing.done()
            await server.restart()
        await playing


async def test_answer_on_a_play_connection_while_the_server_is_down_is_stored_once(
    server: ServerProcess, client: Client
) -> None:
    seats = await seated_game(client)
    async with client.play() as connection:
        attached = [connection.attach(seat) for seat in seats]
        snapshots = [(await anext(stream)).snapshot for stream in attached]
        (asked,) = [snapshot.seat for snapshot in snapshots if snapshot.HasField("decision")]
        decision_id = snapshots[asked].decision.decision_id
        await server.kill()
        answering = asyncio.gather(*(attached[asked].submit(decision_id, action_index=0) for _ in range(5)))
        await asyncio.sleep(0.2)
        await server.start()
        results = await answering
        assert {result.revision for result in results} == {snapshots[asked].game.revision + 1}
        assert sorted(result.repeated for result in results) == [False, True, True, True, True]
        updates = [await anext(stream) for stream in attached]
        assert all(update.update.events for update in updates)


async def test_closing_a_play_connection_ends_iterations_and_answers(server: ServerProcess, client: Client) -> None:
    seats = await seated_game(client)
    async with client.play() as connection:
        attached = connection.attach(seats[0])
        decision = told(await anext(attached)).decision.decision_id or 1
        await server.kill()
        answering = asyncio.create_task(attached.submit(decision, action_index=0))
        await asyncio.sleep(0.1)
    with pytest.raises(ConnectionClosed):
        await answering
    with pytest.raises(ConnectionClosed):
        await anext(attached)
    with pytest.raises(ConnectionClosed):
        connection.attach(seats[0])
    await server.start()


async def test_patience_of_a_play_connection_ends(server: ServerProcess) -> None:
    impatient = Patience(give_up_after=timedelta(milliseconds=500))
    async with Client(server.target, patience=impatient) as client:
        seats = await seated_game(client)
        async with client.play() as connection:
            attached = connection.attach(seats[0])
            await anext(attached)
            await server.kill()
            with pytest.raises(ServerUnavailable):
                await anext(attached)
            with pytest.raises(ServerUnavailable):
                await connection.wait_ended()
    await server.start()
