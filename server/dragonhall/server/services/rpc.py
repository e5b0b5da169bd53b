"""How a method is served: requests are parsed, refusals become statuses, nothing else ever reaches a client."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Any, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message

from dragonhall.server.hub import Hub
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.services.errors import as_refusal, to_status

logger = logging.getLogger("dragonhall.server")

Context = grpc.aio.ServicerContext[Any, Any]
Q = TypeVar("Q", bound=Message)


def parse(message_type: type[Q], data: bytes) -> Q:
    """A message from its bytes. Raises `Refusal` for bytes that are none."""
    try:
        return message_type.FromString(data)
    except DecodeError as error:
        raise invalid_field(message_type.DESCRIPTOR.name, "the bytes are not a message of this type") from error


def _status(error: Exception, request: Message | None) -> grpc.Status:
    """What a call ends with. ``request``: as far as it was understood."""
    return to_status(as_refusal(error, getattr(request, "game_id", "")))


class Methods:
    """Makes method handlers for one server, and knows the calls under way."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._calls = 0
        self._none_under_way = asyncio.Event()
        self._none_under_way.set()

    @contextmanager
    def _call(self) -> Iterator[None]:
        """One call: refused if the server is closing, else counted while it lasts."""
        if self._hub.closing:
            raise Refusal(Reason.SHUTTING_DOWN, "the server is shutting down; reconnect with back-off")
        self._calls += 1
        self._none_under_way.clear()
        try:
            yield
        finally:
            self._calls -= 1
            if not self._calls:
                self._none_under_way.set()

    async def wait_until_done(self) -> None:
        """Until no call is under way."""
        await self._none_under_way.wait()

    def unary(
        self, request_type: type[Q], answer: Callable[[Q], Awaitable[Message]]
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """A method with one request and one response."""

        async def handler(data: bytes, context: Context) -> bytes:
            request: Message | None = None
            try:
                with self._call():
                    request = parse(request_type, data)
                    return (await answer(request)).SerializeToString()
            except Exception as error:
                await context.abort_with_status(_status(error, request))

        return grpc.unary_unary_rpc_method_handler(handler)

    def server_stream(
        self, request_type: type[Q], answers: Callable[[Q], AsyncGenerator[bytes, None]]
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """A method with one request and many responses, serialised already."""

        async def handler(data: bytes, context: Context) -> None:
            request: Message | None = None
            try:
                with self._call():
                    request = parse(request_type, data)
                    async with aclosing(answers(request)) as messages:
                        async for message in messages:
                            await context.write(message)
            except grpc.aio.InternalError:
                logger.debug("event=client_gone")  # a write failed: nobody is there to be told anything
            except Exception as error:
                await context.abort_with_status(_status(error, request))

        return grpc.unary_stream_rpc_method_handler(handler)

    def bidirectional(self, serve: Callable[[Context], Awaitable[None]]) -> grpc.RpcMethodHandler[Any, Any]:
        """A method with many of both, which reads and writes bytes itself."""

        async def handler(_: AsyncIterator[bytes], context: Context) -> None:
            try:
                with self._call():
                    await serve(context)
            except grpc.aio.InternalError:
                logger.debug("event=client_gone")
            except Exception as error:
                await context.abort_with_status(_status(error, None))

        return grpc.stream_stream_rpc_method_handler(handler)
