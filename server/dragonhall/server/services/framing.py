"""The services' stream messages, put together from parts that are serialised already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dragonhall.wire.serialized import message_field, number_field


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
