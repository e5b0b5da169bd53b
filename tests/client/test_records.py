"""What was played, through the client: records, perspectives, replays, imports."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from dragonhall.client import Client, DragonhallError, Seat, per_decision
from dragonhall.server import Server, ServerConfig
from dragonhall.v1 import game_pb2, play_service_pb2
from tests.client.games import check_promises, play_patiently, play_quickly, seated_game
from tests.processes import ServerProcess

TIMED = game_pb2.GameSettings(time_control=per_decision(timedelta(minutes=5)))

Observations = list[play_service_pb2.ObserveResponse]


async def played(client: Client) -> tuple[list[Seat], list[Observations]]:
    """A finished game, and what each seat was told."""
    seats = await seated_game(client)
    streams = [play_patiently(seat.observe(), seat, Random(seat.number)) for seat in seats]
    return seats, list(await asyncio.gather(*streams))


async def test_the_record_tells_think_from_network(client: Client) -> None:
    """The client measures how long the player thought, and the server puts the rest down to the network."""
    seats = await seated_game(client, settings=TIMED)
    await asyncio.gather(*(play_patiently(seat.observe(), seat, Random(seat.number), 0.01) for seat in seats))
    record = await client.record(seats[0].game_id)
    spent = [decision.time for step in record.steps for decision in step.decisions]
    assert spent
    for time in spent:
        assert timedelta(seconds=0.01) <= time.think.ToTimedelta() <= time.charged.ToTimedelta()
        assert time.network.ToTimedelta() == time.charged.ToTimedelta() - time.think.ToTimedelta()


async def test_over_a_play_connection_it_does_too(client: Client) -> None:
    seats = await seated_game(client, settings=TIMED)
    async with client.play() as connection:
        attached = [connection.attach(seat) for seat in seats]
        playing = (play_patiently(stream, stream, Random(stream.channel), 0.01) for stream in attached)
        await asyncio.gather(*playing)
    record = await client.record(seats[0].game_id)
    thought = [decision.time.think.ToTimedelta() for step in record.steps for decision in step.decisions]
    assert min(thought) >= timedelta(seconds=0.01)


async def test_a_seat_looks_back_at_what_it_knew(client: Client) -> None:
    seats = await seated_game(client)
    began = (await seats[0].perspective()).revision
    with pytest.raises(DragonhallError, match=r"NOT_YOUR_ROLE|TOKEN_INVALID"):
        await client.perspective(seats[0].game_id, seat=0, token=seats[1].token)
    with pytest.raises(DragonhallError, match="REVISION_IN_FUTURE"):
        await seats[0].perspective(began + 1)
    await play_quickly(client, seats)
    then = await client.perspective(seats[0].game_id, seat=0, revision=began)
    assert (then.revision, then.snapshot.seat, then.snapshot.game.status) == (began, 0, game_pb2.GAME_STATUS_RUNNING)
    now = await client.perspective(seats[0].game_id)
    assert not now.snapshot.HasField("seat")
    assert len(now.snapshot.history) > len(then.snapshot.history)


async def test_a_replay_is_what_a_seat_saw(client: Client) -> None:
    seats, seen = await played(client)
    again = [observation async for observation in client.replay(seats[1].game_id, seat=1)]
    check_promises(again)
    assert again[0].revision == 1
    last = {observation.revision: observation.update.events for observation in again[1:]}
    assert all(list(last[told.revision]) == list(told.update.events) for told in seen[1][1:])


async def test_a_replay_keeps_its_pace_and_goes_on_from_a_revision(client: Client) -> None:
    seats, seen = await played(client)
    end = seen[0][-1].revision
    began = asyncio.get_running_loop().time()
    slow = client.replay(seats[0].game_id, from_revision=end - 4, interval=timedelta(seconds=0.1))
    assert [observation.revision async for observation in slow] == list(range(end - 4, end + 1))
    assert asyncio.get_running_loop().time() - began >= 0.4
    fast = [observation async for observation in client.replay(seats[0].game_id, speed=1000.0)]
    assert fast[-1].revision == end
    assert [observation async for observation in client.replay(seats[0].game_id, from_revision=end + 1)] == []
    with pytest.raises(ValueError, match="not both"):
        client.replay(seats[0].game_id, speed=1.0, interval=timedelta(seconds=1))


async def test_a_replay_goes_on_over_a_kill_of_the_server(server: ServerProcess) -> None:
    async with Client(server.target) as client:
        seats, seen = await played(client)
        end, revisions = seen[0][-1].revision, []
        async with aclosing(client.replay(seats[0].game_id, interval=timedelta(seconds=0.02))) as replay:
            async for observation in replay:
                revisions.append(observation.revision)
                if observation.revision == end // 2:
                    await server.restart()
        assert revisions == list(range(1, end + 1))


async def test_a_game_moves_to_another_server(client: Client, tmp_path: Path) -> None:
    seats, _ = await played(client)
    record = await client.record(seats[0].game_id)
    other = Server(ServerConfig(listen="127.0.0.1:0", store=tmp_path / "hall.db", allow_imports=True))
    port = await other.start()
    try:
        async with Client(f"127.0.0.1:{port}") as there:
            for _ in range(2):
                game = await there.import_record(record)
                assert (game.game_id, game.imported, game.outcome) == (record.game_id, True, record.outcome)
            assert (await there.record(game.game_id)).outcome == record.outcome
            record.outcome.results[0].score += 1
            with pytest.raises(DragonhallError) as refused:
                await there.import_record(record)
            assert refused.value.reason == "RECORD_INVALID"
            assert refused.value.where
    finally:
        await other.stop()
    with pytest.raises(DragonhallError) as not_here:
        await client.import_record(record)
    assert (not_here.value.reason, not_here.value.permission) == ("NOT_ALLOWED", "import")
