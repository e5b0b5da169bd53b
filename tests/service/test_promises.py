"""The checker of the promises finds every way to break one."""

from __future__ import annotations

import pytest

from dragonhall.v1 import games_pb2, record_pb2
from dragonhall.v1.play_service_pb2 import Event, Heartbeat, ObserveResponse, Snapshot, Update
from tests.service.promises import (
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


def heartbeat(revision: int) -> ObserveResponse:
    return ObserveResponse(revision=revision, heartbeat=Heartbeat())


def stream(*messages: ObserveResponse, from_revision: int = 0, seat: int | None = None) -> Recorded:
    return Recorded("a game", seat, from_revision, list(messages))


@pytest.mark.parametrize(
    "good",
    [
        stream(),
        stream(snapshot(3), update(4), heartbeat(4), update(5)),
        stream(snapshot(3), update(4), snapshot(90, caught_up=True), update(91)),
        stream(update(7), update(8), from_revision=7),
        stream(heartbeat(6), update(7), from_revision=7),
    ],
)
def test_a_stream_that_keeps_its_promises_passes(good: Recorded) -> None:
    check(good)


@pytest.mark.parametrize(
    ("bad", "promise"),
    [
        (stream(snapshot(3), update(4), update(3)), NotOrdered),
        (stream(snapshot(3), update(4), update(4)), NotUnique),
        (stream(snapshot(3), update(3)), NotUnique),
        (stream(update(7), update(6), from_revision=7), NotOrdered),
        (stream(snapshot(3), update(5)), NotReliable),
        (stream(snapshot(3), snapshot(5)), NotReliable),
        (stream(update(4)), NotReliable),
        (stream(update(8), from_revision=7), NotReliable),
        (stream(snapshot(3), heartbeat(4), update(4)), NotBookmarkable),
        (stream(snapshot(3), update(4), heartbeat(3)), NotBookmarkable),
        (stream(heartbeat(7), from_revision=7), NotBookmarkable),
    ],
)
def test_a_broken_promise_is_named(bad: Recorded, promise: type[Exception]) -> None:
    with pytest.raises(promise) as caught:
        check(bad)
    assert caught.type is promise


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
def test_a_torn_or_mixed_up_revision_is_not_atomic(torn: Recorded) -> None:
    with pytest.raises(NotAtomic):
        check_atomic(torn, TWO)


def test_a_resumed_stream_that_differs_is_found() -> None:
    whole = stream(update(5, YEARS[0]), update(6, YEARS[1]), from_revision=5)
    check_resumed(whole, stream(update(6, YEARS[1]), from_revision=6))
    with pytest.raises(NotResumable):
        check_resumed(whole, stream(update(6, YEARS[0]), from_revision=6))
    with pytest.raises(NotResumable):
        check_resumed(whole, stream(from_revision=6))
