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


class Position:
    """How far a reader of one game is, over as many streams as it takes: its request asks for what is still to come."""

    def __init__(self, request: play_service_pb2.ObserveRequest | play_service_pb2.AttachSeat) -> None:
        self._request = request
        self._is_resumed = request.from_revision > 0
        """By whoever reads, who may not know what the seat is asked; not only by this client after a break."""

    def move(self, observation: play_service_pb2.ObserveResponse) -> bool:
        """Moves on by an observation, and returns whether the reader gets it.

        Heartbeats are kept back, but for the one that tells an open decision to a reader that resumed: no other message
        will bring that.
        """
        self._request.from_revision = observation.revision + 1
        was_resumed, self._is_resumed = self._is_resumed, False
        return not observation.HasField("heartbeat") or (was_resumed and observation.heartbeat.HasField("decision"))


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
    """What ``request`` asks to observe, until nothing is left to be told; over as many streams as it takes."""
    backoff = Backoff(target, patience)
    position = Position(request)
    while True:
        call = streams.add(stub.Observe(request))
        try:
            async for observation in call:
                backoff.reset()
                if position.move(observation):
                    yield observation
                if is_last(observation):
                    return
            return  # only a stream that has nothing left to send ends so
        except aio.AioRpcError as failure:
            cause = cause_to_retry(failure)
        except asyncio.CancelledError:
            raise_if_closed_here(call)
            raise
        finally:
            streams.end(call)
        await backoff.wait(cause)
