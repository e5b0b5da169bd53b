"""Standard streams that are not as a command expects them: closed from the start, or without a reader any more."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

NOBODY_READS: Final = 141
"""The exit code when standard output is a pipe that nobody reads any more: as a shell tells of SIGPIPE."""
NOT_WRITTEN: Final = 2
"""The exit code when standard output cannot be written, as on a full disk."""

_STREAMS: Final = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


@contextlib.contextmanager
def standard_streams() -> Iterator[None]:
    """Sets the streams up for a command, and sees to it that all output has left when it ends.

    What is written to a closed stream is thrown away. A command whose reader goes away, as with ``| head``, ends at its
    next output: it raises SystemExit with `NOBODY_READS`, so that all it has opened is closed in order.
    """
    _open_closed()
    _watch_reader()
    try:
        yield
    finally:
        sys.stdout.flush()


def discard(descriptor: int) -> None:
    """From now on what is written there goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _open_closed() -> None:
    """Else the next file that is opened, as a server's store, takes a closed stream's number and gets its output."""
    for name, mode in _STREAMS:
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: the stream's own
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8", closefd=False))


def _watch_reader() -> None:
    stdout = sys.stdout
    if stdout.isatty() or sys.platform == "win32":
        return
    stdout.flush()
    raw = io.BufferedWriter(_Output(stdout.fileno(), "w", closefd=False))
    sys.stdout = io.TextIOWrapper(raw, encoding=stdout.encoding, errors=stdout.errors)


class _Output(io.FileIO):
    """A standard stream that ends the process when nothing can be written to it any more."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            discard(self.fileno())
            if isinstance(error, BrokenPipeError):
                raise SystemExit(NOBODY_READS) from None
            print(f"dragonhall: standard output: {error.strerror}", file=sys.stderr)
            raise SystemExit(NOT_WRITTEN) from None
