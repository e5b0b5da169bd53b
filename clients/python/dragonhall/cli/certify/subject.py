"""The bot on trial: a process of its own, of which nothing is known but the command that starts it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from dragonhall.bots.sdk import NAME_VARIABLE, TARGET_VARIABLE
from dragonhall.cli.access import environment_without
from dragonhall.cli.certify.strays import MARK_VARIABLE, end_strays, new_mark

_GRACE: Final = 3.0
"""Seconds that it has to end by itself when it is asked to."""
_TAIL: Final = 12
"""Lines of its output that are quoted when it has died."""
_TAIL_BYTES: Final = 1 << 16
"""Of the output's end that are looked at."""
_WIDTH: Final = 300
"""Characters of a line that are quoted."""


def command_line(command: str, target: str, name: str) -> list[str]:
    """The arguments that a command stands for, with ``{target}`` and ``{name}`` filled in.

    >>> command_line("python mine.py --at {target} --as '{name} II'", "127.0.0.1:7350", "rex")
    ['python', 'mine.py', '--at', '127.0.0.1:7350', '--as', 'rex II']

    Raises ValueError for a quotation mark without its other half.
    """
    return [part.replace("{target}", target).replace("{name}", name) for part in shlex.split(command)]


class Subject:
    """A bot that is started here. Its output, both streams, goes to ``log``."""

    def __init__(self, arguments: Sequence[str], target: str, name: str, log: Path, ended: Callable[[], None]) -> None:
        """``ended`` is told when the process has ended."""
        self._arguments = arguments
        self._mark = new_mark()
        told = {TARGET_VARIABLE: target, NAME_VARIABLE: name, MARK_VARIABLE: self._mark}
        self._environment = {**environment_without(), **told}
        self._log = log
        self._ended = ended
        self._process: asyncio.subprocess.Process | None = None
        self._watch: asyncio.Task[None] | None = None

    @property
    def returncode(self) -> int | None:
        """Of a process that has ended; None: it runs."""
        return self._process.returncode if self._process is not None else None

    async def start(self) -> None:
        """Starts it, for the first time or again. Raises `OSError` if there is no such program."""
        with self._log.open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                *self._arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=output,
                stderr=output,
                env=self._environment,
                start_new_session=True,  # a process group that ends with it; who leaves that is found by the mark
            )
        self._watch = asyncio.create_task(self._tell_end(self._process))

    async def _tell_end(self, process: asyncio.subprocess.Process) -> None:
        await process.wait()
        self._ended()

    async def ended(self) -> None:
        """Returns when the process, once started, has ended."""
        if self._process is not None:
            await self._process.wait()

    async def stop(self) -> None:
        """Asks it to end, and ends it if it does not, with all that it has started and left behind."""
        if self._process is None:
            return
        self._signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(_GRACE):
                await self._process.wait()
        except TimeoutError:
            pass
        if sys.platform != "win32":
            self._signal(signal.SIGKILL)
            end_strays(self._mark)
        else:
            self._process.kill()
        await self._process.wait()
        if self._watch is not None:
            await self._watch

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            if sys.platform != "win32":
                os.killpg(self._process.pid, number)
            elif self._process.returncode is None:
                self._process.send_signal(number)

    def death(self) -> str:
        """How it has ended, with the last lines of its output."""
        said = "".join(f"\n  {line}" for line in last_words(self._log))
        return f"the bot ended with exit code {self.returncode}{':' if said else ''}{said}"


def last_words(log: Path) -> list[str]:
    """The last lines of a bot's output, however much that is and however long they are."""
    with log.open("rb") as output:
        output.seek(max(0, output.seek(0, os.SEEK_END) - _TAIL_BYTES))
        lines = output.read().decode(errors="replace").splitlines()[-_TAIL:]
    return [line if len(line) <= _WIDTH else f"{line[:_WIDTH]}…" for line in lines]
