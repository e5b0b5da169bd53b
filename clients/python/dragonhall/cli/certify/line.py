"""The line between the bot and the server: TCP that can be cut, and that may lead nowhere for a while."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

_HOST: Final = "127.0.0.1"
_CHUNK: Final = 65_536


class Line:
    """A port of its own whose connections lead to another one; an async context manager.

    It is down at first: connections are reset as soon as they are made.
    """

    def __init__(self, port: int = 0) -> None:
        """``port`` 0: any free one. Entering raises `OSError` if it is not to be had."""
        self.port = port
        self.tried = asyncio.Event()
        """Whether somebody has connected, also while it was down."""
        self._server: asyncio.Server
        self._connections: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        """Both sides of all connections."""
        self._leads_to = 0

    async def __aenter__(self) -> Line:
        self._server = await asyncio.start_server(self._connected, _HOST, self.port)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self.down()

    @property
    def target(self) -> str:
        """HOST:PORT."""
        return f"{_HOST}:{self.port}"

    def up(self, leads_to: int) -> None:
        """From now on connections lead to that port of this machine."""
        self._leads_to = leads_to

    async def down(self) -> None:
        """Ends all connections and lets none be made."""
        self._leads_to = 0
        await self.cut()

    async def cut(self) -> None:
        """Ends all connections at once, in mid-message; new ones can be made."""
        for writer in list(self._writers):
            writer.transport.abort()
        if self._connections:
            await asyncio.wait(self._connections)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.tried.set()
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            with contextlib.suppress(OSError):  # nobody is there: the other side notices
                async with self._ending(writer):
                    if self._leads_to:
                        await self._join(reader, writer)
        finally:
            self._connections.discard(task)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carries everything both ways until either side ends."""
        far_reader, far_writer = await asyncio.open_connection(_HOST, self._leads_to)
        async with self._ending(far_writer):
            pumps = [asyncio.create_task(_pump(reader, far_writer)), asyncio.create_task(_pump(far_reader, writer))]
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)

    @asynccontextmanager
    async def _ending(self, writer: asyncio.StreamWriter) -> AsyncIterator[None]:
        """Ends this side of a connection in the end."""
        self._writers.add(writer)
        try:
            yield
        finally:
            self._writers.discard(writer)
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
