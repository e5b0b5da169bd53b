"""Many seats over one stream, against a real server that is killed now and then."""

from __future__ import annotations

import asyncio

import pytest

from dragonhall.client import (
    Client,
    DragonhallError,
)
from dragonhall.v1 import game_pb2
from tests.client.games import many_seats, play_all, seated_game


async def test_many_seats_of_many_games(client: Client) -> None:
    seats = await many_seats(client, 8)
    async with client.play() as connection:
        await play_all(connection, seats)
    games = [await client.get_game(game_id) for game_id in {seat.game_id for seat in seats}]
    assert [game.status for game in games] == [game_pb2.GAME_STATUS_FINISHED] * 8


async def test_a_refused_answer_or_seat_leaves_the_others_alone(client: Client) -> None:
    seats = await seated_game(client)
    async with client.play() as connection:
        stranger = connection.attach(client.seat(seats[0].game_id, 0, "no token"))
        attached = connection.attach(seats[0])
        with pytest.raises(DragonhallError, match="TOKEN_INVALID"):
            await anext(stranger)
        assert (await anext(attached)).snapshot.seat == 0
        with pytest.raises(DragonhallError, match="DECISION_UNKNOWN"):
            await attached.submit(1000, action_index=0)
        await play_all(connection, seats[1:] + seats[:1])


async def test_a_seat_can_be_detached_and_attached_again_where_it_was(client: Client) -> None:
    seats = await seated_game(client)
    async with client.play() as connection:
        first = connection.attach(seats[0])
        snapshot = await anext(first)
        first.detach()
        assert [observation async for observation in first] == []
        again = connection.attach(seats[0], from_revision=snapshot.revision + 1)
        playing = asyncio.create_task(play_all(connection, seats))
        resumed = [observation async for observation in again if not observation.HasField("heartbeat")]
        await playing
        assert [resumed[0].revision, resumed[-1].HasField("update")] == [snapshot.revision + 1, True]


async def test_an_answer_of_a_detached_seat_still_comes_to_its_end(client: Client) -> None:
    seats = await seated_game(client)
    async with client.play() as connection:
        attached = [connection.attach(seat) for seat in seats]
        for stream in attached:
            snapshot = (await anext(stream)).snapshot
            if snapshot.HasField("decision"):
                stream.detach()
                result = await stream.submit(snapshot.decision.decision_id, action_index=0)
                assert result.revision == snapshot.game.revision + 1


async def test_an_answer_whose_channel_closes_before_it_arrives_still_comes_to_its_end(client: Client) -> None:
    seats = await seated_game(client)
    last = (0, 0)
    while waiting := (await anext(client.observe(seats[0].game_id))).snapshot.waiting:
        (asked,) = waiting
        answer = await seats[asked.seat].submit(asked.decision_id, action_index=0)
        last = (asked.seat, asked.decision_id)
    async with client.play() as connection:
        attached = connection.attach(seats[last[0]], from_revision=answer.revision + 1)
        for _ in range(5):
            await asyncio.sleep(0)  # the attach goes out in a message of its own
        result = await asyncio.wait_for(attached.submit(last[1], action_index=0), 5)
    assert (result.revision, result.repeated) == (answer.revision, True)
