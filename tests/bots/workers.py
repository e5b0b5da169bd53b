"""The worker processes that this process has."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from dragonhall.bots.thinking.pool import Pool
from tests.cli.commands import children_of


def worker_processes() -> list[int]:
    """Their ids. Other children may be there: one of multiprocessing's, since an earlier test used that."""
    return [pid for pid in children_of(os.getpid()) if b"dragonhall.bots.thinking.worker" in _command_line(pid)]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended meanwhile
        return b""


async def until_thinking(pool: Pool, processes: int = 1) -> None:
    """Returns once each of the pool's first ``processes`` is busy with a question."""
    for bench in pool._benches[:processes]:
        worker = await bench.worker()
        while not worker._thinks_about:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.01)
