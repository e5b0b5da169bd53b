"""The arithmetic of a record's clocks: the ledger of every answer against the times of its step and the time control.

Times and durations are compared in whole nanoseconds, as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from dragonhall.v1 import record_pb2
from dragonhall.wire.records.findings import Finding, written_against

_IN_CHARGE: Final = (
    record_pb2.ANSWERED_BY_SEAT,
    record_pb2.ANSWERED_BY_SUBSTITUTE,
    record_pb2.ANSWERED_BY_TIME,
)
"""Whose answers are charged: somebody's who played the seat."""


def check_ledger(record: record_pb2.GameRecord) -> Iterator[Finding]:
    """Ledgers that are missing, that there should not be, or that do not add up."""
    if record.settings.time_control.WhichOneof("control") is None:
        for step in record.steps:
            for decision in step.decisions:
                if decision.HasField("time"):
                    yield Finding("clock", _where(decision), "is there, but the game has no time control")
        return
    clocks = _Clocks(record)
    for before, step in zip(record.steps, record.steps[1:], strict=False):
        yield from clocks.step(_nanos(before.time), step)


class _Clocks:
    """What each seat has left, as far as the record tells."""

    def __init__(self, record: record_pb2.GameRecord) -> None:
        control = record.settings.time_control
        self._has_banks = control.WhichOneof("control") == "bank"
        first = control.bank.initial if self._has_banks else control.per_decision.limit
        self._first = _nanos(first)
        self._increment = _nanos(control.bank.increment)
        self._left: dict[int, int | None] = dict.fromkeys(range(len(record.seats)), self._first)
        """``None``: an account that the record has not told of, since someone else plays or time was taken back."""
        self._most: dict[int, int] = dict.fromkeys(range(len(record.seats)), self._first)

    def step(self, asked: int, step: record_pb2.RecordStep) -> Iterator[Finding]:
        """One step; its decisions were asked at ``asked``."""
        changes = _changes_by_seat(step)
        if not self._has_banks:
            self._left = dict.fromkeys(self._left, self._first)
        self._left.update(dict.fromkeys(changes.keys() & self._left.keys()))
        known = [decision for decision in step.decisions if decision.seat in self._left]
        fitting = []
        for decision in known:
            faults = list(_check_form(decision, self._has_banks, {asked, *changes.get(decision.seat, ())}))
            yield from faults
            if not faults:
                fitting.append(decision)
        if len(fitting) == len(step.decisions):
            yield from _check_end(step)
        yield from self._check_limits(fitting)
        for decision in fitting:
            if self._has_banks:
                yield from self._check_bank(decision)
        if len(step.decisions) > 1:  # else the answer came after all changes
            self._left.update(dict.fromkeys(changes.keys() & self._left.keys()))

    def _check_limits(self, decisions: list[record_pb2.RecordDecision]) -> Iterator[Finding]:
        """Who is charged more than there was, was late; whose time ran out, was not charged less."""
        left = [self._left[decision.seat] for decision in decisions]
        latest = None if None in left else max((one for one in left if one is not None), default=0)
        for decision, own in zip(decisions, left, strict=True):
            charged = _nanos(decision.time.charged)
            if decision.by == record_pb2.ANSWERED_BY_TIME:
                if own is not None and charged < own:
                    yield Finding(
                        "clock", f"{_where(decision)}, charged", "is less than there was: time had not run out"
                    )
            elif latest is not None and charged > latest:
                yield Finding("clock", f"{_where(decision)}, charged", "is more than there was: the answer was late")

    def _check_bank(self, decision: record_pb2.RecordDecision) -> Iterator[Finding]:
        seat, written, before = decision.seat, _nanos(decision.time.bank), self._left[decision.seat]
        gained = self._increment if decision.by in _IN_CHARGE else 0
        self._most[seat] += gained
        self._left[seat] = written
        where = f"{_where(decision)}, bank"
        if before is None:
            if written > self._most[seat]:
                yield Finding("clock", where, "is more than the seat can have")
        elif written != (left := max(0, before - _nanos(decision.time.charged)) + gained):
            yield Finding("clock", where, written_against(_seconds(written), _seconds(left), "the time control"))


def _check_form(decision: record_pb2.RecordDecision, has_banks: bool, asked: set[int]) -> Iterator[Finding]:
    """One ledger by itself. ``asked``: when its decision can have been asked."""
    where, time = _where(decision), decision.time
    for field, is_there in (("asked", True), ("queue", True), ("charged", True), ("bank", has_banks)):
        if time.HasField(field) != is_there:  # type: ignore[arg-type]  # a name that mypy does not follow
            yield Finding("clock", f"{where}, {field}", "is missing" if is_there else "is there, without banks")
            return
    durations = (time.think, time.network, time.queue, time.charged, time.bank)
    if any(duration.seconds < 0 or duration.nanos < 0 for duration in durations):
        yield Finding("clock", where, "has a duration below zero")
    if time.HasField("think") != time.HasField("network") or (
        time.HasField("think") and _nanos(time.think) + _nanos(time.network) != _nanos(time.charged)
    ):
        yield Finding("clock", where, "think and network are not together what was charged")
    if _nanos(time.asked) not in asked:
        yield Finding("clock", f"{where}, asked", "is neither the step before nor an incident of the seat")
    if decision.by not in _IN_CHARGE and _nanos(time.charged):
        yield Finding("clock", f"{where}, charged", "is charged, though nobody played the seat")


def _check_end(step: record_pb2.RecordStep) -> Iterator[Finding]:
    """The last answer was accepted at the step's time: asked + charged + queue, and what the server was down."""
    down = sum(_nanos(incident.server_was_down) for incident in step.incidents)
    times = [decision.time for decision in step.decisions]
    accepted = [_nanos(time.asked) + _nanos(time.charged) + _nanos(time.queue) for time in times]
    all_charged = all(decision.by in _IN_CHARGE for decision in step.decisions)
    end = _nanos(step.time)
    last = max(accepted, default=end)
    if last > end or (all_charged and last + down < end):
        where = f"{_where(step.decisions[accepted.index(last)])}, asked + charged + queue"
        yield Finding("clock", where, f"is {_seconds(abs(end - last))} off the step's time")


def _changes_by_seat(step: record_pb2.RecordStep) -> dict[int, list[int]]:
    """When a seat was asked anew within a step: someone else played it, or its answer was taken back."""
    changes: dict[int, list[int]] = {}
    for incident in step.incidents:
        kind = incident.WhichOneof("incident")
        if kind in ("seat", "undone"):
            seat = incident.seat.seat if kind == "seat" else incident.undone.seat
            changes.setdefault(seat, []).append(_nanos(incident.time))
    return changes


def _where(decision: record_pb2.RecordDecision) -> str:
    return f"decision {decision.decision_id} of seat {decision.seat}, time"


def _nanos(time: Duration | Timestamp) -> int:
    return time.seconds * 1_000_000_000 + time.nanos


def _seconds(nanos: int) -> str:
    return f"{nanos / 1e9:.9f}".rstrip("0").rstrip(".") + " s"
