"""Reading fields that may be absent."""

from __future__ import annotations

from typing import Any

from dragonhall.wire.errors import InvalidMessage


def choice(message: Any, oneof: str) -> tuple[str, Any]:
    """The field of a oneof that is set, and its value. Raises `InvalidMessage` if none is."""
    kind = message.WhichOneof(oneof)
    if kind is None:
        raise InvalidMessage(oneof, "none of its fields is set (or one that this version does not know)")
    return kind, getattr(message, kind)


def optional(message: Any, field: str) -> int | None:
    """An optional number; ``None`` if it is absent."""
    return getattr(message, field) if message.HasField(field) else None
