"""A server and bots as processes of their own, for tests that end them without a warning."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

READY: Final = "dragonhall: serving on "
START_LIMIT: Final = 60.0
"""Seconds. A busy machine imports slowly."""


class Process:
    """One ``dragonhall …`` command, whose standard error goes to ``log``."""

    def __init__(self, arguments: list[str], log: Path) -> None:
        self._arguments = arguments
        self.log = log
        self._process: asyncio.subprocess.Process
        self._errors: IO[bytes]

    async def start(self, ready: str) -> str:
        """Starts it, and returns the rest of the line that begins with ``ready``."""
        self._errors = self.log.open("ab")
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "dragonhall.cli",
            *self._arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._errors,
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(START_LIMIT):
            async for line in self._process.stdout:
                if line.decode().startswith(ready):
                    return line.decode().removeprefix(ready).strip()
        raise AssertionError(f"{self._arguments} ended before it was ready:\n{self.log.read_text()}")

    async def kill(self) -> None:
        """Ends it as a power cut would."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """Asks it to end; returns its exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> int:
        if self._process.returncode is None:
            os.kill(self._process.pid, number)
        await self._process.communicate()
        self._errors.close()
        return self._process.returncode or 0


class ServerProcess:
    """A server on a port of its own that can be killed and comes back on the same port, with the same store."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = 0
        self._process: Process

    @property
    def target(self) -> str:
        return f"127.0.0.1:{self._port}"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._process.stop()

    async def start(self) -> None:
        """Starts it, for the first time or again."""
        store = self._folder / "games.db"
        arguments = ["serve", "--listen", self.target, "--store", str(store), "--heartbeat", "1", "--grace", "0.5"]
        self._process = Process(arguments, self._folder / "server.log")
        self._port = int((await self._process.start(READY)).rpartition(":")[2])

    async def kill(self) -> None:
        """Ends it as a power cut would."""
        await self._process.kill()

    async def restart(self) -> None:
        """A power cut, and power again."""
        await self.kill()
        await self.start()


class BotProcess:
    """A bot as a process of its own."""

    def __init__(self, name: str, kind: str, target: str, folder: Path, *more: str) -> None:
        self._ready = f"dragonhall-bot: {name} ({kind}) watching {target}"
        self.log = folder / f"{name}.log"
        self._process = Process(["bot", kind, "--name", name, "--connect", target, *more], self.log)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Returns once it watches the lobby."""
        await self._process.start(self._ready)

    async def kill(self) -> None:
        """Ends it as a power cut would."""
        await self._process.kill()

    async def stop(self) -> int:
        """Asks it to end; returns its exit code."""
        return await self._process.stop()
