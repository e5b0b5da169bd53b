"""The lobby as a stream that outlives the connection it comes over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

from grpc import aio

from dragonhall.client.connection import Connection
from dragonhall.client.errors import DragonhallError
from dragonhall.client.observing import raise_if_closed_here, read
from dragonhall.client.retry import NO_ANSWER, Backoff, Setback, setback_of
from dragonhall.v1 import game_pb2, game_service_pb2


def game_filter(
    statuses: Sequence[game_pb2.GameStatus.ValueType], game: str, reserved_for: str, open_seat: bool, seats: int
) -> game_service_pb2.GameFilter:
    """Which games are meant, as `Client.list_games` has it."""
    return game_service_pb2.GameFilter(
        statuses=statuses, game=game, reserved_for=reserved_for, open_seat=open_seat, seats=seats
    )


async def watch_games(
    connection: Connection, request: game_service_pb2.WatchGamesRequest
) -> AsyncGenerator[game_service_pb2.WatchGamesResponse, None]:
    """What `WatchGames` tells, for ever, over as many streams as it takes.

    The server begins each stream anew. A game that ceased to match while there was no stream is told too, before that
    stream's "synced" message, so that a reader who keeps a list has no stale entries.
    """
    backoff = Backoff(connection.target, connection.patience)
    matching: set[str] = set()
    while True:
        call = await connection.open_stream(connection.games.WatchGames, request)
        before, synced = matching, False
        matching = set()
        try:
            message = await read(call, backoff.first_word_limit())
            while isinstance(message, game_service_pb2.WatchGamesResponse):
                backoff.reset()
                if not message.HasField("game"):
                    synced = True
                    for game_id in sorted(before - matching):
                        yield await _departure(connection, game_id)
                elif message.left_filter:
                    matching.discard(message.game.game_id)
                else:
                    matching.add(message.game.game_id)
                yield message
                message = await read(call)
            setback = Setback("the stream ended")
        except aio.AioRpcError as failure:
            setback = setback_of(failure)
        except TimeoutError:
            setback = NO_ANSWER
        except asyncio.CancelledError:
            raise_if_closed_here(call)
            raise
        finally:
            connection.end_stream(call)
            if not synced:
                matching |= before
        await backoff.wait(setback)


async def _departure(connection: Connection, game_id: str) -> game_service_pb2.WatchGamesResponse:
    """The message that a game no longer matches, with the game as it is now; only its id if it was removed, or is
    private."""
    request = game_service_pb2.GetGameRequest(game_id=game_id)
    response = game_service_pb2.WatchGamesResponse(left_filter=True)
    try:
        found = await connection.call(connection.games.GetGame, request)
    except DragonhallError as error:
        if error.reason != "GAME_NOT_FOUND":
            raise
        response.game.game_id = game_id
    else:
        response.game.CopyFrom(found.game)
    return response
