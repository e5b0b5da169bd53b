"""Every single change that can be made to a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

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
    parent: Path
    """Of what is changed: a message or a list."""
    change: Callable[[Any], None]
    """Applied to it."""

    @property
    def name(self) -> str:
        """The path without places in lists, as ``steps.events.everyone``."""
        return ".".join(part for part in self.path if isinstance(part, str))

    def of(self, record: record_pb2.GameRecord) -> record_pb2.GameRecord:
        """A changed copy."""
        copy = record_pb2.GameRecord()
        copy.CopyFrom(record)
        place: Any = copy
        for part in self.parent:
            place = place[part] if isinstance(part, int) else getattr(place, part)
        self.change(place)
        return copy


def mutations(message: Message, path: Path = ()) -> Iterator[Mutation]:
    """Every leaf changed, set or unset; every message removed; every list shortened, stretched, reordered."""
    for field in cast(list[FieldDescriptor], message.DESCRIPTOR.fields):
        at = (*path, field.name)
        value = getattr(message, field.name)
        if field.is_repeated:
            yield from _list_mutations(field, value, at)
        elif field.type != FieldDescriptor.TYPE_MESSAGE:
            for other in _others(field, value):
                yield Mutation(at, f"{value!r} to {other!r}", path, partial(_set, field.name, other))
        elif message.HasField(field.name):
            yield Mutation(at, "removed", path, partial(_clear, field.name))
            yield from mutations(value, at)


def _list_mutations(field: FieldDescriptor, values: Any, path: Path) -> Iterator[Mutation]:
    for i, value in enumerate(values):
        if LONG < i < len(values) - 1 and i % LONG:
            continue
        at = (*path, i)
        yield Mutation(at, "removed", path, partial(_delete, i))
        yield Mutation(at, "doubled", path, partial(_double, i))
        if i and value != values[i - 1]:
            yield Mutation(at, "swapped", path, partial(_swap, i))
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            yield from mutations(value, at)
        else:
            yield Mutation(at, "changed", path, partial(_put, i, _others(field, value)[0]))


def _others(field: FieldDescriptor, value: Any) -> list[Any]:
    """Other values that the field can have."""
    if field.type == FieldDescriptor.TYPE_BOOL:
        return [not value]
    if field.type == FieldDescriptor.TYPE_STRING:
        return [value + "x"]
    if field.type == FieldDescriptor.TYPE_BYTES:
        return [value + b"x", bytes([value[0] ^ 1]) + value[1:]] if value else [b"x"]
    if field.type == FieldDescriptor.TYPE_ENUM:
        return [number for number in (0, 1, 2, 99) if number != value]
    return [value + 1, value - 1] if value else [value + 1]


def _set(name: str, value: Any, message: Message) -> None:
    setattr(message, name, value)


def _clear(name: str, message: Message) -> None:
    message.ClearField(name)


def _delete(i: int, items: Any) -> None:
    del items[i]


def _double(i: int, items: Any) -> None:
    items.insert(i, items[i])


def _swap(i: int, items: Any) -> None:
    swapped = list(items)
    swapped[i - 1], swapped[i] = swapped[i], swapped[i - 1]
    del items[:]
    items.extend(swapped)


def _put(i: int, value: Any, items: Any) -> None:
    items[i] = value
