"""What a server costs besides actions: ``python tests/bench/bench_scale.py``.

* *spectators*: server CPU time to bring one observation to each of 1,000 spectators, as a ratio to a server that does
  nothing but wake 1,000 streams and write the same bytes to each, measured in turns in the same run.
* *games*: memory for each game that is being played, and for each that nobody has used for a while.
* *back*: how long an idle game takes to come back from the store, of each kind, played to its end.
* *start*: how long a server takes to start on a store of 100,000 games, of which 5,000 have clocks that run.

Needs Linux, for its /proc.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, from anywhere

from dragonhall.v1.play_service_pb2 import ObserveRequest, SubmitRequest
from tests.bench.bench_service import Meter, Player, Process, process
from tests.bench.bench_streams import resident
from tests.service.harness import dragonisles, dragons, dragons_interest, running
from tests.service.test_scale import copy_game

SPECTATORS = 1000
OBSERVATION_BYTES = 160

SERVE = """
import sys
from datetime import timedelta
from pathlib import Path
from dragonhall.server import ServerConfig, run
idle = timedelta(seconds=float(sys.argv[2]))
run(ServerConfig(listen="127.0.0.1:0", store=Path(sys.argv[1]), idle=idle, log_level="ERROR"))
"""

FAN_OUT = """
import asyncio, grpc
from dragonhall.server.app import _collect_garbage_less_often, _loop_factory

log, waiting = [], []

async def watch(request, context):
    seen = len(log)
    await context.write(request)
    while True:
        while seen < len(log):
            await context.write(log[seen])
            seen += 1
        future = asyncio.get_running_loop().create_future()
        waiting.append(future)
        await future

async def publish(request, context):
    log.append(request)
    woken = waiting[:]
    waiting.clear()
    for future in woken:
        if not future.done():
            future.set_result(None)
    return b""

async def main():
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("FanOut", {
        "Watch": grpc.unary_stream_rpc_method_handler(watch),
        "Publish": grpc.unary_unary_rpc_method_handler(publish),
    }),))
    print(f"serving on :{server.add_insecure_port('127.0.0.1:0')}", flush=True)
    await server.start()
    await server.wait_for_termination()

_collect_garbage_less_often()
with asyncio.Runner(loop_factory=_loop_factory()) as runner:
    runner.run(main())
"""


# Spectators


async def read_all(calls: list[Any]) -> None:
    """One message from each."""
    await asyncio.gather(*(call.read() for call in calls))


async def to_spectators(channel: grpc.aio.Channel, meter: Meter, observations: int) -> None:
    """One game with spectators; each answer is brought to all of them."""
    game_id, tokens = await Player(channel).create()
    observe: Any = channel.unary_stream("/dragonhall.v1.PlayService/Observe")
    calls = [observe(ObserveRequest(game_id=game_id).SerializeToString()) for _ in range(SPECTATORS)]
    await read_all(calls)
    submit: Any = channel.unary_unary("/dragonhall.v1.PlayService/Submit")
    with meter:
        for seat, decision_id in Player.answers()[:observations]:
            request = SubmitRequest(game_id=game_id, seat_token=tokens[seat], decision_id=decision_id, action_index=0)
            await submit(request.SerializeToString())
            await read_all(calls)
            meter.actions += SPECTATORS
    for call in calls:
        call.cancel()


async def to_watchers(channel: grpc.aio.Channel, meter: Meter, observations: int) -> None:
    """The same of the server that does nothing else."""
    watch: Any = channel.unary_stream("/FanOut/Watch")
    calls = [watch(b"first") for _ in range(SPECTATORS)]
    await read_all(calls)
    publish: Any = channel.unary_unary("/FanOut/Publish")
    with meter:
        for _ in range(observations):
            await publish(bytes(OBSERVATION_BYTES))
            await read_all(calls)
            meter.actions += SPECTATORS
    for call in calls:
        call.cancel()


async def spectators(rounds: int) -> None:
    """Prints what a delivery costs."""
    spent: dict[str, list[float]] = {"fan-out alone": [], "observation": []}
    with (
        tempfile.TemporaryDirectory() as folder,
        process(SERVE, f"{folder}/games.db", "120") as server,
        process(FAN_OUT) as fan_out,
    ):
        for _ in range(rounds):
            for name, measured, run in (
                ("fan-out alone", fan_out, to_watchers),
                ("observation", server, to_spectators),
            ):
                meter = Meter(measured)
                async with grpc.aio.insecure_channel(f"127.0.0.1:{measured.port}") as channel:
                    await run(channel, meter, 20)
                spent[name].append(meter.seconds / meter.actions * 1e6)
    baseline = statistics.median(spent["fan-out alone"])
    for name, values in spent.items():
        value = statistics.median(values)
        print(f"to {SPECTATORS} spectators, {name:14} {value:8.1f} µs a delivery {value / baseline:8.2f}")


# Memory


async def play_some(channel: grpc.aio.Channel, games: int) -> None:
    """So many games with ten answers each, played by ``Submit``."""
    player = Player(channel)
    submit = player.method("PlayService/Submit")
    for _ in range(games):
        game_id, tokens = await player.create()
        for seat, decision_id in Player.answers()[:10]:
            request = SubmitRequest(game_id=game_id, seat_token=tokens[seat], decision_id=decision_id, action_index=0)
            await submit(request.SerializeToString())


async def games_in_memory(games: int) -> None:
    """Prints what a game costs while it is in memory, and what it leaves behind when it is idle."""
    for name, idle in (("being played", 1000.0), ("idle", 0.4)):
        with tempfile.TemporaryDirectory() as folder, process(SERVE, f"{folder}/games.db", str(idle)) as server:
            each = await _memory_for_each(server, games, settle=3 * idle if idle < 1 else 0)
        print(f"memory for a game, {name:14} {each:8.1f} KiB")


async def _memory_for_each(server: Process, games: int, settle: float) -> float:
    """The third batch of games tells: before, the allocator's pools fill."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        before = 0.0
        for _ in range(3):
            before = resident(server)
            await play_some(channel, games)
            await asyncio.sleep(settle)
        return (resident(server) - before) * 1024 / games


# Coming back, and starting


async def back(repeats: int) -> None:
    """Prints how long idle games take to come back."""
    kinds = {"dragons": dragons(), "dragons_interest": dragons_interest(), "dragonisles": dragonisles()}
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder) / "games.db") as server:
            for name, options in kinds.items():
                game = await server.seated(3, options=options)
                await server.play_out(game)
                milliseconds = []
                for _ in range(repeats):
                    server.server.hub.drop_games_idle_since(float("inf"))
                    began = time.perf_counter()
                    live = await server.server.hub.game(game.game_id)
                    milliseconds.append((time.perf_counter() - began) * 1000)
                revisions = live.head.revision
                print(f"back from the store, {name:18} {min(milliseconds):6.1f} ms, {revisions} revisions")


async def start(games: int) -> None:
    """Prints how long it takes to start with many stored games."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        async with running(path) as server:
            await server.seated(3)
        copy_game(path, games)
        began = time.perf_counter()
        with process(SERVE, str(path), "120"):
            of_process = time.perf_counter() - began
        began = time.perf_counter()
        async with running(path):
            print(f"start with {games} games: {time.perf_counter() - began:.2f} s, {of_process:.2f} s with its process")


RUNS: dict[str, Callable[[int], Awaitable[None]]] = {
    "spectators": lambda scale: spectators(3 * scale),
    "games": lambda scale: games_in_memory(300 * scale),
    "back": lambda scale: back(10 * scale),
    "start": lambda scale: start(100_000 * scale),
}


async def bench(only: str, scale: int) -> None:
    """All whose name begins with ``only``."""
    for name, run in RUNS.items():
        if name.startswith(only):
            await run(scale)


def main() -> None:
    """Parse the command line, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", default="", help=f"the beginning of a measurement's name: {', '.join(RUNS)}")
    parser.add_argument("--scale", type=int, default=1, help="how many times as much")
    arguments = parser.parse_args()
    asyncio.run(bench(arguments.only, arguments.scale))


if __name__ == "__main__":
    main()
