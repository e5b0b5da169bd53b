"""The worker processes: so many at most, started when they are needed, replaced when they die."""

from __future__ import annotations

import asyncio
import pickle
from typing import Final

from dragonhall.sandbox.errors import WorkerFault, too_much
from dragonhall.sandbox.frames import Beginning, Reply, Work
from dragonhall.sandbox.process import WorkerDied, WorkerProcess
from dragonhall.sandbox.settings import SandboxSettings
from dragonhall.sandbox.turns import Turns

ABANDONED_SECONDS: Final = 0.5
"""A worker that is busy with what nobody waits for any more may go on for so long."""


class Turn:
    """One slice on its way through a worker."""

    def __init__(self) -> None:
        self.worker: WorkerProcess | None = None
        self.abandoned = False

    def abandon(self) -> None:
        """Nobody waits for the answer any more."""
        self.abandoned = True
        asyncio.get_running_loop().call_later(ABANDONED_SECONDS, self._kill)

    def _kill(self) -> None:
        if self.worker is not None:
            self.worker.kill()


class Pool:
    """Computes slices. Callers take turns, slice by slice."""

    def __init__(self, settings: SandboxSettings) -> None:
        self.settings = settings
        self._beginning = pickle.dumps(
            Beginning(settings.component_sets, pickle.dumps(settings.policies), settings.memory)
        )
        self._turns = Turns(max(1, settings.workers))
        self._free: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._serving: set[asyncio.Task[Reply]] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._sweeping: asyncio.TimerHandle | None = None
        self._closing = False

    @property
    def pids(self) -> frozenset[int]:
        """Of the processes that there are."""
        return frozenset(worker.pid for worker in self._all)

    async def compute(self, work: Work, caller: str) -> Reply:
        """A worker's reply. ``caller``: who it is for. Raises `Refused` and `WorkerFault`.

        Whoever is cancelled here leaves nothing behind that runs for long.
        """
        await self._turns.take(caller)
        turn = Turn()
        serving = asyncio.create_task(self._serve(turn, pickle.dumps(work)))
        self._serving.add(serving)
        serving.add_done_callback(self._served)
        try:
            return await asyncio.shield(serving)
        except asyncio.CancelledError:
            turn.abandon()
            raise

    def _served(self, serving: asyncio.Task[Reply]) -> None:
        self._serving.discard(serving)
        self._turns.done()
        if not serving.cancelled():
            serving.exception()  # whoever waited has been told; or nobody does any more

    async def _serve(self, turn: Turn, work: bytes) -> Reply:
        """As `compute`, however long it takes and whoever has gone away meanwhile.

        A slice whose worker dies is computed once more: the worker may have been anybody's victim.
        """
        try:
            return await self._attempt(turn, work)
        except WorkerDied as death:
            if turn.abandoned or self._closing:
                raise WorkerFault(str(death)) from death
        try:
            return await self._attempt(turn, work)
        except WorkerDied as death:
            raise WorkerFault(f"two workers died of the same slice: {death}") from death

    async def _attempt(self, turn: Turn, work: bytes) -> Reply:
        """A free worker's reply, or a new one's. Raises `WorkerDied`, and `Refused` if it takes too long."""
        worker = turn.worker = self._free.pop() if self._free else await self._start()
        if turn.abandoned:  # while the new one started
            self._set_free(worker)
            raise WorkerDied("nobody waits for it any more")
        seconds = self.settings.slice_timeout.total_seconds()
        try:
            async with asyncio.timeout(seconds):
                reply = await worker.ask(work)
        except BaseException as error:
            await self._end(worker)
            if isinstance(error, TimeoutError):
                raise too_much(f"a part of the answer took more than {seconds:g} s: ask for fewer decisions") from None
            raise
        turn.worker = None
        self._set_free(worker)
        return reply

    async def _start(self) -> WorkerProcess:
        worker = await WorkerProcess.start(self._beginning)
        self._all.add(worker)
        if self._closing:
            await self._end(worker)
            raise WorkerDied("the server stops")
        return worker

    def _set_free(self, worker: WorkerProcess) -> None:
        self._free.append(worker)
        if self._sweeping is not None:
            self._sweeping.cancel()
        self._sweeping = asyncio.get_running_loop().call_later(self.settings.idle.total_seconds(), self._sweep)

    def _sweep(self) -> None:
        """Ends workers that nobody has needed for a while."""
        for worker in self._free:
            ending = asyncio.create_task(self._end(worker))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
        self._free.clear()

    async def _end(self, worker: WorkerProcess) -> None:
        self._all.discard(worker)
        await worker.end()

    async def close(self) -> None:
        """Ends all of it. Nothing is cancelled, so that nothing is left halfway: without its worker a slice ends."""
        self._closing = True
        for worker in self._all:
            worker.kill()
        await asyncio.gather(*self._serving, return_exceptions=True)
        if self._sweeping is not None:
            self._sweeping.cancel()
        self._sweep()
        await asyncio.gather(*self._ending)
