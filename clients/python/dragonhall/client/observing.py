"""Observations of one game that outlive the connection they come over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final, TypeVar

from grpc import aio

from dragonhall.client.connection import Connection
from dragonhall.client.errors import ConnectionClosed, DragonhallError
from dragonhall.client.retry import NO_ANSWER, Backoff, Setback, cancellations, raise_if_cancelled_since, setback_of
from dragonhall.v1 import game_pb2, play_service_pb2, record_service_pb2

_Request = TypeVar("_Request", play_service_pb2.ObserveRequest, record_service_pb2.ReplayGameRequest)
_Response = TypeVar("_Response")
_Asks = play_service_pb2.ObserveRequest | play_service_pb2.AttachSeat | record_service_pb2.ReplayGameRequest

_ENDED: Final = (game_pb2.GAME_STATUS_FINISHED, game_pb2.GAME_STATUS_ABORTED)
_ENDS: Final = ("game_finished", "game_aborted")
_LOSSES: Final = ("seat_left", "seat_changed")


def is_last(observation: play_service_pb2.ObserveResponse) -> bool:
    """Whether nothing can follow: the game was finished or aborted."""
    if observation.HasField("snapshot"):
        return observation.snapshot.game.status in _ENDED
    return _has_event(observation, _ENDS)


def _has_event(observation: play_service_pb2.ObserveResponse, kinds: tuple[str, ...]) -> bool:
    return any(event.WhichOneof("event") in kinds for event in observation.update.events)


def _content(request: _Asks) -> play_service_pb2.StreamContent.ValueType:
    if isinstance(request, record_service_pb2.ReplayGameRequest):
        return play_service_pb2.STREAM_CONTENT_SNAPSHOT_AND_UPDATES
    return request.content


class Position:
    """How far a reader of one game is, over as many streams as it takes: its request asks for what is still to come."""

    def __init__(self, request: _Asks) -> None:
        self._request = request
        self._is_replay = isinstance(request, record_service_pb2.ReplayGameRequest)
        content = _content(request)
        self._one_snapshot = content == play_service_pb2.STREAM_CONTENT_SNAPSHOT
        self._wants_heartbeat = request.from_revision > 0 or content == play_service_pb2.STREAM_CONTENT_UPDATES
        """The first one: nothing else tells a reader what its seat is asked who resumed, or who never gets a snapshot.
        After a break in which only this client resumed, it is nothing new."""
        self._seat_may_be_lost = False

    def move(self, observation: play_service_pb2.ObserveResponse) -> bool:
        """Moves on by an observation, and returns whether the reader gets it.

        Heartbeats are kept back, but for the first one of a reader that begins without a snapshot, if that tells an
        open decision.
        """
        self._request.from_revision = observation.revision + 1
        wanted, self._wants_heartbeat = self._wants_heartbeat, False
        if observation.HasField("heartbeat"):
            return wanted and observation.heartbeat.HasField("decision")
        self._seat_may_be_lost = _has_event(observation, _LOSSES)
        return True

    def is_last(self, observation: play_service_pb2.ObserveResponse) -> bool:
        """Whether nothing can follow on a stream like this one."""
        if observation.HasField("snapshot") and (self._one_snapshot or self._is_replay):
            return self._one_snapshot  # what a replay's snapshot is of was not the end
        return is_last(observation)

    def is_ended_by(self, error: DragonhallError) -> bool:
        """Whether a refusal to go on only means that the reader was told everything: the last thing was that a seat was
        given back, or taken back from a substitute, and the connection broke before the stream had ended."""
        return self._seat_may_be_lost and error.reason in ("TOKEN_INVALID", "GAME_NOT_FOUND")  # the latter: private

    def setback_of(self, failure: aio.AioRpcError) -> Setback | None:
        """As `retry.setback_of`; ``None`` if the reader was told everything."""
        try:
            return setback_of(failure)
        except DragonhallError as error:
            if self.is_ended_by(error):
                return None
            raise


async def read(call: aio.UnaryStreamCall[Any, Any], limit: float | None = None) -> object:
    """As ``call.read()``. Raises `TimeoutError` after ``limit`` seconds: every stream begins with something.

    What is behind the port may be no server, or one that hangs: then connecting, or TCP's acknowledgements, go on.
    """
    async with asyncio.timeout(limit):
        cancelled = cancellations()
        try:
            return await call.read()
        except aio.AioRpcError:
            raise_if_cancelled_since(cancelled)
            raise


def raise_if_closed_here(call: aio.UnaryStreamCall | aio.StreamStreamCall) -> None:  # type: ignore[type-arg]
    """Tells a channel that was closed under a call from a task that was cancelled: gRPC reports both alike.

    Call it where `asyncio.CancelledError` was caught. Raises `ConnectionClosed` for the former.
    """
    if call.cancelled() and not cancellations():
        raise ConnectionClosed("the client was closed") from None


async def observe(
    connection: Connection,
    method: aio.UnaryStreamMultiCallable[_Request, _Response],
    request: _Request,
    unpack: Callable[[object], play_service_pb2.ObserveResponse | None],
) -> AsyncGenerator[play_service_pb2.ObserveResponse, None]:
    """What ``request`` asks to observe, until nothing is left to be told; over as many streams as it takes.

    ``unpack``: the observation in one of the stream's messages; ``None`` for what is none, the stream's end.
    """
    backoff = Backoff(connection.target, connection.patience)
    position = Position(request)
    while True:
        call = await connection.open_stream(method, request)
        try:
            message = unpack(await read(call, backoff.first_word_limit()))
            while message is not None:
                backoff.reset()
                if position.move(message):
                    yield message
                if position.is_last(message):
                    return
                message = unpack(await read(call))
            return  # only a stream that has nothing left to send ends so
        except aio.AioRpcError as failure:
            broken = position.setback_of(failure)
            if broken is None:
                return
            setback = broken
        except TimeoutError:
            setback = NO_ANSWER
        except asyncio.CancelledError:
            raise_if_closed_here(call)
            raise
        finally:
            connection.end_stream(call)
        await backoff.wait(setback)
