"""Waiting for news: a flag that publishers set and one stream waits for, and the beat of its heartbeats."""

from __future__ import annotations

import asyncio
from datetime import timedelta


class Waker:
    """Wakes one stream. Setting it twice wakes once; no news is kept here."""

    def __init__(self) -> None:
        self._is_set = False
        self._waiting: asyncio.Future[None] | None = None

    def wake(self) -> None:
        """There is something to look at."""
        self._is_set = True
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def wait(self) -> None:
        """Until `wake` was called since the last time."""
        if not self._is_set:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
            self._waiting = None
        self._is_set = False


class Beat:
    """Strikes once an interval: `is_struck` tells whether since the last look, and the stream is woken."""

    def __init__(self, interval: timedelta, waker: Waker) -> None:
        self._interval = interval.total_seconds()
        self._waker = waker
        self._struck = False
        self._next = asyncio.get_running_loop().call_later(self._interval, self._strike)

    def _strike(self) -> None:
        self._struck = True
        self._waker.wake()
        self._next = asyncio.get_running_loop().call_later(self._interval, self._strike)

    def is_struck(self) -> bool:
        """Whether an interval has passed since the last look."""
        struck, self._struck = self._struck, False
        return struck

    def stop(self) -> None:
        """No more beats."""
        self._next.cancel()
