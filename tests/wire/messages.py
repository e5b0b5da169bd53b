"""What the tests of all codecs do with messages: send them, have them refused, and fill them with anything."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import strategies as st

from dragonhall.v1 import games_pb2 as games
from dragonhall.wire import Codec, InvalidMessage


def sent(message: Message) -> Any:
    """The message as it arrives."""
    return type(message).FromString(message.SerializeToString())


def readers(codec: Codec) -> dict[type[Message], Callable[[Any], Any]]:
    """Everything that a codec reads, by the message."""
    return {
        games.GameOptions: codec.options_from_proto,
        games.GameAction: codec.action_from_proto,
        games.GameDecision: codec.decision_from_proto,
        games.GameEvent: codec.event_from_proto,
        games.GameView: codec.view_from_proto,
        games.GameBreakdown: codec.breakdown_from_proto,
        games.ComponentSet: codec.components_from_proto,
        games.ChanceOutcome: codec.chance_from_proto,
    }


def arrived(codec: Codec, what: str, value: Any) -> Any:
    """A value as it is read by whom it was sent to; ``what`` it is: ``event``, ``view`` and so on."""
    return getattr(codec, f"{what}_from_proto")(sent(getattr(codec, f"{what}_to_proto")(value)))


def check_refused(codec: Codec, message: Message, field: str) -> None:
    """The message makes no sense, and the refusal says in which field."""
    with pytest.raises(InvalidMessage) as refused:
        readers(codec)[type(message)](sent(message))
    assert refused.value.field == field


def names_of(enum: Any) -> tuple[str, ...]:
    """An enum's values as the rules call them, "unspecified" left out."""
    prefix = enum.keys()[0].removesuffix("UNSPECIFIED")
    return tuple(name.removeprefix(prefix).lower() for name in enum.keys()[1:])


def read_anything(game: str, codec: Codec, data: st.DataObject) -> None:
    """A message of ``game`` filled with anything gives a value or `InvalidMessage`, and nothing else."""
    kind = data.draw(st.sampled_from(list(readers(codec))))
    message = kind()
    fill(message, data, game)
    with contextlib.suppress(InvalidMessage):
        readers(codec)[kind](sent(message))


def fill(message: Message, data: st.DataObject, game: str, depth: int = 0) -> None:
    """Sets some fields of a message, and of the messages in it, to anything that their types allow."""
    for field in _some_fields(message.DESCRIPTOR, data, game, depth):
        many = data.draw(st.integers(0, 3)) if field.is_repeated else 1
        for _ in range(many):
            _set(message, field, data, game, depth)


def _some_fields(kind: Any, data: st.DataObject, game: str, depth: int) -> Iterator[FieldDescriptor]:
    """Some of the fields of a descriptor, one at most of each oneof; of the fields of games that of ``game`` alone."""
    for oneof in kind.oneofs:
        fields = [field for field in oneof.fields if _is_of(game, field)]
        chosen = data.draw(st.sampled_from([*fields, None] if depth else fields))
        if chosen is not None:
            yield chosen
    for field in kind.fields:
        if field.containing_oneof is None and (depth == 0 or data.draw(st.booleans())):
            yield field


def _is_of(game: str, field: FieldDescriptor) -> bool:
    package = field.message_type.file.package if field.message_type else "dragonhall.v1"
    return package in ("dragonhall.v1", f"dragonhall.{game}.v1")


def _set(message: Message, field: FieldDescriptor, data: st.DataObject, game: str, depth: int) -> None:
    if field.message_type is not None:
        target = getattr(message, field.name)
        inner = target.add() if field.is_repeated else target
        if not field.is_repeated:
            inner.SetInParent()
        fill(inner, data, game, depth + 1)
        return
    value = data.draw(_ANY_BYTES if field.type == field.TYPE_BYTES else _ANY_VALUE[field.cpp_type])
    if field.is_repeated:
        getattr(message, field.name).append(value)
    else:
        setattr(message, field.name, value)


_ANY_BYTES = st.sampled_from([b"", b"8 bytes.", bytes(32)])
_ANY_VALUE: dict[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.CPPTYPE_UINT32: st.sampled_from([0, 1, 2, 8, 2**32 - 1]),
    FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
    FieldDescriptor.CPPTYPE_ENUM: st.integers(-1, 20),
    FieldDescriptor.CPPTYPE_STRING: st.sampled_from(["", "mine", "ä/ö", "dragons_interest/castle"]),
}
