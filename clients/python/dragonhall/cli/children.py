"""Processes that a command starts, and ends: by their own handles, in order, and also when this process is killed.

A child's standard input is a pipe that only this process holds open. When this process ends, however it ends, the pipe
closes, and the child, which watches it (see `end_with_parent`), ends too.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from dragonhall.cli.access import environment_without
from dragonhall.cli.exits import FAILED, ChildFailed

_Result = TypeVar("_Result")

START_LIMIT: Final = 60.0
"""Seconds until a child has to have said that it is ready. Generous: a busy machine imports slowly."""
_GRACE: Final = 10.0
"""Seconds until a child that was asked to end is killed, or, left alone, ends itself."""
_LOG_TAIL: Final = 30
"""Lines of its log that a failed child is quoted with."""


def end_with_parent() -> None:
    """In a child: asks this process to end (SIGTERM to itself) as soon as its standard input is closed.

    Ends it at once if that has not helped after some seconds: nobody is left who could.
    """

    def watch() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1024):
                pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_GRACE)
        os._exit(FAILED)

    threading.Thread(target=watch, name="end with parent", daemon=True).start()


class Child:
    """One ``dragonhall`` command as a process of its own."""

    def __init__(self, name: str, process: asyncio.subprocess.Process, log: Path) -> None:
        self.name = name
        self._process = process
        self._log = log
        self._drain: asyncio.Task[bytes] | None = None

    @classmethod
    async def start(cls, name: str, arguments: Sequence[str], log: Path) -> Child:
        """Starts ``dragonhall ARGUMENTS``; its standard error is written to ``log``.

        In a session of its own: Ctrl-C in the terminal reaches the parent alone, which ends its children in order.
        """
        with log.open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # a folder called dragonhall in the working directory is not the package
                "-m",
                "dragonhall.cli",
                *arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
                env=environment_without(),
            )
        return cls(name, process, log)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    async def ready(self, beginning: str) -> str:
        """The rest of the line with that ``beginning``, once the child prints it. Raises `ChildFailed`."""
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(START_LIMIT):
                async for line in self._process.stdout:
                    text = line.decode(errors="replace").strip()
                    if text.startswith(beginning):
                        self._drain = asyncio.create_task(self._process.stdout.read())
                        return text.removeprefix(beginning).strip()
        except TimeoutError:
            raise ChildFailed(f"{self.name} was not ready after {START_LIMIT:.0f} s{self._tail()}") from None
        await self._process.wait()
        raise self.failure()

    async def ended(self) -> None:
        """Returns when the process has ended."""
        await self._process.wait()

    def failure(self) -> ChildFailed:
        """What to say of a child that ended before its time."""
        return ChildFailed(f"{self.name} ended with exit code {self._process.returncode}{self._tail()}")

    def _tail(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LOG_TAIL:]
        return ":\n" + "\n".join(f"  {line}" for line in lines) if lines else ""

    async def kill(self) -> None:
        """Ends the process as a power cut would."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self.stop()

    async def stop(self) -> None:
        """Asks the process to end, waits for it, and kills it if it does not."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            try:
                async with asyncio.timeout(_GRACE):
                    await self._process.wait()
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    self._process.kill()
                await self._process.wait()
        if self._drain is not None:
            await self._drain


class Children:
    """All processes of one command: an async context manager that ends them, the last one started first."""

    def __init__(self) -> None:
        self._children: list[Child] = []

    async def __aenter__(self) -> Children:
        return self

    async def __aexit__(self, *_: object) -> None:
        stopping = asyncio.gather(*(child.stop() for child in reversed(self._children)))
        try:
            await asyncio.shield(stopping)
        except asyncio.CancelledError:
            await stopping
            raise

    async def start(self, name: str, arguments: Sequence[str], log: Path) -> Child:
        """As `Child.start`."""
        child = await Child.start(name, arguments, log)
        self._children.append(child)
        return child

    async def alive_during(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """The result of ``work``. Cancels it and raises `ChildFailed` if one of the processes ends meanwhile."""
        task = asyncio.create_task(work)
        ends = {asyncio.create_task(child.ended()): child for child in self._children}
        try:
            await asyncio.wait([task, *ends], return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise next(child for end, child in ends.items() if end.done()).failure()
            return task.result()
        finally:
            for pending in (task, *ends):
                pending.cancel()
            await asyncio.gather(task, *ends, return_exceptions=True)
