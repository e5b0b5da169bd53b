"""What it costs to think in worker processes, and what it saves: ``python -m tests.bench.bench_thinking``.

* *question*: milliseconds from a question to the choice of a policy that chooses at random, here and in a worker.
* *loop*: by how much a bot's event loop is late while it plays 50 games with a search, in workers and without: so long
  waits whoever asks it to take an answer back, and every answer that is ready.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from dragonhall.bots import RandomPolicy, run_bot
from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking.here import Here
from dragonhall.bots.thinking.messages import Question
from dragonhall.bots.thinking.pool import Pool
from dragonhall.bots.thinking.thinker import Thinker
from dragonhall.client import Client, bot_seat
from dragonhall.rules import GAMES
from dragonhall.rules.game import legal_actions
from dragonhall.wire import CODECS
from tests.bots import playing
from tests.processes import ServerProcess

SEATS = 3
GAMES_AT_ONCE = 50
TICK = 0.005
"""Seconds that the event loop is asked to wait."""


def questions(name: str) -> tuple[Chair, list[Question]]:
    """What seat 0 is asked in a game that is played at random."""
    game, asked = GAMES[name], list[Question]()

    def note(question: playing.Question, _: int) -> None:
        if question.chair.seat == 0:
            state, actions = question.state, legal_actions(game, question.state, 0)
            asked.append(
                Question(len(asked) + 1, len(asked), state.view(0), list(question.seen), question.decision, actions)
            )

    options = game.make_options({})
    playing.play([RandomPolicy] * SEATS, options, 1, note, game)
    return Chair(options, game.default_components(), SEATS, 0), asked


async def milliseconds(thinker: Thinker, asked: list[Question]) -> float:
    """A question, on average."""
    begin = time.perf_counter()
    for question in asked:
        await thinker.choose(question)
    return (time.perf_counter() - begin) / len(asked) * 1000


async def bench_questions() -> None:
    print(f"{'question':18} {'asked':>6} {'here ms':>8} {'worker ms':>10}")
    async with Pool(RandomPolicy, 1) as pool:
        for name in GAMES:
            chair, asked = questions(name)
            here = await milliseconds(Here({name: RandomPolicy}).seat((name, 0), name, chair), asked)
            pooled = await milliseconds(pool.seat((name, 0), name, chair), asked)
            print(f"{name:18} {len(asked):6} {here:8.3f} {pooled:10.3f}")


async def bench_loop(kind: str, processes: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with ServerProcess(Path(folder)) as server, Client(server.target) as client:
            options = CODECS["dragons"].options_to_proto(GAMES["dragons"].make_options({}))
            for _ in range(GAMES_AT_ONCE):
                await client.create_game(options, [bot_seat("bench")] * SEATS)
            stop = asyncio.Event()
            bot = asyncio.create_task(run_bot("bench", kind, server.target, stop=stop, processes=processes))
            await asyncio.sleep(3)
            late = sorted(await _delays(seconds))
            stop.set()
            await bot
    where = f"in {processes} workers" if processes else "on the event loop"
    print(
        f"{kind}, {where}: late by ms: median {late[len(late) // 2]:.1f}, 99 % {late[99 * len(late) // 100]:.1f},"
        f" most {late[-1]:.1f}"
    )


async def _delays(seconds: float) -> list[float]:
    """Milliseconds by which the event loop came back too late, each time."""
    delays, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        await asyncio.sleep(TICK)
        delays.append((time.perf_counter() - begin - TICK) * 1000)
    return delays


async def main() -> None:
    """Under a minute."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=8.0, help="of each measurement of the event loop")
    parser.add_argument("--kind", default="mcts@0.3s")
    arguments = parser.parse_args()
    await bench_questions()
    for processes in (2, 0):
        await bench_loop(arguments.kind, processes, arguments.seconds)


if __name__ == "__main__":
    asyncio.run(main())
