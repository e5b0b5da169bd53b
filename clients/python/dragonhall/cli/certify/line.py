"""The line between the bot and the server: TCP that can be cut, and that may lead nowhere for a while."""

from __future__ import annotations

import asyncio
import contextlib
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
        connections = list(self._connections)
        for connection in connections:
            connection.cancel()
        await asyncio.gather(*connections, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.tried.set()
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            if self._leads_to:
                await _join(reader, writer, self._leads_to)
        except (OSError, asyncio.CancelledError):  # nobody is there, or cut: the other side notices
            pass
        finally:
            self._connections.discard(task)
            await _end(writer)


async def _join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    """Carries everything both ways until either side ends."""
    far_reader, far_writer = await asyncio.open_connection(_HOST, port)
    pumps = [asyncio.create_task(_pump(reader, far_writer)), asyncio.create_task(_pump(far_reader, writer))]
    try:
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        await _end(far_writer)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()


async def _end(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
