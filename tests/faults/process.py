"""A server in a process of its own, to be killed."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

SERVE = """
import sys
from pathlib import Path
from dragonhall.server import ServerConfig, run
run(ServerConfig(listen=f"127.0.0.1:{sys.argv[1]}", store=Path(sys.argv[2])))
"""


class ServerProcess:
    """Starts and ends servers on one store and one port, one at a time."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self.port = 0
        self.log = store.with_suffix(".log")
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """Of the server that runs."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Starts a server and waits until it serves. The port of the first one is every later one's."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                SERVE,
                str(self.port),
                str(self.store),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=environment,
            )
        assert self._process.stdout is not None
        line = (await asyncio.wait_for(self._process.stdout.readline(), 20)).decode()
        assert line.startswith("dragonhall: serving on 127.0.0.1:"), f"{line!r}, and in its log: {self.log.read_text()}"
        self.port = int(line.rpartition(":")[2])

    async def kill(self) -> None:
        """kill -9, if it runs."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """SIGTERM; returns the exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: int) -> int:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(number)
        await asyncio.wait_for(self._process.wait(), 20)
        # The transport is closed by hand: the test's loop may end before it notices by itself.
        transport: Any = getattr(self._process, "_transport", None)
        if transport is not None:
            transport.close()
        assert self._process.returncode is not None
        return self._process.returncode

    def limit_file_size(self, size: int) -> None:
        """Lets the server's files grow to ``size`` bytes and no further, as a full disk would."""
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (size, hard))

    def lift_file_size_limit(self) -> None:
        """There is room on the disk again."""
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (hard, hard))
