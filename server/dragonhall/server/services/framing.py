"""Protobuf's wire format by hand, as far as messages are put together from parts that are serialised already.

A part is made once and goes to many readers; protobuf itself can only embed messages, not their bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def observe_response(revision: int, field: int, message: bytes) -> bytes:
    """An ``ObserveResponse``; ``field`` 2: snapshot, 3: update, 4: heartbeat."""
    return number_field(1, revision) + message_field(field, message)


def play_message(channel: int, command_id: int, field: int, message: bytes) -> bytes:
    """A ``PlayMessage``, as one of a ``PlayResponse``; ``field`` 3: observation, 4: result, 5: error, 6: closed."""
    return message_field(1, number_field(1, channel) + number_field(2, command_id) + message_field(field, message))


def play_responses(messages: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """``PlayResponse``s of what `play_message` made, of at most ``limit`` bytes unless a single message has more."""
    parts: list[bytes] = []
    size = 0
    for message in messages:
        if parts and size + len(message) > limit:
            yield b"".join(parts)
            parts, size = [], 0
        parts.append(message)
        size += len(message)
    if parts:
        yield b"".join(parts)
