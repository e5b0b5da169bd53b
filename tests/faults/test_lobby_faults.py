"""What hosts and players ask of the lobby happens once: over a server that dies at each write in turn, before or after
it is durable, and over one that is killed while many ask at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import grpc
import pytest
from google.protobuf.message import Message

from dragonhall.server import Server
from dragonhall.server.store.base import Append, StoreError
from dragonhall.v1 import game_pb2
from tests.faults.stubborn import until_answered
from tests.processes import ServerProcess
from tests.service.harness import Client, connected, refused, running
from tests.service.lobbying import BY_HOST, abort, find, listed, rematch, start

REQUEST: Final = "a-request-id-of-the-tests"
PLAYERS: Final = 3
MOST_DEATHS: Final = 40


class Mortal:
    """A server's store that lets so many writes be done and dies in the next one: nothing can be written any more."""

    def __init__(self, server: Server, writes: int, last_is_durable: bool) -> None:
        """``last_is_durable``: the write in which it dies is on the disk, but nobody was told."""
        self._append = server.store.append
        self._left = writes
        self._last_is_durable = last_is_durable
        server.store.append = self.append  # type: ignore[method-assign,assignment]

    async def append(self, write: Append) -> None:
        """As the store's, while it lives."""
        self._left -= 1
        if self._left >= 0 or (self._left == -1 and self._last_is_durable):
            await self._append(write)
        if self._left < 0:
            raise StoreError("the server has died")


async def evening(server: Client, answers: list[Message]) -> None:
    """A game, its end and its rematch, then quick matches, under request ids that are the same each time."""
    created = await server.create(PLAYERS, settings=BY_HOST, request_id=REQUEST)
    answers.append(created)
    game_id = created.game.game_id
    tokens = []
    for i in range(PLAYERS):
        taken = await server.take(game_id, f"Player {i}", request_id=f"{REQUEST}-{i}")
        answers.append(taken)
        tokens.append(taken.seat_token)
    await unless_over(start(server, game_id, created.host_token))
    await unless_over(abort(server, game_id, created.host_token))
    for token in (tokens[1], created.host_token, tokens[0], tokens[2]):
        answers.append(await rematch(server, game_id, token, nonce=b"share"))
    for i in range(PLAYERS + 1):
        answers.append(await find(server, f"Player {i}", request_id=f"{REQUEST}-of-the-quick-one-{i}"))


async def unless_over(attempt: Awaitable[Any]) -> None:
    """What is refused when it is repeated after the game was ended."""
    try:
        await attempt
    except grpc.aio.AioRpcError as error:
        if refused(error).reason != "GAME_NOT_RUNNING":
            raise


async def live(store: Path, writes: int, last_is_durable: bool, answers: list[Message]) -> bool:
    """One life of a server that dies after so many writes: whether it saw the evening's end."""
    async with running(store) as server:
        Mortal(server.server, writes, last_is_durable)
        try:
            await evening(server, answers)
        except grpc.aio.AioRpcError as error:
            if refused(error).reason != "STORE_UNAVAILABLE":
                raise
            return False
        return True


@pytest.mark.parametrize(("writes", "last_is_durable"), [(1, False), (0, True)])
async def test_an_evening_of_many_deaths_is_as_one_without(tmp_path: Path, writes: int, last_is_durable: bool) -> None:
    """Whatever was told in one life is told again in each later one; at the end everything was done once."""
    told: list[Message] = []
    deaths, ended = 0, False
    while not ended:
        answers: list[Message] = []
        ended = await live(tmp_path / "games.db", writes, last_is_durable, answers)
        assert answers[: len(told)] == told[: len(answers)]
        told = max(told, answers, key=len)
        deaths += not ended
        assert deaths < MOST_DEATHS
    assert deaths > MOST_DEATHS / 4
    async with running(tmp_path / "games.db") as server:
        answers = []
        await evening(server, answers)
        assert answers == told
        waiting, full, again, first = [await server.game(game_id) for game_id in await listed(server)]
    assert [len([seat for seat in game.seats if seat.taken]) for game in (first, again, full, waiting)] == [3, 3, 3, 1]
    assert [first.status, full.status] == [game_pb2.GAME_STATUS_ABORTED, game_pb2.GAME_STATUS_RUNNING]
    assert (again.rematch_of, again.revision) == (first.game_id, 4)


async def test_rematches_and_quick_matches_of_many_while_the_server_is_killed(process: ServerProcess) -> None:
    rng = Random(1)
    async with connected(process.port) as channel:
        client = Client(channel)
        old = [await client.seated(PLAYERS) for _ in range(4)]
        for game in old:
            await abort(client, game.game_id, game.host_token)
        rematches = [partial(rematch, client, game.game_id, token) for game in old for token in game.tokens * 2]
        finds = [partial(find, client, request_id=f"{REQUEST}-{i}") for i in range(10)] * 2
        rng.shuffle(finds)
        asking = asyncio.gather(
            asyncio.gather(*(until_answered(attempt) for attempt in rematches)),
            asyncio.gather(*(until_answered(attempt) for attempt in finds)),
        )
        for _ in range(2):
            await asyncio.sleep(rng.uniform(0.0, 0.02))
            await process.restart()
        parts, found = await asyncio.wait_for(asking, 30)

        for game, of_game in zip(old, [parts[i : i + 6] for i in range(0, len(parts), 6)], strict=True):
            assert of_game[:3] == of_game[3:]
            assert [part.seat for part in of_game[:3]] == [1, 2, 0]
            (game_id,) = {part.game.game_id for part in of_game}
            new = await client.game(game_id)
            assert (new.status, new.revision, new.rematch_of) == (game_pb2.GAME_STATUS_RUNNING, 5, game.game_id)
        by_request: dict[Any, Any] = {}
        for attempt, answer in zip(finds, found, strict=True):
            assert by_request.setdefault(attempt.keywords["request_id"], answer) == answer
        seats = {(answer.game.game_id, answer.seat) for answer in by_request.values()}
        assert len(seats) == 10
        assert len({game_id for game_id, _ in seats}) == 4  # three full ones, and one that waits
        assert len(await listed(client)) == 12
    assert await process.stop() == 0
