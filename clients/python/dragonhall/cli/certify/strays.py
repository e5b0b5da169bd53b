"""Processes that a bot has started and that are in no process group of its: daemons, say, or a browser's helpers.

A bot's whole process group ends with it, but who begins a session of its own (setsid) leaves the group, and with its
parent's end the tree as well. What it keeps is the environment that it was started with, so that has a mark in it.
Linux shows processes' environments to their user; elsewhere, and where a process was started with another environment,
strays stay what they are.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MARK_VARIABLE: Final = "DRAGONHALL_CERTIFY_MARK"
_PROCESSES: Final = Path("/proc")
_ROUNDS: Final = 20
"""So often strays may beget others while they are being ended."""


def new_mark() -> str:
    """One that no other bot's processes have."""
    return secrets.token_hex(16)


def end_strays(mark: str) -> None:
    """Kills whoever has the ``mark`` in its environment."""
    for _ in range(_ROUNDS):
        if not sum(_kill(process, mark) for process in _processes()):
            return


def _processes() -> Iterator[int]:
    if sys.platform == "linux" and _PROCESSES.is_dir():
        yield from (int(entry.name) for entry in _PROCESSES.iterdir() if entry.name.isdecimal())


def _kill(process: int, mark: str) -> bool:
    """Whether it was one. It is held by a descriptor meanwhile, so that nobody else can get its number."""
    if sys.platform != "linux":
        return False
    with contextlib.suppress(OSError):  # it has ended, or is somebody else's
        held = os.pidfd_open(process)
        try:
            if f"{MARK_VARIABLE}={mark}".encode() in (_PROCESSES / str(process) / "environ").read_bytes().split(b"\0"):
                signal.pidfd_send_signal(held, signal.SIGKILL)
                return True
        finally:
            os.close(held)
    return False
