"""What all calls of one client share: its channel, its patience, who it is, and the streams that it has open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from grpc import aio

from dragonhall.client.access import Access
from dragonhall.client.channel import OpenStreams
from dragonhall.client.errors import ConnectionClosed, DragonhallError
from dragonhall.client.retry import Patience, repeat, repeat_change
from dragonhall.v1 import (
    game_service_pb2_grpc,
    play_service_pb2_grpc,
    record_service_pb2_grpc,
    sandbox_service_pb2_grpc,
)

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class Connection:
    """One client's way to the server. Its methods raise as `Client` says."""

    def __init__(self, target: str, patience: Patience, channel: aio.Channel, access: Access) -> None:
        self.target = target
        self.patience = patience
        self.channel = channel
        self.games: game_service_pb2_grpc.GameServiceAsyncStub = game_service_pb2_grpc.GameServiceStub(channel)
        self.play: play_service_pb2_grpc.PlayServiceAsyncStub = play_service_pb2_grpc.PlayServiceStub(channel)
        self.records: record_service_pb2_grpc.RecordServiceAsyncStub = record_service_pb2_grpc.RecordServiceStub(
            channel
        )
        self.sandbox: sandbox_service_pb2_grpc.SandboxServiceAsyncStub = sandbox_service_pb2_grpc.SandboxServiceStub(
            channel
        )
        self._access = access
        self._streams = OpenStreams()
        self._closed = False

    async def call(self, method: aio.UnaryUnaryMultiCallable[_Request, _Response], request: _Request) -> _Response:
        """Asks until there is an answer. Only for requests that are safe to send twice."""
        return await repeat(self.target, self.patience, self._attempt(method, request))

    async def change(
        self,
        method: aio.UnaryUnaryMultiCallable[_Request, _Response],
        request: _Request,
        done_before: Callable[[DragonhallError], Awaitable[_Response | None]],
    ) -> _Response:
        """The same for a change that is refused the second time: see `repeat_change`."""
        return await repeat_change(self.target, self.patience, self._attempt(method, request), done_before)

    async def open_stream(
        self, method: aio.UnaryStreamMultiCallable[_Request, _Response], request: _Request
    ) -> aio.UnaryStreamCall[_Request, _Response]:
        """Begins a stream. Whoever reads it hands it back to `end_stream`."""
        return self._streams.add(method(request, metadata=await self.metadata()))

    def end_stream(self, stream: aio.UnaryStreamCall[_Request, _Response]) -> None:
        """Cancels a stream, unless it has ended."""
        self._streams.end(stream)

    async def metadata(self) -> tuple[tuple[str, str], ...]:
        """Of a call: who calls. Raises `ConnectionClosed`, since every call asks for it."""
        metadata = await self._access.metadata()
        if self._closed:
            raise ConnectionClosed("the client was closed")
        return metadata

    async def close(self) -> None:
        """Ends all calls and streams."""
        self._closed = True
        self._streams.end_all()
        await self.channel.close()

    def _attempt(
        self, method: aio.UnaryUnaryMultiCallable[_Request, _Response], request: _Request
    ) -> Callable[[float], Awaitable[_Response]]:
        async def attempt(limit: float) -> _Response:
            return await method(request, timeout=limit, metadata=await self.metadata())

        return attempt
