"""What is to hold of a finished game, whatever its server went through: against what players and killer noted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from google.protobuf import timestamp_pb2

from dragonhall.v1 import record_pb2
from dragonhall.v1.record_pb2 import GameRecord, RecordDecision, RecordStep
from dragonhall.wire.records import verify_record
from tests.faults.seats import Accepted, Seat
from tests.service.promises import check, check_atomic

OWN: Final = (record_pb2.ANSWERED_BY_SEAT, record_pb2.ANSWERED_BY_SUBSTITUTE)

TOLERANCE: Final = 0.3
"""Seconds of an outage that may be charged: the server's own notes and the killer's are not of the same instant."""


@dataclass(frozen=True)
class Outage:
    """No server ran. Unix times in seconds."""

    begin: float
    """It was dead."""
    end: float
    """The next one served."""


def check_game(record: GameRecord, seats: Sequence[Seat], outages: Sequence[Outage]) -> None:
    """Raises AssertionError if anything is not as it is to be."""
    findings = verify_record(record).findings
    assert findings == (), f"{record.game_id}: {findings}"
    undone = set().union(*(seat.seen.undone for seat in seats))
    for seat in seats:
        check(seat.seen)
        check_atomic(seat.seen, record, undone)
    for number in range(len(record.seats)):
        accepted = [a for seat in seats if seat.seat == number for a in seat.accepted.values()]
        check_accepted(record, number, [answer for answer in accepted if answer.revision not in undone])
    check_clocks(record, outages)


def check_accepted(record: GameRecord, seat: int, accepted: Iterable[Accepted]) -> None:
    """What a seat was told was taken is in the record once, where it was told; and no other answer of the seat is."""
    answers = sorted(set(accepted), key=lambda answer: answer.revision)  # a substitute may have been told it, too
    revisions = [answer.revision for answer in answers]
    assert len(set(revisions)) == len(revisions), f"seat {seat} of {record.game_id}: one revision, two answers"
    recorded = list(_decisions(record, seat))
    for answer in answers:
        found = [d for first, last, d in recorded if first <= answer.revision <= last]
        assert [d.action.SerializeToString() for d in found] == [answer.action], (
            f"seat {seat} of {record.game_id} was told that {answer} was taken; the record has {found}"
        )
    known = [any(first <= revision <= last for revision in revisions) for first, last, d in recorded if d.by in OWN]
    assert all(known), f"seat {seat} of {record.game_id} was never told of answers that the record has of it"


def _decisions(record: GameRecord, seat: int) -> Iterator[tuple[int, int, RecordDecision]]:
    """A seat's decisions, each with the first and the last revision that it can have made."""
    before = 0
    for step in record.steps:
        for decision in step.decisions:
            if decision.seat == seat:
                yield before + 1, step.revision, decision
        before = step.revision


def check_clocks(record: GameRecord, outages: Sequence[Outage]) -> None:
    """Nobody was charged for time in which no server ran, and nobody's time was up before it had had all of it."""
    control = record.settings.time_control
    for step in record.steps:
        for decision in step.decisions:
            charged = decision.time.charged.ToNanoseconds() / 1e9
            if len(step.decisions) == 1 and decision.by in (*OWN, record_pb2.ANSWERED_BY_TIME):
                _check_charge(record.game_id, step, decision, charged, outages)
            if decision.by == record_pb2.ANSWERED_BY_TIME and control.HasField("per_decision"):
                limit = control.per_decision.limit.ToNanoseconds() / 1e9
                assert charged >= limit - 0.001, f"{record.game_id}: called after {charged} s of {limit} s"


def _check_charge(
    game_id: str, step: RecordStep, decision: RecordDecision, charged: float, outages: Sequence[Outage]
) -> None:
    asked = _seconds(decision.time.asked)
    arrived = _seconds(step.time) - decision.time.queue.ToNanoseconds() / 1e9
    hit = [min(arrived, o.end) - max(asked, o.begin) for o in outages if o.begin < arrived and asked < o.end]
    allowed = arrived - asked - sum(hit) + TOLERANCE * len(hit) + 0.001
    assert charged <= allowed, (
        f"{game_id}, revision {step.revision}: charged {charged:.3f} s of the {arrived - asked:.3f} s from asking to "
        f"answer, of which no server ran for {sum(hit):.3f} s"
    )


def _seconds(time: timestamp_pb2.Timestamp) -> float:
    return time.ToNanoseconds() / 1e9
