"""How a server listens: the port, and what is expected of connections."""

from __future__ import annotations

import logging
import re
from datetime import timedelta
from typing import Final

import grpc

from dragonhall.server.config import ConfigError, Connections, ServerConfig
from dragonhall.server.services.tls import Tls

logger = logging.getLogger("dragonhall.server")

ADDRESS: Final = re.compile(r"(.+):(\d{1,5})")
LAST_PORT: Final = 65535
LOOPBACK: Final = re.compile(r"localhost|127\.[\d.]+|\[::1\]")

MAX_METADATA_BYTES: Final = 16 * 1024
"""Of one call: a JSON Web Token of the largest size that is taken, twice."""

PUNCTUAL: Final = 0.9
"""Pings may be so much earlier than they should be: what is sent every 10 s does not arrive every 10 s."""

Options = list[tuple[str, int]]


def server_options(config: ServerConfig) -> Options:
    """What gRPC is told about messages and connections."""
    return [
        ("grpc.so_reuseport", 0),  # else two servers share a port, and neither is told
        ("grpc.max_receive_message_length", config.limits.max_request_bytes),
        ("grpc.max_send_message_length", -1),
        ("grpc.max_metadata_size", MAX_METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", MAX_METADATA_BYTES),
        *_connection_options(config.connections),
    ]


def _connection_options(connections: Connections) -> Options:
    options = [
        ("grpc.keepalive_time_ms", _ms(connections.ping_every)),
        ("grpc.keepalive_timeout_ms", _ms(connections.ping_timeout)),  # until anything comes,
        ("grpc.http2.ping_timeout_ms", _ms(connections.ping_timeout)),  # and until the answer does
        # Here: clients may ping without open calls, too. gRPC would allow that every 2 hours.
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),  # no limit to our own: a quiet stream has no data
        ("grpc.http2.min_ping_interval_without_data_ms", _ms(PUNCTUAL * connections.least_ping_interval)),
        ("grpc.max_concurrent_streams", connections.max_streams),
    ]
    if connections.max_age is not None:
        options.append(("grpc.max_connection_age_ms", _ms(connections.max_age)))
        options.append(("grpc.max_connection_age_grace_ms", _ms(connections.max_age_grace)))
    return options


def _ms(duration: timedelta) -> int:
    return max(1, round(duration / timedelta(milliseconds=1)))


def open_port(server: grpc.aio.Server, listen: str, tls: Tls | None) -> int:
    """Lets ``server`` listen at ``HOST:PORT``, and returns the port. Raises `ConfigError`."""
    address = ADDRESS.fullmatch(listen)
    if address is None or int(address[2]) > LAST_PORT:  # gRPC would take such a port modulo 2**16
        raise ConfigError(f"cannot listen on {listen!r}: give HOST:PORT, as 127.0.0.1:7350 or [::1]:0")
    if tls is None and not LOOPBACK.fullmatch(address[1]):
        logger.warning("event=plain_text listen=%s advice=%r", listen, "tokens can be read on the way: use TLS")
    try:
        port = server.add_secure_port(listen, tls.credentials) if tls else server.add_insecure_port(listen)
    except RuntimeError:
        port = 0
    if port == 0:
        raise ConfigError(
            f"cannot listen on {listen}: the port is in use, or this machine has no such address. "
            "Stop the other program, or choose another HOST:PORT (port 0 takes a free one)"
        )
    return port
