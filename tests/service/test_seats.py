"""Seats: open, invited and reserved ones, taken, given back, and the start when the last one is taken."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from dragonhall.v1 import game_pb2, game_service_pb2
from tests.service.harness import OPEN, Running, dragons, invited, refused, reserved
from tests.service.lobbying import BY_HOST, leave, start


async def test_a_new_game_tells_everyone_what_it_is(server: Running) -> None:
    game = (await server.create([OPEN, reserved("greedy"), invited()], title="Evening", seed=bytes(range(32)))).game
    assert (game.revision, game.status, game.title) == (1, game_pb2.GAME_STATUS_WAITING, "Evening")
    assert game.seed_source == game_pb2.SEED_SOURCE_HOST
    assert [seat.kind for seat in game.seats] == [
        game_pb2.SEAT_KIND_OPEN,
        game_pb2.SEAT_KIND_RESERVED,
        game_pb2.SEAT_KIND_INVITED,
    ]
    assert game.seats[1].bot_name == "greedy"
    assert len(game.seed_commitment) == 32
    assert game.component_set.id == "dragons-default"
    assert not game.component_set.HasField("dragons")
    assert game == await server.game(game.game_id)


async def test_the_last_seat_starts_the_game(server: Running) -> None:
    game_id = (await server.create(3)).game.game_id
    first = await server.take(game_id, "Ada", nonce=b"dice")
    assert (first.seat, first.game.revision, first.game.status) == (0, 2, game_pb2.GAME_STATUS_WAITING)
    assert (first.game.seats[0].player_name, first.game.seats[0].nonce) == ("Ada", b"dice")
    await server.take(game_id, seat=2)
    last = await server.take(game_id)
    assert (last.seat, last.game.revision, last.game.status) == (1, 5, game_pb2.GAME_STATUS_RUNNING)
    assert last.game.HasField("start_time")


async def test_an_invitation_opens_its_own_seat_only(server: Running) -> None:
    created = await server.create([OPEN, invited(), invited()])
    codes = {invitation.seat: invitation.code for invitation in created.invitations}
    assert set(codes) == {1, 2}
    game_id = created.game.game_id
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await server.take(game_id, seat=1, invitation_code=codes[2])
    assert refused(caught.value).reason == "INVITATION_INVALID"
    assert (await server.take(game_id, seat=2, invitation_code=codes[2])).seat == 2
    assert (await server.take(game_id, invitation_code=codes[1])).seat == 1  # rather than the open one
    assert (await server.take(game_id, invitation_code=codes[1])).seat == 0


async def test_a_reserved_seat_is_for_its_bot_only(server: Running) -> None:
    game_id = (await server.create([OPEN, reserved("greedy"), OPEN])).game.game_id
    assert (await server.take(game_id)).seat == 0
    assert (await server.take(game_id, bot_name="greedy")).seat == 1  # rather than the open one
    assert (await server.take(game_id, bot_name="random")).seat == 2  # an open seat is open to all


async def test_seats_wanted_by_many_at_once_are_given_once(server: Running) -> None:
    game_id = (await server.create(4)).game.game_id
    results = await asyncio.gather(*(server.take(game_id) for _ in range(12)), return_exceptions=True)
    taken = [result.seat for result in results if isinstance(result, game_service_pb2.TakeSeatResponse)]
    assert sorted(taken) == [0, 1, 2, 3]
    assert sum(isinstance(result, grpc.aio.AioRpcError) for result in results) == 8


async def test_a_seat_given_back_can_be_taken_anew_and_its_token_is_worth_nothing(server: Running) -> None:
    game_id = (await server.create(3)).game.game_id
    old = await server.take(game_id, "Old")
    stream = asyncio.create_task(server.watch_to_end(game_id, old.seat_token, 0))
    await server.watch_first(game_id, old.seat_token, 0)
    game = await leave(server, game_id, old.seat_token)
    assert not game.seats[0].taken
    assert not game.seats[0].player_name
    assert (await stream).messages[-1].update.events[0].seat_left.seat == 0
    new = await server.take(game_id, "New")
    assert (new.seat, new.game.seats[0].player_name) == (0, "New")
    for attempt in (leave(server, game_id, old.seat_token), server.watch_first(game_id, old.seat_token)):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await attempt
        assert refused(caught.value).reason == "TOKEN_INVALID"
    whole = asyncio.create_task(server.watch_to_end(game_id, new.seat_token, 0, from_revision=1))
    await server.take(game_id)
    await server.take(game_id)
    await asyncio.sleep(0.1)
    assert not whole.done()  # that the seat was given back before does not end the new holder's stream
    whole.cancel()


async def test_the_host_can_abort_a_waiting_and_a_running_game(server: Running) -> None:
    waiting = await server.create(3)
    running = await server.seated(3)
    stream = asyncio.create_task(server.watch_to_end(running.game_id))
    await server.watch_first(running.game_id)
    for game_id, token in (
        (waiting.game.game_id, waiting.host_token),
        (running.game_id, running.host_token),
    ):
        request = game_service_pb2.AbortGameRequest(game_id=game_id, host_token=token)
        game = (await server.games.AbortGame(request)).game
        assert game.status == game_pb2.GAME_STATUS_ABORTED
        assert game.HasField("end_time")
    last = (await stream).messages[-1].update
    assert last.events[0].WhichOneof("event") == "game_aborted"
    assert not last.waiting


async def test_the_same_seed_and_nonces_give_the_same_game(server: Running) -> None:
    games = [await server.seated(3, seed=bytes(32), options=dragons(open_piles=True)) for _ in range(2)]
    for game in games:
        await server.play_out(game)
    one, other = [await server.record(game.game_id) for game in games]
    assert [step.events for step in one.steps] == [step.events for step in other.steps]
    assert one.outcome == other.outcome


async def test_a_game_that_its_host_starts_waits_for_the_host(server: Running) -> None:
    created = await server.create(3, settings=BY_HOST)
    game_id = created.game.game_id
    taken = [await server.take(game_id) for _ in range(3)]
    assert taken[-1].game.status == game_pb2.GAME_STATUS_WAITING
    await leave(server, game_id, taken[1].seat_token)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await start(server, game_id, created.host_token)
    assert (refused(caught.value).reason, refused(caught.value).metadata["seats"]) == ("SEATS_FREE", "1")
    await server.take(game_id)
    started = await start(server, game_id, created.host_token)
    assert (started.status, started.revision) == (game_pb2.GAME_STATUS_RUNNING, 7)
    assert await start(server, game_id, created.host_token) == started


async def test_a_game_starts_once_however_often_its_host_says_so(server: Running) -> None:
    game = await server.seated(3, settings=BY_HOST)
    started = await asyncio.gather(*(start(server, game.game_id, game.host_token) for _ in range(5)))
    assert {one.revision for one in started} == {5}
    await server.play_out(game)
