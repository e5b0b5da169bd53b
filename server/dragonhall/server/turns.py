"""Taking turns: work that keeps the event loop busy for a while is done piece by piece, and others come in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """The turns of one event loop: one piece of work at a time, whoever wants it done."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Around a piece of work that awaits nothing.

        While others wait for theirs, everything else has the loop for as long as the piece took: answers to decisions
        that are under way are not late because many look at the past.
        """
        time = asyncio.get_running_loop().time
        self._waiting += 1
        try:
            await self._lock.acquire()
        finally:
            self._waiting -= 1
        try:
            began = time()
            yield
            took = time() - began
            await asyncio.sleep(0)  # whoever came at the same moment is waiting after this
            if self._waiting:
                await asyncio.sleep(took)
        finally:
            self._lock.release()
