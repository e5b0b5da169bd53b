"""Watching and answering as one seat, against a real server that is killed now and then."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from dragonhall.client import Client, DragonhallError
from dragonhall.v1 import play_service_pb2
from tests.client.games import check_promises, play_patiently, seated_game, told
from tests.client.processes import ServerProcess

THINK = 0.02
"""Seconds, so that a game of 150 answers is not over before the server is killed."""
ALWAYS = play_service_pb2.VIEW_DELIVERY_ALWAYS


async def first_decision(client: Client, game_id: str) -> play_service_pb2.Waiting:
    """What the running game asks now."""
    async for observation in client.observe(game_id):
        (waiting,) = observation.snapshot.waiting
        return waiting
    raise AssertionError("a running game is observed")


async def test_every_revision_comes_once_and_the_stream_ends_with_the_game(client: Client) -> None:
    seats = await seated_game(client, 4)
    played = await asyncio.gather(*(play_patiently(seat.observe(), seat, Random(seat.number)) for seat in seats))
    for seen in played:
        check_promises(seen)


async def test_a_spectator_sees_the_game_to_its_end(client: Client) -> None:
    seats = await seated_game(client)

    async def watch() -> list[play_service_pb2.ObserveResponse]:
        return [observation async for observation in client.observe(seats[0].game_id)]

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(play_patiently(seat.observe(), seat, Random(seat.number)) for seat in seats))
    seen = await watching
    check_promises(seen)
    assert not any(told(observation).HasField("decision") for observation in seen)


async def test_observing_goes_on_over_kills_of_the_server(server: ServerProcess, client: Client) -> None:
    seats = await seated_game(client)
    playing = asyncio.gather(*(play_patiently(seat.observe(), seat, Random(seat.number), THINK) for seat in seats))
    for _ in range(3):
        await asyncio.sleep(0.2)
        assert not playing.done()
        await server.restart()
    for seen in await playing:
        check_promises(seen)


async def test_resume_at_a_revision_brings_no_snapshot_and_nothing_twice(client: Client) -> None:
    seats = await seated_game(client)
    seen = (await asyncio.gather(*(play_patiently(seat.observe(), seat, Random(seat.number)) for seat in seats)))[0]
    middle = len(seen) // 2
    resumed = [later async for later in seats[0].observe(from_revision=seen[middle].revision)]
    assert resumed == seen[middle:]


async def test_views_come_when_asked_for(client: Client) -> None:
    seats = await seated_game(client)
    waiting = await first_decision(client, seats[0].game_id)
    seat = seats[waiting.seat]
    stream = seat.observe(view_delivery=ALWAYS, include_history=True)
    snapshot = (await anext(stream)).snapshot
    assert len(snapshot.history) == 1
    await seat.submit(waiting.decision_id, action_index=0)
    update = (await anext(stream)).update
    assert update.view.dragons.deck_size == snapshot.view.dragons.deck_size - 1
    await stream.aclose()


async def test_a_future_revision_is_refused(client: Client) -> None:
    seats = await seated_game(client)
    with pytest.raises(DragonhallError, match="REVISION_IN_FUTURE"):
        await anext(seats[0].observe(from_revision=1000))


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


async def test_one_way_to_answer_at_a_time(client: Client) -> None:
    seats = await seated_game(client)
    with pytest.raises(ValueError, match="action_index or action"):
        await seats[0].submit(1)
