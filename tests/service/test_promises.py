"""The checker of the promises finds every way to break one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration

from dragonhall.server.playthrough import Frame
from dragonhall.server.services.render import Renderer
from dragonhall.v1 import game_pb2, games_pb2, record_pb2
from dragonhall.v1.play_service_pb2 import (
    Decision,
    Event,
    GameFinished,
    Heartbeat,
    ObserveResponse,
    SeatChanged,
    Snapshot,
    Undone,
    Update,
    Waiting,
)
from tests.service.harness import running
from tests.service.promises import (
    ALONE,
    SNAPSHOT,
    UPDATES,
    BrokenPromise,
    NotAsAsked,
    NotAtomic,
    NotBookmarkable,
    NotOrdered,
    NotReliable,
    NotResumable,
    NotUnique,
    Recorded,
    check,
    check_atomic,
    check_resumed,
)

YEARS = [games_pb2.GameEvent(), games_pb2.GameEvent()]
for number, event in enumerate(YEARS):
    event.dragons.year_started.year = number + 1


def snapshot(revision: int, caught_up: bool = False) -> ObserveResponse:
    return ObserveResponse(revision=revision, snapshot=Snapshot(caught_up=caught_up))


def update(revision: int, *events: games_pb2.GameEvent) -> ObserveResponse:
    return ObserveResponse(revision=revision, update=Update(events=[Event(game=event) for event in events]))


def happened(revision: int, *events: Event) -> ObserveResponse:
    return ObserveResponse(revision=revision, update=Update(events=events))


def heartbeat(revision: int) -> ObserveResponse:
    return ObserveResponse(revision=revision, heartbeat=Heartbeat())


def stream(*messages: ObserveResponse, from_revision: int = 0, seat: int | None = None, **asked: Any) -> Recorded:
    return Recorded("a game", seat, from_revision, list(messages), **asked)


SEAT_TAKEN_BACK = Event(
    seat_changed=SeatChanged(seat=game_pb2.Seat(seat=1, state=game_pb2.SEAT_STATE_PLAYING)),
)
FINISHED = Event(game_finished=GameFinished())
UNDONE = Event(undone=Undone(seat=1, decision_id=7, undone_revision=5))


def asking(decision_id: int, seconds_left: int = 0) -> Decision:
    return Decision(decision_id=decision_id, remaining=Duration(seconds=seconds_left))


@pytest.mark.parametrize(
    "good",
    [
        stream(),
        stream(snapshot(3), update(4), heartbeat(4), update(5)),
        stream(snapshot(3), update(4), snapshot(90, caught_up=True), update(91)),
        stream(update(7), update(8), from_revision=7),
        stream(heartbeat(6), update(7), from_revision=7),
        stream(heartbeat(6), snapshot(90, caught_up=True), from_revision=7),
        stream(heartbeat(6), update(7), content=UPDATES),
        stream(snapshot(3), content=SNAPSHOT, has_ended=True),
        stream(from_revision=9, has_ended=True),
        stream(snapshot(3), happened(4, FINISHED), has_ended=True),
        stream(snapshot(3), happened(4, SEAT_TAKEN_BACK), has_ended=True, seat=1),
        stream(snapshot(3), happened(4, SEAT_TAKEN_BACK), update(5), seat=1),  # of whoever took the seat first
        stream(snapshot(3), ObserveResponse(revision=4, update=Update(events=[UNDONE], view=games_pb2.GameView()))),
        stream(
            ObserveResponse(revision=4, update=Update(decision=asking(3, seconds_left=9))),
            ObserveResponse(revision=4, heartbeat=Heartbeat(decision=asking(3, seconds_left=2))),
            from_revision=4,
            seat=1,
        ),
    ],
)
def test_a_stream_that_keeps_its_promises_passes(good: Recorded) -> None:
    check(good)


@pytest.mark.parametrize(
    ("bad", "promise"),
    [
        (stream(snapshot(3), update(4), update(6), update(5)), NotOrdered),
        (stream(update(8), update(7), from_revision=7), NotOrdered),
        (stream(snapshot(3), update(4), update(4)), NotUnique),
        (stream(snapshot(3), update(3)), NotUnique),
        (stream(update(7), update(8), snapshot(8, caught_up=True), from_revision=7), NotUnique),
        (stream(snapshot(3), update(5)), NotReliable),
        (stream(snapshot(3), update(4), update(6), snapshot(90, caught_up=True)), NotReliable),
        (stream(snapshot(3), snapshot(5)), NotReliable),
        (stream(snapshot(3, caught_up=True)), NotReliable),
        (stream(snapshot(3), from_revision=3), NotReliable),
        (stream(update(4)), NotReliable),
        (stream(update(8), from_revision=7), NotReliable),
        (stream(heartbeat(6), update(8), content=UPDATES), NotReliable),
        (stream(snapshot(3), update(4), has_ended=True), NotReliable),
        (stream(snapshot(3), happened(4, SEAT_TAKEN_BACK), has_ended=True, seat=0), NotReliable),
        (stream(has_ended=True), NotReliable),
        (stream(snapshot(3), heartbeat(4), update(4)), NotBookmarkable),
        (stream(snapshot(3), update(4), heartbeat(3)), NotBookmarkable),
        (stream(heartbeat(7), from_revision=7), NotBookmarkable),
        (stream(heartbeat(7), snapshot(7)), NotBookmarkable),
        (
            stream(snapshot(3), ObserveResponse(revision=3, heartbeat=Heartbeat(decision=asking(2))), seat=1),
            NotBookmarkable,
        ),
        (stream(heartbeat(6), snapshot(7, caught_up=True), content=UPDATES), NotAsAsked),
        (stream(snapshot(3), update(4), content=SNAPSHOT), NotAsAsked),
        (stream(ObserveResponse(revision=3, snapshot=Snapshot(decision=asking(2)))), NotAsAsked),
        (stream(ObserveResponse(revision=3, snapshot=Snapshot(history=YEARS))), NotAsAsked),
        (stream(snapshot(3), ObserveResponse(revision=4, update=Update(view=games_pb2.GameView()))), NotAsAsked),
    ],
)
def test_a_broken_promise_is_found_by_its_own_check_and_by_no_other(bad: Recorded, promise: type[Exception]) -> None:
    found = []
    for check_one in ALONE:
        try:
            check_one(bad)
        except BrokenPromise as broken:
            found.append(type(broken))
    assert found == [promise]
    with pytest.raises(promise):
        check(bad)


def record(*events: record_pb2.RecordEvent) -> record_pb2.GameRecord:
    return record_pb2.GameRecord(steps=[record_pb2.RecordStep(revision=5, events=events)])


TWO = record(record_pb2.RecordEvent(event=YEARS[0], everyone=True), record_pb2.RecordEvent(event=YEARS[1], seats=[1]))


def test_all_events_for_a_reader_in_one_message_is_atomic() -> None:
    check_atomic(stream(update(5, *YEARS), seat=1), TWO)
    check_atomic(stream(update(5, YEARS[0]), seat=0), TWO)
    check_atomic(stream(update(5, YEARS[0])), TWO)


@pytest.mark.parametrize(
    "torn",
    [
        stream(update(5, YEARS[0]), seat=1),
        stream(update(5, *YEARS), seat=0),
        stream(update(5, *YEARS)),
        stream(update(5, YEARS[1], YEARS[0]), seat=1),
    ],
)
def test_a_torn_or_mixed_up_revision_is_not_atomic_and_nothing_else(torn: Recorded) -> None:
    torn.from_revision = 5
    check(torn)
    check_resumed(torn, torn)
    with pytest.raises(NotAtomic):
        check_atomic(torn, TWO)


def test_what_was_taken_back_is_in_no_record() -> None:
    taken_back = stream(update(5, YEARS[1]), seat=0)
    with pytest.raises(NotAtomic):
        check_atomic(taken_back, TWO)
    check_atomic(taken_back, TWO, undone={5})
    check_atomic(stream(update(5, YEARS[1]), happened(6, UNDONE), seat=0), TWO)


WHOLE = stream(update(5, YEARS[0]), update(6, YEARS[1]), update(7), from_revision=5)


@pytest.mark.parametrize(
    "resumed",
    [
        stream(update(6, YEARS[1]), update(7), from_revision=6),
        stream(update(6, YEARS[1]), update(7), update(8, YEARS[0]), from_revision=6),
    ],
)
def test_a_resumed_stream_that_is_the_rest_of_the_whole_passes(resumed: Recorded) -> None:
    check_resumed(WHOLE, resumed)


def test_a_resumed_stream_may_tell_what_a_caught_up_snapshot_left_out() -> None:
    whole = stream(update(5, YEARS[0]), snapshot(8, caught_up=True), update(9), from_revision=5)
    check_resumed(whole, stream(update(6), update(7), update(8), update(9), from_revision=6))
    with pytest.raises(NotResumable):
        check_resumed(whole, stream(update(6), update(7), update(8), update(9, YEARS[0]), from_revision=6))


@pytest.mark.parametrize(
    "resumed",
    [
        stream(update(6, YEARS[0]), update(7), from_revision=6),
        stream(ObserveResponse(revision=6, update=Update(waiting=[Waiting(seat=1)])), update(7), from_revision=6),
        stream(update(6, YEARS[1]), from_revision=6),
        stream(from_revision=6),
    ],
)
def test_a_resumed_stream_that_differs_is_not_resumable_and_nothing_else(resumed: Recorded) -> None:
    check(WHOLE)
    check(resumed)
    with pytest.raises(NotResumable):
        check_resumed(WHOLE, resumed)


async def test_a_server_that_breaks_a_promise_fails_whatever_test_has_a_stream_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Renderer.update

    def torn(self: Renderer, frame: Frame, viewer: int | None, delivery: int) -> bytes:
        """Tells spectators' updates without their last event, but for the one that ends the game."""
        message = ObserveResponse.FromString(honest(self, frame, viewer, delivery))
        if viewer is None and len(message.update.events) > 1 and not frame.status.is_over:
            del message.update.events[-1]
        return message.SerializeToString()

    monkeypatch.setattr(Renderer, "update", torn)
    with pytest.raises(NotAtomic):
        await watch_a_game(tmp_path)


async def watch_a_game(folder: Path) -> None:
    """A test that checks nothing itself."""
    async with running(folder / "games.db") as server:
        game = await server.seated(3)
        watching = asyncio.create_task(server.watch_to_end(game.game_id, from_revision=1))
        await server.play_out(game)
        await watching
