"""Messages in words, and where two messages differ: what findings are made of.

``describe`` says of an action ``claim pile 2``, of a card ``one ring`` or ``coins 3``. Numbers are as on the wire
(seats and piles from 0); places in a list count from 1, as people do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message


@dataclass(frozen=True)
class Difference:
    """One place in which a written message is not what it should be."""

    path: tuple[str | int, ...]
    """Field names and, within lists, places from 0."""
    written: str
    expected: str

    def where(self, leave_out: str = "") -> str:
        """The path in words, as ``card placed, card``, without a field called ``leave_out``."""
        words: list[str] = []
        for part in self.path:
            if part == leave_out:
                continue
            if isinstance(part, int):
                words[-1] += f" {part + 1}"
            else:
                words.append(part.replace("_", " "))
        return ", ".join(words)


def fields_of(message: Message) -> list[FieldDescriptor]:
    """The fields of the message's type (which protobuf's implementations declare differently)."""
    return cast(list[FieldDescriptor], list(message.DESCRIPTOR.fields))


def differences(written: Message, expected: Message, path: tuple[str | int, ...] = ()) -> Iterator[Difference]:
    """Every place in which ``written`` is not ``expected``; both of one type."""
    if written == expected:
        return
    if _is_value(written) or _choices(written) != _choices(expected):
        yield Difference(path, describe(written), describe(expected))
        return
    for field in fields_of(written):
        at = (*path, field.name)
        if field.is_repeated:
            yield from _list_differences(field, getattr(written, field.name), getattr(expected, field.name), at)
        elif not field.has_presence or written.HasField(field.name) == expected.HasField(field.name):
            yield from _value_differences(field, getattr(written, field.name), getattr(expected, field.name), at)
        else:
            yield Difference(at, _presence(written, field), _presence(expected, field))


def _list_differences(
    field: FieldDescriptor, written: Sequence[Any], expected: Sequence[Any], path: tuple[str | int, ...]
) -> Iterator[Difference]:
    if len(written) != len(expected):
        # What follows one that is missing or too many would differ too: only where it begins is of use.
        yield Difference(
            path, str(len(written)), f"{len(expected)} (the first {common_prefix(written, expected)} agree)"
        )
        return
    for i, (one, other) in enumerate(zip(written, expected, strict=True)):
        yield from _value_differences(field, one, other, (*path, i))


def common_prefix(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many items the two begin with alike."""
    for i, (item, counterpart) in enumerate(zip(one, other, strict=False)):
        if item != counterpart:
            return i
    return min(len(one), len(other))


def _value_differences(
    field: FieldDescriptor, written: Any, expected: Any, path: tuple[str | int, ...]
) -> Iterator[Difference]:
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        yield from differences(written, expected, path)
    elif written != expected:
        yield Difference(path, _scalar(field, written), _scalar(field, expected))


def _presence(message: Message, field: FieldDescriptor) -> str:
    return describe_value(field, getattr(message, field.name)) if message.HasField(field.name) else "nothing"


def _choices(message: Message) -> list[str | None]:
    """What each real oneof of the message is set to."""
    oneofs = message.DESCRIPTOR.oneofs
    return [message.WhichOneof(oneof.name) for oneof in oneofs if not oneof.name.startswith("_")]


def _is_value(message: Message) -> bool:
    """Messages that are one thing, as a card: no inner messages or lists, and an enum first that says what it is."""
    fields = fields_of(message)
    flat = all(not field.is_repeated and field.type != FieldDescriptor.TYPE_MESSAGE for field in fields)
    return flat and bool(fields) and fields[0].type == FieldDescriptor.TYPE_ENUM


def describe(message: Message, in_full: bool = False) -> str:
    """A message in a few words; ``in_full``: with the items of lists, not only their number."""
    parts = [part for field in fields_of(message) if (part := _part(message, field, in_full))]
    # "coins 3" says all that "coins coins 3" does
    said = [part for part, after in pairwise([*parts, ""]) if not after.startswith(part + " ")]
    return " ".join(said) or "nothing"


def describe_game(wrapper: Message, in_full: bool = False) -> str:
    """The same of the game's own message in a `GameAction` or its like; of the wrapper itself where it is empty."""
    name = wrapper.WhichOneof("game")
    return describe(getattr(wrapper, name) if name else wrapper, in_full)


def _part(message: Message, field: FieldDescriptor, in_full: bool) -> str:
    value = getattr(message, field.name)
    if field.is_repeated:
        return _list_part(field, value, in_full)
    if field.has_presence and not message.HasField(field.name):
        return ""
    if field.type == FieldDescriptor.TYPE_ENUM:
        return _scalar(field, value) if value else ""
    if not value and field.name.endswith("s"):  # a count of nothing says nothing; pile 0 does
        return ""
    name = field.name.replace("_", " ")
    if field.type == FieldDescriptor.TYPE_MESSAGE and not value.DESCRIPTOR.fields:
        return name
    return f"{name} {describe_value(field, value, in_full)}"


def _list_part(field: FieldDescriptor, values: Sequence[Any], in_full: bool) -> str:
    name = field.name.replace("_", " ")
    if not values:
        return ""
    if in_full:
        return f"{name} {', '.join(describe_value(field, value, in_full) for value in values)}"
    return f"{len(values)} {name}"


def describe_value(field: FieldDescriptor, value: Any, in_full: bool = False) -> str:
    """One value of a field (of a repeated one, too) in a few words."""
    return describe(value, in_full) if field.type == FieldDescriptor.TYPE_MESSAGE else _scalar(field, value)


def _scalar(field: FieldDescriptor, value: Any) -> str:
    if field.type == FieldDescriptor.TYPE_ENUM:
        return enum_words(cast(EnumDescriptor, field.enum_type), value)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return shortened(value.hex()) or "no bytes"
    if field.type == FieldDescriptor.TYPE_BOOL:
        return "true" if value else "false"
    return shortened(str(value))


def shortened(text: str, most: int = 300) -> str:
    """The text, its end left out if it has more than ``most`` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def enum_words(enum: EnumDescriptor, number: int) -> str:
    """``one ring`` for ``CARD_KIND_ONE_RING``; the number for one that is not known."""
    value = enum.values_by_number.get(number)
    if value is None:
        return f"{enum.name} {number}, which does not exist,"
    prefix = "".join("_" + c if c.isupper() else c for c in enum.name).upper().lstrip("_") + "_"
    return str(value.name).removeprefix(prefix).replace("_", " ").lower()
