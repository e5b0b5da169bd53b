"""The server: store, hub and services put together, started and stopped."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from contextlib import AsyncExitStack, suppress
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from dragonhall.server.config import ConfigError, ServerConfig
from dragonhall.server.hub import Hub
from dragonhall.server.logs import set_up_logs
from dragonhall.server.playthrough import ChanceOf, seeded_chance
from dragonhall.server.services import game_service, play_service, record_service, render
from dragonhall.server.services.catalogue import Catalogue
from dragonhall.server.services.rpc import Methods
from dragonhall.server.store.sqlite import SqliteStore

logger = logging.getLogger("dragonhall.server")

SERVICES: Final = (game_service.SERVICE, play_service.SERVICE, record_service.SERVICE)


class Server:
    """A server inside the running event loop.

    ``chance_of`` replaces the games' chance, for tests that set up given worlds.
    """

    def __init__(self, config: ServerConfig, chance_of: ChanceOf = seeded_chance) -> None:
        self.config = config
        self._chance_of = chance_of
        self._running = AsyncExitStack()

    async def start(self) -> int:
        """Opens the store and the port, and returns the port. Raises `ConfigError` or `StoreError`."""
        began = time.monotonic()
        config = self.config
        catalogue = Catalogue(config.component_files)
        async with AsyncExitStack() as on_failure:
            self.store = SqliteStore.open(config.store)
            on_failure.push_async_callback(self.store.close)
            self.hub = Hub(
                self.store,
                render.summary,
                config.idle.total_seconds(),
                config.limits.max_open_games,
                self._chance_of,
            )
            await self.hub.start()
            self._forgetting = asyncio.create_task(self.hub.forget_idle_games())
            on_failure.callback(self._forgetting.cancel)
            self._server = self._make_server(catalogue)
            port = _bind(self._server, config.listen)
            await self._server.start()
            self._running = on_failure.pop_all()
        await self._set_health(health_pb2.HealthCheckResponse.SERVING)
        logger.info("event=serving listen=%s port=%d seconds=%.2f", config.listen, port, time.monotonic() - began)
        return port

    async def stop(self) -> None:
        """Lets requests under way finish, ends all streams, and closes the store."""
        logger.info("event=stopping games_in_memory=%d", self.hub.games_in_memory)
        await self._set_health(health_pb2.HealthCheckResponse.NOT_SERVING)
        self.hub.closing = True
        self.hub.wake_everyone()
        await self._server.stop(self.config.grace.total_seconds())
        await self._running.aclose()
        logger.info("event=stopped")

    def _make_server(self, catalogue: Catalogue) -> grpc.aio.Server:
        config, hub = self.config, self.hub
        server = grpc.aio.server(
            options=(
                ("grpc.so_reuseport", 0),
                ("grpc.max_receive_message_length", config.limits.max_request_bytes),
                ("grpc.max_send_message_length", -1),
            )
        )
        methods = Methods(hub)
        games = game_service.GameService(hub, catalogue, config.allow_host_seeds)
        play = play_service.PlayService(hub, config.heartbeat, config.max_lag, config.limits.max_channels)
        records = record_service.RecordService(hub)
        server.add_generic_rpc_handlers((games.handlers(methods), play.handlers(methods), records.handlers(methods)))
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        reflection.enable_server_reflection((*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
        return server

    async def _set_health(self, status: health_pb2.HealthCheckResponse.ServingStatus.ValueType) -> None:
        for service in ("", *SERVICES):
            await self._health.set(service, status)


def _bind(server: grpc.aio.Server, listen: str) -> int:
    try:
        port = server.add_insecure_port(listen)
    except RuntimeError as error:
        raise ConfigError(_cannot_listen(listen)) from error
    if port == 0:
        raise ConfigError(_cannot_listen(listen))
    return port


def _cannot_listen(listen: str) -> str:
    return (
        f"cannot listen on {listen}: the port is in use, or this machine has no such address. "
        "Stop the other program, or choose another HOST:PORT (port 0 takes a free one)"
    )


async def serve(config: ServerConfig) -> None:
    """Runs a server until SIGTERM or SIGINT. Prints one line when it serves."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows: Ctrl-C arrives as KeyboardInterrupt
            loop.add_signal_handler(number, stopping.set)
    server = Server(config)
    port = await server.start()
    try:
        print(f"dragonhall: serving on {_host(config.listen)}:{port}", flush=True)
        await stopping.wait()
    finally:
        await server.stop()


def _host(listen: str) -> str:
    return listen.rpartition(":")[0]


def run(config: ServerConfig) -> None:
    """Runs a server in an event loop of its own until it is told to stop. Raises `ConfigError` or `StoreError`."""
    set_up_logs(config)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner, suppress(KeyboardInterrupt):
        runner.run(serve(config))


def _loop_factory() -> type[asyncio.AbstractEventLoop] | None:
    if sys.platform == "win32":
        return None
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.Loop
