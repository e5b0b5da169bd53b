"""A server that dies at one of its writes: run as ``python -m tests.faults.dying MOMENT NUMBER games|all serve …``.

It dies at write NUMBER of its run, counted from 1 over the writes to games' logs, or over all. It is a real exit of its
process, without a word to anybody; its last line on standard error says what was being written.
"""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

from dragonhall.cli.app import main
from dragonhall.server import app
from dragonhall.server.encoding import decode
from dragonhall.server.store.sqlite import SqliteStore, Waiting, Work

DIED: Final = "event=died"
EXIT_CODE: Final = 70
TORN_BYTES: Final = 100
"""So much is missing at the log's end when a commit is cut off."""


class Moment(StrEnum):
    """When a server dies."""

    BEFORE = "before"
    """Nothing has been written."""
    WITHIN = "within"
    """Everything is written, nothing is committed."""
    TORN = "torn"
    """In the middle of the commit: the end of it did not reach the disk."""
    AFTER = "after"
    """It is committed, and nobody has been told."""


class DyingStore(SqliteStore):
    """Counts its writes: those to games' logs, or all of them. Notes of an outage count among the others."""

    moment: Moment
    number: int
    counts_all: bool
    _count = 0

    def _write(self, batch: list[Waiting]) -> list[Exception | None]:
        what = {name for waiting in batch for name in names(waiting.work)}
        self._count += bool(self.counts_all or any(name[0].isupper() for name in what - {"Outage"}))
        if self._count != self.number:
            return super()._write(batch)
        if self.moment is Moment.WITHIN:
            self._writer.execute("BEGIN IMMEDIATE")
            for waiting in batch:
                waiting.work(self._writer)
        elif self.moment is not Moment.BEFORE:
            super()._write(batch)
        if self.moment is Moment.TORN:
            self._tear()
        os.write(2, f"{DIED} moment={self.moment} what={','.join(sorted(what))}\n".encode())
        os._exit(EXIT_CODE)

    def _tear(self) -> None:
        path = Path(f"{self._path}-wal")
        os.truncate(path, max(0, path.stat().st_size - TORN_BYTES))


def names(work: Work) -> list[str]:
    """What a piece of work writes: the causes of an append, or the statement's name."""
    if not isinstance(work, partial):
        return [work.__name__]
    write = work.keywords.get("write")
    return [type(decode(entry).cause).__name__ for entry in write.entries] if write else [work.func.__name__]


if __name__ == "__main__":
    moment, number, counts_all, *arguments = sys.argv[1:]
    DyingStore.moment, DyingStore.number, DyingStore.counts_all = Moment(moment), int(number), counts_all == "all"
    vars(app)["SqliteStore"] = DyingStore
    sys.argv[1:] = arguments
    main()
