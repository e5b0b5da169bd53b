"""What a server puts up with from connections: pings, number of calls, age. The clients here are plain HTTP/2."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from dragonhall.server import Connections, Limits
from dragonhall.v1 import play_service_pb2
from tests.service.harness import running

SETTINGS, PING, GOAWAY, HEADERS, DATA = 4, 6, 7, 1, 0
ACK, END_HEADERS = 1, 4
ENHANCE_YOUR_CALM: Final = 11
MAX_CONCURRENT_STREAMS: Final = 3
PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


class Http2:
    """A connection that sends what it is told and keeps what it is sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.settings: dict[int, int] = {}
        self.acks = 0
        self.pings = 0
        self.answers_pings = True
        self.goaway: tuple[int, str] | None = None
        self.ended = asyncio.Event()
        self.opened = asyncio.Event()
        """The first call has an answer."""
        self._reading = asyncio.create_task(self._read())
        writer.write(PREFACE)
        self.send(SETTINGS)

    def send(self, kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"") -> None:
        """One frame."""
        self._writer.write(struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload)

    def ping(self) -> None:
        self.send(PING, payload=b"are you?")

    def call(self, method: str, message: bytes) -> None:
        """A call that is never ended from here."""
        fields = {
            ":method": "POST",
            ":scheme": "http",
            ":path": method,
            ":authority": "localhost",
            "content-type": "application/grpc",
            "te": "trailers",
        }
        block = b"".join(b"\0" + _text(name) + _text(value) for name, value in fields.items())
        self.send(HEADERS, END_HEADERS, 1, block)
        self.send(DATA, 0, 1, struct.pack(">BI", 0, len(message)) + message)

    async def _read(self) -> None:
        try:
            while True:
                head = await self._reader.readexactly(9)
                length = int.from_bytes(head[:3], "big")
                self._take(head[3], head[4], await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, OSError):
            self.ended.set()

    def _take(self, kind: int, flags: int, payload: bytes) -> None:
        if kind == SETTINGS and not flags & ACK:
            self.settings.update(struct.unpack_from(">HI", payload, at) for at in range(0, len(payload), 6))
            self.send(SETTINGS, ACK)
        elif kind == PING and flags & ACK:
            self.acks += 1
        elif kind == PING:
            self.pings += 1
            if self.answers_pings:
                self.send(PING, ACK, payload=payload)
        elif kind == GOAWAY and (self.goaway is None or self.goaway[0] == 0):
            self.goaway = (struct.unpack_from(">I", payload, 4)[0], payload[8:].decode())
        elif kind == DATA:
            self.opened.set()

    def close(self) -> None:
        self._reading.cancel()
        self._writer.close()


def _text(value: str) -> bytes:
    """A HPACK string, as it is."""
    assert len(value) < 127
    return bytes([len(value)]) + value.encode()


@asynccontextmanager
async def http2(port: int) -> AsyncIterator[Http2]:
    connection = Http2(*await asyncio.open_connection("127.0.0.1", port))
    try:
        yield connection
    finally:
        connection.close()


def settings(**some: float) -> Connections:
    """Connections' settings in seconds."""
    return Connections(**{name: timedelta(seconds=value) for name, value in some.items()})  # type: ignore[arg-type]


INTERVAL: Final = 0.2


@pytest.mark.parametrize("with_a_stream", [False, True], ids=["idle", "with a quiet stream"])
async def test_a_client_that_pings_as_often_as_it_may_is_answered(tmp_path: Path, with_a_stream: bool) -> None:
    async with running(tmp_path / "games.db", connections=settings(least_ping_interval=INTERVAL)) as server:
        game_id = (await server.create()).game.game_id
        async with http2(server.port) as connection:
            if with_a_stream:
                watch = play_service_pb2.ObserveRequest(game_id=game_id).SerializeToString()
                connection.call("/dragonhall.v1.PlayService/Observe", watch)
                await asyncio.wait_for(connection.opened.wait(), 30)
            for _ in range(8):
                connection.ping()
                await asyncio.sleep(INTERVAL)
            await until(lambda: connection.acks == 8)
            assert connection.goaway is None


async def test_a_client_that_pings_more_often_is_told_and_sent_away(tmp_path: Path) -> None:
    strict = settings(least_ping_interval=60.0)
    async with running(tmp_path / "games.db", connections=strict) as server, http2(server.port) as connection:
        for _ in range(8):
            connection.ping()
            await asyncio.sleep(0.02)
        await asyncio.wait_for(connection.ended.wait(), 30)
        assert connection.goaway == (ENHANCE_YOUR_CALM, "too_many_pings")


async def test_a_connection_that_is_silent_is_asked_and_closed_without_an_answer(tmp_path: Path) -> None:
    anxious = settings(ping_every=0.3, ping_timeout=2.0)
    async with (
        running(tmp_path / "games.db", connections=anxious) as server,
        http2(server.port) as alive,
        http2(server.port) as dead,
    ):
        dead.answers_pings = False
        await asyncio.wait_for(dead.ended.wait(), 30)
        await until(lambda: alive.pings >= 3)
        assert not alive.ended.is_set()


async def test_a_connection_that_is_old_is_asked_to_make_way_and_its_calls_may_end(tmp_path: Path) -> None:
    old = settings(max_age=0.3, max_age_grace=0.6)
    async with running(tmp_path / "games.db", connections=old) as server:
        game_id = (await server.create()).game.game_id
        async with http2(server.port) as connection:
            watch = play_service_pb2.ObserveRequest(game_id=game_id).SerializeToString()
            connection.call("/dragonhall.v1.PlayService/Observe", watch)
            await until(lambda: connection.goaway is not None)
            asked = time.monotonic()
            assert connection.goaway == (0, "max_age")
            await asyncio.wait_for(connection.ended.wait(), 30)
            assert time.monotonic() - asked > 0.3


async def test_a_connection_is_told_how_many_calls_it_may_have(tmp_path: Path) -> None:
    few = Connections(max_streams=123)
    async with running(tmp_path / "games.db", connections=few) as server, http2(server.port) as connection:
        await until(lambda: bool(connection.settings))
        assert connection.settings[MAX_CONCURRENT_STREAMS] == 123


async def test_credentials_of_the_largest_size_get_through(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        large: Any = (("authorization", f"Bearer {'x' * 8192}"),)
        rules: Any = server.channel.unary_unary("/dragonhall.v1.GameService/ListRules")
        for _ in range(20):
            assert await rules(b"", metadata=large)


def test_quotas_refuse_before_a_connection_is_full() -> None:
    """A client holds back calls beyond a connection's number without a word: the quota has to speak first."""
    assert Limits().max_streams_per_caller < Connections().max_streams


async def until(is_so: Any) -> None:
    """Waits until something is so."""
    async with asyncio.timeout(30):
        while not is_so():  # noqa: ASYNC110 - frames come when they come
            await asyncio.sleep(0.01)
