"""Records are made of finished games, and of nothing else."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from dragonhall.rules.errors import RulesError
from dragonhall.wire.records import UnsupportedRecord, build_record, facts_digest
from tests.records.games import CREATED, SECOND, Played, inputs_of


def test_a_record_says_when_from_its_log() -> None:
    inputs = inputs_of(Played())
    record = build_record(inputs)
    assert record.create_time.ToMicroseconds() == CREATED
    assert record.start_time.ToMicroseconds() == CREATED + SECOND
    assert record.end_time.ToMicroseconds() == inputs.answers[-1].time_us
    assert [step.revision for step in record.steps] == [inputs.start_revision + i for i in range(len(record.steps))]


def test_a_record_reveals_the_seed_that_was_committed_to() -> None:
    record = build_record(inputs_of(Played(seed=bytes(range(1, 33)))))
    assert record.seed == bytes(range(1, 33))
    assert record.seed_commitment == hashlib.sha256(record.seed).digest()


def test_every_hidden_card_is_in_a_record_with_who_was_told() -> None:
    record = build_record(inputs_of(Played(options={"hidden_card": True})))
    dealt = [
        event for event in record.steps[0].events if event.event.dragons.WhichOneof("event") == "hidden_card_dealt"
    ]
    own = [event for event in dealt if event.event.dragons.hidden_card_dealt.HasField("card")]
    others = [event for event in dealt if not event.event.dragons.hidden_card_dealt.HasField("card")]
    assert [list(event.seats) for event in own] == [[event.event.dragons.hidden_card_dealt.seat] for event in own]
    assert not any(event.spectators for event in own)
    assert len(own) == len(others) == 3
    assert all(event.spectators and len(event.seats) == 2 for event in others)


def test_the_facts_digest_does_not_depend_on_ids_and_times() -> None:
    inputs = inputs_of(Played())
    other = replace(inputs, game_id="another", create_time_us=1, start_time_us=2)
    assert build_record(inputs).facts_digest == build_record(other).facts_digest
    assert build_record(inputs).facts_digest != build_record(replace(inputs, title="another")).facts_digest


def test_the_facts_digest_is_pinned() -> None:
    """It is part of the format: other languages compute the same."""
    assert (
        facts_digest(build_record(inputs_of(Played()))).hex()
        == "e39c54b526173a60b6e7988e18317b002e115625d9ee6f6acd0a9d6934dbb7fa"
    )


def test_an_unfinished_game_has_no_record() -> None:
    inputs = inputs_of(Played())
    with pytest.raises(ValueError, match="game-1 is not over"):
        build_record(replace(inputs, answers=inputs.answers[:-1]))


def test_a_log_that_does_not_fit_the_rules_has_no_record() -> None:
    inputs = inputs_of(Played())
    wrong = replace(inputs.answers[3], seat=1 + inputs.answers[3].seat)
    with pytest.raises(RulesError, match=f"seat {wrong.seat} is not asked"):
        build_record(replace(inputs, answers=[*inputs.answers[:3], wrong]))


def test_a_log_of_other_rules_is_not_replayed() -> None:
    with pytest.raises(UnsupportedRecord, match="version 7 of the rules of dragons"):
        build_record(replace(inputs_of(Played()), rules_version=7))
