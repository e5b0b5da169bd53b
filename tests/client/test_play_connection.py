"""Many seats over one stream, against a real server that is killed now and then."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from random import Random

import pytest

from dragonhall.client import (
    Client,
    ConnectionClosed,
    DragonhallError,
    Patience,
    PlayConnection,
    Seat,
    ServerUnavailable,
)
from dragonhall.v1 import game_pb2
from tests.client.games import check_promises, play_patiently, seated_game, told
from tests.client.processes import ServerProcess


async def play_all(connection: PlayConnection, seats: list[Seat], think: float = 0.0) -> None:
    """Plays all seats to the end of their games, and checks what each was told."""

    async def play(seat: Seat) -> None:
        attached = connection.attach(seat)
        check_promises(await play_patiently(attached, attached, Random(seat.number), think))

    await asyncio.gather(*map(play, seats))


async def many_seats(client: Client, games: int) -> list[Seat]:
    return [seat for _ in range(games) for seat in await seated_game(client)]


async def test_many_seats_of_many_games(client: Client) -> None:
    seats = await many_seats(client, 8)
    async with client.play() as connection:
        await play_all(connection, seats)
    finished = [game async for game in client.list_games(statuses=[game_pb2.GAME_STATUS_FINISHED])]
    assert len(finished) == 8


async def test_all_games_end_although_the_server_is_killed_again_and_again(
    server: ServerProcess, client: Client
) -> None:
    seats = await many_seats(client, 6)
    async with client.play() as connection:
        playing = asyncio.create_task(play_all(connection, seats, think=0.02))
        for _ in range(3):
            await asyncio.sleep(0.2)
            assert not playing.done()
            await server.restart()
        await playing


async def test_answer_given_while_the_server_is_down_is_stored_once(server: ServerProcess, client: Client) -> None:
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
        resumed = [observation async for observation in again]
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


async def test_closing_ends_iterations_and_answers(server: ServerProcess, client: Client) -> None:
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


async def test_patience_ends(server: ServerProcess) -> None:
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
