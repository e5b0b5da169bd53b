"""What players and hosts ask for around a game: to be short where it is tested."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import grpc
import pytest

from dragonhall.v1 import game_pb2
from dragonhall.v1.game_service_pb2 import (
    AbortGameRequest,
    FindGameRequest,
    FindGameResponse,
    GameFilter,
    GetGameRequest,
    LeaveSeatRequest,
    ListGamesRequest,
    RematchRequest,
    RematchResponse,
    StartGameRequest,
    TakeBackSeatRequest,
)
from tests.service.harness import Client, Refused, dragons, refused


def settings(**fields: Any) -> game_pb2.GameSettings:
    """How a game is held."""
    return game_pb2.GameSettings(**fields)


PRIVATE = settings(visibility=game_pb2.VISIBILITY_PRIVATE)
BY_HOST = settings(start=game_pb2.START_POLICY_BY_HOST)


async def find(client: Client, name: str = "Someone", seats: int = 3, **fields: Any) -> FindGameResponse:
    """A seat among others who want to play the same."""
    fields.setdefault("options", dragons())
    return await client.games.FindGame(FindGameRequest(player_name=name, seats=seats, **fields))


async def rematch(client: Client, game_id: str, token: str, nonce: bytes = b"") -> RematchResponse:
    """The same game once more."""
    return await client.games.Rematch(RematchRequest(game_id=game_id, token=token, nonce=nonce))


async def start(client: Client, game_id: str, host_token: str) -> game_pb2.Game:
    """The game after its host has started it."""
    request = StartGameRequest(game_id=game_id, host_token=host_token)
    return (await client.games.StartGame(request)).game


async def abort(client: Client, game_id: str, host_token: str) -> game_pb2.Game:
    """The game after its host has ended it."""
    request = AbortGameRequest(game_id=game_id, host_token=host_token)
    return (await client.games.AbortGame(request)).game


async def leave(client: Client, game_id: str, seat_token: str) -> game_pb2.Game:
    """The game after a seat was given back, or left."""
    request = LeaveSeatRequest(game_id=game_id, seat_token=seat_token)
    return (await client.games.LeaveSeat(request)).game


async def take_back(client: Client, game_id: str, seat_token: str) -> game_pb2.Game:
    """The game after a seat was taken back."""
    request = TakeBackSeatRequest(game_id=game_id, seat_token=seat_token)
    return (await client.games.TakeBackSeat(request)).game


async def get(client: Client, game_id: str, token: str = "") -> game_pb2.Game:
    """A game, as those may know it who have one of its tokens."""
    return (await client.games.GetGame(GetGameRequest(game_id=game_id, token=token))).game


async def listed(client: Client, **conditions: Any) -> list[str]:
    """The games that a filter lets through, newest first."""
    request = ListGamesRequest(filter=GameFilter(**conditions))
    return [game.game_id for game in (await client.games.ListGames(request)).games]


async def refusal_of(attempt: Awaitable[Any]) -> Refused:
    """Why an attempt is refused."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await attempt
    return refused(caught.value)
