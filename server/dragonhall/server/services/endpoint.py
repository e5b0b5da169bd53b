"""The gRPC side of a server: all services on one port, with health and reflection."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from datetime import timedelta
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from dragonhall.server.config import ConfigError, ServerConfig
from dragonhall.server.hub import Hub
from dragonhall.server.identity.callers import Callers
from dragonhall.server.services import game_service, play_service, record_service
from dragonhall.server.services.catalogue import Catalogue
from dragonhall.server.services.doorman import Doorman
from dragonhall.server.services.rpc import Methods

FLUSH_SECONDS: Final = 0.2
"""For the last messages to get out."""

ADDRESS: Final = re.compile(r".+:(\d{1,5})")
LAST_PORT: Final = 65535

SERVICES: Final = (game_service.SERVICE, play_service.SERVICE, record_service.SERVICE)


class Endpoint:
    """Serves the games of one hub."""

    def __init__(self, config: ServerConfig, hub: Hub, catalogue: Catalogue) -> None:
        self._listen = config.listen
        self._server = grpc.aio.server(
            options=(
                ("grpc.so_reuseport", 0),  # else two servers share a port, and neither is told
                ("grpc.max_receive_message_length", config.limits.max_request_bytes),
                ("grpc.max_send_message_length", -1),
                # Clients with a quiet stream (the lobby's) ping now and then; gRPC would hang up on those that do so
                # more often than every 5 minutes.
                ("grpc.http2.min_ping_interval_without_data_ms", 30_000),
            )
        )
        self._callers = Callers(config, hub.store.secret)
        self._methods = methods = Methods(hub, Doorman(self._callers, asks_certificates=False))
        games = game_service.GameService(hub, catalogue, config.allow_host_seeds)
        play = play_service.PlayService(hub, config.heartbeat, config.max_lag, config.limits.max_channels)
        records = record_service.RecordService(hub)
        self._server.add_generic_rpc_handlers(
            (games.handlers(methods), play.handlers(methods), records.handlers(methods))
        )
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection((*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server)

    async def start(self) -> int:
        """Listens, and returns the port. Raises `ConfigError`."""
        address = ADDRESS.fullmatch(self._listen)
        if address is None or int(address[1]) > LAST_PORT:  # gRPC would take such a port modulo 2**16
            raise ConfigError(f"cannot listen on {self._listen!r}: give HOST:PORT, as 127.0.0.1:7350 or [::1]:0")
        try:
            port = self._server.add_insecure_port(self._listen)
        except RuntimeError:
            port = 0
        if port == 0:
            raise ConfigError(
                f"cannot listen on {self._listen}: the port is in use, or this machine has no such address. "
                "Stop the other program, or choose another HOST:PORT (port 0 takes a free one)"
            )
        await self._server.start()
        await self._set_health(health_pb2.HealthCheckResponse.SERVING)
        return port

    async def announce_end(self) -> None:
        """Tells whoever asks for its health that this server is about to stop."""
        await self._set_health(health_pb2.HealthCheckResponse.NOT_SERVING)

    async def stop(self, grace: timedelta) -> None:
        """Waits for the calls under way, at most for ``grace``, and closes the port. New calls are refused already."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._methods.wait_until_done(), grace.total_seconds())
        await self._server.stop(FLUSH_SECONDS)  # cut off is who watches our health, for one

    async def _set_health(self, status: health_pb2.HealthCheckResponse.ServingStatus.ValueType) -> None:
        for service in ("", *SERVICES):
            await self._health.set(service, status)
