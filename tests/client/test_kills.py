"""The client and a server that is killed with -9 and comes back: nothing is lost, nothing happens twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import aclosing
from datetime import timedelta
from random import Random
from typing import Any

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
from dragonhall.v1 import game_pb2, play_service_pb2
from tests.client.games import (
    DRAGONS,
    check_promises,
    first_decision,
    many_seats,
    play_all,
    play_patiently,
    play_quickly,
    seated_game,
    told,
)
from tests.processes import ServerProcess

Stream = AsyncIterator[play_service_pb2.ObserveResponse]

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
    impatient = Patience(give_up_after=timedelta(seconds=2))
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


async def meanwhile_down(server: ServerProcess, *calls: Coroutine[Any, Any, Any]) -> list[Any]:
    """Has the calls made while the server is down, and returns their results once it is there again."""
    await server.kill()
    calling = asyncio.gather(*calls)
    await asyncio.sleep(0.1)
    assert not calling.done()
    await server.start()
    return await calling


async def test_what_is_asked_for_while_the_server_is_down_is_carried_out_once(
    server: ServerProcess, client: Client
) -> None:
    settings = game_pb2.GameSettings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="rex")
    seats = await seated_game(client, settings=settings)
    found, again, left = await meanwhile_down(
        server,
        client.find_game(DRAGONS, 4, "Ann", request_id="a quick match in a storm"),
        client.find_game(DRAGONS, 4, "Ann", request_id="a quick match in a storm"),
        seats[0].leave(),
    )
    assert (found.game_id, found.number, found.token) == (again.game_id, again.number, again.token)
    assert left.seats[0].state == game_pb2.SEAT_STATE_VACANT
    back = await seats[0].take_back()
    assert back.seats[0].state == game_pb2.SEAT_STATE_PLAYING
    assert (await play_quickly(client, seats)).status == game_pb2.GAME_STATUS_FINISHED
    rematches = await meanwhile_down(server, *(seat.rematch() for seat in (*seats, *seats)))
    assert len({seat.game_id for seat in rematches}) == 1
    assert [seat.token for seat in rematches[:3]] == [seat.token for seat in rematches[3:]]


async def test_a_request_to_take_an_answer_back_outlives_a_kill(server: ServerProcess, client: Client) -> None:
    seats = await seated_game(client, settings=game_pb2.GameSettings(allow_undo=True))
    first = await first_decision(client, seats[0].game_id)
    seat, others = seats[first.seat], [other for other in seats if other.number != first.seat]
    await seat.submit(first.decision_id, action_index=0)
    placing = await first_decision(client, seat.game_id)
    await seat.submit(placing.decision_id, action_index=0)
    asked_once, asked_twice = await meanwhile_down(
        server, seat.ask_undo(placing.decision_id), seat.ask_undo(placing.decision_id)
    )
    assert asked_once.revision == asked_twice.revision
    answers = [await other.answer_undo(placing.decision_id, agree=True) for other in others]
    assert [answer.undone for answer in answers] == [False, True]
    assert (await play_quickly(client, seats)).status == game_pb2.GAME_STATUS_FINISHED


async def test_a_reader_of_updates_alone_misses_none_over_a_kill(server: ServerProcess, client: Client) -> None:
    seats = await seated_game(client)
    newest = (await client.get_game(seats[0].game_id)).revision
    updates = play_service_pb2.STREAM_CONTENT_UPDATES

    async def read(stream: Stream) -> list[int]:
        return [observation.revision async for observation in stream if not observation.HasField("heartbeat")]

    async with client.play() as connection:
        reading = asyncio.gather(
            read(client.observe(seats[0].game_id, from_revision=newest + 1, content=updates)),
            read(connection.attach(seats[0], from_revision=newest + 1, content=updates)),
        )
        playing = asyncio.gather(*(play_patiently(seat.observe(), seat, Random(seat.number), THINK) for seat in seats))
        await asyncio.sleep(0.2)
        await server.restart()
        end = (await playing)[0][-1].revision
        for revisions in await reading:
            assert revisions == list(range(newest + 1, end + 1))


async def test_a_substitute_whose_seat_was_taken_back_while_it_was_cut_off_is_told_so(
    server: ServerProcess, client: Client
) -> None:
    settings = game_pb2.GameSettings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="rex")
    seats = await seated_game(client, settings=settings)
    await seats[0].leave()
    stand_in = await client.take_seat(seats[0].game_id, "Rex", seat=0, bot_name="rex")
    async with client.play() as connection:
        streams: list[Stream] = [stand_in.observe(), connection.attach(stand_in)]
        for stream in streams:
            await anext(stream)
        await server.restart()
        async with Client(server.target) as other:
            await other.seat(seats[0].game_id, 0, seats[0].token).take_back()
        for stream in streams:
            # The one or the other, by whether it was back before the seat was.
            assert await last_word(stream) in ("seat_changed", "TOKEN_INVALID")


async def last_word(stream: Stream) -> str | None:
    """How a stream ends: the last event, or why it was refused."""
    last: play_service_pb2.ObserveResponse | None = None
    try:
        async for observation in stream:
            last = observation
    except DragonhallError as error:
        return error.reason
    return last.update.events[-1].WhichOneof("event") if last is not None else None
