"""The lobby as a stream that outlives the connection it comes over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from grpc import aio

from dragonhall.client.channel import OpenStreams
from dragonhall.client.errors import DragonhallError
from dragonhall.client.observing import raise_if_closed_here
from dragonhall.client.retry import Backoff, Patience, cause_to_retry, repeat
from dragonhall.v1 import game_service_pb2, game_service_pb2_grpc


async def watch_games(
    stub: game_service_pb2_grpc.GameServiceAsyncStub,
    request: game_service_pb2.WatchGamesRequest,
    target: str,
    patience: Patience,
    streams: OpenStreams,
) -> AsyncGenerator[game_service_pb2.WatchGamesResponse, None]:
    """What `WatchGames` tells, for ever, over as many streams as it takes.

    The server begins each stream anew. A game that ceased to match while there was no stream is told too, before that
    stream's "synced" message, so that a reader who keeps a list has no stale entries.
    """
    backoff = Backoff(target, patience)
    matching: set[str] = set()
    while True:
        call = streams.add(stub.WatchGames(request))
        before, synced = matching, False
        matching = set()
        try:
            async for message in call:
                backoff.reset()
                if not message.HasField("game"):
                    synced = True
                    for game_id in sorted(before - matching):
                        yield await _departure(stub, game_id, target, patience)
                elif message.left_filter:
                    matching.discard(message.game.game_id)
                else:
                    matching.add(message.game.game_id)
                yield message
            cause = "the stream ended"
        except aio.AioRpcError as failure:
            cause = cause_to_retry(failure)
        except asyncio.CancelledError:
            raise_if_closed_here(call)
            raise
        finally:
            streams.end(call)
            if not synced:
                matching |= before
        await backoff.wait(cause)


async def _departure(
    stub: game_service_pb2_grpc.GameServiceAsyncStub, game_id: str, target: str, patience: Patience
) -> game_service_pb2.WatchGamesResponse:
    """The message that a game no longer matches, with the game as it is now; only its id if it was removed."""
    request = game_service_pb2.GetGameRequest(game_id=game_id)
    response = game_service_pb2.WatchGamesResponse(left_filter=True)
    try:
        found = await repeat(target, patience, lambda limit: stub.GetGame(request, timeout=limit))
    except DragonhallError as error:
        if error.reason != "GAME_NOT_FOUND":
            raise
        response.game.game_id = game_id
    else:
        response.game.CopyFrom(found.game)
    return response
