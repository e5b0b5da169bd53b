"""What streams tell of time: deadlines, what is left when a message is written, banks, and time that is given back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration

from dragonhall.v1 import game_pb2, play_service_pb2
from dragonhall.v1.play_service_pb2 import Decision, Event, ObserveResponse
from tests.service.harness import Running, Seated, dragons_interest, running
from tests.service.lobbying import abort, leave, settings, take_back
from tests.service.promises import prompt_in
from tests.service.stopped import START_US, Clock, bank
from tests.service.streams import stream_of

SECOND = 1_000_000
PER_DECISION = game_pb2.TimeControl(per_decision=game_pb2.TimePerDecision(limit=Duration(seconds=30)))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def server(tmp_path: Path, clock: Clock) -> AsyncIterator[Running]:
    async with running(tmp_path / "games.db", now_us=clock) as started:
        yield started


async def asked(server: Running, game: Seated, **fields: Any) -> tuple[int, Decision]:
    """The seat that is asked, and what a message that is written now tells it."""
    seat = (await server.watch_first(game.game_id)).snapshot.waiting[0].seat
    return seat, prompt_in(await server.watch_first(game.game_id, game.tokens[seat], seat, **fields))


async def events_of(server: Running, game: Seated, revision: int) -> list[Event]:
    return list((await server.watch_first(game.game_id, from_revision=revision)).update.events)


async def test_a_decision_has_a_deadline_and_what_is_left_when_the_message_is_written(
    server: Running, clock: Clock
) -> None:
    game = await server.seated(3, settings=settings(time_control=PER_DECISION))
    newest = (await server.game(game.game_id)).revision
    waiting = (await server.watch_first(game.game_id)).snapshot.waiting
    assert [w.deadline.ToMicroseconds() for w in waiting] == [START_US + 30 * SECOND]
    for left in (30, 25, 20):
        for first in (0, newest, newest + 1):  # a snapshot, an update, a heartbeat
            _, decision = await asked(server, game, from_revision=first)
            assert decision.deadline.ToMicroseconds() == START_US + 30 * SECOND
            assert decision.remaining == Duration(seconds=left)
        seat, _ = await asked(server, game)
        async with stream_of(server) as stream:
            await stream.send(stream.attach(game, seat, 1))
            message: ObserveResponse = (await stream.receive_until("observation")).observation
            assert message.snapshot.decision.remaining == Duration(seconds=left)
        clock.tick(5)


async def test_banks_are_told_as_they_stand_and_no_bank_of_a_game_that_is_over(server: Running, clock: Clock) -> None:
    game = await server.seated(3, settings=settings(time_control=bank(100, 2)))
    seat, decision = await asked(server, game)
    snapshot = (await server.watch_first(game.game_id)).snapshot
    assert [(c.seat, c.bank.seconds) for c in snapshot.clocks] == [(0, 100), (1, 100), (2, 100)]
    clock.tick(40)
    still = (await server.watch_first(game.game_id)).snapshot
    assert list(still.clocks) == list(snapshot.clocks)  # what is open is not taken off
    revision = (await server.submit(game, seat, decision.decision_id, 0)).revision
    update = (await server.watch_first(game.game_id, from_revision=revision)).update
    assert {c.seat: c.bank.seconds for c in update.clocks} == {0: 100, 1: 100, 2: 100} | {seat: 62}
    await abort(server, game.game_id, game.host_token)
    over = (await server.watch_first(game.game_id)).snapshot
    assert (list(over.clocks), list(over.waiting)) == ([], [])


async def test_without_a_time_control_nothing_is_told_of_time(server: Running) -> None:
    game = await server.seated(3)
    _, decision = await asked(server, game)
    assert not decision.HasField("deadline")
    assert not decision.HasField("remaining")
    snapshot = (await server.watch_first(game.game_id)).snapshot
    assert not snapshot.waiting[0].HasField("deadline")
    assert not snapshot.clocks


async def test_late_answers_are_told_with_the_decision_that_they_resolve(server: Running, clock: Clock) -> None:
    game = await server.seated(3, options=dragons_interest(), settings=settings(time_control=PER_DECISION))
    newest = (await server.game(game.game_id)).revision
    clock.tick(31)
    stream = server.observe(game.game_id, from_revision=newest + 1)
    updates = [message.update async for message in _until(stream, newest + 3)]
    late = [[e.time_ran_out.seat for e in update.events if e.HasField("time_ran_out")] for update in updates]
    assert late == [[], [], [0, 1, 2]]


async def _until(stream: Any, revision: int) -> AsyncIterator[ObserveResponse]:
    async for message in stream:
        if message.HasField("update"):
            yield message
        if message.revision == revision:
            break
    await stream.aclose()


async def test_time_that_is_given_back_moves_the_deadlines(server: Running, clock: Clock) -> None:
    game = await server.seated(3, settings=settings(time_control=PER_DECISION))
    newest = (await server.game(game.game_id)).revision
    clock.tick(20)
    await server.server.hub.owe(START_US + 5 * SECOND, START_US + 17 * SECOND)
    (event,) = await events_of(server, game, newest + 1)
    assert event.server_was_down.duration == Duration(seconds=12)
    _, decision = await asked(server, game)
    assert decision.deadline.ToMicroseconds() == START_US + 42 * SECOND
    assert decision.remaining == Duration(seconds=22)


async def test_who_plays_a_seat_is_told_to_everyone_with_the_cause(server: Running) -> None:
    game = await server.seated(3)
    left = await leave(server, game.game_id, game.tokens[2])
    event = (await events_of(server, game, left.revision))[0].seat_changed
    assert event.seat == left.seats[2]
    assert (event.seat.state, event.cause) == (game_pb2.SEAT_STATE_AWAY, game_pb2.ABSENCE_CAUSE_LEFT)
    back = await take_back(server, game.game_id, game.tokens[2])
    (event,) = [happened.seat_changed for happened in await events_of(server, game, back.revision)]
    assert (event.seat.state, event.cause) == (game_pb2.SEAT_STATE_PLAYING, game_pb2.ABSENCE_CAUSE_UNSPECIFIED)


async def test_an_abort_tells_its_cause_and_the_seed(server: Running) -> None:
    game = await server.seated(3, seed=bytes(range(32)))
    over = await abort(server, game.game_id, game.host_token)
    (event,) = await events_of(server, game, over.revision)
    assert event.game_aborted == play_service_pb2.GameAborted(cause=game_pb2.ABORT_CAUSE_HOST, seed=bytes(range(32)))
    assert over.abort_cause == game_pb2.ABORT_CAUSE_HOST
