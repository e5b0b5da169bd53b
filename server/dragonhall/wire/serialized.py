"""Protobuf's wire format by hand, as far as messages are put together from parts that are serialised already.

A part is made once and goes to many readers; protobuf itself can only embed messages, not their bytes.
"""

from __future__ import annotations

from typing import Final

_SHORT: Final = tuple(bytes([number]) for number in range(0x80))
"""The numbers that take one byte, among them all tags of fields below 16."""


def varint(number: int) -> bytes:
    """A number from 0 as protobuf writes it."""
    if number < 0x80:
        return _SHORT[number]
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def number_field(field: int, number: int) -> bytes:
    """An unsigned number field, 1 to 15; nothing for 0, as proto3 has it."""
    return _SHORT[field << 3] + varint(number) if number else b""


def message_field(field: int, message: bytes) -> bytes:
    """A field, 1 to 15, that holds a serialised message (or a string or bytes)."""
    return _SHORT[field << 3 | 2] + varint(len(message)) + message
