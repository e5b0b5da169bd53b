"""One worker process, as the server sees it: it is asked one thing at a time, and may die of it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import Final, Self

from dragonhall.sandbox.frames import LENGTH, Reply

RUN: Final = "from dragonhall.sandbox.worker import main; main()"
START_SECONDS: Final = 60.0
"""Until a new process has to be ready. Generous: a busy machine imports slowly."""
MOST_BYTES: Final = 1 << 28
"""Of one reply."""


class WorkerDied(Exception):
    """The process ended, or says nothing that can be understood."""


class WorkerProcess:
    """The process and its pipes, in the running event loop.

    It is no process of asyncio's: event loops may fork for theirs, and gRPC, with its threads, does not like that.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        replies: asyncio.StreamReader,
        pipes: tuple[asyncio.ReadTransport, asyncio.WriteTransport],
    ) -> None:
        self._process = process
        self._replies = replies
        self._source, self._sink = pipes

    @classmethod
    async def start(cls, beginning: bytes) -> Self:
        """A new one, which has been told its ``beginning`` and is ready to work. Raises `WorkerDied`."""
        process = await asyncio.to_thread(_popen)
        loop, replies = asyncio.get_running_loop(), asyncio.StreamReader()
        source, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(replies), process.stdout)
        sink, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, process.stdin)
        worker = cls(process, replies, (source, sink))
        try:
            async with asyncio.timeout(START_SECONDS):
                await worker.ask(beginning)
        except TimeoutError:
            await worker.end()
            raise WorkerDied(f"worker {worker.pid}: not ready after {START_SECONDS:g} s") from None
        except WorkerDied:
            await worker.end()
            raise
        return worker

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    async def ask(self, work: bytes) -> Reply:
        """Its reply. Raises `WorkerDied`."""
        try:
            self._send(work)
            length: int = LENGTH.unpack(await self._replies.readexactly(LENGTH.size))[0]
            if length > MOST_BYTES:
                raise WorkerDied(f"worker {self.pid}: a reply of {length} bytes")
            return Reply.unpacked(await self._replies.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
            raise WorkerDied(f"worker {self.pid}: {error}") from error

    def _send(self, data: bytes) -> None:
        self._sink.write(LENGTH.pack(len(data)) + data)

    def kill(self) -> None:
        """Ends it, whatever it does."""
        self._process.kill()

    async def end(self) -> None:
        """Ends it, and waits for that."""
        self.kill()
        self._source.close()
        if not self._sink.is_closing():  # as it does by itself when nobody is there to read
            self._sink.abort()
        await asyncio.to_thread(self._process.wait)


def _popen() -> subprocess.Popen[bytes]:
    """Its hashes are not salted, since an answer depends on its request alone; Ctrl-C is for the server."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", RUN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
