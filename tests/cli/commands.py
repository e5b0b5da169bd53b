"""Running the real commands, as processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

LIMIT = 60.0
"""Seconds that anything here may take on a busy machine."""

COMMAND = (sys.executable, "-P", "-m", "dragonhall.cli")

Done = subprocess.CompletedProcess[str]


def dragonhall(
    *arguments: str | Path, cwd: Path | None = None, stdin: bytes | None = None, limit: float = LIMIT
) -> Done:
    """Runs ``dragonhall ARGUMENTS`` to its end."""
    done = subprocess.run([*COMMAND, *map(str, arguments)], input=stdin, capture_output=True, cwd=cwd, timeout=limit)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


class Running:
    """A command that runs meanwhile."""

    def __init__(self, arguments: Sequence[str | Path]) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            text=True,
        )
        self.output = ""

    def wait_for(self, beginning: str) -> str:
        """The rest of the first line that begins so."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line
            if line.startswith(beginning):
                return line.removeprefix(beginning).strip()
        raise AssertionError(f"{beginning!r} never came:\n{self.output}")

    def end(self, how: signal.Signals) -> int:
        """Sends a signal and waits; returns the exit code."""
        self.process.send_signal(how)
        return self.wait()

    def wait(self) -> int:
        """Waits for the end; returns the exit code."""
        rest, _ = self.process.communicate(timeout=LIMIT)
        self.output += rest
        return self.process.returncode


@contextmanager
def running(*arguments: str | Path) -> Iterator[Running]:
    """``dragonhall ARGUMENTS`` while the block lasts."""
    command = Running(arguments)
    try:
        yield command
    finally:
        if command.process.poll() is None:
            command.process.kill()
        command.process.communicate()


@contextmanager
def server(store: Path, *more: str, port: int = 0) -> Iterator[tuple[Running, str]]:
    """A server and its HOST:PORT."""
    with running("serve", "--listen", f"127.0.0.1:{port}", "--store", store, "--log-level", "error", *more) as command:
        yield command, command.wait_for("dragonhall: serving on ")


def children_of(process: int) -> list[int]:
    """The ids of its living children."""
    return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if _parent_of(pid) == process]


def _parent_of(pid: int) -> int | None:
    """Its parent's id; ``None`` if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[1]) if fields[0] != "Z" else None


def alive(pids: Sequence[int]) -> list[int]:
    """Those that have not ended."""
    return [pid for pid in pids if _parent_of(pid) is not None]


def wait_until_children(process: int, count: int) -> list[int]:
    """The ids of its children once there are so many."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        children = children_of(process)
        if len(children) >= count:
            return children
        time.sleep(0.05)
    raise AssertionError(f"process {process} has children {children_of(process)}, not {count}")


def wait_until_ended(pids: Sequence[int]) -> None:
    """Returns when none is left."""
    deadline = time.monotonic() + LIMIT
    while left := alive(pids):
        assert time.monotonic() < deadline, f"processes left behind: {left}"
        time.sleep(0.05)
