"""Games and seats through the client, against a real server."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import timedelta
from random import Random

import grpc
import pytest

from dragonhall.client import (
    Client,
    ConnectionClosed,
    DragonhallError,
    Patience,
    ServerUnavailable,
    bot_seat,
    invited_seat,
    new_request_id,
    open_seat,
)
from dragonhall.v1 import game_pb2, games_pb2
from tests.client.games import DRAGONS, play_patiently, seated_game

NOBODY = "127.0.0.1:1"
"""Where nobody listens."""


async def test_catalogue_names_the_games(client: Client) -> None:
    (dragons,) = [rules for rules in await client.list_rules() if rules.game == "dragons"]
    assert (dragons.min_seats, dragons.max_seats) == (3, 6)


async def test_create_and_take_seat_with_the_same_request_id_happen_once(client: Client) -> None:
    creating, taking = new_request_id(), new_request_id()
    created = [await client.create_game(DRAGONS, [open_seat()] * 3, request_id=creating) for _ in range(2)]
    assert created[0].game.game_id == created[1].game.game_id
    assert created[0].host_token == created[1].host_token
    game_id = created[0].game.game_id
    seats = [await client.take_seat(game_id, "Ann", request_id=taking) for _ in range(2)]
    assert (seats[0].number, seats[0].token) == (seats[1].number, seats[1].token)
    game = await client.get_game(game_id)
    assert [seat.taken for seat in game.seats] == [True, False, False]
    with pytest.raises(DragonhallError) as refused:
        await client.take_seat(game_id, "Bob", request_id=taking)
    assert (refused.value.reason, refused.value.code) == ("REQUEST_ID_REUSED", grpc.StatusCode.ALREADY_EXISTS)


async def test_without_a_request_id_each_call_is_carried_out(client: Client) -> None:
    first, second = [await client.create_game(DRAGONS, [open_seat()] * 3) for _ in range(2)]
    assert first.game.game_id != second.game.game_id


async def test_refusals_are_typed(client: Client) -> None:
    with pytest.raises(DragonhallError) as unknown:
        await client.get_game("no-such-game")
    assert (unknown.value.reason, unknown.value.code) == ("GAME_NOT_FOUND", grpc.StatusCode.NOT_FOUND)
    with pytest.raises(DragonhallError) as two_seats:
        await client.create_game(DRAGONS, [open_seat()] * 2)
    assert (two_seats.value.reason, two_seats.value.field) == ("INVALID_FIELD", "seats")
    (seat, *_) = await seated_game(client)
    with pytest.raises(DragonhallError) as running:
        await seat.rematch()
    assert (running.value.reason, running.value.status) == ("GAME_RUNNING", "RUNNING")
    with pytest.raises(DragonhallError) as no_record:
        await client.record(seat.game_id)
    assert no_record.value.reason == "RECORD_NOT_READY"


async def test_illegal_action_names_the_rule(client: Client) -> None:
    seats = await seated_game(client)
    async for observation in client.observe(seats[0].game_id):
        (waiting,) = observation.snapshot.waiting
        break
    action = games_pb2.GameAction()
    action.dragons.place.pile = 0
    with pytest.raises(DragonhallError) as refused:
        await seats[waiting.seat].submit(waiting.decision_id, action=action)
    assert (refused.value.reason, refused.value.rule) == ("ILLEGAL_ACTION", "1. Draw a Card")


async def test_invited_and_reserved_seats(client: Client) -> None:
    created = await client.create_game(DRAGONS, [open_seat(), invited_seat(), bot_seat("rex")])
    game_id, (invitation,) = created.game.game_id, created.invitations
    with pytest.raises(DragonhallError, match="INVITATION_INVALID"):
        await client.take_seat(game_id, "Ann", seat=invitation.seat, invitation_code="guess")
    invited = await client.take_seat(game_id, "Ann", seat=invitation.seat, invitation_code=invitation.code)
    with pytest.raises(DragonhallError, match="SEAT_UNAVAILABLE"):
        await client.take_seat(game_id, "Bob", seat=2)
    reserved = await client.take_seat(game_id, "Rex", seat=2, bot_name="rex")
    assert (invited.number, reserved.number) == (1, 2)


async def test_leaving_frees_the_seat_and_ends_its_token(client: Client) -> None:
    game_id = (await client.create_game(DRAGONS, [open_seat()] * 3)).game.game_id
    seat = await client.take_seat(game_id, "Ann")
    async with aclosing(seat.observe()) as stream:
        assert (await anext(stream)).snapshot.seat == 0
        game = await seat.leave()
        assert not any(other.taken for other in game.seats)
        assert (await anext(stream)).update.events[0].HasField("seat_left")
        assert [observation async for observation in stream] == []
    with pytest.raises(DragonhallError, match="TOKEN_INVALID"):
        await anext(seat.observe())
    with pytest.raises(DragonhallError, match="TOKEN_INVALID"):
        await seat.leave()


async def test_only_the_host_aborts(client: Client) -> None:
    created = await client.create_game(DRAGONS, [open_seat()] * 3)
    seat = await client.take_seat(created.game.game_id, "Ann")
    with pytest.raises(DragonhallError, match="NOT_YOUR_ROLE"):
        await client.abort_game(created.game.game_id, seat.token)
    game = await client.abort_game(created.game.game_id, created.host_token)
    assert game.status == game_pb2.GAME_STATUS_ABORTED


async def test_list_goes_through_all_pages(client: Client) -> None:
    created = [(await client.create_game(DRAGONS, [bot_seat("dino")] * 3)).game.game_id for _ in range(205)]
    listed = [game.game_id async for game in client.list_games(reserved_for="dino")]
    assert listed == created[::-1]
    assert [game async for game in client.list_games(reserved_for="nobody")] == []


async def test_lobby_tells_what_it_has_then_what_changes(client: Client) -> None:
    before = (await client.create_game(DRAGONS, [bot_seat("drake"), open_seat(), open_seat()])).game.game_id
    async with aclosing(client.watch_games(reserved_for="drake")) as lobby:
        assert (await anext(lobby)).game.game_id == before
        assert not (await anext(lobby)).HasField("game")
        after = (await client.create_game(DRAGONS, [bot_seat("drake"), open_seat(), open_seat()])).game.game_id
        assert (await anext(lobby)).game.game_id == after
        await client.take_seat(before, "Drake", bot_name="drake")
        left = await anext(lobby)
        assert (left.game.game_id, left.left_filter) == (before, True)


async def test_patience_ends() -> None:
    impatient = Patience(give_up_after=timedelta(milliseconds=300))
    async with Client(NOBODY, patience=impatient) as client:
        with pytest.raises(ServerUnavailable, match=NOBODY):
            await client.list_rules()


async def test_a_closed_client_says_so(target: str) -> None:
    async with Client(target) as client:
        seats = await seated_game(client)
        stream = seats[0].observe()
        await anext(stream)
    with pytest.raises(ConnectionClosed):
        await anext(stream)


async def test_record_of_a_finished_game(client: Client) -> None:
    seats = await seated_game(client)
    await asyncio.gather(*(play_patiently(seat.observe(), seat, Random(seat.number)) for seat in seats))
    record = await client.record(seats[0].game_id)
    game = await client.get_game(seats[0].game_id)
    assert game.status == game_pb2.GAME_STATUS_FINISHED
    assert record.outcome == game.outcome
    assert [seat.player_name for seat in record.seats] == ["player 0", "player 1", "player 2"]
