"""The short torture, and that what it checks with would find what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragonhall.v1 import record_pb2
from dragonhall.v1.record_pb2 import GameRecord, RecordDecision, RecordStep
from tests.faults.ledger import Outage, check_accepted, check_clocks
from tests.faults.seats import Accepted
from tests.faults.torture import Plan, each, torture


async def test_games_clumsy_players_and_a_server_that_is_killed(tmp_path: Path) -> None:
    """The long one: ``python -m tests.faults.torture --help``."""
    report = await torture(Plan(games=12, seconds=2, kill_every=1.5, most_kills=3), tmp_path)
    assert report.games >= 12
    assert len(report.outages) >= 1
    for what in (
        "taken",
        "repeated",
        "DECISION_ANSWERED",
        "DECISION_UNKNOWN",
        "disconnect",
        "stall",
        "server_was_down",
    ):
        assert report.counts[what] > 0, what
    print(report)


def record_of(asked: float, answered: float, charged: float, by: record_pb2.AnsweredBy.ValueType) -> GameRecord:
    """A game of one answer. Unix times in seconds."""
    decision = RecordDecision(seat=0, by=by)
    decision.time.asked.FromNanoseconds(round(asked * 1e9))
    decision.time.charged.FromNanoseconds(round(charged * 1e9))
    step = RecordStep(revision=6, decisions=[decision])
    step.time.FromNanoseconds(round(answered * 1e9))
    record = GameRecord(steps=[RecordStep(revision=5), step])
    record.settings.time_control.CopyFrom(each(10))
    return record


SEAT, TIME = record_pb2.ANSWERED_BY_SEAT, record_pb2.ANSWERED_BY_TIME
DOWN = [Outage(110, 130)]


@pytest.mark.parametrize(
    ("answered", "charged", "by"),
    [(109, 9, SEAT), (135, 15, SEAT), (120, 10.2, SEAT), (130.5, 10, TIME)],
)
def test_clocks_that_are_right_pass(answered: float, charged: float, by: record_pb2.AnsweredBy.ValueType) -> None:
    check_clocks(record_of(100, answered, charged, by), DOWN)


@pytest.mark.parametrize(
    ("answered", "charged", "by"),
    [
        (135, 35, SEAT),  # the outage was charged
        (135, 16, SEAT),  # part of it was
        (109, 9.5, SEAT),  # more than passed
        (125, 10.5, TIME),  # time was called while no server ran
        (109, 9, TIME),  # time was called too early
    ],
)
def test_clocks_that_are_wrong_are_found(answered: float, charged: float, by: record_pb2.AnsweredBy.ValueType) -> None:
    with pytest.raises(AssertionError):
        check_clocks(record_of(100, answered, charged, by), DOWN)


def test_answers_that_were_lost_or_taken_twice_are_found() -> None:
    record = record_of(100, 101, 1, SEAT)
    decision = record.steps[1].decisions[0]
    decision.action.dragons.SetInParent()
    taken = Accepted(1, 0, 6, decision.action.SerializeToString())
    check_accepted(record, 0, [taken])
    for wrong in ([], [taken, Accepted(2, 0, 7, taken.action)], [Accepted(1, 1, 6, b"otherwise")]):
        with pytest.raises(AssertionError):
            check_accepted(record, 0, wrong)
    second = record.steps.add(revision=7).decisions.add()
    second.CopyFrom(decision)
    with pytest.raises(AssertionError):
        check_accepted(record, 0, [taken])
