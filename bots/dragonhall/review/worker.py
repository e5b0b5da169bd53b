"""A worker process of `Workers`: ``python -m dragonhall.review.worker``.

It reads from its standard input the import path, how to begin, and then one piece of work after another, and ends when
that is closed, however the process ended that started it.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable
from typing import BinaryIO


def main() -> None:
    """Works until there is nobody to work for. Ctrl-C is for whoever started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked, told = sys.stdin.buffer, _standard_output()
    try:
        sys.path[:] = pickle.load(asked)
        do = pickle.load(asked)()
        while True:
            told.write(pickle.dumps(_outcome(do, pickle.load(asked))))
            told.flush()
    except (EOFError, ConnectionError):
        return


def _standard_output() -> BinaryIO:
    """For results alone: what anything prints goes to standard error."""
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return told


def _outcome(do: Callable[[int], object], piece: int) -> object:
    try:
        return do(piece)
    except Exception as error:
        error.add_note(f"(in a worker process, piece {piece})")
        return error


if __name__ == "__main__":
    main()
