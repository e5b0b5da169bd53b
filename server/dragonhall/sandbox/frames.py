"""What goes through the pipes between the server and a worker: a length, then as many bytes.

To a worker goes what the server has pickled: the worker trusts the server. Back come plain bytes that mean one of a few
things: nothing that a worker says could make the server do anything but pass it on or refuse.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from struct import Struct
from typing import Any, Final

from dragonhall.sandbox.errors import Refused, WorkerFault
from dragonhall.sandbox.slices import Slice

LENGTH: Final = Struct(">I")
_SPENT: Final = Struct(">cd")


@dataclass(frozen=True)
class Beginning:
    """What a worker is told first."""

    component_sets: Mapping[str, Mapping[str, Any]]
    policies: bytes
    """Pickled: by game and name who makes them. They are imported when they are needed."""
    memory: int
    """Bytes of address space at most."""


@dataclass(frozen=True)
class Work:
    """What a worker is asked."""

    knowledge: bytes
    """A serialised Knowledge."""
    slice: Slice


class Kind(Enum):
    """What a worker says."""

    ANSWER = b"a"
    """A serialised response."""
    REFUSAL = b"r"
    """JSON: a `Refused`."""
    FAULT = b"f"
    """Text for the server's log."""


@dataclass(frozen=True)
class Reply:
    """A worker's whole reply."""

    kind: Kind
    seconds: float
    """Of processor time, spent on it."""
    body: bytes

    @classmethod
    def refusal(cls, refused: Refused, seconds: float) -> Reply:
        """What is refused, and why."""
        body = json.dumps([refused.reason, refused.message, refused.details]).encode()
        return cls(Kind.REFUSAL, seconds, body)

    def packed(self) -> bytes:
        """As it goes through the pipe, with its length."""
        content = _SPENT.pack(self.kind.value, self.seconds) + self.body
        return LENGTH.pack(len(content)) + content

    @classmethod
    def unpacked(cls, content: bytes) -> Reply:
        """Without its length. Raises `ValueError` for what is none."""
        if len(content) < _SPENT.size:
            raise ValueError("too short")
        kind, seconds = _SPENT.unpack_from(content)
        return cls(Kind(kind), seconds, content[_SPENT.size :])

    def answer(self) -> bytes:
        """The response. Raises `Refused` or `WorkerFault` if it is none."""
        if self.kind is Kind.ANSWER:
            return self.body
        if self.kind is Kind.REFUSAL:
            reason, message, details = json.loads(self.body)
            raise Refused(reason, message, **details)
        raise WorkerFault(self.body.decode(errors="replace"))
