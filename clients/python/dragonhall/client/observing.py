"""Observations of one game that outlive the connection they come over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from grpc import aio

from dragonhall.client.channel import OpenStreams
from dragonhall.client.errors import ConnectionClosed
from dragonhall.client.retry import Backoff, Patience, cause_to_retry
from dragonhall.v1 import game_pb2, play_service_pb2, play_service_pb2_grpc

_ENDED: Final = (game_pb2.GAME_STATUS_FINISHED, game_pb2.GAME_STATUS_ABORTED)


def is_last(observation: play_service_pb2.ObserveResponse) -> bool:
    """Whether nothing can follow: the game was finished or aborted."""
    if observation.HasField("snapshot"):
        return observation.snapshot.game.status in _ENDED
    return any(event.WhichOneof("event") in ("game_finished", "game_aborted") for event in observation.update.events)


def raise_if_closed_here(call: aio.UnaryStreamCall | aio.StreamStreamCall) -> None:  # type: ignore[type-arg]
    """Tells a channel that was closed under a call from a task that was cancelled: gRPC reports both alike.

    Call it where `asyncio.CancelledError` was caught. Raises `ConnectionClosed` for the former.
    """
    task = asyncio.current_task()
    if call.cancelled() and task is not None and not task.cancelling():
        raise ConnectionClosed("the client was closed") from None


async def observe(
    stub: play_service_pb2_grpc.PlayServiceAsyncStub,
    request: play_service_pb2.ObserveRequest,
    target: str,
    patience: Patience,
    streams: OpenStreams,
) -> AsyncGenerator[play_service_pb2.ObserveResponse, None]:
    """What ``request`` asks to observe, without heartbeats, until the game's end; over as many streams as it takes."""
    backoff = Backoff(target, patience)
    while True:
        call = streams.add(stub.Observe(request))
        try:
            async for observation in call:
                backoff.reset()
                request.from_revision = observation.revision + 1
                if not observation.HasField("heartbeat"):
                    yield observation
                if is_last(observation):
                    return
            cause = "the stream ended before the game did"
        except aio.AioRpcError as failure:
            cause = cause_to_retry(failure)
        except asyncio.CancelledError:
            raise_if_closed_here(call)
            raise
        finally:
            streams.end(call)
        await backoff.wait(cause)
