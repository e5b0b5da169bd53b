"""When somebody's time is up, in which game: all clocks of a server, the earliest first."""

from __future__ import annotations

import asyncio
import heapq


class Deadlines:
    """The earliest deadline of each game that has one (Unix time in microseconds)."""

    def __init__(self) -> None:
        self._by_game: dict[str, int] = {}
        self._heap: list[tuple[int, str]] = []
        """Holds every deadline, and others that were changed since."""
        self._earlier = asyncio.Event()

    def __len__(self) -> int:
        """How many games have a clock that runs."""
        return len(self._by_game)

    def set(self, game_id: str, deadline_us: int | None) -> None:
        """Notes a game's deadline; ``None``: it has none any more."""
        if deadline_us is None:
            self._by_game.pop(game_id, None)
            return
        if self._by_game.get(game_id) == deadline_us:
            return
        before = self.earliest_us()
        self._by_game[game_id] = deadline_us
        if len(self._heap) > 2 * len(self._by_game) + 16:
            self._heap = [(deadline, game) for game, deadline in self._by_game.items()]
            heapq.heapify(self._heap)
        else:
            heapq.heappush(self._heap, (deadline_us, game_id))
        if before is None or deadline_us < before:
            self._earlier.set()

    def earliest_us(self) -> int | None:
        """The next deadline of all."""
        while self._heap and self._by_game.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def take_due(self, now_us: int) -> list[str]:
        """Takes out the games whose deadline is not after ``now_us``, the earliest first.

        Whoever sees to them sets their next one.
        """
        due = []
        while (earliest_us := self.earliest_us()) is not None and earliest_us <= now_us:
            _, game_id = heapq.heappop(self._heap)
            del self._by_game[game_id]
            due.append(game_id)
        return due

    async def wait(self, seconds: float | None) -> None:
        """So long, ``None`` for ever, or until an earlier deadline is set."""
        self._earlier.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._earlier.wait()
        except TimeoutError:
            pass
