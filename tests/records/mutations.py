"""Every single change that can be made to a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from dragonhall.v1 import record_pb2

Path = tuple[str | int, ...]

LONG = 8
"""Of longer lists, as the cards of a deck, the first so many items are changed, each so-manieth, and the last."""


@dataclass(frozen=True)
class Mutation:
    """One change of one place of a record."""

    path: Path
    what: str
    change: Callable[[Message], None]
    """Applied to a copy of the record."""

    @property
    def name(self) -> str:
        """The path without places in lists, as ``steps.events.everyone``."""
        return ".".join(part for part in self.path if isinstance(part, str))

    def of(self, record: record_pb2.GameRecord) -> record_pb2.GameRecord:
        """A changed copy."""
        copy = record_pb2.GameRecord()
        copy.CopyFrom(record)
        self.change(copy)
        return copy


def mutations(message: Message, path: Path = ()) -> Iterator[Mutation]:
    """Every leaf changed, set or unset; every message removed; every list shortened, stretched, reordered."""
    for field in message.DESCRIPTOR.fields:
        at = (*path, field.name)
        value = getattr(message, field.name)
        if field.is_repeated:
            yield from _list_mutations(field, value, at)
        elif field.type != FieldDescriptor.TYPE_MESSAGE:
            yield from _scalar_mutations(field, value, at)
        elif message.HasField(field.name):
            yield Mutation(at, "removed", _apply(at[:-1], lambda parent, name=field.name: parent.ClearField(name)))
            yield from mutations(value, at)


def _list_mutations(field: FieldDescriptor, values: Any, path: Path) -> Iterator[Mutation]:
    for i, value in enumerate(values):
        if LONG < i < len(values) - 1 and i % LONG:
            continue
        yield Mutation((*path, i), "removed", _apply(path, lambda many, i=i: many.__delitem__(i)))
        yield Mutation((*path, i), "doubled", _apply(path, lambda many, i=i: many.insert(i, many[i])))
        if i and value != values[i - 1]:
            yield Mutation((*path, i), "swapped", _apply(path, lambda many, i=i: _swap(many, i)))
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            yield from mutations(value, (*path, i))
        else:
            yield Mutation((*path, i), "changed", _apply(path, lambda many, i=i: _change_item(many, i)))


def _swap(many: Any, i: int) -> None:
    items = list(many)
    items[i - 1], items[i] = items[i], items[i - 1]
    del many[:]
    many.extend(items)


def _change_item(many: Any, i: int) -> None:
    many[i] += 1


def _scalar_mutations(field: FieldDescriptor, value: Any, path: Path) -> Iterator[Mutation]:
    for other in _others(field, value):
        change = _apply(path[:-1], lambda parent, other=other: setattr(parent, field.name, other))
        yield Mutation(path, f"{value!r} to {other!r}", change)


def _others(field: FieldDescriptor, value: Any) -> list[Any]:
    if field.type == FieldDescriptor.TYPE_BOOL:
        return [not value]
    if field.type == FieldDescriptor.TYPE_STRING:
        return [value + "x"]
    if field.type == FieldDescriptor.TYPE_BYTES:
        return [value + b"x", bytes([value[0] ^ 1]) + value[1:]] if value else [b"x"]
    if field.type == FieldDescriptor.TYPE_ENUM:
        return [number for number in (0, 1, 2, 99) if number != value]
    return [value + 1] if not value else [value + 1, value - 1]


def _apply(path: Path, change: Callable[[Any], Any]) -> Callable[[Message], None]:
    def applied(record: Message) -> None:
        place: Any = record
        for part in path:
            place = place[part] if isinstance(part, int) else getattr(place, part)
        change(place)

    return applied
