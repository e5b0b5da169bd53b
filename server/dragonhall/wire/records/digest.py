"""The facts that no replay proves, guarded by `GameRecord.facts_digest`: whether one was changed, and which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from dragonhall.v1 import record_pb2
from dragonhall.wire.records.build import facts_digest, facts_of
from dragonhall.wire.records.findings import Finding, written_against
from dragonhall.wire.records.wording import differences, fields_of

_GUARDED: Final = (
    "the facts digest does not fit: an option, a setting, the component set, a seat's kind, bot name, player name or"
    " nonce, the title, the seed or its source, or the digest itself was changed"
)

_Place = Callable[[record_pb2.GameRecord], Message]
"""Where a fact stands in any record."""
_Change = Callable[[record_pb2.GameRecord], None]


@dataclass(frozen=True)
class Guarded:
    """A record whose facts were compared with their digest."""

    record: record_pb2.GameRecord
    """As it was before, if the one change can be found; else the record itself."""
    findings: tuple[Finding, ...]


def compare_with_digest(record: record_pb2.GameRecord) -> Guarded:
    """Compares; and where one switch, choice or seat number was changed, finds out which, by trying them all.

    That takes as many hashes as there are such changes: only of a record of which `check_sizes` finds nothing.
    """
    if record.facts_digest == facts_digest(record):
        return Guarded(record, ())
    facts = facts_of(record)
    for change in _changes(facts):
        tried = _copy(facts)
        change(tried)
        if facts_digest(tried) == record.facts_digest:
            mended = _copy(record)
            change(mended)
            return Guarded(mended, tuple(_findings(record, mended)))
    return Guarded(record, (Finding("facts", "facts", _GUARDED),))


def _copy(record: record_pb2.GameRecord) -> record_pb2.GameRecord:
    copy = record_pb2.GameRecord()
    copy.CopyFrom(record)
    return copy


def _findings(record: record_pb2.GameRecord, mended: record_pb2.GameRecord) -> Iterator[Finding]:
    for difference in differences(record, mended):
        text = written_against(difference.written, difference.expected, "the facts digest")
        yield Finding("facts", difference.where(leave_out=record.options.WhichOneof("game") or ""), text)


def _changes(record: record_pb2.GameRecord) -> Iterator[_Change]:
    """What changes one small fact of a record, for each of them and every value that it can have.

    Lists have one value a seat; where there are more, something else is wrong with the record.
    """
    game = record.options.WhichOneof("game")
    places: list[_Place] = [lambda copy: copy]
    if game is not None:
        places.append(lambda copy: getattr(copy.options, game))
    if record.HasField("settings"):
        places.append(lambda copy: copy.settings)
    places += [lambda copy, i=i: copy.seats[i] for i in range(len(record.seats))]  # type: ignore[misc]
    for place in places:
        message = place(record)
        for field in fields_of(message):
            for value in _values(field, len(record.seats)):
                if not field.is_repeated:
                    yield partial(_change, place, field, value)
                    continue
                for at in range(min(len(getattr(message, field.name)), len(record.seats))):
                    yield partial(_change_one, place, field, at, value)


def _change(place: _Place, field: FieldDescriptor, value: Any, record: record_pb2.GameRecord) -> None:
    _set(place(record), field, value)


def _change_one(place: _Place, field: FieldDescriptor, at: int, value: Any, record: record_pb2.GameRecord) -> None:
    getattr(place(record), field.name)[at] = value


def _values(field: FieldDescriptor, seats: int) -> list[Any]:
    """All values of a field, or of one place in a list, that has only a few."""
    if field.type == FieldDescriptor.TYPE_BOOL:
        return [False, True]
    if field.enum_type is not None:
        return [value.number for value in field.enum_type.values]
    if field.type == FieldDescriptor.TYPE_UINT32 and field.name.endswith("seat"):
        return [*([None] if field.has_presence else []), *range(seats)]
    return []


def _set(message: Message, field: FieldDescriptor, value: Any) -> None:
    if value is None:
        message.ClearField(field.name)
    else:
        setattr(message, field.name, value)
