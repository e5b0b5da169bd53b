"""Games that nobody cares for any more: they are ended, and later removed with all that is known of them."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from dragonhall.server.operations.games import expire_game
from dragonhall.v1 import game_pb2
from tests.service.harness import OPEN, Running, refused, reserved
from tests.service.lobbying import PRIVATE, abort, listed
from tests.service.test_lobby import ABORTED, SYNCED, WAITING, Watcher

REQUEST = "a-request-id-of-the-tests"
LATER = 3600 * 1_000_000


async def expire(server: Running, game_id: str, in_us: int) -> bool:
    """As the server's keeper does, if the time were so much later."""
    game = await server.server.hub.game(game_id)
    return await game.carry_out(expire_game(server.server.hub.now_us() + in_us))


async def test_a_game_in_which_nothing_happened_is_ended_and_everyone_is_told_why(server: Running) -> None:
    game = await server.seated(3)
    stream = asyncio.create_task(server.watch_to_end(game.game_id))
    await server.watch_first(game.game_id)
    assert await expire(server, game.game_id, LATER)
    ended = await server.game(game.game_id)
    assert (ended.status, ended.abort_cause) == (ABORTED, game_pb2.ABORT_CAUSE_EXPIRED)
    told = (await stream).messages[-1].update.events[0].game_aborted
    assert told.cause == game_pb2.ABORT_CAUSE_EXPIRED
    assert not await expire(server, game.game_id, LATER)


async def test_a_game_in_which_something_happened_meanwhile_is_left_alone(server: Running) -> None:
    game_id = (await server.create(3)).game.game_id
    assert not await expire(server, game_id, -LATER)
    assert (await server.game(game_id)).status == WAITING


async def test_a_game_that_its_host_ended_says_so(server: Running) -> None:
    created = await server.create(3)
    ended = await abort(server, created.game.game_id, created.host_token)
    assert ended.abort_cause == game_pb2.ABORT_CAUSE_HOST


async def test_a_removed_game_is_as_if_it_never_was(server: Running) -> None:
    hub = server.server.hub
    created = await server.create(3, request_id=REQUEST)
    game_id = created.game.game_id
    seat = await server.take(game_id)
    await abort(server, game_id, created.host_token)
    assert await hub.remove(game_id)
    attempts = (
        server.game(game_id),
        server.take(game_id),
        server.watch_first(game_id, seat.seat_token),
        server.record(game_id),
    )
    for attempt in attempts:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await attempt
        assert refused(caught.value).reason == "GAME_NOT_FOUND"
    assert await listed(server) == []
    assert await hub.remove(game_id)  # once more does no harm
    assert (await server.create(3, request_id=REQUEST)).game.game_id != game_id


async def test_a_game_is_not_removed_while_somebody_reads_it(server: Running) -> None:
    hub = server.server.hub
    game_id = (await server.seated(3)).game_id
    stream = asyncio.create_task(server.watch_to_end(game_id))
    await server.watch_first(game_id)
    assert not await hub.remove(game_id)
    assert (await server.game(game_id)).status == game_pb2.GAME_STATUS_RUNNING
    stream.cancel()


async def test_who_asks_while_a_game_is_removed_is_told_that_there_is_none(server: Running) -> None:
    """Whoever asks before that is answered, and puts it off: then it is tried again, as the server's keeper does."""
    created = await server.create(3)
    game_id = created.game.game_id
    await abort(server, game_id, created.host_token)
    async with asyncio.timeout(60):
        removing = (removed(server, game_id) for _ in range(3))
        asking = (refused_at_last(server, game_id) for _ in range(5))
        told = (await asyncio.gather(*removing, *asking))[3:]
    assert told == ["GAME_NOT_FOUND"] * 5
    assert await server.server.hub.remove(game_id)


async def removed(server: Running, game_id: str) -> None:
    """Tries until nobody reads the game."""
    while not await server.server.hub.remove(game_id):  # noqa: ASYNC110 - nobody tells of it
        await asyncio.sleep(0.001)


async def refused_at_last(server: Running, game_id: str) -> str:
    """Reads the game again and again until it is refused; returns the reason."""
    while True:
        try:
            assert (await server.watch_first(game_id)).snapshot.game.status == ABORTED
        except grpc.aio.AioRpcError as error:
            return refused(error).reason


async def test_watchers_of_the_lobby_are_told_that_a_game_is_gone(server: Running) -> None:
    hub = server.server.hub
    ended = await server.create(3)
    await abort(server, ended.game.game_id, ended.host_token)
    private = await server.create([OPEN, OPEN, reserved("greedy")], settings=PRIVATE)
    await abort(server, private.game.game_id, private.host_token)
    everything, aborted, waiting = (
        Watcher(server),
        Watcher(server, statuses=[ABORTED]),
        Watcher(server, statuses=[WAITING]),
    )
    for watcher in (everything, aborted):
        assert await watcher.next() == (ended.game.game_id, ABORTED, False)
    for watcher in (everything, aborted, waiting):
        assert await watcher.next() == SYNCED
    assert await hub.remove(private.game.game_id)
    assert await hub.remove(ended.game.game_id)
    for watcher in (everything, aborted):
        assert await watcher.next() == (ended.game.game_id, ABORTED, True)
    assert await waiting.nothing_more()
