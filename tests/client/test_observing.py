"""Watching and answering as one seat, against a real server that is killed now and then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest

from dragonhall.client import Client, DragonhallError, open_seat
from dragonhall.v1 import play_service_pb2
from tests.client.games import DRAGONS, check_promises, first_decision, play_patiently, seated_game, told

Stream = AsyncIterator[play_service_pb2.ObserveResponse]
ALWAYS = play_service_pb2.VIEW_DELIVERY_ALWAYS


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


async def test_one_way_to_answer_at_a_time(client: Client) -> None:
    seats = await seated_game(client)
    with pytest.raises(ValueError, match="action_index or action"):
        await seats[0].submit(1)


async def test_a_reader_that_resumes_gets_its_open_decision(client: Client) -> None:
    seats = await seated_game(client)
    waiting = await first_decision(client, seats[0].game_id)
    newest = (await client.get_game(seats[0].game_id)).revision
    seat = seats[waiting.seat]
    async with client.play() as connection:
        attached = connection.attach(seat, from_revision=newest + 1)
        streams: list[Stream] = [seat.observe(from_revision=newest + 1), attached]
        for stream in streams:
            first = await anext(stream)
            assert first.heartbeat.decision.decision_id == waiting.decision_id
            assert len(first.heartbeat.decision.legal_actions) > 0
        await attached.submit(waiting.decision_id, action_index=0)
        assert (await anext(attached)).update.waiting[0].decision_id > waiting.decision_id


async def test_a_reader_that_resumes_and_is_not_asked_gets_no_heartbeat(client: Client) -> None:
    seats = await seated_game(client)
    waiting = await first_decision(client, seats[0].game_id)
    newest = (await client.get_game(seats[0].game_id)).revision
    other = seats[(waiting.seat + 1) % 3]
    async with client.play() as connection:
        streams: list[Stream] = [
            other.observe(from_revision=newest + 1),
            connection.attach(other, from_revision=newest + 1),
        ]
        firsts = [asyncio.ensure_future(anext(stream)) for stream in streams]
        await asyncio.sleep(0.2)
        assert not any(first.done() for first in firsts)
        await seats[waiting.seat].submit(waiting.decision_id, action_index=0)
        assert [(await first).HasField("update") for first in firsts] == [True, True]


async def test_a_reader_that_resumes_after_the_end_is_told_nothing_more(client: Client) -> None:
    seats = await seated_game(client)
    await asyncio.gather(*(play_patiently(seat.observe(), seat, Random(seat.number)) for seat in seats))
    newest = (await client.get_game(seats[0].game_id)).revision
    async with client.play() as connection, asyncio.timeout(5):
        for stream in (
            seats[0].observe(from_revision=newest + 1),
            connection.attach(seats[0], from_revision=newest + 1),
        ):
            assert [observation async for observation in stream] == []


async def test_a_reader_whose_seat_is_given_back_comes_to_an_end(client: Client) -> None:
    game_id = (await client.create_game(DRAGONS, [open_seat()] * 3)).game.game_id
    seat = await client.take_seat(game_id, "Ann")
    async with client.play() as connection, asyncio.timeout(5):
        streams: list[Stream] = [seat.observe(), connection.attach(seat)]
        for stream in streams:
            assert (await anext(stream)).HasField("snapshot")
        await seat.leave()
        for stream in streams:
            (last,) = [observation async for observation in stream]
            assert last.update.events[0].seat_left.seat == seat.number
