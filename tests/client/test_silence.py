"""A server that is there and says nothing: a port without one behind it, and one that hangs."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from dragonhall.client import Client, Patience, ServerUnavailable
from dragonhall.client.retry import Backoff, Setback
from dragonhall.server import Server, ServerConfig
from tests.client.games import seated_game
from tests.processes import ServerProcess

SOON = Patience(give_up_after=timedelta(seconds=1.5), first_word_limit=timedelta(seconds=0.5))


@contextmanager
def silent_port() -> Iterator[str]:
    """Connections are accepted, and that is all."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"127.0.0.1:{listening.getsockname()[1]}"


@contextmanager
def frozen(server: ServerProcess) -> Iterator[None]:
    """Its connections stand, and nobody is at home."""
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


def streams(client: Client) -> list[AsyncIterator[Any]]:
    """One of each kind that is read like this."""
    return [client.watch_games(), client.observe("game"), client.replay("game"), client.seat("game", 0, "t").observe()]


async def test_streams_from_a_port_without_a_server_are_given_up_in_time() -> None:
    with silent_port() as target:
        async with Client(target, patience=SOON) as client, client.play() as connection:
            attached = connection.attach(client.seat("game", 0, "token"))
            began = time.monotonic()

            async def give_up(stream: AsyncIterator[Any]) -> None:
                with pytest.raises(ServerUnavailable):
                    await anext(stream)

            await asyncio.gather(*map(give_up, [*streams(client), attached]))
            assert time.monotonic() - began < 15.0, "gRPC itself waits 20 s for such a port"


async def test_a_stream_from_a_server_that_hangs_is_begun_again(server: ServerProcess) -> None:
    failures: list[str] = []
    patience = Patience(
        first_word_limit=timedelta(seconds=0.3), on_failure=lambda tried_for, cause: failures.append(cause)
    )
    async with Client(server.target, patience=patience) as client:
        seats = await seated_game(client)
        with frozen(server):
            observing = asyncio.ensure_future(anext(seats[0].observe()))
            await asyncio.sleep(1.0)
            assert not observing.done()
        assert (await observing).snapshot.seat == 0
    assert set(failures) == {"no answer"}


async def test_an_answer_to_a_server_that_hangs_is_sent_again_on_a_new_stream(server: ServerProcess) -> None:
    failures: list[str] = []
    patience = Patience(
        attempt_limit=timedelta(seconds=0.5), on_failure=lambda tried_for, cause: failures.append(cause)
    )
    async with Client(server.target, patience=patience) as client:
        seats = await seated_game(client)
        async with client.play() as connection:
            attached = [connection.attach(seat) for seat in seats]
            firsts = [(await anext(stream)).snapshot for stream in attached]
            asked = next(first for first in firsts if first.HasField("decision"))
            with frozen(server):
                answering = asyncio.create_task(attached[asked.seat].submit(asked.decision.decision_id, action_index=0))
                await asyncio.sleep(1.2)
                assert not answering.done()
            assert (await answering).revision == asked.game.revision + 1
    assert set(failures) == {"no answer"}


async def test_a_stream_that_has_begun_may_be_silent_for_as_long_as_it_likes(client: Client) -> None:
    hasty = Patience(first_word_limit=timedelta(seconds=1), give_up_after=timedelta(seconds=1))
    async with Client(client.target, patience=hasty) as other, aclosing(other.watch_games(game="none")) as lobby:
        assert not (await anext(lobby)).HasField("game")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(lobby), 2.5)


async def test_the_first_word_is_waited_for_longer_after_each_failure() -> None:
    patience = Patience(
        first_delay=timedelta(),
        first_word_limit=timedelta(seconds=1),
        attempt_limit=timedelta(seconds=6),
        give_up_after=timedelta(minutes=1),
    )
    backoff = Backoff("here", patience)
    limits = []
    for _ in range(5):
        limits.append(round(backoff.first_word_limit()))
        await backoff.wait(Setback("no answer"))
    assert limits == [1, 2, 4, 6, 6]
    backoff.reset()
    assert round(backoff.first_word_limit()) == 1


async def test_a_stream_is_not_suspected_while_its_answers_wait_to_be_sent_again(tmp_path: Path) -> None:
    failures: list[str] = []
    refused = asyncio.Event()

    def note(tried_for: timedelta, cause: str) -> None:
        failures.append(cause)
        refused.set()

    patience = Patience(first_delay=timedelta(seconds=3), attempt_limit=timedelta(seconds=1), on_failure=note)
    server = Server(ServerConfig(listen="127.0.0.1:0", store=tmp_path / "hall.db"))
    port = await server.start()
    try:
        async with Client(f"127.0.0.1:{port}", patience=patience) as client, client.play() as connection:
            attached = [connection.attach(seat) for seat in await seated_game(client)]
            firsts = [(await anext(stream)).snapshot for stream in attached]
            asked = next(first for first in firsts if first.HasField("decision"))
            failures.clear()  # a busy machine may have been slow
            refused.clear()
            server.store.writer_connection.execute("PRAGMA query_only = ON")
            answering = asyncio.create_task(attached[asked.seat].submit(asked.decision.decision_id, action_index=0))
            await refused.wait()
            server.store.writer_connection.execute("PRAGMA query_only = OFF")
            assert not (await answering).repeated
    finally:
        await server.stop()
    assert len(failures) == 1
    assert failures[0] != "no answer"
