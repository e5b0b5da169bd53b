"""The six promises of a stream, checked on what a reader received. Each broken promise has an error of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dragonhall.v1.play_service_pb2 import ObserveResponse
from dragonhall.v1.record_pb2 import GameRecord, RecordEvent


@dataclass
class Recorded:
    """Everything that one stream sent."""

    game_id: str
    seat: int | None
    """Whose stream it was; ``None``: a spectator's."""
    from_revision: int = 0
    messages: list[ObserveResponse] = field(default_factory=list)

    @property
    def updates(self) -> list[ObserveResponse]:
        """The messages with an update."""
        return [message for message in self.messages if message.HasField("update")]


class BrokenPromise(AssertionError):
    """A stream did not keep what it promises."""


class NotOrdered(BrokenPromise):
    """Ordered: revisions ascend."""


class NotUnique(BrokenPromise):
    """Unique: no revision comes twice on one stream."""


class NotAtomic(BrokenPromise):
    """Atomic: all events of a revision that the reader may see come in one message."""


class NotReliable(BrokenPromise):
    """Reliable: between a stream's first and last revision none is missing."""


class NotResumable(BrokenPromise):
    """Resumable: whoever asks for last revision + 1 on a new stream continues as if nothing had happened."""


class NotBookmarkable(BrokenPromise):
    """Bookmarkable: a heartbeat's revision says that everything up to it has been sent."""


def check(stream: Recorded) -> None:
    """The promises that one stream shows by itself: all but atomic and resumable."""
    last = stream.from_revision - 1 if stream.from_revision else None
    for message in stream.messages:
        if message.HasField("heartbeat"):
            if message.revision != (last or 0):
                raise NotBookmarkable(f"a heartbeat at {message.revision} after revision {last}")
            continue
        if message.HasField("snapshot") and (last is None or message.snapshot.caught_up):
            pass  # where a stream may begin, or go on after a gap that is told
        elif last is None or message.HasField("snapshot"):
            raise NotReliable(f"revision {message.revision} neither follows {last} nor begins the stream")
        elif message.revision > last + 1:
            raise NotReliable(f"revision {message.revision} after {last}")
        if last is not None and message.revision == last:
            raise NotUnique(f"revision {message.revision} came again")
        if last is not None and message.revision < last:
            raise NotOrdered(f"revision {message.revision} after {last}")
        last = message.revision


def check_atomic(stream: Recorded, record: GameRecord) -> None:
    """Each update of a finished game against the record's events of that revision for that reader."""
    steps = {step.revision: step for step in record.steps}
    for message in stream.updates:
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
    """A stream that was resumed against one that saw everything."""
    expected = [message for message in whole.updates if message.revision >= resumed.from_revision]
    if resumed.updates != expected:
        got = _revisions(resumed.updates)
        raise NotResumable(f"from {resumed.from_revision}: got {got}, the whole stream has {_revisions(expected)}")


def _revisions(messages: Sequence[ObserveResponse]) -> str:
    numbers = [message.revision for message in messages]
    return f"{numbers[0]}…{numbers[-1]} ({len(numbers)})" if numbers else "nothing"
