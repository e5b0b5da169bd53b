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
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from dragonhall.server.store.base import (
    Append,
    Fenced,
    GameLine,
    LineFilter,
    Request,
    RequestTaken,
    StoreError,
    StoreUnusable,
)
from dragonhall.server.store.lock import StoreLock
from dragonhall.server.store.schema import bring_up_to_date, open_connection, read_secret

MAX_BATCH: Final = 1024
"""Writes in one transaction, at most."""

T = TypeVar("T")
Waiting = tuple[Append, "asyncio.Future[None]"]


class SqliteStore:
    """A `Store` in one SQLite file. Opened by `open`, inside the event loop that will use it."""

    def __init__(self, path: Path, lock: StoreLock, writer: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        self._path = path
        self._lock = lock
        self._writer = writer
        self._reader = reader
        self._secret = read_secret(writer)
        self._file = _file_at(path)
        self._loop = asyncio.get_running_loop()
        self.commits = 0
        """How many transactions were committed."""
        self._closed = False
        self._asked: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="store-reader")
        self._writing = threading.Thread(target=self._write_until_closed, name="store-writer", daemon=True)
        self._writing.start()

    @classmethod
    def open(cls, path: Path) -> SqliteStore:
        """Opens the file, or makes it. Raises `StoreUnusable`, saying what to do."""
        path = path.resolve()
        lock = StoreLock(path)
        try:
            return cls._open(path, lock)
        except (sqlite3.Error, OSError) as error:
            lock.release()
            raise StoreUnusable(
                f"{path} cannot be used as a store: {error}. See that it is a Dragonhall store, writable for this user "
                "on a disk with free space, or choose another"
            ) from error
        except BaseException:
            lock.release()
            raise

    @classmethod
    def _open(cls, path: Path, lock: StoreLock) -> SqliteStore:
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
            store = cls(path, lock, writer, reader)
            on_failure.pop_all()
            return store

    @property
    def secret(self) -> bytes:
        """See `Store.secret`."""
        return self._secret

    @property
    def writer_connection(self) -> sqlite3.Connection:
        """The connection that writes, for the tests that make it fail."""
        return self._writer

    # Writing

    def append(self, write: Append) -> asyncio.Future[None]:
        """See `Store.append`."""
        done = self._loop.create_future()
        if self._closed:
            done.set_exception(StoreError("the store is closed"))
        else:
            self._asked.put((write, done))
        return done

    def _write_until_closed(self) -> None:
        """The writer thread."""
        closing = False
        while not closing:
            batch, closing = self._next_batch()
            if batch:
                failures = self._write(batch)
                with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits any more
                    self._loop.call_soon_threadsafe(_settle, batch, failures)

    def _next_batch(self) -> tuple[list[Waiting], bool]:
        """Everything that has been asked for, at least one write; whether the store is closing."""
        batch: list[Waiting] = []
        asked = self._asked.get()
        while asked is not None:
            batch.append(asked)
            if len(batch) == MAX_BATCH or self._asked.empty():
                return batch, False
            asked = self._asked.get()
        return batch, True

    def _write(self, batch: list[Waiting]) -> list[Exception | None]:
        """One transaction. Returns for each write why it was not done, or ``None``."""
        connection = self._writer
        if _file_at(self._path) != self._file:
            error = f"{self._path} was removed or replaced while in use: what is written now would be lost. Restart"
            return [StoreError(error)] * len(batch)
        try:
            connection.execute("BEGIN IMMEDIATE")
            failures = [_append(connection, write) for write, _ in batch]
            connection.execute("COMMIT")
            self.commits += 1
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            return [StoreError(f"{self._path} cannot be written: {error}")] * len(batch)
        return failures

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
        return _line(rows[0]) if rows else None

    async def lines(
        self, wanted: LineFilter, limit: int, before: int | None = None, after: int | None = None
    ) -> list[GameLine]:
        """See `Store.lines`."""
        conditions, values = _conditions(wanted, before, after)
        order = "ASC" if after is not None else "DESC"
        rows = await self._read(
            f"SELECT {LINE} FROM games WHERE {conditions} ORDER BY position {order} LIMIT ?", (*values, limit)
        )
        return [_line(row) for row in rows]

    async def find_request(self, id_hash: bytes) -> Request | None:
        """See `Store.find_request`."""
        rows = await self._read(
            "SELECT id_hash, digest, game_id, seat, revision FROM requests WHERE id_hash = ?", (id_hash,)
        )
        return Request(*rows[0]) if rows else None

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
        if self._closed:
            return
        self._closed = True
        self._asked.put(None)
        await self._loop.run_in_executor(None, self._shut)

    def _shut(self) -> None:
        self._writing.join()
        self._reading.shutdown()
        self._reader.close()
        self._writer.close()
        self._lock.release()


LINE: Final = "game_id, revision, status, game, free_bots, summary, position"


def _file_at(path: Path) -> tuple[int, int] | None:
    """Which file has this name now; ``None``: none has."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _line(row: tuple[str, int, int, str, str, bytes, int]) -> GameLine:
    game_id, revision, status, game, free_bots, summary, position = row
    return GameLine(game_id, revision, status, game, tuple(free_bots.split("/")[1:-1]), summary, position)


def _conditions(wanted: LineFilter, before: int | None, after: int | None) -> tuple[str, list[Any]]:
    conditions, values = ["TRUE"], list[Any]()
    if wanted.statuses:
        conditions.append(f"status IN ({', '.join('?' * len(wanted.statuses))})")
        values.extend(wanted.statuses)
    if wanted.game:
        conditions.append("game = ?")
        values.append(wanted.game)
    if wanted.free_bot:
        conditions.append("free_bots <> '' AND instr(free_bots, ?)")
        values.append(f"/{wanted.free_bot}/")
    for bound, comparison in ((before, "<"), (after, ">")):
        if bound is not None:
            conditions.append(f"position {comparison} ?")
            values.append(bound)
    return " AND ".join(conditions), values


def _append(connection: sqlite3.Connection, write: Append) -> Exception | None:
    """One write inside the transaction. What can refuse it comes before what changes anything."""
    if write.request is not None and _is_taken(connection, write.request):
        return RequestTaken()
    position = _create(connection, write) if write.expected_revision == 0 else _extend(connection, write)
    if position is None:
        return Fenced(f"the log of game {write.game_id} does not end at revision {write.expected_revision}")
    first = write.expected_revision + 1
    connection.executemany(
        "INSERT INTO entries(position, revision, entry) VALUES(?, ?, ?)",
        [(position, first + i, entry) for i, entry in enumerate(write.entries)],
    )
    if write.request is not None:
        request = write.request
        connection.execute(
            "INSERT INTO requests(id_hash, digest, game_id, seat, revision) VALUES(?, ?, ?, ?, ?)",
            (request.id_hash, request.digest, request.game_id, request.seat, request.revision),
        )
    return None


def _is_taken(connection: sqlite3.Connection, request: Request) -> bool:
    return connection.execute("SELECT 1 FROM requests WHERE id_hash = ?", (request.id_hash,)).fetchone() is not None


def _create(connection: sqlite3.Connection, write: Append) -> int | None:
    assert write.line is not None
    return _only_value(
        connection.execute(
            "INSERT INTO games(game_id, revision, status, game, free_bots, summary) VALUES(?, ?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING RETURNING position",
            (write.game_id, len(write.entries), *_line_values(write.line)),
        )
    )


def _extend(connection: sqlite3.Connection, write: Append) -> int | None:
    columns, values = "", ()
    if write.line is not None:
        columns, values = ", status = ?, game = ?, free_bots = ?, summary = ?", _line_values(write.line)
    return _only_value(
        connection.execute(
            f"UPDATE games SET revision = ?{columns} WHERE game_id = ? AND revision = ? RETURNING position",
            (write.expected_revision + len(write.entries), *values, write.game_id, write.expected_revision),
        )
    )


def _line_values(line: GameLine) -> tuple[Any, ...]:
    free_bots = f"/{'/'.join(line.free_bots)}/" if line.free_bots else ""
    return (line.status, line.game, free_bots, line.summary)


def _only_value(cursor: sqlite3.Cursor) -> int | None:
    rows = cursor.fetchall()  # to its end: an unfinished statement would hold up the commit
    return int(rows[0][0]) if rows else None


def _settle(batch: list[Waiting], failures: list[Exception | None]) -> None:
    """In the event loop: tells those who wait how their writes went."""
    for (_, done), failure in zip(batch, failures, strict=True):
        if done.done():
            continue  # whoever asked has gone; what was written stays written
        if failure is None:
            done.set_result(None)
        else:
            done.set_exception(failure)
