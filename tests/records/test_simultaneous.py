"""Answers to one simultaneous decision: in which order they came in is nothing that a record tells."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from random import Random

import pytest

from dragonhall.v1 import record_pb2
from dragonhall.wire.records import Answer, RecordInputs, build_record, verify_record
from tests.records.games import Played, inputs_of, record_of

PLAYED = Played(game="dragons_interest", seats=4, choices=9, draws=0.3)


@pytest.fixture
def record() -> record_pb2.GameRecord:
    return record_of(PLAYED)


def simultaneous(record: record_pb2.GameRecord) -> record_pb2.RecordStep:
    """The first step with several decisions that differ."""
    return next(step for step in record.steps if len({str(decision.action) for decision in step.decisions}) > 1)


def in_another_order(inputs: RecordInputs, sizes: list[int], rng: Random) -> list[Answer]:
    """The same answers, those of each step in any order; when they came in stays as it was."""
    places = [step for step, size in enumerate(sizes) for _ in range(size)]
    answers = []
    for _, together in groupby(zip(places, inputs.answers, strict=True), key=lambda pair: pair[0]):
        came = [answer for _, answer in together]
        for arrival, answer in zip(came, rng.sample(came, len(came)), strict=True):
            answers.append(replace(answer, revision=arrival.revision, time_us=arrival.time_us))
    return answers


@pytest.mark.parametrize("luck", range(5))
def test_the_order_of_arrival_changes_nothing_in_a_record(record: record_pb2.GameRecord, luck: int) -> None:
    inputs = inputs_of(PLAYED)
    answers = in_another_order(inputs, [len(step.decisions) for step in record.steps[1:]], Random(luck))
    assert answers != list(inputs.answers)
    assert build_record(replace(inputs, answers=answers)) == record


def test_decisions_of_a_step_stand_in_seat_order(record: record_pb2.GameRecord) -> None:
    for step in record.steps:
        seats = [decision.seat for decision in step.decisions]
        assert seats == sorted(set(seats))
    assert max(len(step.decisions) for step in record.steps) == PLAYED.seats


def test_answers_in_another_order_are_found(record: record_pb2.GameRecord) -> None:
    decisions = simultaneous(record).decisions
    swapped = [decisions[1], decisions[0], *decisions[2:]]
    kept = [record_pb2.RecordDecision.FromString(decision.SerializeToString()) for decision in swapped]
    del decisions[:]
    decisions.extend(kept)
    assert any("was not asked here" in str(finding) for finding in verify_record(record).findings)


def test_an_answer_that_is_missing_is_found(record: record_pb2.GameRecord) -> None:
    step = simultaneous(record)
    del step.decisions[-1]
    assert any("not all that is asked" in str(finding) for finding in verify_record(record).findings)


def test_a_changed_answer_among_several_is_named_with_what_was_answered(record: record_pb2.GameRecord) -> None:
    step = simultaneous(record)
    decision = step.decisions[1]
    was = decision.action.dragons_interest.bid.contract.number
    free = next(number for number in range(4, 15) if number != was)
    decision.action.dragons_interest.bid.contract.number = free
    [finding] = verify_record(record).findings
    assert str(finding).startswith(f"decision {decision.decision_id} of seat {decision.seat}: bid contract")
    assert "the events that follow are those of bid contract" in str(finding)


def test_a_step_torn_apart_is_found(record: record_pb2.GameRecord) -> None:
    place = next(i for i, step in enumerate(record.steps) if len(step.decisions) > 1)
    first = record_pb2.RecordStep(revision=record.steps[place].revision, time=record.steps[place].time)
    first.decisions.append(record.steps[place].decisions[0])
    del record.steps[place].decisions[0]
    steps = [*record.steps[:place], first, *record.steps[place:]]
    kept = [record_pb2.RecordStep.FromString(step.SerializeToString()) for step in steps]
    del record.steps[:]
    record.steps.extend(kept)
    assert not verify_record(record).ok
