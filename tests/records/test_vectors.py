"""The published record and digests (protos/vectors/README.md): what the product makes, accepts, and others find too."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from google.protobuf import json_format

from dragonhall.v1 import game_pb2, games_pb2, record_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.records import build_record, facts_digest, read_record, to_data, to_json, verify_record
from tests.records.foreign_facts import chance, facts_text
from tests.records.foreign_reader import rebuild
from tests.records.games import written
from tests.records.vectors import ABSENCES, COMPONENT_TEXT, DIGESTS, RECORD, digests_text, record_inputs

PUBLISHED: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
OUTCOME: list[dict[str, Any]] = PUBLISHED["outcome"]["results"]
DIGESTED: dict[str, Any] = json.loads(DIGESTS.read_text(encoding="utf-8"))


def test_the_published_record_is_good() -> None:
    report = verify_record(read_record(RECORD.read_bytes()))
    assert report.findings == ()
    assert report.decisions == len(PUBLISHED["steps"]) - 1


def test_built_again_or_read_and_written_the_published_record_has_the_same_bytes() -> None:
    assert to_json(build_record(record_inputs())).encode() == RECORD.read_bytes()
    assert to_json(read_record(RECORD.read_bytes())).encode() == RECORD.read_bytes()


def test_the_published_digests_are_what_the_product_computes() -> None:
    assert digests_text().encode() == DIGESTS.read_bytes()


def test_the_published_record_shows_every_event_and_action_and_both_hand_cards() -> None:
    events = {kind for step in PUBLISHED["steps"] for told in step["events"] for kind in told["event"]["dragons"]}
    actions = [decision["action"]["dragons"] for step in PUBLISHED["steps"][1:] for decision in step["decisions"]]
    assert events == {
        *("yearStarted", "hiddenCardDealt", "cardDrawn", "cardPlaced", "pileClaimed", "lastPileTaken", "yearEnded")
    }
    assert {kind for action in actions for kind in action} == {"draw", "play", "claim"}
    assert {action["play"]["card"] for action in actions if "play" in action} == {"HAND_CARD_DRAWN", "HAND_CARD_HELD"}
    assert all(seat["nonce"] for seat in PUBLISHED["seats"])


def test_the_published_record_ends_with_the_highest_score_eliminated_and_another_seat_behind_it() -> None:
    results = [(result["score"], result["rank"], bool(result.get("eliminated"))) for result in OUTCOME]
    best = max(results)
    assert best[1:] == (4, True)
    assert sorted(rank for _, rank, eliminated in results if eliminated) == [4, 5]


def test_the_foreign_reader_finds_all_of_the_published_record() -> None:
    rebuilt = rebuild(PUBLISHED)
    assert chance(PUBLISHED) == PUBLISHED["steps"][0]["chance"]
    assert rebuilt["outcome"] == PUBLISHED["outcome"]
    for found, step in zip(rebuilt["steps"], PUBLISHED["steps"], strict=True):
        assert found["events"] == step["events"]
        assert found.get("decisions") == step.get("decisions")


@pytest.mark.parametrize("vector", DIGESTED["component_sets"], ids=lambda vector: vector["about"])
def test_component_digests(vector: dict[str, Any]) -> None:
    message = json_format.ParseDict(vector["component_set"], games_pb2.ComponentSet())
    game = message.WhichOneof("contents")
    assert game is not None
    assert COMPONENT_TEXT[game](vector["component_set"]) == vector["hashed"]
    assert hashlib.sha256(vector["hashed"].encode()).hexdigest() == vector["digest"]
    assert message.digest.hex() == vector["digest"]
    CODECS[game].components_from_proto(message)  # which checks the digest


@pytest.mark.parametrize("vector", DIGESTED["facts"], ids=lambda vector: vector["about"])
def test_facts_digests(vector: dict[str, Any]) -> None:
    record = vector.get("record", PUBLISHED)
    assert facts_text(record) == vector["hashed"]
    assert hashlib.sha256(vector["hashed"].encode()).hexdigest() == vector["digest"]
    assert facts_digest(json_format.ParseDict(record, record_pb2.GameRecord())).hex() == vector["digest"]


# -- record_absences.json ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def absences() -> record_pb2.GameRecord:
    return read_record(ABSENCES.read_bytes())


def test_the_record_of_absences_is_good_and_as_it_is_written(absences: record_pb2.GameRecord) -> None:
    assert verify_record(absences).findings == ()
    assert to_json(absences).encode() == ABSENCES.read_bytes()
    assert rebuild(to_data(absences)) == written(to_data(absences))


def test_the_record_of_absences_has_what_its_description_says(absences: record_pb2.GameRecord) -> None:
    incidents = [incident for step in absences.steps for incident in step.incidents]
    assert {incident.WhichOneof("incident") for incident in incidents} == {"seat", "server_was_down", "undone"}
    states = {incident.seat.state for incident in incidents if incident.HasField("seat")}
    assert states == {game_pb2.SEAT_STATE_VACANT, game_pb2.SEAT_STATE_SUBSTITUTED, game_pb2.SEAT_STATE_PLAYING}
    by = {decision.by for step in absences.steps for decision in step.decisions}
    answered = (record_pb2.ANSWERED_BY_SEAT, record_pb2.ANSWERED_BY_SUBSTITUTE, record_pb2.ANSWERED_BY_ABSENCE)
    assert by == set(answered)


def test_the_ledgers_in_the_record_of_absences_add_up_as_its_description_says(absences: record_pb2.GameRecord) -> None:
    record, ledgers = to_data(absences), 0
    for step in record["steps"]:
        if any("serverWasDown" in incident for incident in step.get("incidents", [])):
            continue
        for decision in step.get("decisions", []):
            time = decision["time"]
            if decision["by"] in ("ANSWERED_BY_SEAT", "ANSWERED_BY_SUBSTITUTE"):
                accepted = _moment(time["asked"]) + _seconds(time["charged"]) + _seconds(time["queue"])
                assert accepted == _moment(step["time"])
                ledgers += 1
            if "think" in time:
                assert _seconds(time["think"]) + _seconds(time["network"]) == _seconds(time["charged"])
    assert ledgers > 20


def _seconds(duration: str) -> Decimal:
    return Decimal(duration.removesuffix("s"))


def _moment(timestamp: str) -> Decimal:
    whole, _, fraction = timestamp.removesuffix("Z").partition(".")
    return int(datetime.fromisoformat(whole + "+00:00").timestamp()) + Decimal(f"0.{fraction or 0}")
