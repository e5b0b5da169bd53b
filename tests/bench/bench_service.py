"""What an action costs the server: ``python tests/bench/bench_service.py``.

Server CPU time per action, over unary ``Submit`` and over ``Play``, as ratios to a bare gRPC echo served the same way
(grpc.aio, uvloop where there is one) and measured in turns in the same run: quote ratios, not absolute numbers. Every
action is durable (one commit, shared with whatever else is ready), and with ``Play`` everyone at the table is told.
Needs Linux, for its /proc.

* *unary*: one answer a call, one call at a time or 16, each of another game. Nobody watches. Baseline: a unary echo of
  as many bytes, as many at a time.
* *play, n games*: all seats of n games of 4 over one stream; each prompt is answered as it comes, all prompts of one
  response in one request. Baseline: an echo of a request's bytes over a bidirectional stream, one message a time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import grpc

from dragonhall.dragons.v1 import dragons_pb2
from dragonhall.rules import GAMES
from dragonhall.rules.chance import SeededChance, game_key
from dragonhall.rules.table import Table
from dragonhall.v1 import game_pb2, games_pb2, play_service_pb2
from dragonhall.v1.game_service_pb2 import (
    CreateGameRequest,
    CreateGameResponse,
    SeatSpec,
    TakeSeatRequest,
    TakeSeatResponse,
)
from dragonhall.v1.play_service_pb2 import PlayAnswer, PlayCommand, PlayMessage, PlayRequest, PlayResponse

SEATS = 4
SEED = bytes(range(32))

SERVE = """
import sys
from pathlib import Path
from dragonhall.server import ServerConfig, run
run(ServerConfig(listen="127.0.0.1:0", store=Path(sys.argv[1]), log_level="ERROR"))
"""

ECHO = """
import asyncio, grpc
from dragonhall.server.app import _loop_factory

async def unary(request, context):
    return request

async def stream(_, context):
    while (request := await context.read()) is not grpc.aio.EOF:
        await context.write(request)

async def main():
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("Echo", {
        "Unary": grpc.unary_unary_rpc_method_handler(unary),
        "Stream": grpc.stream_stream_rpc_method_handler(stream),
    }),))
    print(f"serving on :{server.add_insecure_port('127.0.0.1:0')}", flush=True)
    await server.start()
    await server.wait_for_termination()

with asyncio.Runner(loop_factory=_loop_factory()) as runner:
    runner.run(main())
"""


class Process:
    """A server in a process of its own, whose CPU time is counted."""

    def __init__(self, program: str, *arguments: str) -> None:
        command = [sys.executable, "-c", program, *arguments]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline().rpartition(":")[2])

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def cpu_seconds(self) -> float:
        """User and system time of all its threads so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


@contextmanager
def process(program: str, *arguments: str) -> Iterator[Process]:
    running = Process(program, *arguments)
    try:
        yield running
    finally:
        running.end()


class Player:
    """Creates games with a given deal, so that answers are known without watching."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel

    def method(self, name: str) -> Any:
        return self._channel.unary_unary(f"/dragonhall.v1.{name}")

    async def create(self) -> tuple[str, list[str]]:
        """A new game's id and its seats' tokens."""
        options = games_pb2.GameOptions(dragons=dragons_pb2.Options(first_seat=0))
        seats = [SeatSpec(kind=game_pb2.SEAT_KIND_OPEN)] * SEATS
        request = CreateGameRequest(options=options, seats=seats, seed=SEED)
        answer = await self.method("GameService/CreateGame")(request.SerializeToString())
        game_id = CreateGameResponse.FromString(answer).game.game_id
        tokens = []
        for _ in range(SEATS):
            take = TakeSeatRequest(game_id=game_id, player_name="Bench").SerializeToString()
            answer = await self.method("GameService/TakeSeat")(take)
            tokens.append(TakeSeatResponse.FromString(answer).seat_token)
        return game_id, tokens

    @classmethod
    def requests(cls, game_id: str, tokens: list[str]) -> list[bytes]:
        """The ``SubmitRequest``s of a whole game."""
        return [
            play_service_pb2.SubmitRequest(
                game_id=game_id, seat_token=tokens[seat], decision_id=decision_id, action_index=0
            ).SerializeToString()
            for seat, decision_id in cls.answers()
        ]

    @staticmethod
    def answers() -> list[tuple[int, int]]:
        """The seats that are asked and their decision ids, when everyone always takes the first legal action."""
        game = GAMES["dragons"]
        chance = SeededChance(game_key(SEED, [b""] * SEATS))
        table = Table(game, game.default_components(), game.make_options({"first_seat": 0}), SEATS, chance)
        table.start()
        answers = []
        while table.tickets:
            (seat,) = table.tickets
            decision_id = table.tickets[seat].decision_id
            answers.append((seat, decision_id))
            table.answer(seat, decision_id, table.state.legal_actions(seat)[0])
        return answers


class Meter:
    """Counts a server's CPU time inside ``with`` blocks, and the actions that it was spent on."""

    def __init__(self, server: Process) -> None:
        self._server = server
        self.seconds = 0.0
        self.actions = 0

    def __enter__(self) -> None:
        self.seconds -= self._server.cpu_seconds()

    def __exit__(self, *_: object) -> None:
        self.seconds += self._server.cpu_seconds()


Run = Callable[[grpc.aio.Channel, Meter], Awaitable[None]]


async def submit_games(games: int, at_once: int, channel: grpc.aio.Channel, meter: Meter) -> None:
    """Plays whole games by ``Submit``, ``at_once`` at the same time."""
    player = Player(channel)
    submit = player.method("PlayService/Submit")

    async def play(requests: list[bytes]) -> None:
        for request in requests:
            await submit(request)

    for _ in range(games // at_once):
        to_play = [player.requests(*await player.create()) for _ in range(at_once)]
        with meter:
            await asyncio.gather(*map(play, to_play))
        meter.actions += sum(map(len, to_play))


async def play_games(games: int, at_once: int, channel: grpc.aio.Channel, meter: Meter) -> None:
    """Plays whole games over one stream, ``at_once`` at the same time."""
    player = Player(channel)
    for _ in range(games // at_once):
        seats = [
            (game_id, token) for game_id, tokens in [await player.create() for _ in range(at_once)] for token in tokens
        ]
        with meter:
            meter.actions += await play_seats(channel, seats)


async def play_seats(channel: grpc.aio.Channel, seats: list[tuple[str, str]]) -> int:
    """Plays all seats to the end over one stream; the number of actions."""
    call: Any = channel.stream_stream("/dragonhall.v1.PlayService/Play")()
    attach = [
        PlayCommand(channel=i, attach=play_service_pb2.AttachSeat(game_id=game_id, seat_token=token))
        for i, (game_id, token) in enumerate(seats)
    ]
    await call.write(PlayRequest(commands=attach).SerializeToString())
    open_channels, actions = len(seats), 0
    while open_channels:
        messages = PlayResponse.FromString(await call.read()).messages
        open_channels -= sum(message.HasField("closed") for message in messages)
        answers = [command for message in messages if (command := answer_to(message)) is not None]
        if answers:
            actions += len(answers)
            await call.write(PlayRequest(commands=answers).SerializeToString())
    await call.done_writing()
    return actions


def answer_to(message: PlayMessage) -> PlayCommand | None:
    """The first legal action, if the seat is asked."""
    observation = message.observation
    decision = observation.snapshot.decision if observation.HasField("snapshot") else observation.update.decision
    if not decision.decision_id:
        return None
    answer = PlayAnswer(decision_id=decision.decision_id, action_index=0)
    return PlayCommand(channel=message.channel, command_id=1, answer=answer)


async def echo_unary(count: int, at_once: int, channel: grpc.aio.Channel, meter: Meter) -> None:
    """Unary echoes, ``at_once`` at the same time."""
    echo: Any = channel.unary_unary("/Echo/Unary")

    async def call(times: int) -> None:
        for _ in range(times):
            await echo(bytes(90))

    with meter:
        await asyncio.gather(*(call(count // at_once) for _ in range(at_once)))
    meter.actions += count // at_once * at_once


async def echo_stream(count: int, channel: grpc.aio.Channel, meter: Meter) -> None:
    """Echoes over one stream, one at a time."""
    call: Any = channel.stream_stream("/Echo/Stream")()
    with meter:
        for _ in range(count):
            await call.write(bytes(16))
            await call.read()
    meter.actions += count
    await call.done_writing()


RUNS: dict[str, tuple[str, Callable[[int], Run]]] = {
    "echo, unary": ("echo", lambda scale: partial(echo_unary, 3000 * scale, 1)),
    "unary": ("server", lambda scale: partial(submit_games, 20 * scale, 1)),
    "echo, 16 unary": ("echo", lambda scale: partial(echo_unary, 4000 * scale, 16)),
    "16 unary": ("server", lambda scale: partial(submit_games, 32 * scale, 16)),
    "echo, stream": ("echo", lambda scale: partial(echo_stream, 5000 * scale)),
    "play, 1 game": ("server", lambda scale: partial(play_games, 16 * scale, 1)),
    "play, 16 games": ("server", lambda scale: partial(play_games, 32 * scale, 16)),
    "play, 128 games": ("server", lambda scale: partial(play_games, 128 * scale, 128)),
}


BASELINES = {"unary": "echo, unary", "16 unary": "echo, 16 unary"}
"""Of what has another one than the echo over a stream."""


async def bench(rounds: int, scale: int) -> None:
    """Measures all in turns and prints a table."""
    seconds: dict[str, list[float]] = {name: [] for name in RUNS}
    with (
        tempfile.TemporaryDirectory() as folder,
        process(SERVE, f"{folder}/games.db") as server,
        process(ECHO) as echo,
    ):
        for _ in range(rounds):
            for name, (which, run) in RUNS.items():
                measured = echo if which == "echo" else server
                meter = Meter(measured)
                async with grpc.aio.insecure_channel(f"127.0.0.1:{measured.port}") as channel:
                    await run(scale)(channel, meter)
                seconds[name].append(meter.seconds / meter.actions)
    microseconds = {name: statistics.median(values) * 1e6 for name, values in seconds.items()}
    print(f"{'':16} {'µs of server CPU':>17} {'ratio to its echo':>18}")
    for name, value in microseconds.items():
        baseline = microseconds[BASELINES.get(name, name if name.startswith("echo") else "echo, stream")]
        print(f"{name:16} {value:17.1f} {value / baseline:18.2f}")


def main() -> None:
    """Parse the command line, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3, help="how often all take their turns; medians are shown")
    parser.add_argument("--scale", type=int, default=1, help="how many times as much in each turn")
    arguments = parser.parse_args()
    asyncio.run(bench(arguments.rounds, arguments.scale))


if __name__ == "__main__":
    main()
