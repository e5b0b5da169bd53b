"""The connection below: one gRPC channel, set up so that a dead server is noticed and a new one is found soon."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import grpc
from grpc import aio

_OPTIONS: Final[list[tuple[str, int]]] = [
    # Pings after a minute without any byte from the server. Streams carry heartbeats more often than that (15 s), so a
    # healthy server never sees a ping, and one that is gone without a word is noticed after 60 s + 20 s.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 0),
    # gRPC's own delays between connection attempts: short, since `retry` adds its own.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # How long one attempt to connect may take, TLS included: gRPC would give a port that accepts and is silent 20 s.
    ("grpc.min_reconnect_backoff_ms", 5_000),
    # Two clients in one process do not share a connection.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
]


_Stream = TypeVar("_Stream", bound="aio.UnaryStreamCall[Any, Any]")


class OpenStreams:
    """The streams of one client, ended with it: before grpcio 1.84, closing a channel leaves them waiting for ever."""

    def __init__(self) -> None:
        self._streams: set[aio.UnaryStreamCall[Any, Any]] = set()

    def add(self, stream: _Stream) -> _Stream:
        """Keeps a stream that was begun; returns it."""
        self._streams.add(stream)
        return stream

    def end(self, stream: aio.UnaryStreamCall[Any, Any]) -> None:
        """Cancels a stream, unless it has ended, and forgets it."""
        stream.cancel()
        self._streams.discard(stream)

    def end_all(self) -> None:
        """Cancels every stream."""
        for stream in tuple(self._streams):
            self.end(stream)


def open_channel(target: str, credentials: grpc.ChannelCredentials | None = None, server_name: str = "") -> aio.Channel:
    """A channel to ``target`` (``HOST:PORT`` or a gRPC name); plain text unless ``credentials`` are given.

    ``server_name``: whose certificate the server is to have, if not the target's host.
    """
    if credentials is None:
        return aio.insecure_channel(target, options=_OPTIONS)
    name = [("grpc.ssl_target_name_override", server_name)] if server_name else []
    return aio.secure_channel(target, credentials, options=[*_OPTIONS, *name])
