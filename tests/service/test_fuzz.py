"""Nonsense on the wire: whatever a client sends to any method is answered or refused with a reason; what is refused has
changed nothing, and nobody else is harmed.

A few examples of each method; ``--fuzz 5000`` for a long look.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragonhall.v1 import game_pb2, play_service_pb2_grpc
from dragonhall.v1.play_service_pb2 import PlayRequest
from tests.service import methods, nonsense
from tests.service.harness import OPEN, Running, dragonisles, dragons, dragons_interest, running

SILENCE_SECONDS: Final = 0.05
"""For the first message of a stream, which may have none yet."""

READS: Final = ("Get", "List", "Watch", "Observe", "Replay")
"""Beginnings of the names of methods that change nothing, whatever they answer."""


@dataclass
class Target:
    """A server with a waiting, a running and a finished game, and what is known of them to whoever sends nonsense."""

    runner: asyncio.Runner
    server: Running
    channel: grpc.aio.Channel
    """Of which nothing is recorded: nobody keeps track of streams that are asked for in such ways."""
    store: Path
    known: dict[str, list[Any]]
    errors: list[str]
    """What was logged as an error, by the server or by gRPC."""

    def stored(self) -> tuple[int, ...]:
        """How much is in the store. Nothing in it is ever changed or removed: equal numbers mean equal contents."""
        tables = ("games", "entries", "requests")
        with closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as store:
            return tuple(store.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)

    def send(self, path: str, data: bytes) -> None:
        """Calls a method with these bytes. Fails if that is not answered or refused as it ought to be."""
        before = self.stored()
        refusal = self.runner.run(methods.refusal(self.channel, path, data, SILENCE_SECONDS))
        if refusal is not None or path.rpartition("/")[2].startswith(READS):
            assert self.stored() == before
        assert refusal is None or refusal.reason != "INTERNAL"
        assert self.errors == []


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    errors = ErrorLog()
    store = tmp_path_factory.mktemp("fuzz") / "games.db"
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        server = runner.run(stack.enter_async_context(running(store)))
        channel = runner.run(_connected(stack, server.port))
        target = runner.run(_prepared(runner, server, channel, store, errors.messages))
        try:
            yield target
            runner.run(target.server.play_out(runner.run(target.server.seated())))  # nobody else was harmed
        finally:
            errors.end()
            runner.run(stack.aclose())


async def _connected(stack: AsyncExitStack, port: int) -> grpc.aio.Channel:
    return await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{port}"))


async def _prepared(
    runner: asyncio.Runner, server: Running, channel: grpc.aio.Channel, store: Path, errors: list[str]
) -> Target:
    undoable = game_pb2.GameSettings(allow_undo=True)
    waiting = await server.create([OPEN] * 3)
    going = await server.seated(3, options=dragons_interest(), settings=undoable)
    finished = await server.seated(3)
    await server.play_out(finished)
    seat = (await server.take(waiting.game.game_id)).seat_token
    known: dict[str, list[Any]] = {
        "game_id": [waiting.game.game_id, going.game_id, going.game_id, finished.game_id],
        # Without the running game's host's: it shall go on.
        "host_token": [waiting.host_token, finished.host_token, going.tokens[0]],
        "seat_token": [*going.tokens, *going.tokens, seat, finished.tokens[0], waiting.host_token],
        "token": [*going.tokens, seat, finished.tokens[0]],
        "decision_id": list(range(1, 40)),
        "from_revision": list(range(12)),
        "options": [dragons(), dragons_interest(), dragonisles()],
        "settings": [game_pb2.GameSettings(), undoable],
        "seats": [[OPEN] * count for count in (2, 3, 4)],
        "record": [await server.record(finished.game_id)],
        "request_id": ["", "a-request-id-of-the-fuzzer"],
        "player_name": ["Somebody"],
        "channel": [1, 2],
    }
    return Target(runner, server, channel, store, known, errors)


class ErrorLog(logging.Handler):
    """Collects errors from every logger of the process."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []
        logging.getLogger().addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(logging.Formatter().format(record))

    def end(self) -> None:
        """Collects no more."""
        logging.getLogger().removeHandler(self)


@pytest.mark.parametrize("path", methods.METHODS)
def test_nonsense_is_answered_or_refused_with_a_reason(target: Target, path: str, pytestconfig: pytest.Config) -> None:
    @settings(max_examples=pytestconfig.getoption("--fuzz"), deadline=None, suppress_health_check=list(HealthCheck))
    @given(nonsense.request_bytes(methods.METHODS[path], target.known))
    def send(data: bytes) -> None:
        target.send(path, data)

    send()


def test_every_command_of_a_play_stream_is_answered_once(target: Target, pytestconfig: pytest.Config) -> None:
    @settings(max_examples=pytestconfig.getoption("--fuzz"), deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(nonsense.messages(PlayRequest.DESCRIPTOR, target.known), max_size=6))
    def send(requests: list[Any]) -> None:
        commands = [command for request in requests for command in request.commands]
        for number, command in enumerate(commands, 1):
            command.command_id = number
        answered = target.runner.run(_answered(target.channel, requests))
        assert sorted(answered) == list(range(1, len(commands) + 1))

    send()


async def _answered(channel: Any, requests: list[Any]) -> list[int]:
    """The commands that one stream with these requests answers."""
    call = play_service_pb2_grpc.PlayServiceStub(channel).Play()
    for request in requests:
        await call.write(request)
    await call.done_writing()
    answered = []
    while (response := await asyncio.wait_for(call.read(), methods.ANSWER_SECONDS)) is not grpc.aio.EOF:
        answered += [message.command_id for message in response.messages if message.command_id]
    return answered
