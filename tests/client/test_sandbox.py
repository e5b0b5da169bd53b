"""The client and the sandbox: typed errors, and streams without seams."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from dragonhall.client import Client, DragonhallError, knowledge_of
from dragonhall.client.sync import SyncClient
from dragonhall.v1.sandbox_service_pb2 import ExploreRequest, Knowledge, Line, RollOutRequest, WorldRange
from tests.client.games import seated_game
from tests.processes import ServerProcess


def over(worlds: int) -> list[Line]:
    """The position itself, in so many worlds."""
    return [Line(worlds=WorldRange(count=worlds))]


async def knowledge_in(client: Client) -> Knowledge:
    """Of a seat in a new game."""
    seat = (await seated_game(client))[0]
    return knowledge_of((await seat.perspective()).snapshot)


async def test_it_says_what_it_can_do(client: Client) -> None:
    assert {game.game for game in (await client.get_sandbox()).games} >= {"dragons", "dragonisles"}


async def test_errors_are_typed(client: Client) -> None:
    knowledge = await knowledge_in(client)
    with pytest.raises(DragonhallError) as caught:
        await anext(client.explore(ExploreRequest(knowledge=knowledge)))
    assert (caught.value.reason, caught.value.field) == ("INVALID_FIELD", "lines")
    del knowledge.history[:]
    with pytest.raises(DragonhallError, match="KNOWLEDGE_INCONSISTENT"):
        await anext(client.roll_out(RollOutRequest(knowledge=knowledge, lines=over(1))))


async def test_a_stream_goes_on_where_it_was_when_the_server_was_killed(server: ServerProcess) -> None:
    async with Client(server.target) as client:
        request = RollOutRequest(knowledge=await knowledge_in(client), lines=over(1500))
        whole = [response async for response in client.roll_out(request)]
        broken = []
        async with aclosing(client.roll_out(request)) as responses:
            async for response in responses:
                broken.append(response)
                if len(broken) == 2:
                    await server.restart()
        assert broken == whole
        assert sum(totals.playouts for response in whole for totals in response.totals) == 1500


async def test_whoever_has_seen_enough_may_leave(client: Client) -> None:
    request = RollOutRequest(knowledge=await knowledge_in(client), lines=over(100_000))
    async with aclosing(client.roll_out(request)) as responses:
        assert (await anext(responses)).totals[0].playouts == 64
    assert await collected(client.explore(ExploreRequest(knowledge=request.knowledge, lines=over(3)))) == 1


async def collected(responses: AsyncIterator[object]) -> int:
    """How many there are."""
    return len([response async for response in responses])


def test_the_blocking_client_thinks_too(target: str) -> None:
    with SyncClient(target) as client:
        assert client.get_sandbox().limits.playouts
        with pytest.raises(DragonhallError, match="INVALID_FIELD"):
            next(client.roll_out(RollOutRequest(lines=over(1))))
