"""Bytes on the port that are no gRPC, in every stage of a connection: they end at that connection.

Meanwhile games are played as ever, and afterwards the server has grown by nothing worth mentioning. ``--fuzz 5000`` for
a long look.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.processes import ServerProcess
from tests.service.harness import Client, connected

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS: Final = b"\0\0\0\x04\0\0\0\0\0"
"""An empty SETTINGS frame: with it the connection stands."""

MOST_GROWTH_KIB: Final = 16 * 1024

STAGES: Final = {
    "nothing": b"",
    "HTTP/1.1": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
    "half a preface": PREFACE[:11],
    "a preface": PREFACE,
    "a connection that stands": PREFACE + SETTINGS,
    "a frame that promises 16 MiB": PREFACE + SETTINGS + b"\xff\xff\xff\0\0\0\0\0\x01",
    "a stream's headers": PREFACE + SETTINGS + b"\0\0\x05\x01\x04\0\0\0\x01\x83\x86\x44\x01\x2f",
    "a stream that is not open": PREFACE + SETTINGS + b"\0\0\x08\0\0\x7f\xff\xff\xff" + bytes(8),
}


async def send(port: int, data: bytes) -> None:
    """Sends bytes, and reads until the server hangs up or has nothing to say for a moment."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with suppress(ConnectionError, TimeoutError):
        writer.write(data)
        await writer.drain()
        async with asyncio.timeout(0.05):
            while await reader.read(1 << 16):
                pass
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def garbage(port: int, connections: int, rng: Random) -> None:
    """Random bytes after each stage in turn."""
    for _ in range(connections):
        stage = rng.choice(list(STAGES.values()))
        await send(port, stage + rng.randbytes(rng.choice([0, 1, 9, 100, 20_000])))


async def linger(port: int, connections: int, rng: Random) -> list[asyncio.StreamWriter]:
    """Connections that send the beginning of something, and then nothing more."""
    writers = []
    for _ in range(connections):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        whole = rng.choice(list(STAGES.values()))
        writer.write(whole[: rng.randrange(len(whole) + 1)])
        writers.append(writer)
    return writers


async def trickle(port: int, until: asyncio.Event) -> None:
    """A request that comes byte by byte (a slow loris), for as long as the server takes it."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    with suppress(ConnectionError):
        for byte in STAGES["a stream's headers"] * 100:
            writer.write(bytes([byte]))
            await writer.drain()
            with suppress(TimeoutError):
                await asyncio.wait_for(until.wait(), 0.01)
            if until.is_set():
                break
    writer.close()


def memory_kib(pid: int) -> int:
    """What a process has in memory."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux, for its /proc")
async def test_bytes_that_are_no_grpc_harm_nobody(process: ServerProcess, pytestconfig: pytest.Config) -> None:
    rng, enough = Random(1), asyncio.Event()
    connections = 5 * pytestconfig.getoption("--fuzz")
    async with connected(process.port) as channel:
        client = Client(channel)
        await client.play_out(await client.seated(3))
        await garbage(process.port, 100, rng)
        before = memory_kib(process.pid)
        slow = [asyncio.create_task(trickle(process.port, enough)) for _ in range(20)]
        open_halfway = await linger(process.port, 50, rng)
        playing = asyncio.create_task(client.play_out(await client.seated(3)))
        await asyncio.gather(*(garbage(process.port, connections // 10, Random(i)) for i in range(10)))
        await asyncio.wait_for(playing, 20)
        for writer in open_halfway:
            writer.close()
        enough.set()
        await asyncio.gather(*slow)
        await client.play_out(await client.seated(3))
        assert memory_kib(process.pid) - before < MOST_GROWTH_KIB
    assert await process.stop() == 0
    log = process.log.read_text(encoding="utf-8")
    assert "Traceback" not in log
    assert "event=fault" not in log
