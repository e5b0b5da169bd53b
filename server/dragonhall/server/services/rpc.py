"""How a method is served: requests are parsed, refusals become statuses, nothing else ever reaches a client."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message

from dragonhall.server.hub import Hub
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.services.errors import as_refusal, to_status

Context = grpc.aio.ServicerContext[Any, Any]
Q = TypeVar("Q", bound=Message)


def parse(message_type: type[Q], data: bytes) -> Q:
    """A message from its bytes. Raises `Refusal` for bytes that are none."""
    try:
        return message_type.FromString(data)
    except DecodeError as error:
        raise invalid_field(message_type.DESCRIPTOR.name, "the bytes are not a message of this type") from error


class Methods:
    """Makes method handlers for one server."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def unary(
        self, request_type: type[Q], answer: Callable[[Q], Awaitable[Message]]
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """A method with one request and one response."""

        async def handler(data: bytes, context: Context) -> bytes:
            try:
                self.check_open()
                return (await answer(parse(request_type, data))).SerializeToString()
            except Exception as error:
                await context.abort_with_status(to_status(as_refusal(error)))

        return grpc.unary_unary_rpc_method_handler(handler)

    def server_stream(
        self, request_type: type[Q], answers: Callable[[Q], AsyncGenerator[bytes, None]]
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """A method with one request and many responses, serialised already."""

        async def handler(data: bytes, context: Context) -> None:
            try:
                self.check_open()
                async with aclosing(answers(parse(request_type, data))) as messages:
                    async for message in messages:
                        await context.write(message)
            except Exception as error:
                await context.abort_with_status(to_status(as_refusal(error)))

        return grpc.unary_stream_rpc_method_handler(handler)

    def bidirectional(self, serve: Callable[[Context], Awaitable[None]]) -> grpc.RpcMethodHandler[Any, Any]:
        """A method with many of both, which reads and writes bytes itself."""

        async def handler(_: AsyncIterator[bytes], context: Context) -> None:
            try:
                self.check_open()
                await serve(context)
            except Exception as error:
                await context.abort_with_status(to_status(as_refusal(error)))

        return grpc.stream_stream_rpc_method_handler(handler)

    def check_open(self) -> None:
        """Raises `Refusal` when the server is closing."""
        if self._hub.closing:
            raise Refusal(Reason.SHUTTING_DOWN, "the server is shutting down; reconnect with back-off")
