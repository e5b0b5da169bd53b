"""Games with settings, private ones, quick matches and rematches, through the client."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from dragonhall.client import Client, DragonhallError, bank, bot_seat, open_seat, per_decision
from dragonhall.v1 import game_pb2
from tests.client.games import DRAGONS, play_quickly, seated_game

PRIVATE = game_pb2.GameSettings(visibility=game_pb2.VISIBILITY_PRIVATE)
BY_HOST = game_pb2.GameSettings(start=game_pb2.START_POLICY_BY_HOST)


async def test_settings_are_public(client: Client) -> None:
    settings = game_pb2.GameSettings(
        time_control=bank(timedelta(minutes=3), increment=timedelta(seconds=2)),
        absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE,
        substitute_bot="greedy",
        spectator_delay=2,
        allow_undo=True,
    )
    created = await client.create_game(DRAGONS, [open_seat()] * 3, settings=settings)
    shown = (await client.get_game(created.game.game_id)).settings
    assert shown.time_control == settings.time_control
    assert (shown.substitute_bot, shown.spectator_delay, shown.allow_undo) == ("greedy", 2, True)


async def test_a_limit_beyond_the_range_names_the_field(client: Client) -> None:
    settings = game_pb2.GameSettings(time_control=per_decision(timedelta(milliseconds=1)))
    with pytest.raises(DragonhallError) as refused:
        await client.create_game(DRAGONS, [open_seat()] * 3, settings=settings)
    assert refused.value.reason == "INVALID_FIELD"
    assert (refused.value.field or "").startswith("settings.time_control")


async def test_a_private_game_is_there_for_its_tokens_alone(client: Client) -> None:
    created = await client.create_game(DRAGONS, [open_seat()] * 3, settings=PRIVATE)
    game_id = created.game.game_id
    seat = await client.take_seat(game_id, "Ann")
    for token in (created.host_token, created.spectator_token, seat.token):
        assert (await client.get_game(game_id, token)).game_id == game_id
        assert (await anext(client.observe(game_id, token=token))).HasField("snapshot")
    with pytest.raises(DragonhallError, match="GAME_NOT_FOUND"):
        await client.get_game(game_id)
    with pytest.raises(DragonhallError, match="GAME_NOT_FOUND"):
        await anext(client.observe(game_id))
    assert game_id not in [game.game_id async for game in client.list_games()]
    assert (await client.abort_game(game_id, created.host_token)).status == game_pb2.GAME_STATUS_ABORTED


async def test_the_host_starts_a_game_once_all_seats_are_taken(client: Client) -> None:
    created = await client.create_game(DRAGONS, [open_seat()] * 3, settings=BY_HOST)
    game_id, host = created.game.game_id, created.host_token
    await client.take_seat(game_id, "Ann", seat=1)
    with pytest.raises(DragonhallError) as refused:
        await client.start_game(game_id, host)
    assert (refused.value.reason, refused.value.seats) == ("SEATS_FREE", (0, 2))
    for name in ("Bob", "Cid"):
        await client.take_seat(game_id, name)
    assert (await client.get_game(game_id)).status == game_pb2.GAME_STATUS_WAITING
    for _ in range(2):
        assert (await client.start_game(game_id, host)).status == game_pb2.GAME_STATUS_RUNNING


async def test_people_who_look_for_the_same_game_find_each_other(client: Client) -> None:
    settings = game_pb2.GameSettings(time_control=per_decision(timedelta(minutes=7)))
    names = ("Ann", "Bob", "Cid", "Dan")
    seats = [await client.find_game(DRAGONS, 3, name, settings=settings, nonce=name.encode()) for name in names]
    assert [seat.number for seat in seats] == [0, 1, 2, 0]
    assert len({seat.game_id for seat in seats[:3]}) == 1
    game = await client.get_game(seats[0].game_id)
    assert (game.status, game.quick_match) == (game_pb2.GAME_STATUS_RUNNING, True)
    assert [seat.nonce for seat in game.seats] == [b"Ann", b"Bob", b"Cid"]
    open_games = [game.game_id async for game in client.list_games(open_seat=True, seats=3)]
    assert seats[3].game_id in open_games
    assert game.game_id not in open_games


async def test_a_quick_match_with_the_same_request_id_is_one_seat(client: Client) -> None:
    seats = [await client.find_game(DRAGONS, 6, "Ann", request_id="a quick match of the tests") for _ in range(2)]
    assert (seats[0].game_id, seats[0].number, seats[0].token) == (seats[1].game_id, seats[1].number, seats[1].token)


async def test_a_rematch_gives_everyone_the_next_seat(client: Client) -> None:
    seats = await seated_game(client)
    assert (await play_quickly(client, seats)).status == game_pb2.GAME_STATUS_FINISHED
    again = await asyncio.gather(*(seat.rematch() for seat in seats))
    once_more = await seats[0].rematch()
    assert [seat.number for seat in again] == [1, 2, 0]
    assert (once_more.game_id, once_more.number, once_more.token) == (again[0].game_id, 1, again[0].token)
    game = await client.get_game(again[0].game_id)
    assert (game.status, game.rematch_of) == (game_pb2.GAME_STATUS_RUNNING, seats[0].game_id)
    assert (await play_quickly(client, list(again))).status == game_pb2.GAME_STATUS_FINISHED


async def test_a_host_who_asks_for_a_rematch_is_its_host(client: Client) -> None:
    created = await client.create_game(DRAGONS, [open_seat()] * 3)
    await client.abort_game(created.game.game_id, created.host_token)
    again = await client.rematch(created.game.game_id, created.host_token)
    assert not again.HasField("seat")
    aborted = await client.abort_game(again.game.game_id, again.host_token)
    assert (aborted.status, aborted.abort_cause) == (game_pb2.GAME_STATUS_ABORTED, game_pb2.ABORT_CAUSE_HOST)


async def test_lists_are_of_games_with_a_seat_for_who_asks(client: Client) -> None:
    for_bots = (await client.create_game(DRAGONS, [bot_seat("hydra")] * 4)).game.game_id
    mixed = (await client.create_game(DRAGONS, [bot_seat("hydra"), open_seat(), open_seat()])).game.game_id

    async def listed(*, open_seat: bool = False, seats: int = 0) -> list[str]:
        games = client.list_games(reserved_for="hydra", open_seat=open_seat, seats=seats)
        return [game.game_id async for game in games]

    assert await listed() == [mixed, for_bots]
    assert await listed(open_seat=True) == [mixed]
    assert await listed(seats=4) == [for_bots]
