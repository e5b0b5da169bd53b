"""Taking turns: so many at a time, and whoever asks for much does not come before whoever asks for little."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque


class Turns:
    """Callers in a round, each of which may wait for several turns.

    A caller whose turn has come goes to the end of the round; within a caller it is first come, first served.
    """

    def __init__(self, at_once: int) -> None:
        self._left = at_once
        self._round: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def take(self, caller: str) -> None:
        """Waits for a turn of the caller. Whoever has had it says so by `done`."""
        if self._left > 0:
            self._left -= 1
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._round.setdefault(caller, deque()).append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():  # it came at the same moment: somebody else's now
                self.done()
            raise

    def done(self) -> None:
        """A turn is over: the next one begins."""
        while self._round:
            caller, waiting = self._round.popitem(last=False)
            turn = waiting.popleft()
            if waiting:
                self._round[caller] = waiting
            if not turn.done():  # else nobody waits for it any more
                turn.set_result(None)
                return
        self._left += 1
