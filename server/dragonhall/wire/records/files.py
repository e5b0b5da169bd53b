"""The two file formats of a record. Which one a file has is seen from its content.

JSON is protobuf JSON: lowerCamelCase names, defaults left out, 64-bit numbers as strings, bytes as base64; written
with keys in field order, an indent of two spaces and a newline at the end, so that equal records are equal files. What
is not printed is escaped, so that a record can be shown on a terminal, whatever its players are called.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from typing import Any, Final

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.protobuf.timestamp_pb2 import Timestamp
from google.protobuf.unknown_fields import UnknownFieldSet

from dragonhall.v1.record_pb2 import GameRecord
from dragonhall.wire.records.errors import UnreadableRecord
from dragonhall.wire.records.wording import shortened
from dragonhall.wire.texts import json_text

MAX_RECORD_BYTES: Final = 16 << 20
"""A larger file is not read: the record of a long game of DragonIsles, as JSON, has about a fifteenth of it."""
MAX_BINARY_BYTES: Final = 2 << 20
"""The same for a binary file, in which as much takes less than a tenth."""
MAX_VALUES: Final = 250_000
"""Messages and list items in a file with more are not looked at one by one; a long game of DragonIsles has 20,000."""

_TIMES: Final = (Timestamp, Duration)
_NESTED: Final = re.compile(r"Failed to parse (\w+) field: ")
"""How protobuf's reader of JSON begins its messages, once for each field on the way to the one that is wrong."""
_PLACE: Final = re.compile(r" at \"?GameRecord([\w.\[\]]*?)\"?\.*\s*$", re.MULTILINE)


def to_json(record: GameRecord) -> str:
    """The record as text, always the same for the same record."""
    return json_text(to_data(record), indent=2) + "\n"


def to_data(message: Message) -> dict[str, Any]:
    """Any message as protobuf JSON, before it is written down as text."""
    data: dict[str, Any] = json_format.MessageToDict(message)
    return data


def to_binary(record: GameRecord) -> bytes:
    """The record in the protobuf wire format, fields in order."""
    return record.SerializeToString(deterministic=True)


def read_record(content: bytes) -> GameRecord:
    """A record from a file's bytes, JSON or binary. Raises `UnreadableRecord`, saying what is wrong with it."""
    _check_size(content, MAX_RECORD_BYTES)
    start = content[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise UnreadableRecord("the file is empty")
    if start[:1] in b'{["':
        return _from_json(content)
    return _from_binary(content)


def check_message(record: GameRecord) -> None:
    """What `read_record` checks of a binary file, of a record that came as a message. Raises `UnreadableRecord`."""
    if record.ByteSize() > MAX_BINARY_BYTES:
        raise UnreadableRecord(f"the record has more than {MAX_BINARY_BYTES} bytes, the most that is read of one")
    _MessageCheck().check(record, "record")


def _check_size(content: bytes, most: int) -> None:
    if len(content) > most:
        raise UnreadableRecord(f"the file has more than {most} bytes, the most that is read of a record")


def _too_many_values() -> UnreadableRecord:
    return UnreadableRecord(f"the file holds more than {MAX_VALUES} values; no game is that long")


def _from_binary(content: bytes) -> GameRecord:
    _check_size(content, MAX_BINARY_BYTES)
    record = GameRecord()
    try:
        record.ParseFromString(content)
    except DecodeError as error:
        raise UnreadableRecord(f"neither JSON nor a binary record: {error}") from error
    check_message(record)
    return record


class _MessageCheck:
    """What protobuf's own reader lets pass: fields that are not known, times outside any calendar, and any number."""

    def __init__(self) -> None:
        self._values_left = MAX_VALUES

    def check(self, message: Message, path: str) -> None:
        """A message and all within. Raises `UnreadableRecord`."""
        _check_fields_known(message, path)
        for field, value in message.ListFields():
            if field.is_repeated:
                self._values_left -= len(value)
            if self._values_left < 0:
                raise _too_many_values()
            if field.type == FieldDescriptor.TYPE_MESSAGE:
                many = value if field.is_repeated else [value]
                for i, inner in enumerate(many):
                    self.check(inner, f"{path}.{field.name}" + (f"[{i}]" if field.is_repeated else ""))


def _check_fields_known(message: Message, path: str) -> None:
    unknown = [field.field_number for field in UnknownFieldSet(message)]  # type: ignore[attr-defined]
    if unknown:
        raise UnreadableRecord(f"{path} has a field that this version does not know: number {unknown[0]}")
    written = f"{message.seconds} seconds and {message.nanos} nanoseconds" if isinstance(message, _TIMES) else ""
    if isinstance(message, Timestamp) and not _is_time(message):
        raise UnreadableRecord(f"{path} is not a time: {written}")
    if isinstance(message, Duration) and not _is_duration(message):
        raise UnreadableRecord(f"{path} is not a duration: {written}")


def _is_time(stamp: Timestamp) -> bool:
    """Within the years 1 to 9999, as protobuf wants it."""
    return -62_135_596_800 <= stamp.seconds <= 253_402_300_799 and 0 <= stamp.nanos < 1_000_000_000


def _is_duration(duration: Duration) -> bool:
    """Within 10,000 years either way, and both parts the same way, as protobuf wants it."""
    seconds, nanos = duration.seconds, duration.nanos
    return abs(seconds) <= 315_576_000_000 and abs(nanos) < 1_000_000_000 and seconds * nanos >= 0


def _from_json(content: bytes) -> GameRecord:
    # Counted before anything is built: of a list's items, and of an object's members, all but one begin with a comma.
    if sum(content.count(mark) for mark in (b",", b"{", b"[")) > MAX_VALUES:
        raise _too_many_values()
    try:
        data = json.loads(
            content.decode("utf-8-sig"),
            object_pairs_hook=_without_duplicates,
            parse_float=_finite,
            parse_constant=_finite,
        )
        _check_json(data, GameRecord.DESCRIPTOR, "record")
        return json_format.ParseDict(data, GameRecord())
    except UnicodeDecodeError as error:
        raise UnreadableRecord(f"not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}") from error
    except RecursionError as error:
        raise UnreadableRecord("not a record: nested too deeply") from error
    except (json.JSONDecodeError, ValueError) as error:
        raise UnreadableRecord(f"not JSON: {_short(str(error))}") from error
    except json_format.ParseError as error:
        raise UnreadableRecord(_parse_words(str(error))) from error


def _parse_words(text: str) -> str:
    """The last of a parser's chain of failures, and where it was: ``record.seats[0].kind: invalid enum value …``."""
    fields = []
    while nested := _NESTED.match(text):
        fields.append(nested[1])
        text = text[nested.end() :]
    found = _PLACE.search(text)
    path, what = (f"record{found[1]}", text[: found.start()]) if found else (".".join(["record", *fields]), text)
    return _short(f"{path}: {what[:1].lower()}{what[1:].rstrip('.')}")


def _short(text: str) -> str:
    """A library's message without its lists of everything that would have been possible."""
    return shortened(" ".join(text.split("\n")[0].split()))


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise UnreadableRecord(f"the key {shortened(key)!r} comes twice in one object")
        found[key] = value
    return found


def _finite(number: str) -> float:
    """Of infinite numbers, written out or too large for a float, protobuf's reader makes any kind of error."""
    value = float(number)
    if not math.isfinite(value):
        raise UnreadableRecord(f"{shortened(number, 40)} is not a number that a record can hold")
    return value


def _check_json(data: Any, descriptor: Descriptor, path: str) -> None:
    """What protobuf's own reader lets pass: other things than objects, one field under two names, broken base64."""
    if descriptor.full_name in (kind.DESCRIPTOR.full_name for kind in _TIMES):
        return  # a text
    if not isinstance(data, dict):
        raise UnreadableRecord(f"{path} has to be an object, not {_json_type(data)}")
    seen: set[str] = set()
    for key, value in data.items():
        field = descriptor.fields_by_camelcase_name.get(key) or descriptor.fields_by_name.get(key)
        if field is None:
            raise UnreadableRecord(f"{path} has no field {shortened(key)!r}")
        if field.name in seen:
            raise UnreadableRecord(f"{path} has the field {key!r} under two names")
        seen.add(field.name)
        if value is not None:
            _check_field(value, field, f"{path}.{key}")


def _check_field(value: Any, field: FieldDescriptor, path: str) -> None:
    if not field.is_repeated:
        _check_value(value, field, path)
        return
    if not isinstance(value, list):
        raise UnreadableRecord(f"{path} has to be a list, not {_json_type(value)}")
    for i, item in enumerate(value):
        _check_value(item, field, f"{path}[{i}]")


def _check_value(value: Any, field: FieldDescriptor, path: str) -> None:
    if field.message_type is not None:
        _check_json(value, field.message_type, path)
    elif field.type == FieldDescriptor.TYPE_BYTES:
        _check_base64(value, path)


def _check_base64(value: Any, path: str) -> None:
    if not isinstance(value, str):
        raise UnreadableRecord(f"{path} has to be base64 text, not {_json_type(value)}")
    try:
        base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnreadableRecord(f"{path} is not base64: {error}") from error


def _json_type(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
