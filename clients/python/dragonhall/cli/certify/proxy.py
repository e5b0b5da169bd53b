"""A gRPC proxy through which everything passes as it is, but for what somebody who stands beside it changes.

A message on its way is decoded if it belongs to a service of Dragonhall, shown to the `Onlooker`, and written again;
fields that this version does not know stay. Everything else passes as bytes.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final, Protocol

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.rpc import error_details_pb2, status_pb2
from grpc import aio

from dragonhall.v1 import game_service_pb2, play_service_pb2, record_service_pb2

_METHODS: Final[dict[str, MethodDescriptor]] = {
    f"/{service.full_name}/{method.name}": method
    for file in (game_service_pb2, play_service_pb2, record_service_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
_GRPCS_OWN: Final = ("grpc-", "user-agent", "te", "content-type", ":")
"""Beginnings of the names of metadata that each connection has for itself."""
_DETAILS: Final = "grpc-status-details-bin"
_OPTIONS: Final = [("grpc.max_receive_message_length", 16 * 1024 * 1024), ("grpc.use_local_subchannel_pool", 1)]
_BACK_SOON: Final = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 200)]
"""Whatever a bot waits for after an outage, it is not the proxy."""


class Call:
    """One call under way."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = path.rpartition("/")[2]
        """As ``TakeSeat``."""
        self.request: Any = None
        """The newest one."""
        self.notes: dict[Any, Any] = {}
        """The onlooker's own."""
        self.is_open = True
        self._up: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._down: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send_up(self, message: Any) -> None:
        """To the server, after what was sent before."""
        self._up.put_nowait(message.SerializeToString())

    def send_down(self, message: Any) -> None:
        """To the client, after what was sent before."""
        self._down.put_nowait(message.SerializeToString())


class Onlooker(Protocol):
    """Sees every message, and decides what goes on."""

    async def request(self, call: Call, message: Any) -> Any | None:
        """What goes on to the server; None: nothing, for now."""

    async def response(self, call: Call, message: Any) -> Sequence[Any]:
        """What goes on to the client."""

    def refused(self, call: Call, reason: str) -> None:
        """The server refuses the call: an `ErrorReason` without its prefix; empty if the transport failed."""

    def ended(self, call: Call) -> None:
        """Nothing more will pass."""


class Proxy:
    """Listens on a port of its own, for one server."""

    def __init__(self, upstream: str, onlooker: Onlooker) -> None:
        self._onlooker = onlooker
        self._channel = aio.insecure_channel(upstream, options=[*_OPTIONS, *_BACK_SOON])
        self._server = aio.server(options=[("grpc.so_reuseport", 0), *_OPTIONS])
        self._server.add_generic_rpc_handlers((_Everything(self),))
        self.port: Final = self._server.add_insecure_port("127.0.0.1:0")

    async def __aenter__(self) -> Proxy:
        await self._server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.stop(None)
        await self._channel.close()

    async def relay(self, path: str, requests: AsyncIterator[bytes], context: Any) -> None:
        """Carries one call from its beginning to its end."""
        call = Call(path)
        upstream: Any = self._channel.stream_stream(path)(
            metadata=_passed_on(context.invocation_metadata()), timeout=context.time_remaining(), wait_for_ready=False
        )
        tasks = [
            asyncio.create_task(work)
            for work in (self._take_up(call, requests), _send_up(call, upstream), self._take_down(call, upstream))
        ]
        try:
            while (message := await call._down.get()) is not None:
                await context.write(message)
            code = await upstream.code()
            if code is not grpc.StatusCode.OK:
                trailers = _passed_on(await upstream.trailing_metadata(), keep=_DETAILS)
                self._onlooker.refused(call, _reason(trailers))
                await context.abort(code, await upstream.details(), trailers)
        finally:
            call.is_open = False
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            upstream.cancel()
            self._onlooker.ended(call)

    async def _take_up(self, call: Call, requests: AsyncIterator[bytes]) -> None:
        method = _METHODS.get(call.path)
        async for data in requests:
            if method is None:
                call._up.put_nowait(data)
                continue
            call.request = message_factory.GetMessageClass(method.input_type).FromString(data)
            passed = await self._onlooker.request(call, call.request)
            if passed is not None:
                call.send_up(passed)
        call._up.put_nowait(None)

    async def _take_down(self, call: Call, upstream: Any) -> None:
        method = _METHODS.get(call.path)
        try:
            while (data := await upstream.read()) is not aio.EOF:
                if method is None:
                    call._down.put_nowait(data)
                    continue
                message = message_factory.GetMessageClass(method.output_type).FromString(data)
                for passed in await self._onlooker.response(call, message):
                    call.send_down(passed)
        except (aio.AioRpcError, asyncio.InvalidStateError):
            pass  # the call's code says it
        finally:
            call._down.put_nowait(None)


class _Everything(grpc.GenericRpcHandler):
    """Every method, whatever it takes: a call that is answered once looks like a stream of one message."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy

    def service(self, handler_call_details: Any) -> Any:
        path = handler_call_details.method

        async def relay(requests: AsyncIterator[bytes], context: Any) -> None:
            await self._proxy.relay(path, requests, context)

        return grpc.stream_stream_rpc_method_handler(relay)


async def _send_up(call: Call, upstream: Any) -> None:
    with contextlib.suppress(aio.AioRpcError, asyncio.InvalidStateError):
        while (message := await call._up.get()) is not None:
            await upstream.write(message)
        await upstream.done_writing()


def _passed_on(metadata: Any, keep: str = "") -> tuple[tuple[str, Any], ...]:
    pairs = tuple(iter(metadata or ()))
    return tuple((key, value) for key, value in pairs if key == keep or not key.startswith(_GRPCS_OWN))


def _reason(trailers: tuple[tuple[str, Any], ...]) -> str:
    status = status_pb2.Status.FromString(dict(trailers).get(_DETAILS, b""))
    info = error_details_pb2.ErrorInfo()
    return info.reason if any(detail.Unpack(info) for detail in status.details) else ""
