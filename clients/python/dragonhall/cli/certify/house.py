"""The server of the trials: a real one, which can be killed and comes back on the same port, with the same store."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from dragonhall.cli.children import Child
from dragonhall.cli.hall import SERVER_READY

_SETTINGS: Final = ("--heartbeat", "1", "--grace", "0.2", "--log-level", "error", "--exit-with-parent")


class House:
    """A ``dragonhall serve`` as a process of its own; an async context manager that ends it."""

    def __init__(self, folder: Path) -> None:
        """``folder``: of its store and its log."""
        self._folder = folder
        self._child: Child | None = None
        self.port = 0
        """0 before it was started."""

    @property
    def target(self) -> str:
        """HOST:PORT, once it was started."""
        return f"127.0.0.1:{self.port}"

    async def __aenter__(self) -> House:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._child is not None:
            await self._child.stop()

    async def start(self) -> None:
        """Starts it, for the first time or again; returns once it serves. Raises `ChildFailed`."""
        where = ("--listen", self.target, "--store", str(self._folder / "house.db"))
        self._child = await Child.start("the server", ["serve", *where, *_SETTINGS], self._folder / "server.log")
        self.port = int((await self._child.ready(SERVER_READY)).rpartition(":")[2])

    async def kill(self) -> None:
        """Ends it as a power cut would."""
        if self._child is not None:
            await self._child.kill()
