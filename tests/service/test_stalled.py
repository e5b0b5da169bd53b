"""A client that does not read costs the server no memory and slows nobody down; when it reads, it is caught up."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dragonhall.v1.play_service_pb2 import STREAM_CONTENT_UPDATES as UPDATES
from tests.processes import ServerProcess
from tests.service.harness import ALWAYS, Client, connected, dragonisles
from tests.service.promises import Recorded
from tests.service.streams import Stream

STREAMS = 4
CHANNELS = 100

MOST_BYTES = 12 << 20
"""By which the server may grow meanwhile: HTTP/2 lets it send 64 KiB a stream that nobody reads."""


@pytest.fixture
async def process(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    async with ServerProcess(tmp_path, "--max-lag", "20", "--heartbeat", "30") as server:
        yield server


@pytest.mark.skipif(sys.platform != "linux", reason="reads the server's memory from /proc")
async def test_readers_that_stall_cost_no_memory_slow_nobody_and_are_caught_up(process: ServerProcess) -> None:
    async with connected(process.port) as channel:
        client = Client(channel)
        await play_a_game(client, stalled=0)
        before = resident(process.pid)
        told, streams = await play_a_game(client, stalled=STREAMS)
        assert resident(process.pid) - before < MOST_BYTES
        assert STREAMS * CHANNELS * sum(message.ByteSize() for message in told.messages) > 2 * MOST_BYTES
        for stream in streams:
            await stream.receive_to_end()
            for recorded in stream.channels.values():
                snapshots = [message.snapshot for message in recorded.messages if message.HasField("snapshot")]
                assert [snapshot.caught_up for snapshot in snapshots] == [False, True]
                assert snapshots[-1].game.HasField("outcome")


async def play_a_game(client: Client, stalled: int) -> tuple[Recorded, list[Stream]]:
    """A game played to its end by players who read, and so many streams that were opened before and are not read."""
    game = await client.seated(3, options=dragonisles(), seed=bytes(32))
    watching = asyncio.create_task(client.watch_to_end(game.game_id, view_delivery=ALWAYS, content=UPDATES))
    await asyncio.sleep(0)
    streams = [Stream(client.play.Play()) for _ in range(stalled)]
    for stream in streams:
        await stream.send(*(stream.attach(game, None, i, view_delivery=ALWAYS) for i in range(1, CHANNELS + 1)))
    async with asyncio.timeout(60):
        await client.play_out(game)
        return await watching, streams


def resident(pid: int) -> int:
    """The resident memory of a process, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024
