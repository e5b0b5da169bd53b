"""How a sandbox is set up."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from dragonhall.sandbox.playing import PolicyMaker


def default_workers() -> int:
    """Half of the processors, one at least: the games come first."""
    return max(1, (os.cpu_count() or 1) // 2)


@dataclass(frozen=True)
class SandboxLimits:
    """What a request may ask for. Beyond it: LIMIT_EXCEEDED."""

    history: int = 20_000
    """Events in a knowledge: many times the longest game that anybody plays."""
    lines: int = 10_000
    """In one request."""
    moves: int = 1_000
    """In one line."""
    positions: int = 10_000
    """In one Explore."""
    playouts: int = 1_000_000
    """In one RollOut."""
    decisions: int = 10_000
    """In one playout: what is longer is scored as it stands."""
    seconds: int = 60
    """Of processor time for one call."""


@dataclass(frozen=True)
class SandboxSettings:
    """All settings of a sandbox, with their defaults."""

    workers: int = field(default_factory=default_workers)
    """Processes that compute, at most; each starts when it is first needed. 0: there is no sandbox."""
    limits: SandboxLimits = field(default_factory=SandboxLimits)
    policies: Mapping[str, Mapping[str, PolicyMaker]] = field(default_factory=dict)
    """By game and name: who can play on, besides ``random``. Pickled on the way to the workers."""
    component_sets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By game and id, further ones than each game's default."""
    calls: int = 256
    """Calls of all callers under way at most."""
    slice_timeout: timedelta = timedelta(seconds=30)
    """A worker that is busy for so long with one part of an answer is ended. It should take some ten milliseconds."""
    idle: timedelta = timedelta(minutes=1)
    """A worker that has nothing to do for so long ends."""
    memory: int = 1 << 31
    """Bytes of address space of one worker, where the system can limit it."""
