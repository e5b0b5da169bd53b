"""The file formats: one text for one record, and clear words for what is none."""

from __future__ import annotations

import json

import pytest

from dragonhall.v1 import record_pb2
from dragonhall.wire.records import UnreadableRecord, read_record, to_binary, to_json
from tests.records.games import Played, record_of


@pytest.fixture(scope="module")
def record() -> record_pb2.GameRecord:
    return record_of(Played(seats=4, options={"hidden_card": True}))


def test_both_formats_give_the_record_back(record: record_pb2.GameRecord) -> None:
    assert read_record(to_json(record).encode()) == record
    assert read_record(to_binary(record)) == record


def test_json_is_the_same_for_the_same_record_however_it_was_read(record: record_pb2.GameRecord) -> None:
    text = to_json(record)
    assert to_json(read_record(to_binary(record))) == text
    shuffled = json.dumps(dict(reversed(json.loads(text).items())))
    assert to_json(read_record(shuffled.encode())) == text
    assert text.endswith("}\n")
    assert text.startswith('{\n  "formatVersion": 1,\n  "gameId"')


def test_a_byte_order_mark_is_read_over(record: record_pb2.GameRecord) -> None:
    assert read_record(b"\xef\xbb\xbf" + to_json(record).encode()) == record


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"[]", "has to be an object, not a list"),
        (b'"text"', "has to be an object, not a text"),
        (b"{", "not JSON: Expecting property name"),
        (b'{"gameId": "a"', "not JSON"),
        (b'{"gameId": "\xff"}', "not UTF-8 text: byte 12 is 0xff"),
        (b'{"colour": 1}', "record has no field 'colour'"),
        (b'{"steps": [{"colour": 1}]}', r"record.steps\[0\] has no field 'colour'"),
        (b'{"gameId": "a", "gameId": "a"}', "'gameId' comes twice"),
        (b'{"gameId": "a", "game_id": "a"}', "under two names"),
        (b'{"gameId": 7}', "gameId"),
        (b'{"steps": {}}', "record.steps has to be a list, not an object"),
        (b'{"steps": [null]}', r"steps\[0\] has to be an object, not null"),
        (b'{"options": 7}', "record.options has to be an object, not a number"),
        (b'{"seed": "!!"}', "record.seed is not base64"),
        (b'{"seed": 7}', "record.seed has to be base64 text, not a number"),
        (b'{"seedSource": "MOON"}', "^record.seedSource: invalid enum value MOON for enum type [a-zA-Z0-9.]*$"),
        (
            b'{"steps": [{"events": [{"event": {"dragons": {"yearStarted": {"firstCards": [{"kind": "RUBY"}]}}}}]}]}',
            r"^record.steps\[0\].events\[0\].event.dragons.yearStarted.firstCards\[0\].kind: invalid enum value RUBY ",
        ),
        (b'{"seats": [{"seat": 1.5}]}', r"^record.seats\[0\].seat: couldn't parse integer: 1.5$"),
        (b'{"seats": [{"seat": -1}]}', "^record.seats.seat: value out of range: -1$"),
        (b'{"formatVersion": 1e30}', "out of range"),
        (b'{"formatVersion": -1}', "out of range"),
        (b'{"formatVersion": NaN}', "^NaN is not a number that a record can hold$"),
        (b'{"seedSource": Infinity}', "^Infinity is not a number"),
        (b'{"seedSource": -1e999}', "^-1e999 is not a number"),
        (b'{"steps": [{"decisions": [{"seat": ' + b"9" * 400 + b".0}]}]}", "^9+… is not a number"),
        (b'{"formatVersion": ' + b"9" * 5000 + b"}", "not JSON: Exceeds the limit"),
        (b'{"createTime": "yesterday"}', "timestamp"),
        (b"[" * 100_000, "nested too deeply"),
        (b"plain text", "neither JSON nor a binary record"),
        (b"\x08\x01\x12", "neither JSON nor a binary record"),
    ],
)
def test_what_is_no_record_is_refused_in_words(content: bytes, says: str) -> None:
    with pytest.raises(UnreadableRecord, match=says):
        read_record(content)


def test_unknown_fields_of_a_binary_record_are_refused(record: record_pb2.GameRecord) -> None:
    unknown = b"\xa2\x06\x01x"  # field 100, one byte
    with pytest.raises(UnreadableRecord, match="record has a field that this version does not know: number 100"):
        read_record(to_binary(record) + unknown)


def test_unknown_fields_deep_within_are_refused(record: record_pb2.GameRecord) -> None:
    step = record_pb2.RecordStep.FromString(record.steps[1].SerializeToString() + b"\xa2\x06\x01x")
    changed = record_pb2.GameRecord()
    changed.CopyFrom(record)
    changed.steps[1].CopyFrom(step)
    with pytest.raises(UnreadableRecord, match=r"record.steps\[1\] has a field"):
        read_record(to_binary(changed))


def test_a_file_too_large_is_not_parsed(monkeypatch: pytest.MonkeyPatch, record: record_pb2.GameRecord) -> None:
    monkeypatch.setattr("dragonhall.wire.records.files.MAX_RECORD_BYTES", 1000)
    with pytest.raises(UnreadableRecord, match="more than 1000 bytes, the most that is read"):
        read_record(to_binary(record))
