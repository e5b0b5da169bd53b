"""The six promises of a stream, checked on what a reader received. Each broken promise has an error of its own.

No check does another's work: a stream that breaks one promise and keeps the others is found by one check alone
(`test_promises.py` has such a stream for each). `recording.py` makes the `Recorded`s and checks every stream of every
test.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from dragonhall.v1 import game_pb2, play_service_pb2
from dragonhall.v1.play_service_pb2 import Decision, Event, ObserveResponse
from dragonhall.v1.record_pb2 import GameRecord, RecordEvent

SNAPSHOT: Final = play_service_pb2.STREAM_CONTENT_SNAPSHOT
UPDATES: Final = play_service_pb2.STREAM_CONTENT_UPDATES
WITH_DECISIONS: Final = play_service_pb2.VIEW_DELIVERY_WITH_DECISIONS
ALWAYS: Final = play_service_pb2.VIEW_DELIVERY_ALWAYS
OVER: Final = (game_pb2.GAME_STATUS_FINISHED, game_pb2.GAME_STATUS_ABORTED)


@dataclass
class Recorded:
    """Everything that one stream sent, and what it was asked for."""

    game_id: str
    seat: int | None
    """Whose stream it was; ``None``: a spectator's."""
    from_revision: int = 0
    messages: list[ObserveResponse] = field(default_factory=list)
    token: str = field(default="", repr=False)
    content: int = 0
    view_delivery: int = 0
    include_history: bool = False
    is_replay: bool = False
    """Of ``ReplayGame``."""
    has_ended: bool = False
    """It ended by itself, with OK."""

    @property
    def updates(self) -> list[ObserveResponse]:
        """The messages with an update."""
        return [message for message in self.messages if message.HasField("update")]

    @property
    def undone(self) -> set[int]:
        """The revisions that were taken back, as far as the stream told."""
        events = (event for message in self.updates for event in message.update.events)
        return {event.undone.undone_revision for event in events if event.HasField("undone")}


class BrokenPromise(AssertionError):
    """A stream did not keep what it promises."""


class NotOrdered(BrokenPromise):
    """Ordered: revisions ascend."""


class NotUnique(BrokenPromise):
    """Unique: no revision comes twice on one stream."""


class NotAtomic(BrokenPromise):
    """Atomic: all events of a revision that the reader may see come in one message."""


class NotReliable(BrokenPromise):
    """Reliable: between a stream's first and last revision none is missing, unless a snapshot tells so."""


class NotResumable(BrokenPromise):
    """Resumable: whoever asks for last revision + 1 on a new stream continues as if nothing had happened."""


class NotBookmarkable(BrokenPromise):
    """Bookmarkable: a heartbeat's revision says that everything up to it has been sent."""


class NotAsAsked(BrokenPromise):
    """Besides the six: a stream brings what was asked for, and nothing else."""


def check_ordered(stream: Recorded) -> None:
    """Raises `NotOrdered`."""
    told = _told(stream)
    for before, after in pairwise(told):
        if after.revision < before.revision:
            raise NotOrdered(f"revision {after.revision} after {before.revision}")


def check_unique(stream: Recorded) -> None:
    """Raises `NotUnique`."""
    seen: set[int] = set()
    for message in _told(stream):
        if message.revision in seen:
            raise NotUnique(f"revision {message.revision} came again")
        seen.add(message.revision)


def check_reliable(stream: Recorded) -> None:
    """Raises `NotReliable`."""
    seen = {message.revision for message in stream.updates}
    first, missing = _first_expected(stream), set[int]()
    for message in _told(stream):
        if message.HasField("update"):
            if first is None:
                raise NotReliable(f"revision {message.revision} neither follows another nor begins the stream")
            missing |= set(range(first, message.revision)) - seen
        elif message.snapshot.caught_up == (first is None):
            raise NotReliable(f"a snapshot at {message.revision}, where the stream was to go on from {first}")
        else:  # the stream goes on from here; what was not sent is told by it
            first = message.revision + 1
    if missing:
        raise NotReliable(f"revisions {sorted(missing)} are missing")
    if stream.has_ended and not _may_end(stream):
        raise NotReliable("the stream ended, and the game goes on")


def check_bookmarkable(stream: Recorded) -> None:
    """Raises `NotBookmarkable`."""
    last, decision = stream.from_revision - 1 if stream.from_revision else None, None
    for message in stream.messages:
        if not message.HasField("heartbeat"):
            last, decision = max(last or 0, message.revision), prompt_in(timeless(message))
            continue
        if last is not None and message.revision != last:
            raise NotBookmarkable(f"a heartbeat at {message.revision}, and what was sent reaches {last}")
        if last is None and stream.content != UPDATES:
            raise NotBookmarkable(f"a heartbeat at {message.revision} opens a stream that is to begin with a snapshot")
        if decision is not None and prompt_in(timeless(message)) != decision:
            raise NotBookmarkable(f"the heartbeat at {message.revision} asks something else than the message before")
        last = message.revision


def check_as_asked(stream: Recorded) -> None:
    """Raises `NotAsAsked`."""
    for message in stream.messages:
        kind = message.WhichOneof("message")
        if (stream.content, kind) in ((UPDATES, "snapshot"), (SNAPSHOT, "update"), (SNAPSHOT, "heartbeat")):
            raise NotAsAsked(f"a {kind} at {message.revision} was not asked for")
        if stream.seat is None and prompt_in(message).decision_id:
            raise NotAsAsked(f"a spectator is asked something at {message.revision}")
        if message.snapshot.history and not stream.include_history:
            raise NotAsAsked(f"a history at {message.revision} was not asked for")
        if kind == "update" and message.update.HasField("view") and not _is_view_due(stream, message):
            raise NotAsAsked(f"a view at {message.revision} was not asked for")


def _told(stream: Recorded) -> list[ObserveResponse]:
    """What brings a revision: all but heartbeats."""
    return [message for message in stream.messages if not message.HasField("heartbeat")]


def _first_expected(stream: Recorded) -> int | None:
    """The revision with which updates are to begin; ``None``: a snapshot comes first and says."""
    if stream.content == UPDATES and not stream.from_revision and stream.messages:
        return stream.messages[0].revision + 1
    return stream.from_revision or None


def _may_end(stream: Recorded) -> bool:
    """Whether a stream that ended had nothing left to send."""
    if not stream.messages:
        return stream.from_revision > 0  # resumed after the game's last revision
    last = stream.messages[-1]
    if last.HasField("update"):
        return any(_is_last(event, stream.seat) for event in last.update.events)
    if last.HasField("heartbeat"):
        return stream.content == UPDATES and len(stream.messages) == 1
    return stream.content == SNAPSHOT or last.snapshot.game.status in OVER


def _is_last(event: Event, seat: int | None) -> bool:
    """Whether nothing comes after an event: the game's end, or one's own seat given back or taken back."""
    if event.HasField("seat_left"):
        return event.seat_left.seat == seat
    if event.HasField("seat_changed"):
        changed = event.seat_changed.seat
        return changed.seat == seat and changed.state == game_pb2.SEAT_STATE_PLAYING
    return event.HasField("game_finished") or event.HasField("game_aborted")


def _is_view_due(stream: Recorded, message: ObserveResponse) -> bool:
    is_asked = bool(message.update.decision.decision_id)
    return (
        stream.view_delivery == ALWAYS
        or (stream.view_delivery == WITH_DECISIONS and is_asked)
        or any(event.HasField("undone") for event in message.update.events)
    )


ALONE: Final[tuple[Callable[[Recorded], None], ...]] = (
    check_ordered,
    check_unique,
    check_reliable,
    check_bookmarkable,
    check_as_asked,
)
"""What a stream shows by itself: all promises but atomic and resumable."""


def check(stream: Recorded) -> None:
    """Everything that one stream shows by itself. Raises `BrokenPromise`."""
    for promise in ALONE:
        promise(stream)


def check_atomic(stream: Recorded, record: GameRecord, undone: Collection[int] = ()) -> None:
    """Each update of a finished game against the record's events of that revision for that reader.

    ``undone``: revisions that were taken back, which are in no record, as far as the stream does not tell.
    """
    steps = {step.revision: step for step in record.steps}
    taken_back = {*undone, *stream.undone}
    for message in stream.updates:
        if message.revision in taken_back:
            continue
        told = [event.game for event in message.update.events if event.HasField("game")]
        # No step has the revisions before the start, and those of answers that others' were waited for.
        events = steps[message.revision].events if message.revision in steps else ()
        meant = [event.event for event in events if is_for(event, stream.seat)]
        if told != meant:
            raise NotAtomic(f"revision {message.revision}: {len(told)} events came, {len(meant)} were meant")


def is_for(event: RecordEvent, seat: int | None) -> bool:
    """Whether a record's event was for this reader."""
    return event.everyone or (event.spectators if seat is None else seat in event.seats)


def check_resumed(whole: Recorded, resumed: Recorded) -> None:
    """A stream that was resumed against one that saw everything, as far as that went."""
    expected = [message for message in whole.updates if message.revision >= resumed.from_revision]
    known = {message.revision for message in expected} | _beyond(whole, resumed)
    got = [message for message in resumed.updates if message.revision in known]
    if list(map(timeless, got)) != list(map(timeless, expected)):
        raise NotResumable(
            f"from {resumed.from_revision}: got {_revisions(got)}, the whole stream has {_revisions(expected)}"
        )


def _beyond(whole: Recorded, resumed: Recorded) -> set[int]:
    """Revisions that a resumed stream brings and that the whole one should have brought too."""
    first, last = (
        whole.updates[0].revision if whole.updates else 0,
        max((m.revision for m in whole.messages), default=0),
    )
    skipped = {message.revision for message in whole.messages if message.snapshot.caught_up}
    return set() if skipped else {m.revision for m in resumed.updates if first <= m.revision <= last}


def timeless(message: ObserveResponse) -> ObserveResponse:
    """A message without what depends on when it was written."""
    copy = ObserveResponse.FromString(message.SerializeToString())
    if prompt_in(copy).HasField("remaining"):
        prompt_in(copy).ClearField("remaining")
    return copy


def prompt_in(message: ObserveResponse) -> Decision:
    """What a message asks the reader's own seat; an empty decision if nothing."""
    if message.HasField("snapshot"):
        return message.snapshot.decision
    return message.update.decision if message.HasField("update") else message.heartbeat.decision


def _revisions(messages: Sequence[ObserveResponse]) -> str:
    numbers = [message.revision for message in messages]
    return f"{numbers[0]}…{numbers[-1]} ({len(numbers)})" if numbers else "nothing"
