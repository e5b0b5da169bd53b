"""A worker process as the bot's event loop sees it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import sys
from typing import Final

from dragonhall.bots.thinking.messages import (
    LENGTH,
    Answer,
    Ask,
    Begun,
    Choice,
    Drop,
    Fault,
    Hello,
    News,
    Ready,
    written,
)

_log: Final = logging.getLogger("dragonhall.bots")

_START_LIMIT: Final = 60.0
"""Seconds until a worker has to be ready. Generous: a busy machine imports slowly."""
_GRACE: Final = 5.0
"""Seconds until a worker whose pipe was closed is killed."""
_DROP_LIMIT: Final = 10.0
"""Seconds until a worker is killed whose policy does not stop thinking when it may."""


class PolicyFailed(Exception):
    """A policy raised an exception, chose what is no position, or ended its process. The message has the traceback."""


class WorkerDied(Exception):
    """A worker process has ended before it had answered."""

    def __init__(self, code: int, was_thinking: bool) -> None:
        super().__init__(f"the worker process ended with exit code {code}")
        self.was_thinking = was_thinking
        """About the question that has no answer now: it may be the cause."""


class WorkerProcess:
    """One process that thinks about one question after another. It ends when its standard input is closed, so also
    when this process is killed."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._asked: dict[int, asyncio.Future[Choice]] = {}
        self._thinks_about = 0
        """The number of a question; 0: none."""
        self._ready = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls) -> WorkerProcess:
        """Returns once it can be asked. Raises `WorkerDied` or `TimeoutError`."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "dragonhall.bots.thinking.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        worker = cls(process)
        try:
            worker._send(Hello(tuple(sys.path)))
            async with asyncio.timeout(_START_LIMIT):
                await worker._ready.wait()
            if not worker.is_alive:
                raise WorkerDied(await process.wait(), was_thinking=False)
        except BaseException:
            worker._kill()
            await worker.stop()
            raise
        return worker

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return not self._listening.done()

    async def ask(self, ask: Ask) -> Choice:
        """Raises `WorkerDied` and `PolicyFailed`. A caller that is cancelled is not thought for any longer."""
        answer: asyncio.Future[Choice] = asyncio.get_running_loop().create_future()
        self._asked[ask.number] = answer
        self._send(ask)
        try:
            return await answer
        except asyncio.CancelledError:
            self._send(Drop(ask.number))
            asyncio.get_running_loop().call_later(_DROP_LIMIT, self._end_if_stubborn, ask.number)
            raise
        finally:
            self._asked.pop(ask.number, None)

    def _end_if_stubborn(self, number: int) -> None:
        """Others wait for the worker, and its policy goes on with what nobody needs."""
        if self._thinks_about == number:
            _log.warning("worker process %d thinks on about a question that was dropped; it is ended", self.pid)
            self._kill()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def tell(self, message: News) -> None:
        """Sends what has no answer."""
        self._send(message)

    async def stop(self) -> None:
        """Ends the process, whatever it is thinking about."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._ended()
        await asyncio.gather(self._listening, return_exceptions=True)

    async def _ended(self) -> int:
        """The exit code, once the process has ended; soon it is made to."""
        try:
            async with asyncio.timeout(_GRACE):
                return await self._process.wait()
        except TimeoutError:
            self._kill()
            return await self._process.wait()

    def _send(self, message: object) -> None:
        if self.is_alive:
            assert self._process.stdin is not None
            self._process.stdin.write(written(message))

    # -- what it says -------------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        try:
            await self._hear_all()
        finally:
            code = await self._ended()
            self._ready.set()
            for number, answer in self._asked.items():
                if not answer.done():
                    answer.set_exception(WorkerDied(code, number == self._thinks_about))

    async def _hear_all(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                (length,) = LENGTH.unpack(await self._process.stdout.readexactly(LENGTH.size))
                self._hear(pickle.loads(await self._process.stdout.readexactly(length)))

    def _hear(self, message: object) -> None:
        if isinstance(message, Ready):
            self._ready.set()
        elif isinstance(message, Begun):
            self._thinks_about = message.number
        elif isinstance(message, Answer | Fault):
            self._thinks_about = 0
            answer = self._asked.get(message.number)
            if answer is not None and not answer.done():
                _settle(answer, message)


def _settle(answer: asyncio.Future[Choice], message: Answer | Fault) -> None:
    if isinstance(message, Answer):
        answer.set_result(message.choice)
    else:
        answer.set_exception(PolicyFailed(message.traceback))
