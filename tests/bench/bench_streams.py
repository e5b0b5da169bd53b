"""What streams cost the server's memory: ``python tests/bench/bench_streams.py``.

A server in a process of its own, and its resident memory (RSS) as streams come and go. Needs Linux, for its /proc.

* *observe*: ``Observe`` opened, read once and cancelled; RSS after every tenth of all cycles.
* *play*: the same with ``Play``, two seats attached.
* *unread*: streams whose client never reads, with the whole view at every revision, while the game is played to its end
  and more games besides. A baseline plays as much without them.
* *open*: streams that stay open and are read; RSS for each.

RSS grows at first, as the allocator's and gRPC's pools fill; what leaks goes on growing. ``--cycles`` says how many.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, from anywhere

from dragonhall.v1.play_service_pb2 import (
    VIEW_DELIVERY_ALWAYS,
    AttachSeat,
    ObserveRequest,
    PlayCommand,
    PlayRequest,
    SubmitRequest,
)
from tests.bench.bench_service import SERVE, Player, Process, process

OPTIONS = [("grpc.use_local_subchannel_pool", 1)]
"""A connection of one's own."""


def resident(server: Process) -> float:
    """The server's resident memory in MiB."""
    status = Path(f"/proc/{server.pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


async def observe_and_cancel(channel: grpc.aio.Channel, game_id: str, tokens: list[str]) -> None:
    """One ``Observe``, left after its snapshot."""
    request = ObserveRequest(game_id=game_id, seat_token=tokens[0])
    observe: Any = channel.unary_stream("/dragonhall.v1.PlayService/Observe")
    call = observe(request.SerializeToString())
    await call.read()
    call.cancel()


async def play_and_cancel(channel: grpc.aio.Channel, game_id: str, tokens: list[str]) -> None:
    """One ``Play`` with two seats, left after their snapshots."""
    attach = [
        PlayCommand(channel=i, attach=AttachSeat(game_id=game_id, seat_token=token))
        for i, token in enumerate(tokens[:2])
    ]
    call: Any = channel.stream_stream("/dragonhall.v1.PlayService/Play")()
    await call.write(PlayRequest(commands=attach).SerializeToString())
    await call.read()
    call.cancel()


Cycle = Callable[[grpc.aio.Channel, str, list[str]], Awaitable[None]]


async def cycles(server: Process, port: int, cycle: Cycle, count: int) -> None:
    """Prints RSS after every tenth of ``count`` cycles."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", OPTIONS) as channel:
        game_id, tokens = await Player(channel).create()
        print(f"{0:8} {resident(server):8.1f} MiB")
        for done in range(1, count + 1):
            await cycle(channel, game_id, tokens)
            if done % (count // 10) == 0:
                print(f"{done:8} {resident(server):8.1f} MiB", flush=True)


async def play_out(channel: grpc.aio.Channel, game_id: str, tokens: list[str]) -> None:
    """One game, to its end."""
    submit: Any = channel.unary_unary("/dragonhall.v1.PlayService/Submit")
    for seat, decision_id in Player.answers():
        request = SubmitRequest(game_id=game_id, seat_token=tokens[seat], decision_id=decision_id, action_index=0)
        await submit(request.SerializeToString())


async def unread(server: Process, port: int, streams: int, games: int) -> None:
    """Prints RSS after every tenth of ``games`` games, each with so many streams that are not read."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", OPTIONS) as channel:
        player = Player(channel)
        print(f"{0:8} {resident(server):8.1f} MiB")
        for done in range(1, games + 1):
            game_id, tokens = await player.create()
            request = ObserveRequest(game_id=game_id, seat_token=tokens[0], view_delivery=VIEW_DELIVERY_ALWAYS)
            observe: Any = channel.unary_stream("/dragonhall.v1.PlayService/Observe")
            calls = [observe(request.SerializeToString()) for _ in range(streams)]
            await play_out(channel, game_id, tokens)
            if done % max(1, games // 10) == 0:
                print(f"{done:8} {resident(server):8.1f} MiB, {streams} unread streams a game", flush=True)
            for call in calls:
                call.cancel()


async def stay_open(server: Process, port: int, count: int) -> None:
    """Prints RSS for each of ``count`` streams over one connection."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", OPTIONS) as channel:
        game_id, tokens = await Player(channel).create()
        before = resident(server)
        observe: Any = channel.unary_stream("/dragonhall.v1.PlayService/Observe")
        calls = [
            observe(ObserveRequest(game_id=game_id, seat_token=tokens[0]).SerializeToString()) for _ in range(count)
        ]
        for call in calls:
            await call.read()
        print(f"{count} streams: {(resident(server) - before) * 1024 / count:.1f} KiB each")
        for call in calls:
            call.cancel()


async def bench(count: int, only: str) -> None:
    """All whose name begins with ``only``, each with a server of its own."""
    runs: dict[str, Callable[[Process, int], Awaitable[None]]] = {
        "observe": lambda server, port: cycles(server, port, observe_and_cancel, count),
        "play": lambda server, port: cycles(server, port, play_and_cancel, count // 10),
        "games, nobody watches": lambda server, port: unread(server, port, 0, 100),
        "games, 20 streams each unread": lambda server, port: unread(server, port, 20, 100),
        "open": lambda server, port: stay_open(server, port, 1000),
    }
    for name, run in runs.items():
        if not name.startswith(only):
            continue
        with tempfile.TemporaryDirectory() as folder, process(SERVE, f"{folder}/games.db") as server:
            print(f"{name}:")
            await run(server, server.port)


def main() -> None:
    """Parse the command line, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cycles", type=int, default=10_000, help="streams opened and cancelled")
    parser.add_argument("--only", default="", help="the beginning of a measurement's name, as observe")
    arguments = parser.parse_args()
    asyncio.run(bench(arguments.cycles, arguments.only))


if __name__ == "__main__":
    main()
