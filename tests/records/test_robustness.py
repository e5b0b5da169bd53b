"""Whatever a file holds, the answer is a report or a typed error."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragonhall.v1 import record_pb2
from dragonhall.wire.records import RecordError, read_record, to_binary, to_data, to_json, verify_record
from tests.records.games import Played, record_of

RECORD = record_of(Played(options={"hidden_card": True}, draws=0.3))
BINARY = to_binary(RECORD)
DATA = to_data(RECORD)

VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from([{}, [], [{}], "4294967295", 4294967295, "18446744073709551615", "CARD_KIND_COINS", "AAAA"]),
)


def _check(content: bytes) -> None:
    with contextlib.suppress(RecordError):
        verify_record(read_record(content))


@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    _check(content)


@given(st.integers(0, len(BINARY) - 1), st.integers(0, 255))
@settings(max_examples=300)
def test_one_byte_of_a_binary_record_changed(place: int, byte: int) -> None:
    _check(BINARY[:place] + bytes([byte]) + BINARY[place + 1 :])


@given(st.integers(0, len(BINARY)))
def test_a_binary_record_cut_off(length: int) -> None:
    _check(BINARY[:length])


@given(st.data(), VALUES)
@settings(max_examples=400)
def test_any_value_of_a_json_record_replaced(data: st.DataObject, value: Any) -> None:
    changed = json.loads(json.dumps(DATA))
    place = changed
    for _ in range(data.draw(st.integers(0, 8))):
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if not isinstance(place[key], dict | list) or not place[key]:
            break
        place = place[key]
    key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    place[key] = value
    _check(json.dumps(changed).encode())


@pytest.mark.parametrize(("seconds", "nanos"), [(2**62, 0), (-(2**62), 0), (0, 2**30), (0, -1)])
def test_times_that_no_calendar_has_are_refused(seconds: int, nanos: int) -> None:
    changed = record_pb2.GameRecord()
    changed.CopyFrom(RECORD)
    changed.steps[3].time.seconds = seconds
    changed.steps[3].time.nanos = nanos
    with pytest.raises(RecordError, match=r"record.steps\[3\].time is not a time"):
        read_record(to_binary(changed))


def test_every_record_that_can_be_read_can_be_written() -> None:
    assert read_record(to_json(read_record(BINARY)).encode()) == RECORD
