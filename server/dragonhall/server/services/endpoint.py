"""The gRPC side of a server: all services on one port, with health and reflection."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

import grpc
from grpc_health.v1 import health
from grpc_reflection.v1alpha import reflection

from dragonhall.sandbox import Pool
from dragonhall.server.config import ServerConfig
from dragonhall.server.hub import Hub
from dragonhall.server.identity.callers import Callers
from dragonhall.server.services import game_service, play_service, record_service, sandbox_service
from dragonhall.server.services.catalogue import Catalogue
from dragonhall.server.services.doorman import Doorman
from dragonhall.server.services.health import SERVICES, Health
from dragonhall.server.services.listening import open_port, server_options
from dragonhall.server.services.rpc import Methods
from dragonhall.server.services.tls import Tls

FLUSH_SECONDS: Final = 0.2
"""For the last messages to get out."""


class Endpoint:
    """Serves the games of one hub, and a sandbox that knows none of them."""

    def __init__(self, config: ServerConfig, hub: Hub, catalogue: Catalogue, pool: Pool) -> None:
        self._listen = config.listen
        self._tls = Tls(config.tls) if config.tls else None  # gRPC asks it for certificates as long as it listens
        self._server = grpc.aio.server(options=server_options(config))
        self._callers = Callers(config, hub.store.secret)
        asks_certificates = config.tls is not None and config.tls.client_ca is not None
        self._methods = methods = Methods(hub, Doorman(self._callers, asks_certificates))
        games = game_service.GameService(hub, catalogue, config.allow_host_seeds)
        play = play_service.PlayService(hub, config.heartbeat, config.max_lag, config.limits.max_channels)
        records = record_service.RecordService(hub)
        sandbox = sandbox_service.SandboxService(
            pool,
            config.limits.max_sandbox_calls_per_caller,
            closing=lambda: hub.closing_refusal() if hub.closing else None,
        )
        services = (games, play, records, sandbox)
        self._server.add_generic_rpc_handlers(tuple(service.handlers(methods) for service in services))
        absent = () if config.sandbox.workers else (sandbox_service.SERVICE,)
        self.health = Health(self._server, frozenset(absent))
        reflection.enable_server_reflection((*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server)

    async def start(self) -> int:
        """Listens, and returns the port. Raises `ConfigError`."""
        port = open_port(self._server, self._listen, self._tls)
        await self._server.start()
        await self.health.begin()
        self._watching = asyncio.create_task(self._callers.watch_file())
        return port

    def reload(self) -> None:
        """The auth file is read anew, soon. (A changed certificate needs no telling.)"""
        self._callers.reload()

    async def stop(self, grace: timedelta, hurry: asyncio.Event) -> None:
        """Waits for the calls under way, at most for ``grace`` and until ``hurry`` is set, and closes the port.

        New calls are refused already.
        """
        waits = [asyncio.create_task(wait) for wait in (self._methods.wait_until_done(), hurry.wait())]
        await asyncio.wait(waits, timeout=grace.total_seconds(), return_when=asyncio.FIRST_COMPLETED)
        for wait in (*waits, self._watching):
            wait.cancel()
        await self._server.stop(FLUSH_SECONDS)  # cut off is who watches our health, for one
