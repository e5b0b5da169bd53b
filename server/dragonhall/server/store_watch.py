"""Looks after a store whose writes fail: the server's health tells of it, and it is tried until they are done again.

Nothing has to be restarted: reads go on meanwhile, and the first write that is done ends it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from dragonhall.server.hub import Hub
from dragonhall.server.store.base import StoreError
from dragonhall.server.store.sqlite import SqliteStore

logger = logging.getLogger("dragonhall.server")

FIRST_SECONDS: Final = 0.25
LONGEST_SECONDS: Final = 10.0
"""Between two tries."""


class StoreWatch:
    """Watches over the writes of one store. ``tell`` is told whether they can be done."""

    def __init__(self, store: SqliteStore, hub: Hub, tell: Callable[[bool], Awaitable[None]]) -> None:
        self._store = store
        self._hub = hub
        self._tell = tell
        self._changed = asyncio.Event()
        store.on_failing = lambda failing: self._changed.set()

    async def run(self) -> None:
        """Watches until cancelled."""
        while True:
            await self._changed.wait()
            await self._see_through()

    async def _see_through(self) -> None:
        """From the first write that failed to the first that is done."""
        while self._store.failing_since_us is not None:
            logger.error("event=writes_fail")
            await self._tell(False)
            await self._try_until_done()
        self._changed.clear()
        from_us, to_us = self._store.outages[-1]
        logger.warning("event=writes_done_again seconds=%.1f", (to_us - from_us) / 1e6)
        await self._hub.owe(from_us, to_us)
        await self._tell(True)

    async def _try_until_done(self) -> None:
        pause = FIRST_SECONDS
        while self._store.failing_since_us is not None:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_SECONDS)
            with suppress(StoreError):
                await self._store.probe()
