"""Bots as substitutes, bots whose own time ran out, and bots in games in which answers are taken back."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest

from dragonhall.bots import PolicyFactory, RandomPolicy, run_bot
from dragonhall.bots.history import History
from dragonhall.bots.player import SeatPlayer
from dragonhall.client import Client, Seat, asked, bot_seat, open_seat, per_decision
from dragonhall.v1 import game_pb2, play_service_pb2
from dragonhall.wire import codec_of
from tests.bots.serving import served
from tests.client.games import DRAGONS, play_quickly

LIMIT = 30.0

STAND_IN = game_pb2.GameSettings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="rex")
SNAPSHOT = play_service_pb2.STREAM_CONTENT_SNAPSHOT


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with served(tmp_path) as connected:
        yield connected


@asynccontextmanager
async def bot(
    client: Client, name: str = "rex", kind: str | PolicyFactory = "random", identity: Path | None = None
) -> AsyncIterator[None]:
    stop = asyncio.Event()
    running = asyncio.create_task(run_bot(name, kind, client.target, identity=identity, stop=stop))
    try:
        yield
    finally:
        stop.set()
        await running


async def people(client: Client, settings: game_pb2.GameSettings) -> list[Seat]:
    """The seats of a running game."""
    game_id = (await client.create_game(DRAGONS, [open_seat()] * 3, settings=settings)).game.game_id
    return [await client.take_seat(game_id, name) for name in ("Ann", "Bob", "Cid")]


async def until(client: Client, seat: Seat, state: game_pb2.SeatState.ValueType) -> None:
    """Returns once the seat is in that state."""
    async for observation in client.observe(seat.game_id):
        seats = [*observation.snapshot.game.seats]
        seats += [event.seat_changed.seat for event in observation.update.events if event.HasField("seat_changed")]
        if any(other.seat == seat.number and other.state == state for other in seats):
            return
    raise AssertionError(f"the game ended, and seat {seat.number} was never {state}")


def said(caplog: pytest.LogCaptureFixture, what: str) -> int:
    return sum(what in record.getMessage() for record in caplog.records)


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Of the bots: the server, which is in this process, may say that it got nothing of the processor for a while."""
    said = [record for record in caplog.records if record.name.startswith("dragonhall.bots")]
    return [record.getMessage() for record in said if record.levelno >= logging.WARNING]


async def test_a_bot_plays_on_for_a_player_who_left(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "dragonhall.bots")
    seats = await people(client, STAND_IN)
    async with bot(client):
        await seats[1].leave()
        game = await play_quickly(client, [seats[0], seats[2]])
    assert (game.status, game.seats[1].substitute) == (game_pb2.GAME_STATUS_FINISHED, "rex")
    assert said(caplog, "goes on in seat 1 of 3") == 1
    assert complaints(caplog) == []


async def test_a_bot_that_comes_later_finds_the_vacant_seats(client: Client) -> None:
    seats = await people(client, STAND_IN)
    for seat in seats[1:]:
        await seat.leave()
    async with bot(client):
        assert (await play_quickly(client, seats[:1])).status == game_pb2.GAME_STATUS_FINISHED


async def test_a_stand_in_makes_room_and_comes_again(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "dragonhall.bots")
    seats = await people(client, STAND_IN)
    async with bot(client):
        for _ in range(3):
            await seats[0].leave()
            await until(client, seats[0], game_pb2.SEAT_STATE_SUBSTITUTED)
            await seats[0].take_back()
        assert (await play_quickly(client, seats)).status == game_pb2.GAME_STATUS_FINISHED
    assert said(caplog, "goes on with its own player in seat 0") == 3
    assert complaints(caplog) == []


async def test_a_stand_in_that_was_started_anew_goes_on(client: Client, tmp_path: Path) -> None:
    seats = await people(client, STAND_IN)
    identity = tmp_path / "rex.identity"
    async with bot(client, identity=identity):
        for _ in range(2):
            await seats[0].leave()
            await until(client, seats[0], game_pb2.SEAT_STATE_SUBSTITUTED)
            await seats[0].take_back()
        await seats[0].leave()
        await until(client, seats[0], game_pb2.SEAT_STATE_SUBSTITUTED)
    async with bot(client, identity=identity):
        assert (await play_quickly(client, seats[1:])).status == game_pb2.GAME_STATUS_FINISHED


async def test_a_bot_that_was_away_for_too_long_takes_its_seat_back(
    client: Client, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dragonhall.bots")
    settings = game_pb2.GameSettings(time_control=per_decision(timedelta(seconds=2)))
    settings.MergeFrom(STAND_IN)
    identity = tmp_path / "late.identity"
    created = await client.create_game(DRAGONS, [bot_seat("late"), open_seat(), open_seat()], settings=settings)
    game_id = created.game.game_id
    async with bot(client, "late", identity=identity):
        await first_event(client.seat(game_id, 0, ""), "seat_taken")
    seats = [await client.take_seat(game_id, name) for name in ("Ann", "Bob")]
    playing = asyncio.create_task(play_quickly(client, seats))
    await until(client, client.seat(game_id, 0, ""), game_pb2.SEAT_STATE_VACANT)
    async with bot(client, "late", identity=identity):
        await until(client, client.seat(game_id, 0, ""), game_pb2.SEAT_STATE_PLAYING)
        assert (await playing).status == game_pb2.GAME_STATUS_FINISHED
    assert said(caplog, "has this bot in seat 0 again") >= 1


class Slow(RandomPolicy):
    """Thinks for longer than it may, the first time."""

    thought: ClassVar[bool] = False

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: Sequence[Any]) -> int:
        if not Slow.thought:
            Slow.thought = True
            time.sleep(1.8)
        return super().choose(view, seen, decision, actions)


async def test_a_late_answer_does_not_end_a_bot(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "dragonhall.bots")
    settings = game_pb2.GameSettings(time_control=per_decision(timedelta(seconds=1)))
    async with bot(client, "slow", Slow):
        created = await client.create_game(DRAGONS, [bot_seat("slow")] * 3, settings=settings)
        async for _ in client.observe(created.game.game_id):
            pass
    assert (await client.get_game(created.game.game_id)).status == game_pb2.GAME_STATUS_FINISHED
    assert said(caplog, "after a late answer of seat") == 1
    assert said(caplog, "ends; seat") == 3
    assert complaints(caplog) == []


@asynccontextmanager
async def third_seat_played_by(
    client: Client, kind: str | PolicyFactory, *, comes_late: bool = False
) -> AsyncIterator[tuple[list[Seat], int]]:
    """A game whose third player is a bot, and whose first has just placed a card: the seats in turn, and that decision.

    What the first did may be taken back: all saw it, and no chance followed. The second is asked next, and is a person.
    """
    settings = game_pb2.GameSettings(allow_undo=True)
    settings.MergeFrom(STAND_IN)
    seats = await in_turn(await people(client, settings))
    placing = await turn(seats[0]) if comes_late else 0
    await seats[2].leave()
    async with bot(client, kind=kind):
        await until(client, seats[2], game_pb2.SEAT_STATE_SUBSTITUTED)
        yield seats, placing or await turn(seats[0])


async def in_turn(seats: list[Seat]) -> list[Seat]:
    """The seats in the order of the first round."""
    for seat in seats:
        if asked(await anext(seat.observe(content=SNAPSHOT))) is not None:
            return seats[seat.number :] + seats[: seat.number]
    raise AssertionError("nobody is asked")


async def turn(seat: Seat) -> int:
    """Draws and places a card; returns the id of the latter decision."""
    async for observation in seat.observe():
        decision = asked(observation)
        if decision is not None:
            await seat.submit(decision.decision_id, action_index=0)
            if decision.decision.dragons.HasField("placement"):
                return decision.decision_id
    raise AssertionError("the game ended")


async def first_event(seat: Seat, kind: str) -> play_service_pb2.Event:
    """The first event of that kind in the game."""
    async for observation in seat.observe(from_revision=1):
        for event in observation.update.events:
            if event.WhichOneof("event") == kind:
                return event
    raise AssertionError("the game ended")


async def test_a_bot_says_at_once_that_it_agrees_to_nothing(client: Client) -> None:
    async with third_seat_played_by(client, "random") as (seats, placing):
        await seats[0].ask_undo(placing)
        assert (await first_event(seats[0], "undo_ended")).undo_ended.seat == seats[2].number
        assert (await play_quickly(client, seats[:2])).status == game_pb2.GAME_STATUS_FINISHED


class Witness(RandomPolicy):
    """Keeps what it was told whenever it was asked."""

    told: ClassVar[list[tuple[Any, ...]]] = []

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: Sequence[Any]) -> int:
        Witness.told.append(tuple(seen))
        return super().choose(view, seen, decision, actions)


@pytest.mark.parametrize("comes_late", [False, True])
async def test_a_bot_forgets_what_was_taken_back(
    client: Client, monkeypatch: pytest.MonkeyPatch, comes_late: bool
) -> None:
    """A bot that ``comes_late`` has what is taken back from its first snapshot, and cannot tell it from the rest."""

    async def agree(player: SeatPlayer, request: play_service_pb2.UndoAsked) -> None:
        if player._number in request.missing:
            await player._attached.seat.answer_undo(request.decision_id, agree=True)

    monkeypatch.setattr(SeatPlayer, "_refuse_undo", agree)
    monkeypatch.setattr(Witness, "told", [])
    async with third_seat_played_by(client, Witness, comes_late=comes_late) as (seats, placing):
        await seats[0].ask_undo(placing)
        await seats[1].answer_undo(placing, agree=True)
        await first_event(seats[0], "undone")
        await play_quickly(client, seats[:2])
    ended = await client.perspective(seats[2].game_id, seat=seats[2].number)
    codec = codec_of(DRAGONS)
    whole = [codec.event_from_proto(event) for event in ended.snapshot.history]
    assert Witness.told
    for seen in Witness.told:
        assert list(seen) == whole[: len(seen)]


def test_a_history_goes_back_to_before_an_answer_and_no_further_than_it_knows() -> None:
    history = History(5, ["a", "b"])
    history.add(6, ["c"])
    history.add(7, [])
    history.add(8, ["d", "e"])
    assert history.take_back(8)
    assert history.events == ["a", "b", "c"]
    history.add(11, ["f"])
    assert history.take_back(6)
    assert history.events == ["a", "b"]
    assert not history.take_back(5)
    assert history.events == ["a", "b"]
