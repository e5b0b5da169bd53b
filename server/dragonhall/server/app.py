"""The server: store, hub and services put together, started and stopped."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import replace

from dragonhall.sandbox import Pool
from dragonhall.server.config import ServerConfig
from dragonhall.server.hub import Hub
from dragonhall.server.janitor import Janitor
from dragonhall.server.keeper import Keeper
from dragonhall.server.logs import set_up_logs
from dragonhall.server.playthrough import ChanceOf, seeded_chance
from dragonhall.server.services import render
from dragonhall.server.services.catalogue import Catalogue
from dragonhall.server.services.endpoint import Endpoint
from dragonhall.server.store.sqlite import SqliteStore
from dragonhall.server.store_watch import StoreWatch
from dragonhall.server.wall_clock import now_us

logger = logging.getLogger("dragonhall.server")


class Server:
    """A server inside the running event loop. Its parts are there after `start`.

    ``chance_of`` replaces the games' chance, for tests that set up given worlds, and ``now_us`` the time of day.
    """

    store: SqliteStore
    hub: Hub
    sandbox: Pool

    def __init__(
        self,
        config: ServerConfig,
        chance_of: ChanceOf = seeded_chance,
        now_us: Callable[[], int] = now_us,
    ) -> None:
        self.config = config
        self._chance_of = chance_of
        self._now_us = now_us
        self._opened = AsyncExitStack()

    async def start(self) -> int:
        """Opens the store and the port, and returns the port. Raises `ConfigError` or `StoreError`."""
        began = time.monotonic()
        config = self.config
        async with AsyncExitStack() as opened:
            catalogue = Catalogue(config.component_files)
            self.store = SqliteStore.open(config.store, self._now_us)
            opened.push_async_exit(self._leave_store)
            idle = config.idle.total_seconds()
            self.hub = Hub(
                self.store,
                render.summary,
                idle,
                config.limits,
                self._chance_of,
                self._now_us,
                reconnect_delay=config.reconnect_delay,
                substitute_wait=config.substitute_wait,
            )
            await self.hub.start()
            self.sandbox = Pool(replace(config.sandbox, component_sets=catalogue.sets))
            opened.push_async_callback(self.sandbox.close)
            self._endpoint = Endpoint(config, self.hub, catalogue, self.sandbox)
            keeper, janitor = Keeper(self.hub), Janitor(self.hub, config)
            watch = StoreWatch(self.store, self.hub, self._endpoint.health.set_writable)
            opened.push_async_callback(keeper.stop)
            await keeper.start()
            for work in (keeper.run(), janitor.run(), watch.run(), self.hub.forget_idle_games()):
                opened.callback(asyncio.create_task(work).cancel)
            port = await self._endpoint.start()
            self._opened = opened.pop_all()
        logger.info("event=serving listen=%s port=%d seconds=%.2f", config.listen, port, time.monotonic() - began)
        return port

    async def _leave_store(self, kind: type[BaseException] | None, *_: object) -> None:
        """A server that does not start leaves no store behind where there was none."""
        await (self.store.close() if kind is None else self.store.discard())

    def reload(self) -> None:
        """The auth file is read anew, soon. What is wrong in it is logged, and changes nothing."""
        self._endpoint.reload()

    async def drain(self, hurry: asyncio.Event) -> None:
        """Tells that the server is about to stop, and lets games go on until ``hurry`` is set: no new ones are made."""
        seconds = self.config.drain.total_seconds()
        logger.info("event=draining seconds=%.1f", seconds)
        self.hub.drain()
        await self._endpoint.health.announce_end()
        with suppress(TimeoutError):
            await asyncio.wait_for(hurry.wait(), seconds)

    async def stop(self, hurry: asyncio.Event | None = None) -> None:
        """Lets requests under way finish, unless ``hurry`` is set, ends all streams, and closes the store."""
        logger.info("event=stopping games_in_memory=%d", self.hub.games_in_memory)
        await self._endpoint.health.announce_end()
        self.hub.close()
        await self._endpoint.stop(self.config.grace, hurry or asyncio.Event())
        await self._opened.aclose()
        logger.info("event=stopped")


class Stopping:
    """What the operator has asked for by SIGTERM or Ctrl-C: the first time to stop, the second time to stop at once."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.at_once = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            with suppress(NotImplementedError):  # on Windows Ctrl-C arrives as KeyboardInterrupt
                asyncio.get_running_loop().add_signal_handler(number, self._ask)

    def _ask(self) -> None:
        (self.at_once if self.asked.is_set() else self.asked).set()


async def serve(config: ServerConfig) -> None:
    """Runs a server until SIGTERM or SIGINT. Prints one line when it serves. Raises `ConfigError` or `StoreError`."""
    stopping = Stopping()
    server = Server(config)
    port = await server.start()
    if sys.platform != "win32" and config.auth is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, server.reload)
    try:
        host = config.listen.rpartition(":")[0]
        print(f"dragonhall: serving on {host}:{port}", flush=True)
        await stopping.asked.wait()
        await server.drain(stopping.at_once)
    finally:
        await server.stop(stopping.at_once)


def run(config: ServerConfig) -> None:
    """Runs a server in an event loop of its own until it is told to stop. Raises `ConfigError` or `StoreError`."""
    set_up_logs(config)
    _collect_garbage_less_often()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner, suppress(KeyboardInterrupt):
        runner.run(serve(config))


def _collect_garbage_less_often() -> None:
    """Games in memory are many objects that live long and hold no cycles: to look through them as often as Python does
    unasked costs a fifth of the CPU time of a busy server."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _loop_factory() -> type[asyncio.AbstractEventLoop] | None:
    """uvloop's event loop where there is one."""
    if sys.platform == "win32":
        return None
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.Loop
