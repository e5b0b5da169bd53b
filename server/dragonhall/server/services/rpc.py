"""How a method is served: its caller is known, its request parsed, and whatever goes wrong becomes a status."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, aclosing, contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message

from dragonhall.server.hub import Hub
from dragonhall.server.identity.caller import Caller
from dragonhall.server.identity.quotas import UNLIMITED, Share
from dragonhall.server.refusal import invalid_field
from dragonhall.server.services.doorman import Context, Doorman
from dragonhall.server.services.errors import as_refusal, to_status
from dragonhall.server.store.base import Store

logger = logging.getLogger("dragonhall.server")

__all__ = ["Context", "Methods", "caller", "calls_of_sandbox", "opening_game", "parse", "spend_submit"]

Q = TypeVar("Q", bound=Message)

READS: Final = ("Get", "List")
"""Beginnings of the names of methods that change nothing."""

TOKENS: Final = ("token", "seat_token", "host_token")
"""The fields of requests that show a game's token: each has one of them at most."""

_share: ContextVar[Share] = ContextVar("share", default=UNLIMITED)
"""Of the caller whose call this task, and every task that it starts, is serving."""


def caller() -> Caller:
    """Whose call is being served."""
    return _share.get().caller


def spend_submit() -> None:
    """Counts an answer to a decision of the caller. Raises `Refusal` (QUOTA_EXCEEDED)."""
    _share.get().spend_submit()


def calls_of_sandbox() -> AbstractContextManager[None]:
    """Around a call of the caller to the sandbox. Raises `Refusal` (QUOTA_EXCEEDED)."""
    return _share.get().sandbox()


def opening_game(store: Store) -> AbstractAsyncContextManager[None]:
    """Around the creation of a game by the caller. Raises `Refusal` (QUOTA_EXCEEDED), or `StoreError`."""
    return _share.get().opening_game(store.count_owned)


def parse(message_type: type[Q], data: bytes) -> Q:
    """A message from its bytes. Raises `Refusal` for bytes that are none."""
    try:
        return message_type.FromString(data)
    except DecodeError as error:
        raise invalid_field(message_type.DESCRIPTOR.name, "the bytes are not a message of this type") from error


def _status(error: Exception, request: Message | None) -> grpc.Status:
    """What a call ends with. ``request``: as far as it was understood."""
    token = next((getattr(request, field) for field in TOKENS if hasattr(request, field)), "")
    return to_status(as_refusal(error, getattr(request, "game_id", ""), token))


class Methods:
    """Makes method handlers for one server, and knows the calls under way."""

    def __init__(self, hub: Hub, doorman: Doorman) -> None:
        self._hub = hub
        self._doorman = doorman
        self._calls = 0
        self._none_under_way = asyncio.Event()
        self._none_under_way.set()

    @contextmanager
    def _call(self) -> Iterator[None]:
        """One call: refused if the server is closing, else counted while it lasts."""
        if self._hub.closing:
            raise self._hub.closing_refusal()
        self._calls += 1
        self._none_under_way.clear()
        try:
            yield
        finally:
            self._calls -= 1
            if not self._calls:
                self._none_under_way.set()

    async def _know(self, context: Context) -> Share:
        """Finds out who calls, for all that is done for this call. Raises `Refusal` (CREDENTIALS_INVALID)."""
        share = await self._doorman.share(context)
        _share.set(share)  # gRPC serves each call in a task, and so in a context, of its own
        return share

    async def wait_until_done(self) -> None:
        """Until no call is under way."""
        await self._none_under_way.wait()

    def unary(
        self, request_type: type[Q], answer: Callable[[Q], Awaitable[Message]]
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """A method with one request and one response."""
        method = request_type.DESCRIPTOR.name.removesuffix("Request")
        changes = not method.startswith(READS)

        async def handler(data: bytes, context: Context) -> bytes:
            request: Message | None = None
            try:
                with self._call():
                    await self._know(context)
                    request = parse(request_type, data)
                    response = await answer(request)
                    if changes:
                        _log_change(method, request, response)
                    return response.SerializeToString()
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
                with self._call(), (await self._know(context)).stream():
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
                with self._call(), (await self._know(context)).stream():
                    await serve(context)
            except grpc.aio.InternalError:
                logger.debug("event=client_gone")
            except Exception as error:
                await context.abort_with_status(_status(error, None))

        return grpc.stream_stream_rpc_method_handler(handler)


def _log_change(method: str, request: Message, response: Message) -> None:
    """Who did what to which game. Answers are too many for an operator, and are in the game's log."""
    level = logging.DEBUG if method == "Submit" else logging.INFO
    if logger.isEnabledFor(level):
        game_id = getattr(request, "game_id", "") or getattr(getattr(response, "game", None), "game_id", "")
        logger.log(level, "event=done method=%s game=%s caller=%r", method, game_id, caller().name)
