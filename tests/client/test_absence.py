"""Players who leave, come back, come too late, or take an answer back, through the client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from dragonhall.client import AttachedSeat, Client, DragonhallError, Seat, TooLate, asked, open_seat, per_decision
from dragonhall.v1 import game_pb2, play_service_pb2
from tests.client.games import DRAGONS, play_quickly, seated_game

SUBSTITUTED = game_pb2.GameSettings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="stand-in")
WITH_UNDO = game_pb2.GameSettings(allow_undo=True)
Stream = AsyncIterator[play_service_pb2.ObserveResponse]

UPDATES = play_service_pb2.STREAM_CONTENT_UPDATES
SNAPSHOT = play_service_pb2.STREAM_CONTENT_SNAPSHOT


async def first_asked(seats: list[Seat]) -> tuple[Seat, play_service_pb2.Decision]:
    """Who is asked first in a running game, and what."""
    for seat in seats:
        decision = asked(await anext(seat.observe()))
        if decision is not None:
            return seat, decision
    raise AssertionError("a running game asks somebody")


async def test_a_player_who_resigns_may_come_back(client: Client) -> None:
    seats = await seated_game(client)
    for _ in range(2):
        left = await seats[0].leave()
        assert left.seats[0].state == game_pb2.SEAT_STATE_AWAY
    for _ in range(2):
        back = await seats[0].take_back()
        assert back.seats[0].state == game_pb2.SEAT_STATE_PLAYING
    assert (await play_quickly(client, seats)).status == game_pb2.GAME_STATUS_FINISHED


async def test_an_answer_of_a_seat_that_is_away_is_refused(client: Client) -> None:
    seats = await seated_game(client, settings=SUBSTITUTED)
    seat, decision = await first_asked(seats)
    await seat.leave()
    with pytest.raises(DragonhallError, match="SEAT_AWAY"):
        await seat.submit(decision.decision_id, action_index=0)


async def test_a_substitute_s_stream_ends_when_the_player_takes_the_seat_back(client: Client) -> None:
    seats = await seated_game(client, settings=SUBSTITUTED)
    await seats[1].leave()
    stand_in = await client.take_seat(seats[1].game_id, "Stand-in", seat=1, bot_name="stand-in")
    async with client.play() as connection, asyncio.timeout(10):
        streams: list[Stream] = [stand_in.observe(), connection.attach(stand_in)]
        snapshots = [(await anext(stream)).snapshot for stream in streams]
        assert [snapshot.seat for snapshot in snapshots] == [1, 1]
        own = seats[1].observe()
        await anext(own)
        await seats[1].take_back()
        for stream in streams:
            (last,) = [observation async for observation in stream]
            assert last.update.events[0].seat_changed.seat.state == game_pb2.SEAT_STATE_PLAYING
        assert (await anext(own)).update.events[0].HasField("seat_changed")
        with pytest.raises(DragonhallError, match="TOKEN_INVALID"):
            await anext(stand_in.observe())
    assert (await play_quickly(client, seats)).status == game_pb2.GAME_STATUS_FINISHED


async def test_an_answer_that_comes_too_late_leaves_the_seat_in_the_game(client: Client) -> None:
    limit = game_pb2.GameSettings(time_control=per_decision(timedelta(seconds=1)))
    seats = await seated_game(client, settings=limit)
    seat, decision = await first_asked(seats)
    assert decision.HasField("deadline")
    async with client.play() as connection:
        attached = connection.attach(seat)
        async for observation in attached:
            if any(event.HasField("time_ran_out") for event in observation.update.events):
                break
        answering: list[Seat | AttachedSeat] = [seat, attached]
        for way in answering:
            with pytest.raises(TooLate) as late:
                await way.submit(decision.decision_id, action_index=0)
            assert late.value.decision_id == decision.decision_id
    async for observation in seat.observe():  # and is asked again
        if (again := asked(observation)) is not None and again.decision_id > decision.decision_id:
            break


async def test_a_second_answer_is_too_late_as_well(client: Client) -> None:
    seat, decision = await first_asked(await seated_game(client))
    first = await seat.submit(decision.decision_id, action_index=0)
    with pytest.raises(TooLate) as late:
        await seat.submit(decision.decision_id, action_index=1)
    assert (late.value.reason, late.value.revision) == ("DECISION_ANSWERED", first.revision)


async def test_what_is_only_validated_changes_nothing(client: Client) -> None:
    seats = await seated_game(client)
    seat, decision = await first_asked(seats)
    before = await client.get_game(seat.game_id)
    async with client.play() as connection:
        answering: list[Seat | AttachedSeat] = [seat, connection.attach(seat)]
        for way in answering:
            valid = await way.validate(decision.decision_id, action_index=0)
            assert (valid.revision, valid.repeated, valid.action) == (0, False, decision.legal_actions[0].action)
            with pytest.raises(DragonhallError, match="ILLEGAL_ACTION"):
                await way.validate(decision.decision_id, action_index=1000)
    assert await client.get_game(seat.game_id) == before
    assert (await seat.submit(decision.decision_id, action_index=0)).revision == before.revision + 1


async def draw_and_place(seats: list[Seat]) -> tuple[Seat, play_service_pb2.Decision]:
    """The first turn of a game; returns the second of its decisions, which nothing hidden has followed."""
    seat, drawing = await first_asked(seats)
    await seat.submit(drawing.decision_id, action_index=0)
    placing = asked(await anext(seat.observe(content=SNAPSHOT)))
    assert placing is not None
    await seat.submit(placing.decision_id, action_index=0)
    return seat, placing


async def until_undone(seat: Seat) -> tuple[play_service_pb2.Update, play_service_pb2.Undone]:
    """The update in which an answer is taken back, as a seat sees it from the game's beginning on."""
    async for observation in seat.observe(from_revision=1):
        for event in observation.update.events:
            if event.HasField("undone"):
                return observation.update, event.undone
    raise AssertionError("the game ended")


async def test_an_answer_is_taken_back_by_consent(client: Client) -> None:
    seats = await seated_game(client, settings=WITH_UNDO)
    asking, placing = await draw_and_place(seats)
    others = [seat for seat in seats if seat is not asking]
    with pytest.raises(DragonhallError) as refused:
        await others[0].answer_undo(placing.decision_id, agree=True)
    assert (refused.value.reason, refused.value.why) == ("UNDO_NOT_POSSIBLE", "NOT_ASKED")
    for _ in range(2):
        assert not (await asking.ask_undo(placing.decision_id)).undone
    answers = [await seat.answer_undo(placing.decision_id, agree=True) for seat in others]
    assert [answer.undone for answer in answers] == [False, True]
    for seat in seats:
        update, undone = await until_undone(seat)
        assert (undone.seat, undone.decision_id) == (asking.number, placing.decision_id)
        assert update.HasField("view")
    again = asked(await anext(asking.observe()))
    assert again is not None
    assert again.decision_id > placing.decision_id
    assert again.legal_actions == placing.legal_actions
    assert (await play_quickly(client, seats)).status == game_pb2.GAME_STATUS_FINISHED


async def test_an_answer_stands_if_somebody_refuses_or_chance_had_a_part_in_it(client: Client) -> None:
    seats = await seated_game(client, settings=WITH_UNDO)
    seat, drawing = await first_asked(seats)
    await seat.submit(drawing.decision_id, action_index=0)
    with pytest.raises(DragonhallError) as drawn:
        await seat.ask_undo(drawing.decision_id)
    assert drawn.value.why in ("CHANCE", "REVEAL")
    placing = asked(await anext(seat.observe()))
    assert placing is not None
    result = await seat.submit(placing.decision_id, action_index=0)
    await seat.ask_undo(placing.decision_id)
    other = next(other for other in seats if other is not seat)
    refused = await other.answer_undo(placing.decision_id, agree=False)
    assert (refused.undone, refused.revision) == (False, result.revision + 2)


async def test_a_reader_of_updates_alone_begins_with_what_is_asked(client: Client) -> None:
    seats = await seated_game(client)
    seat, decision = await first_asked(seats)
    async with client.play() as connection:
        for stream in (seat.observe(content=UPDATES), connection.attach(seat, content=UPDATES)):
            first = await anext(stream)
            assert first.heartbeat.decision.decision_id == decision.decision_id


async def test_a_snapshot_alone_is_one_observation(client: Client) -> None:
    seats = await seated_game(client)
    async with client.play() as connection, asyncio.timeout(10):
        for stream in (seats[0].observe(content=SNAPSHOT), connection.attach(seats[0], content=SNAPSHOT)):
            (only,) = [observation async for observation in stream]
            assert only.snapshot.seat == 0


async def test_leaving_a_waiting_game_gives_the_seat_back(client: Client) -> None:
    private = game_pb2.GameSettings(visibility=game_pb2.VISIBILITY_PRIVATE)
    game_id = (await client.create_game(DRAGONS, [open_seat()] * 3, settings=private)).game.game_id
    seat = await client.take_seat(game_id, "Ann")
    assert not (await seat.leave()).seats[0].taken
    with pytest.raises(DragonhallError, match="GAME_NOT_FOUND"):
        await seat.leave()
