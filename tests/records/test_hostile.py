"""Records made to keep a checker busy: each is judged in seconds, whatever it holds."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from dragonhall.rules import GAMES
from dragonhall.rules.dragonisles import component_set
from dragonhall.v1 import game_pb2, record_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.records import RecordError, UnreadableRecord, play, read_record, to_binary, to_data, verify_record
from dragonhall.wire.records.facts import MAX_FACTS_BYTES, check_sizes
from dragonhall.wire.records.files import MAX_BINARY_BYTES, MAX_RECORD_BYTES, MAX_VALUES
from dragonhall.wire.records.play import Playthrough
from tests.records.games import Played, dragonisles_set, record_of

RECORD = record_of(Played(seats=6, options={"hidden_card": True, "extra_year": True}, draws=0.9))
STEP = record_pb2.RecordStep()
LIMIT = 15.0
"""Seconds of this process."""


def _changed(change: Callable[[record_pb2.GameRecord], Any]) -> record_pb2.GameRecord:
    copy = record_pb2.GameRecord()
    copy.CopyFrom(RECORD)
    change(copy)
    return copy


def _many(items: Any, count: int) -> None:
    """Makes a list ``count`` items long, with copies of its first one."""
    one = items[0]
    items.extend([one] * (count - len(items)))


def _findings(record: record_pb2.GameRecord) -> list[str]:
    began = time.process_time()
    findings = [str(finding) for finding in verify_record(record).findings]
    assert time.process_time() - began < LIMIT
    return findings


@pytest.mark.parametrize("seats", [7, 9000, 300_000])
def test_too_many_seats_are_counted_and_not_looked_at(seats: int) -> None:
    findings = _findings(_changed(lambda record: _many(record.seats, seats)))
    assert findings[0] == f"seats: {seats} in the record; dragons has 3 to 6"
    assert len(findings) <= 2


def _long_title(record: record_pb2.GameRecord) -> None:
    record.title = "x" * 30_000_000


def _long_name(record: record_pb2.GameRecord) -> None:
    record.seats[2].player_name = "x" * 30_000_000


def _long_nonce(record: record_pb2.GameRecord) -> None:
    record.seats[2].nonce = bytes(30_000_000)


@pytest.mark.parametrize("change", [_long_title, _long_name, _long_nonce])
def test_facts_that_are_too_long_are_not_hashed(change: Callable[[record_pb2.GameRecord], None]) -> None:
    [finding] = _findings(_changed(change))
    assert finding.startswith("facts: title, seats, options and component set have 3000")


def test_facts_just_short_enough_are_hashed_with_every_change() -> None:
    [finding] = _findings(_changed(lambda record: setattr(record, "title", "x" * (MAX_FACTS_BYTES - 1500))))
    assert finding.startswith("facts: the facts digest does not fit")


def test_the_longest_facts_that_a_server_takes_are_read() -> None:
    """Of a game of DragonIsles, whose component sets have the most to say."""
    longest = "\N{DRAGON}" * 64
    data = component_set.default_components().to_data()
    data["adventurers"]["colours"] = [longest[n:] + "x" * n for n in range(5)]
    data["encounters"] = [data["encounters"][-1] | {"name": longest, "copies": 1}] * 50
    data["treasures"] = [data["treasures"][-1] | {"name": longest, "copies": 1}] * 30
    record = record_of(Played(5, components=dragonisles_set(), game="dragonisles", draws=0))
    components = component_set.components_from_data(data)
    record.component_set.CopyFrom(CODECS["dragonisles"].components_to_proto(components, with_contents=True))
    record.title = longest * 3 + longest[:8]
    for seat in record.seats:
        seat.player_name, seat.bot_name, seat.nonce = longest, "x" * 64, bytes(64)
    assert list(check_sizes(record, GAMES["dragonisles"])) == []


def _tell_others(record: record_pb2.GameRecord) -> None:
    """Every step's events are those of no answer."""
    for step in record.steps[1:]:
        for event in step.events:
            event.everyone = not event.everyone


def _answer_nonsense(record: record_pb2.GameRecord) -> None:
    """No answer is legal; those meant follow from the events."""
    for step in record.steps[1:]:
        for decision in step.decisions:
            decision.action.dragonisles.take_coin.seat = 4_000_000_000


@pytest.mark.parametrize(
    "change",
    [
        lambda record: _many(record.component_set.dragons.cards, 100_000),
        lambda record: _many(record.steps, 100_000),
        lambda record: record.steps.extend([record_pb2.RecordStep()] * 200_000),
        lambda record: _many(record.steps[0].chance, 100_000),
        lambda record: _many(record.steps[0].chance[0].dragons_cards.cards, 100_000),
        lambda record: record.steps[1].chance.extend([RECORD.steps[0].chance[1]] * 100_000),
        lambda record: _many(record.steps[1].events, 100_000),
        lambda record: record.steps[1].events[0].seats.extend(range(200_000)),
        lambda record: _many(record.outcome.results, 100_000),
        lambda record: setattr(record.steps[0].chance[0], "name", "x" * 10_000_000),
    ],
    ids=["cards", "steps", "empty steps", "chance", "order", "late chance", "events", "audience", "results", "name"],
)
def test_a_list_of_any_length_is_judged_in_time(change: Callable[[record_pb2.GameRecord], Any]) -> None:
    findings = _findings(_changed(change))
    assert findings
    assert all(len(finding) < 2000 for finding in findings)


@pytest.mark.parametrize("change", [_tell_others, _answer_nonsense])
def test_answers_that_explain_events_are_not_looked_for_without_end(
    change: Callable[[record_pb2.GameRecord], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of DragonIsles asks a thousand times, with a hundred answers each, and more: all were tried."""
    record = record_of(Played(2, components=dragonisles_set(), game="dragonisles"))
    change(record)
    tried = 0
    explain = Playthrough._explain

    def counted(*args: Any) -> bool:
        nonlocal tried
        tried += 1
        return explain(*args)

    monkeypatch.setattr(Playthrough, "_explain", counted)
    monkeypatch.setattr(play, "MOST_TRIED", 100)
    assert _findings(record)
    replays = 2  # those that trust events
    assert 100 < tried <= replays * (100 + len(record.steps))


@pytest.mark.parametrize(
    "content",
    [
        b'{"steps":[' + b"{}," * MAX_VALUES + b"{}]}",
        b'{"seats":[' + b"[]," * MAX_VALUES + b"[]]}",
        b'{"steps":[{"events":[{"seats":[' + b"1," * (MAX_RECORD_BYTES // 2 - 100) + b"1]}]}]}",
        record_pb2.GameRecord(
            steps=[record_pb2.RecordStep()] * MAX_VALUES, seats=[game_pb2.Seat()]
        ).SerializeToString(),
        record_pb2.GameRecord(
            steps=[record_pb2.RecordStep(events=[record_pb2.RecordEvent(seats=[1] * (MAX_BINARY_BYTES - 100))])]
        ).SerializeToString(),
    ],
    ids=["objects", "lists", "numbers", "binary messages", "binary numbers"],
)
def test_a_file_with_too_many_values_is_refused_unread(content: bytes) -> None:
    began = time.process_time()
    with pytest.raises(UnreadableRecord, match=f"more than {MAX_VALUES} values; no game is that long"):
        read_record(content)
    assert time.process_time() - began < LIMIT


@pytest.mark.parametrize("content", [b"{" + b" " * MAX_RECORD_BYTES + b"}", b"\x08\x01" * MAX_BINARY_BYTES])
def test_a_file_that_is_too_large_is_refused_unread(content: bytes) -> None:
    with pytest.raises(UnreadableRecord, match="bytes, the most that is read of a record"):
        read_record(content)


def test_a_long_record_is_far_below_every_limit() -> None:
    text = json.dumps(to_data(RECORD), indent=2)
    assert len(text) < MAX_RECORD_BYTES / 50
    assert len(to_binary(RECORD)) < MAX_BINARY_BYTES / 50
    assert sum(map(text.count, ",[{")) < MAX_VALUES / 25


@pytest.mark.parametrize("key", ["x" * 10_000_000, "title"])
def test_a_refusal_is_short_whatever_the_file_says(key: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_record(json.dumps({key: {key: key}}).encode())
    assert len(str(refused.value)) < 2000
