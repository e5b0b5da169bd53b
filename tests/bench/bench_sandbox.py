"""What the sandbox gives, and what it takes from the games: ``python tests/bench/bench_sandbox.py``.

A server in a process of its own, with as many sandbox workers as ``--workers`` says. Needs Linux, for its /proc.

* *playouts*: playouts a second, from the middle of a game, each in a world of its own: in this process, by the rules
  alone; and through the service, in one call. Likewise for the bots as players (``greedy``).
* *calls*: the time of one call that asks for little: how long a position takes to come, how long 64 playouts.
* *latency*: of a durable unary ``Submit``, one after another, while nobody uses the sandbox, and while four calls keep
  all workers busy.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random as Choices
from typing import Any

import grpc
from librt.random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, from anywhere

from dragonhall.rules import GAMES
from dragonhall.rules.build import is_compiled
from dragonhall.rules.chance import RandomChance
from dragonhall.rules.game import Game, Knowledge
from dragonhall.rules.table import Step, Table
from dragonhall.v1 import sandbox_service_pb2 as messages
from dragonhall.wire import CODECS
from tests.bench.bench_service import Player, process

SERVE = """
import sys
from pathlib import Path
from dragonhall.cli.playouts import POLICIES
from dragonhall.sandbox import SandboxSettings
from dragonhall.server import ServerConfig, run
sandbox = SandboxSettings(workers=int(sys.argv[2]), policies=POLICIES)
run(ServerConfig(listen="127.0.0.1:0", store=Path(sys.argv[1]), log_level="ERROR", sandbox=sandbox))
"""

SEATS = 3
ANSWERS = 30
"""Until the middle of a game."""


def middle(game: Game) -> Knowledge:
    """What the first seat that is asked knows in the middle of a game of chance."""
    components, options = game.default_components(), game.make_options({})
    table = Table(game, components, options, SEATS, RandomChance(Random(1)))
    steps, choices = [table.start()], Choices(1)
    for _ in range(ANSWERS):
        seat = table.state.pending()[0]
        codes = table.state.legal_actions(seat)
        code = codes[0] if game.name == "dragons" else choices.choice(codes)  # claims would end it soon
        steps.append(table.answer(seat, table.tickets[seat].decision_id, code))
    viewer = table.state.pending()[0]
    return Knowledge(components, options, viewer, table.state.view(viewer), list(_told(steps, viewer)))


def _told(steps: list[Step], viewer: int) -> Iterator[Any]:
    return (entry.event for step in steps for entry in step.entries if entry.is_for(viewer))


def message_of(game: Game, knowledge: Knowledge) -> messages.Knowledge:
    """The same as a client sends it."""
    codec = CODECS[game.name]
    return messages.Knowledge(
        options=codec.options_to_proto(knowledge.options),
        seat=knowledge.viewer,
        view=codec.view_to_proto(knowledge.view),
        history=[codec.event_to_proto(event) for event in knowledge.events],
    )


def by_rules(game: Game, knowledge: Knowledge, playouts: int) -> float:
    """Playouts a second in this process: worlds drawn, played to the end and scored."""
    began = time.perf_counter()
    belief = game.belief(knowledge)
    for number in range(playouts):
        world = belief.sample(Random(number))
        world.play_out(Random(number))
        world.outcome()
    return playouts / (time.perf_counter() - began)


def roll_out(knowledge: messages.Knowledge, playouts: int, policy: str = "", seed: int = 0) -> bytes:
    """A request."""
    line = messages.Line(worlds=messages.WorldRange(count=playouts))
    return messages.RollOutRequest(knowledge=knowledge, lines=[line], policy=policy, seed=seed).SerializeToString()


async def answered(channel: grpc.aio.Channel, method: str, request: bytes) -> float:
    """Seconds until a call has brought all."""
    began = time.perf_counter()
    ask: Any = channel.unary_stream(f"/dragonhall.v1.SandboxService/{method}")
    async for _ in ask(request):
        pass
    return time.perf_counter() - began


async def playouts(channel: grpc.aio.Channel, scale: float) -> None:
    """Prints playouts a second, by game."""
    for game in GAMES.values():
        knowledge = middle(game)
        message = message_of(game, knowledge)
        count = round(scale * (800 if game.name == "dragonisles" else 8000) * (10 if is_compiled() else 1))
        await answered(channel, "RollOut", roll_out(message, 64, seed=1))  # the worker has started
        inside = by_rules(game, knowledge, count)
        outside = count / await answered(channel, "RollOut", roll_out(message, count, seed=2))
        few = max(4, round(40 * scale))
        bots = few / await answered(channel, "RollOut", roll_out(message, few, "greedy", seed=3))
        print(
            f"{game.name:17} {inside:8.0f}/s in process, {outside:8.0f}/s by the service ({outside / inside:.0%}),"
            f" {bots:5.1f}/s by greedy; knowledge {message.ByteSize()} bytes",
            flush=True,
        )


async def calls(channel: grpc.aio.Channel, scale: float) -> None:
    """Prints the median time of small calls, the knowledge new each time, and known from the call before."""
    for game in GAMES.values():
        message = message_of(game, middle(game))
        position = messages.ExploreRequest(
            knowledge=message, lines=[messages.Line()], legal_actions=True, views=messages.POSITION_VIEWS_ASKED
        ).SerializeToString()
        some = roll_out(message, 64)
        times = {}
        for name, method, request in (("one position", "Explore", position), ("64 playouts", "RollOut", some)):
            spent = [await answered(channel, method, request) for _ in range(round(200 * scale))]
            times[name] = statistics.median(spent) * 1000
        print(f"{game.name:17} " + ", ".join(f"{name} {ms:.2f} ms" for name, ms in times.items()), flush=True)


async def latency(channel: grpc.aio.Channel, other: grpc.aio.Channel, scale: float) -> None:
    """Prints percentiles of Submit's time, in turns without and with a busy sandbox."""
    submit: Any = channel.unary_unary("/dragonhall.v1.PlayService/Submit")
    spent: dict[str, list[float]] = {"idle sandbox": [], "busy sandbox": []}
    for _ in range(5):
        spent["idle sandbox"] += await submits(channel, submit, round(12 * scale))
        async with busy(other, calls=4):
            spent["busy sandbox"] += await submits(channel, submit, round(12 * scale))
    for name, times in spent.items():
        cuts = statistics.quantiles(times, n=100)
        print(
            f"Submit, {name}: median {1000 * cuts[49]:.2f} ms, 90 % {1000 * cuts[89]:.2f} ms,"
            f" 99 % {1000 * cuts[98]:.2f} ms ({len(times)})",
            flush=True,
        )


async def submits(channel: grpc.aio.Channel, submit: Any, games: int) -> list[float]:
    """Seconds of each answer of so many games."""
    spent = []
    for _ in range(games):
        for request in Player.requests(*await Player(channel).create()):
            began = time.perf_counter()
            await submit(request)
            spent.append(time.perf_counter() - began)
    return spent


@asynccontextmanager
async def busy(channel: grpc.aio.Channel, calls: int) -> AsyncIterator[None]:
    """Meanwhile so many calls of the sandbox are under way."""
    game = GAMES["dragonisles"]
    message = message_of(game, middle(game))
    tasks = [
        asyncio.create_task(answered(channel, "RollOut", roll_out(message, 1_000_000, seed=n))) for n in range(calls)
    ]
    await asyncio.sleep(1.0)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.5)


async def bench(workers: int, scale: float) -> None:
    """All of it."""
    print(f"rules {'compiled' if is_compiled() else 'interpreted'}, {workers} worker(s)")
    options = [("grpc.use_local_subchannel_pool", 1)]
    with tempfile.TemporaryDirectory() as folder, process(SERVE, f"{folder}/games.db", str(workers)) as server:
        address = f"127.0.0.1:{server.port}"
        async with grpc.aio.insecure_channel(address, options) as channel:
            await playouts(channel, scale)
            await calls(channel, scale)
            async with grpc.aio.insecure_channel(address, options) as other:
                await latency(channel, other, scale)


def main() -> None:
    """Parse the command line, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--workers", type=int, default=1, help="processes of the sandbox")
    parser.add_argument("--scale", type=float, default=1.0, help="how much of it")
    arguments = parser.parse_args()
    asyncio.run(bench(arguments.workers, arguments.scale))


if __name__ == "__main__":
    main()
