"""A pool of worker processes, in which policies that need long think for many seats at once."""

from __future__ import annotations

import asyncio
import itertools
import logging
from types import TracebackType
from typing import Final, Self

from dragonhall.bots.operating.watcher import Watcher
from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking.messages import Leave, News, Place, Seating
from dragonhall.bots.thinking.pooled_seat import PooledSeat
from dragonhall.bots.thinking.process import PolicyFailed, WorkerDied, WorkerProcess
from dragonhall.bots.thinking.recipes import Kind, packed

_log: Final = logging.getLogger("dragonhall.bots")

_ENDED: Final = "the worker processes have been ended"
_MOST_STARTS: Final = 3
"""So often is it tried to start a worker, before a question."""


class Bench:
    """A worker's place in the pool: its process is started when it is needed, and again after it has died."""

    def __init__(self, watcher: Watcher) -> None:
        self.seats = 0
        """How many there are whose policies are here."""
        self._watcher = watcher
        self._worker: WorkerProcess | None = None
        self._starting: asyncio.Task[WorkerProcess] | None = None
        self._closed = False

    async def worker(self) -> WorkerProcess:
        """The process, alive. Raises `PolicyFailed` if none can be started."""
        if self._closed:
            raise PolicyFailed(_ENDED)
        if self._worker is not None and self._worker.is_alive:
            return self._worker
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self._start())
        try:
            return await asyncio.shield(self._starting)  # others wait for it, too
        except asyncio.CancelledError:
            if self._starting.cancelled():
                raise PolicyFailed(_ENDED) from None
            raise

    async def _start(self) -> WorkerProcess:
        if self._worker is not None:
            self._watcher.worker_died()
        for _ in range(_MOST_STARTS):
            try:
                self._worker = await WorkerProcess.start()
            except (WorkerDied, TimeoutError, OSError) as error:
                _log.error("a worker process could not be started: %s", str(error) or "it was never ready")
            else:
                _log.debug("worker process %d is ready", self._worker.pid)
                return self._worker
        raise PolicyFailed(f"no worker process could be started, {_MOST_STARTS} times: see above")

    def leave(self, place: Place) -> None:
        """Nothing more is asked in a seat."""
        self.seats -= 1
        self.tell(Leave(place))

    def tell(self, message: News) -> None:
        """Tells the process, if there is one."""
        if self._worker is not None:
            self._worker.tell(message)

    async def stop(self) -> None:
        """Ends the process, if there is one."""
        self._closed = True
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        if self._worker is not None:
            await self._worker.stop()


class Pool:
    """``size`` worker processes at most: an async context manager, which ends them all.

    A seat's policy stays with its worker, which remembers what the seat was told: with a question only what is new is
    sent. Where several workers think about one decision, each of them has such a policy.
    """

    def __init__(
        self, kind: Kind, size: int, parts: int = 1, watcher: Watcher | None = None, ponders: bool = False
    ) -> None:
        """``parts``: so many of the workers think about each decision together, at most ``size``; more than 1 only for
        policies that search. ``ponders``: they think also while others are asked."""
        if not 1 <= parts <= size:
            raise ValueError(f"{parts} of {size} worker processes cannot think about one decision")
        self._kind = kind
        self._benches = [Bench(watcher or Watcher()) for _ in range(size)]
        self._parts = parts
        self._ponders = ponders
        self._numbers = itertools.count(1)

    @property
    def processes(self) -> int:
        """How many there may be."""
        return len(self._benches)

    async def __aenter__(self) -> Self:
        """Starts the first process. Raises `PolicyFailed` if that cannot be done."""
        await self._benches[0].worker()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(bench.stop() for bench in self._benches))

    def seat(self, place: Place, game: str, chair: Chair) -> PooledSeat:
        """Who thinks for a seat: the workers that do so for the fewest. Raises `NotPortable`."""
        seating = Seating(packed(self._kind, game), chair)
        benches = sorted(self._benches, key=lambda bench: bench.seats)[: self._parts]
        for bench in benches:
            bench.seats += 1
        return PooledSeat(place, seating, benches, self._numbers, self._ponders)
