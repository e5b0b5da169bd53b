"""A server and bots as processes of their own, for tests that end them without a warning."""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Final, Self

READY: Final = "dragonhall: serving on "
STOP_LIMIT: Final = 60.0
"""Seconds, until a process that was asked to end is taken to hang."""


REPOSITORY: Final = Path(__file__).resolve().parents[1]


class Process:
    """One ``dragonhall …`` command, or another module of Python, whose standard error goes to ``log``."""

    def __init__(self, arguments: list[str], log: Path, module: str = "dragonhall.cli") -> None:
        self._arguments = [module, *arguments]
        self.log = log
        self._process: subprocess.Popen[str]

    @property
    def pid(self) -> int:
        """Of the one that was started last."""
        return self._process.pid

    def start(self, ready: str) -> str:
        """Starts it, and returns the rest of the line that begins with ``ready``."""
        with self.log.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *self._arguments],
                cwd=REPOSITORY,  # where the tests' own modules are found
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(ready):
                return line.removeprefix(ready).strip()
        self._process.wait()
        raise AssertionError(f"{self._arguments} ended before it was ready:\n{self.log.read_text()}")

    def kill(self) -> None:
        """Ends it as a power cut would, if it runs."""
        self._process.kill()
        self._wait()

    def stop(self) -> int:
        """Asks it to end, if it runs; returns its exit code."""
        self._process.terminate()
        return self._wait()

    def ask_to_end(self) -> None:
        """SIGTERM, once; does not wait."""
        self._process.terminate()

    def wait(self) -> int:
        """Waits until it has ended by itself; returns its exit code."""
        return self._wait(None)

    def _wait(self, limit: float | None = STOP_LIMIT) -> int:
        code = self._process.wait(limit)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return code


def serve_arguments(listen: str, store: Path, *more: str) -> list[str]:
    """A server whose silent streams show soon that they are alive, and which does not wait long when it is to stop."""
    return ["serve", "--listen", listen, "--store", str(store), "--heartbeat", "1", "--grace", "0.5", *more]


class ServerProcess:
    """A server on a port of its own that can be killed and comes back on the same port, with the same store.

    ``more``: further arguments of ``dragonhall serve``.
    """

    def __init__(self, folder: Path, *more: str) -> None:
        self.store = folder / "games.db"
        self.log = folder / "server.log"
        self.port = 0
        self._more = more
        self._process: Process

    @property
    def target(self) -> str:
        """HOST:PORT, once it was started."""
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Of the server that runs."""
        return self._process.pid

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await (self.stop() if error is None else self.kill())

    async def start(self) -> None:
        """Starts it, for the first time or again; returns once it serves."""
        self._process = self._new_process()
        listening = await asyncio.to_thread(self._process.start, READY)
        self.port = int(listening.rpartition(":")[2])

    def _new_process(self) -> Process:
        return Process(serve_arguments(self.target, self.store, *self._more), self.log)

    async def ended(self) -> int:
        """Waits until it has ended by itself; returns its exit code."""
        return await asyncio.to_thread(self._process.wait)

    async def kill(self) -> None:
        """Ends it as a power cut would."""
        await asyncio.to_thread(self._process.kill)

    async def stop(self) -> int:
        """Asks it to end; returns its exit code."""
        return await asyncio.to_thread(self._process.stop)

    def ask_to_stop(self) -> None:
        """SIGTERM, once; does not wait."""
        self._process.ask_to_end()

    async def restart(self) -> None:
        """A power cut, and power again."""
        await self.kill()
        await self.start()

    def limit_file_size(self, size: int) -> None:
        """Lets the server's files grow to ``size`` bytes and no further, as a full disk would."""
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (size, hard))

    def lift_file_size_limit(self) -> None:
        """There is room on the disk again."""
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (hard, hard))


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
        await asyncio.to_thread(self._process.start, self._ready)

    async def kill(self) -> None:
        """Ends it as a power cut would."""
        await asyncio.to_thread(self._process.kill)

    async def stop(self) -> int:
        """Asks it to end; returns its exit code."""
        return await asyncio.to_thread(self._process.stop)
