"""Messages made from the descriptors of methods: right, odd and wrong in every mixture; or bytes at random."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from hypothesis import strategies as st

Known = Mapping[str, Sequence[Any]]
"""Values that mean something, by the name of the fields that take them."""

Draw = Callable[[st.SearchStrategy[Any]], Any]

DEEPEST: Final = 6
"""No message is nested deeper: records and component sets would become whole books."""

LONGEST: Final = 1 << 16
"""Of random bytes, in bytes."""

TEXTS: Final = st.one_of(
    st.sampled_from(
        ["", "a", "dragons", "x" * 70, "x" * 5000, "\0", "\n", "é", " a", "../../etc", "'; --", "%s%n", "\u202e"]
    ),
    st.text(max_size=80),
)
SMALL: Final = st.integers(0, 7)
WHOLE: Final = {
    FieldDescriptor.CPPTYPE_INT32: st.one_of(SMALL, st.integers(-(2**31), 2**31 - 1)),
    FieldDescriptor.CPPTYPE_INT64: st.one_of(SMALL, st.integers(-(2**63), 2**63 - 1)),
    FieldDescriptor.CPPTYPE_UINT32: st.one_of(SMALL, st.integers(0, 2**32 - 1)),
    FieldDescriptor.CPPTYPE_UINT64: st.one_of(SMALL, st.integers(0, 2**64 - 1)),
    FieldDescriptor.CPPTYPE_ENUM: st.one_of(SMALL, st.integers(-(2**31), 2**31 - 1)),
    FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
    FieldDescriptor.CPPTYPE_FLOAT: st.floats(width=32),
    FieldDescriptor.CPPTYPE_DOUBLE: st.floats(),
}
BYTES: Final = st.one_of(st.sampled_from([b"", bytes(32), bytes(64), bytes(65), bytes(3000)]), st.binary(max_size=80))


def requests(method: MethodDescriptor, known: Known) -> st.SearchStrategy[Message]:
    """Messages that ``method`` takes."""
    return messages(method.input_type, known)


@st.composite
def messages(draw: Draw, descriptor: Descriptor, known: Known) -> Message:
    """Messages of one type, with any of their fields."""
    message: Message = message_factory.GetMessageClass(descriptor)()
    _fill(draw, message, known, depth=0)
    return message


def request_bytes(method: MethodDescriptor, known: Known) -> st.SearchStrategy[bytes]:
    """What may come over the wire in a message's place: a message, one that was damaged, or anything at all."""
    whole = requests(method, known).map(lambda message: message.SerializePartialToString())
    return st.one_of(whole, whole, _damaged(whole), st.binary(max_size=200), st.binary(max_size=LONGEST))


@st.composite
def _damaged(draw: Draw, whole: st.SearchStrategy[bytes]) -> bytes:
    """A message cut short, or with a byte changed."""
    data = bytearray(draw(whole))
    if not data:
        return b"\xff"
    place = draw(st.integers(0, len(data) - 1))
    if draw(st.booleans()):
        return bytes(data[:place])
    data[place] ^= draw(st.integers(1, 255))
    return bytes(data)


def _fill(draw: Draw, message: Message, known: Known, depth: int) -> None:
    for field in message.DESCRIPTOR.fields:
        values = [value for value in known.get(field.name, ()) if _fits(field, value)]
        if values and draw(st.integers(0, 3)):
            _set(message, field, draw(st.sampled_from(values)))
        elif depth < DEEPEST and draw(st.integers(0, 2)) and not _is_map(field):
            _fill_field(draw, message, field, known, depth)


def _fill_field(draw: Draw, message: Message, field: Any, known: Known, depth: int) -> None:
    value = getattr(message, field.name)
    if field.message_type is None:
        _set(message, field, draw(st.lists(_anything(field), max_size=4) if field.is_repeated else _anything(field)))
    elif field.is_repeated:
        for _ in range(draw(st.sampled_from([0, 1, 1, 2, 3, 9]))):
            _fill(draw, value.add(), known, depth + 1)
    else:
        value.SetInParent()
        _fill(draw, value, known, depth + 1)


def _fits(field: Any, value: Any) -> bool:
    """Whether a field, of which others may have the name, takes such a value."""
    if bool(field.is_repeated) != isinstance(value, list):
        return False
    one = value[0] if isinstance(value, list) else value
    if isinstance(one, Message):
        return field.message_type is not None and field.message_type.full_name == one.DESCRIPTOR.full_name
    return field.message_type is None and bool(field.type == FieldDescriptor.TYPE_STRING) == isinstance(one, str)


def _is_map(field: Any) -> bool:
    """Of those no request has any but in a record that was made up."""
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _set(message: Message, field: Any, value: Any) -> None:
    if field.is_repeated:
        getattr(message, field.name).extend(value)
    elif isinstance(value, Message):
        getattr(message, field.name).CopyFrom(value)
    else:
        setattr(message, field.name, value)


def _anything(field: Any) -> st.SearchStrategy[Any]:
    if field.type == FieldDescriptor.TYPE_BYTES:
        return BYTES
    if field.type == FieldDescriptor.TYPE_STRING:
        return TEXTS
    return WHOLE[field.cpp_type]
