"""The SQLite store: one file, WAL, every commit synced to disk.

One thread writes: whatever has been asked for while it was busy goes into its next transaction, so the cost of a sync
is shared by all games (group commit). Another thread reads on a connection of its own and never waits for the writer.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from dragonhall.server.store import statements
from dragonhall.server.store.base import (
    Append,
    GameLine,
    LineFilter,
    Request,
    StoreError,
    StoreUnusable,
    Stretch,
)
from dragonhall.server.store.lock import StoreLock
from dragonhall.server.store.schema import bring_up_to_date, open_connection, read_secret
from dragonhall.server.store.statements import LINE, line_from_row
from dragonhall.server.wall_clock import now_us as wall_clock_us

MAX_BATCH: Final = 1024
"""So many writes are enough for one transaction."""

Work = Callable[[sqlite3.Connection], Exception | None]
"""What is done inside a transaction; returns why it was refused."""

NOTES_US: Final = 2_000_000
"""Notes of the server's life are not further apart."""


class Waiting(NamedTuple):
    """Work to do, and who waits for it."""

    work: Work
    done: asyncio.Future[None]
    is_plain: bool
    """Whether it is one statement, which SQLite makes a transaction of by itself."""


class SqliteStore:
    """A `Store` in one SQLite file. Opened by `open`, inside the event loop that will use it."""

    def __init__(
        self,
        path: Path,
        lock: StoreLock,
        writer: sqlite3.Connection,
        reader: sqlite3.Connection,
        now_us: Callable[[], int],
        is_new: bool,
    ) -> None:
        self._path = path
        self._is_new = is_new
        self._lock = lock
        self._writer = writer
        self._reader = reader
        self._now_us = now_us
        self._secret = read_secret(writer)
        self._outages = statements.outages(writer)
        self._down_since_us = statements.down_since(writer)
        self._failing_since_us: int | None = None
        self._told_failing = False
        self.on_failing: Callable[[bool], None] = lambda failing: None
        """Called in the event loop when writes begin to fail, and when they are done again."""
        self._file = _file_at(path)
        self._loop = asyncio.get_running_loop()
        self.commits = 0
        """How many transactions were committed."""
        self._closed = False
        self._gathered: list[Waiting] = []
        """Asked for in this turn of the event loop."""
        self._asked: queue.SimpleQueue[list[Waiting] | None] = queue.SimpleQueue()
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="store-reader")
        self._writing = threading.Thread(target=self._write_until_closed, name="store-writer", daemon=True)
        self._writing.start()

    @classmethod
    def open(cls, path: Path, now_us: Callable[[], int] = wall_clock_us) -> SqliteStore:
        """Opens the file, or makes it. Raises `StoreUnusable`, saying what to do."""
        path = path.resolve()
        lock = StoreLock(path)
        is_new = not path.exists()
        try:
            return cls._open(path, lock, now_us, is_new)
        except (sqlite3.Error, OSError) as error:
            _let_go(path, lock, remove=is_new)
            raise StoreUnusable(
                f"{path} cannot be used as a store: {error}. See that it is a Dragonhall store, writable for this user "
                "on a disk with free space, or choose another"
            ) from error
        except BaseException:
            _let_go(path, lock, remove=is_new)
            raise

    @classmethod
    def _open(cls, path: Path, lock: StoreLock, now_us: Callable[[], int], is_new: bool) -> SqliteStore:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # seeds are in it: for this user alone
        with contextlib.ExitStack() as on_failure:
            writer = on_failure.enter_context(contextlib.closing(open_connection(path)))
            bring_up_to_date(writer, path)
            if path.stat().st_nlink > 1:
                raise StoreUnusable(
                    f"{path} has a second name (a hard link), by which another server could open it too. "
                    "Remove the link, or serve a copy"
                )
            reader = on_failure.enter_context(contextlib.closing(open_connection(path)))
            reader.execute("PRAGMA query_only=ON")
            store = cls(path, lock, writer, reader, now_us, is_new)
            on_failure.pop_all()
            return store

    @property
    def secret(self) -> bytes:
        """See `Store.secret`."""
        return self._secret

    @property
    def outages(self) -> list[Stretch]:
        """See `Store.outages`."""
        return self._outages

    @property
    def failing_since_us(self) -> int | None:
        """See `Store.failing_since_us`."""
        return self._failing_since_us

    @property
    def writer_connection(self) -> sqlite3.Connection:
        """The connection that writes, for the tests that make it fail."""
        return self._writer

    # Writing

    def append(self, write: Append) -> asyncio.Future[None]:
        """See `Store.append`."""
        return self._ask(partial(statements.append, write=write), statements.is_plain(write))

    def remove(self, game_id: str) -> asyncio.Future[None]:
        """See `Store.remove`."""
        return self._ask(partial(statements.remove, game_id=game_id))

    async def begin_run(self) -> None:
        """See `Store.begin_run`."""
        now_us = self._now_us()
        if self._down_since_us is not None and self._down_since_us < now_us:
            await self.note_outage(self._down_since_us, now_us)
        await self.note_alive(now_us)

    def note_alive(self, now_us: int) -> asyncio.Future[None]:
        """See `Store.note_alive`."""
        return self._ask(partial(statements.note_alive, now_us=now_us))

    async def note_outage(self, from_us: int, to_us: int) -> None:
        """See `Store.note_outage`."""
        await self._ask(partial(statements.note_outage, outage=(from_us, to_us)))
        self._outages.append((from_us, to_us))

    async def probe(self) -> None:
        """See `Store.probe`."""
        await self._ask(statements.fill)
        await self._ask(statements.empty)

    def _ask(self, work: Work, is_plain: bool = False) -> asyncio.Future[None]:
        """Has it done in one of the next transactions."""
        done = self._loop.create_future()
        if self._closed:
            done.set_exception(StoreError("the store is closed"))
        else:
            self._gathered.append(Waiting(work, done, is_plain))
            if len(self._gathered) == 1:
                self._loop.call_soon(self._hand_over, 1)
        return done

    def _hand_over(self, known: int) -> None:
        """Gives the writer what has been asked for, when a turn of the loop has brought nothing more.

        The writer is woken once for all of it, and not before the loop is done: two threads that both want to run cost
        more than they do.
        """
        if known < len(self._gathered) < MAX_BATCH:
            self._loop.call_soon(self._hand_over, len(self._gathered))
        elif self._gathered:
            self._asked.put(self._gathered)
            self._gathered = []

    def _write_until_closed(self) -> None:
        """The writer thread."""
        closing = False
        while not closing:
            batch, closing = self._next_batch()
            if batch:
                failures = self._write(batch)
                with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits any more
                    self._loop.call_soon_threadsafe(self._settle, batch, failures)

    def _next_batch(self) -> tuple[list[Waiting], bool]:
        """Everything that has been asked for, at least one write; whether the store is closing."""
        batch: list[Waiting] = []
        asked = self._asked.get()
        while asked is not None:
            batch.extend(asked)
            if len(batch) >= MAX_BATCH or self._asked.empty():
                return batch, False
            asked = self._asked.get()
        return batch, True

    def _write(self, batch: list[Waiting]) -> list[Exception | None]:
        """One transaction. Returns for each write why it was not done, or ``None``."""
        connection, began_us = self._writer, self._now_us()
        if _file_at(self._path) != self._file:
            error = f"{self._path} was removed or replaced while in use: what is written now would be lost. Restart"
            return self._failed(batch, began_us, error)
        try:
            if len(batch) == 1 and batch[0].is_plain and self._failing_since_us is None:
                failures = [batch[0].work(connection)]
            else:
                failures = self._transaction(batch)
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            return self._failed(batch, began_us, f"{self._path} cannot be written: {error}")
        self.commits += 1
        return failures

    def _transaction(self, batch: list[Waiting]) -> list[Exception | None]:
        """All of it or, if it raises sqlite3.Error, nothing."""
        connection = self._writer
        connection.execute("BEGIN IMMEDIATE")
        changes = connection.total_changes
        failures = [waiting.work(connection) for waiting in batch]
        is_tried = connection.total_changes > changes  # else nothing goes to the disk
        outage = self._outage_that_ends() if is_tried else None
        if outage is not None:
            statements.note_outage(connection, outage)
        connection.execute("COMMIT")
        if outage is not None:
            self._outages.append(outage)
            self._failing_since_us = None
        return failures

    def _failed(self, batch: list[Waiting], began_us: int, error: str) -> list[Exception | None]:
        if self._failing_since_us is None:
            self._failing_since_us = began_us
        return [StoreError(error)] * len(batch)

    def _outage_that_ends(self) -> Stretch | None:
        """If writes have failed until now: since when, and until when."""
        since_us = self._failing_since_us
        return None if since_us is None else (since_us, max(self._now_us(), since_us + 1))

    def _settle(self, batch: list[Waiting], failures: list[Exception | None]) -> None:
        """In the event loop: tells those who wait how their writes went."""
        self._tell_whether_failing()
        for waiting, failure in zip(batch, failures, strict=True):
            done = waiting.done
            if done.done():
                continue  # whoever asked has gone; what was written stays written
            if failure is None:
                done.set_result(None)
            else:
                done.set_exception(failure)

    def _tell_whether_failing(self) -> None:
        failing = self._failing_since_us is not None
        if failing is not self._told_failing:
            self._told_failing = failing
            self.on_failing(failing)

    # Reading

    async def load(self, game_id: str, after: int = 0) -> list[bytes]:
        """See `Store.load`."""
        rows = await self._read(
            "SELECT entry FROM entries WHERE position = (SELECT position FROM games WHERE game_id = ?) "
            "AND revision > ? ORDER BY revision",
            (game_id, after),
        )
        return [entry for (entry,) in rows]

    async def find_line(self, game_id: str) -> GameLine | None:
        """See `Store.find_line`."""
        rows = await self._read(f"SELECT {LINE} FROM games WHERE game_id = ?", (game_id,))
        return line_from_row(rows[0]) if rows else None

    async def lines(
        self, wanted: LineFilter, limit: int, before: int | None = None, after: int | None = None
    ) -> list[GameLine]:
        """See `Store.lines`."""
        sql, values = statements.search(wanted, limit, before, after)
        return [line_from_row(row) for row in await self._read(sql, tuple(values))]

    async def find_request(self, id_hash: bytes) -> Request | None:
        """See `Store.find_request`."""
        rows = await self._read(
            "SELECT id_hash, digest, game_id, seat, revision FROM requests WHERE id_hash = ?", (id_hash,)
        )
        return Request(*rows[0]) if rows else None

    async def find_match(self, match_key: bytes) -> list[GameLine]:
        """See `Store.find_match`."""
        return [line_from_row(row) for row in await self._read(statements.FIND_MATCH, (match_key,))]

    async def count_owned(self, owner: str) -> int:
        """See `Store.count_owned`."""
        return int((await self._read(statements.COUNT_OWNED, (owner,)))[0][0])

    async def deadlines(self) -> list[tuple[str, int]]:
        """See `Store.deadlines`."""
        rows = await self._read(statements.DEADLINES, ())
        return [(game_id, moved(deadline, changed, self._outages)) for game_id, deadline, changed in rows]

    async def stale(self, statuses: Collection[int], changed_before_us: int, limit: int) -> list[str]:
        """See `Store.stale`."""
        rows = await self._read(statements.stale(len(statuses)), (*statuses, changed_before_us, limit))
        return [game_id for (game_id,) in rows]

    async def counts(self) -> Mapping[int, int]:
        """See `Store.counts`."""
        return dict(await self._read("SELECT status, count(*) FROM games GROUP BY status", ()))

    async def _read(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        if self._closed:
            raise StoreError("the store is closed")
        try:
            return await self._loop.run_in_executor(self._reading, lambda: self._reader.execute(sql, values).fetchall())
        except sqlite3.Error as error:
            raise StoreError(f"{self._path} cannot be read: {error}") from error

    async def close(self) -> None:
        """See `Store.close`."""
        await self._close(remove=False)

    async def discard(self) -> None:
        """Closes it, and removes the files that were made when it was opened, if no game is in them."""
        is_unused = False
        with contextlib.suppress(StoreError):
            is_unused = self._is_new and not await self.counts()
        await self._close(remove=is_unused)

    async def _close(self, remove: bool) -> None:
        if self._closed:
            return
        self._closed = True
        self._hand_over(len(self._gathered))
        self._asked.put(None)
        await self._loop.run_in_executor(None, self._shut, remove)

    def _shut(self, remove: bool) -> None:
        self._writing.join()
        self._reading.shutdown()
        self._reader.close()
        self._writer.close()
        _let_go(self._path, self._lock, remove)


def moved(deadline_us: int, changed_us: int, outages: Sequence[Stretch]) -> int:
    """A deadline that was noted at ``changed_us``, moved by the outages (oldest first) since then and before it.

    Rather too early than too late: an outage begins at the last note of the server's life, and the game may have gone
    on until the next.
    """
    for from_us, to_us in outages:
        begin_us = max(from_us, changed_us) + NOTES_US
        if begin_us < min(to_us, deadline_us):
            deadline_us += to_us - begin_us
    return deadline_us


def _let_go(path: Path, lock: StoreLock, remove: bool) -> None:
    """Lets another server have the store. ``remove``: nobody has used it, nothing of it stays."""
    if remove:
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
            path.with_name(name).unlink(missing_ok=True)
    lock.release(remove)


def _file_at(path: Path) -> tuple[int, int] | None:
    """Which file has this name now; ``None``: none has."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
