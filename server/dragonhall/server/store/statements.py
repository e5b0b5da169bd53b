"""The SQLite store's statements: how lines are written and searched, and what a write does inside its transaction."""

from __future__ import annotations

import secrets
import sqlite3
from typing import Any, Final

from dragonhall.server.store.base import Append, Fenced, GameLine, LineFilter, Request, RequestTaken, Stretch

COLUMNS: Final = (
    "status",
    "game",
    "free_bots",
    "summary",
    "seats",
    "open_seat",
    "private",
    "match_key",
    "owner",
    "changed_us",
    "deadline_us",
)
"""Of a line, but for what every write changes."""

REVISION: Final = "(SELECT max(revision) FROM entries WHERE entries.position = games.position)"

LINE: Final = f"game_id, {REVISION}, position, {', '.join(COLUMNS)}"
"""What `line_from_row` takes."""

CREATE: Final = (
    f"INSERT INTO games(game_id, {', '.join(COLUMNS)}) VALUES(?, {', '.join('?' * len(COLUMNS))}) "
    "ON CONFLICT DO NOTHING RETURNING position"
)
FIND: Final = f"SELECT position FROM games WHERE game_id = ? AND {REVISION} = ?"
REPLACE_LINE: Final = f"UPDATE games SET {', '.join(f'{column} = ?' for column in COLUMNS)} WHERE position = ?"
ADD_ENTRY: Final = "INSERT INTO entries(position, revision, entry) VALUES(?, ?, ?)"
EXTEND: Final = f"INSERT INTO entries(revision, entry, position) SELECT ?, ?, position FROM ({FIND})"
"""A plain answer, whole: an entry at the end of a log of a given length."""

FILLING: Final = 1 << 16
"""Bytes that must find room before writes are believed to be done again."""


def line_from_row(row: tuple[Any, ...]) -> GameLine:
    """The line of a row of `LINE`."""
    game_id, revision, position, status, game, free_bots, summary, seats, open_seat, private, *rest = row
    names = tuple(free_bots.split("/")[1:-1])
    return GameLine(
        game_id, revision, status, game, names, summary, position, seats, bool(open_seat), bool(private), *rest
    )


def _row_from_line(line: GameLine) -> tuple[Any, ...]:
    """The values of `COLUMNS`."""
    free_bots = f"/{'/'.join(line.free_bots)}/" if line.free_bots else ""
    return (
        line.status,
        line.game,
        free_bots,
        line.summary,
        line.seats,
        line.open_seat,
        line.private,
        line.match_key,
        line.owner,
        line.changed_us,
        line.deadline_us,
    )


# Searching


def search(wanted: LineFilter, limit: int, before: int | None, after: int | None) -> tuple[str, list[Any]]:
    """The query for `Store.lines`, and its values.

    The games of the page are found in an index alone; only then their lines are read.
    """
    conditions, values = _conditions(wanted, before, after)
    order = "ASC" if after is not None else "DESC"
    page = (
        f"SELECT position FROM games {_index_for(wanted)} WHERE {' AND '.join(conditions)} "
        f"ORDER BY position {order} LIMIT ?"
    )
    return f"SELECT {LINE} FROM games WHERE position IN ({page}) ORDER BY position {order}", [*values, limit]


def _index_for(wanted: LineFilter) -> str:
    if wanted.free_bot:
        return "INDEXED BY games_with_free_bots"
    if wanted.open_seat:
        return "INDEXED BY games_with_open_seats"
    if len(wanted.statuses) == 1:
        return "INDEXED BY games_by_status"
    return "INDEXED BY games_in_order"


def _conditions(wanted: LineFilter, before: int | None, after: int | None) -> tuple[list[str], list[Any]]:
    conditions, values = ["private IN (0, 1)" if wanted.with_private else "private = 0"], list[Any]()
    if wanted.statuses:
        conditions.append(f"status IN ({', '.join('?' * len(wanted.statuses))})")
        values.extend(wanted.statuses)
    if wanted.game:
        conditions.append("game = ?")
        values.append(wanted.game)
    if wanted.free_bot:
        conditions.append("free_bots <> '' AND instr(free_bots, ?)")
        values.append(f"/{wanted.free_bot}/")
    if wanted.open_seat:
        conditions.append("open_seat")
    if wanted.seats:
        conditions.append("seats = ?")
        values.append(wanted.seats)
    for bound, comparison in ((before, "<"), (after, ">")):
        if bound is not None:
            conditions.append(f"position {comparison} ?")
            values.append(bound)
    return conditions, values


FIND_MATCH: Final = f"SELECT {LINE} FROM games WHERE match_key = ? AND match_key <> x'' ORDER BY position"
COUNT_OWNED: Final = "SELECT count(*) FROM games WHERE owner = ? AND owner <> ''"
DEADLINES: Final = "SELECT game_id, deadline_us, changed_us FROM games WHERE deadline_us IS NOT NULL"


def stale(statuses: int) -> str:
    """The query for `Store.stale` with so many statuses."""
    return (
        f"SELECT game_id FROM games WHERE status IN ({', '.join('?' * statuses)}) AND changed_us < ? "
        "ORDER BY changed_us LIMIT ?"
    )


# Inside a transaction


def append(connection: sqlite3.Connection, write: Append) -> Exception | None:
    """One write. What can refuse it comes before what changes anything; the refusal is returned."""
    if is_plain(write):
        return _extend(connection, write)
    if write.request is not None and _is_taken(connection, write.request):
        return RequestTaken()
    position = _create(connection, write) if write.expected_revision == 0 else _find(connection, write)
    if position is None:
        return _fenced(write)
    first = write.expected_revision + 1
    connection.executemany(ADD_ENTRY, [(position, first + i, entry) for i, entry in enumerate(write.entries)])
    if write.expected_revision and write.line is not None:
        connection.execute(REPLACE_LINE, (*_row_from_line(write.line), position))
    if write.request is not None:
        request = write.request
        connection.execute(
            "INSERT INTO requests(id_hash, digest, game_id, seat, revision) VALUES(?, ?, ?, ?, ?)",
            (request.id_hash, request.digest, request.game_id, request.seat, request.revision),
        )
    return None


def is_plain(write: Append) -> bool:
    """Whether it is one entry and nothing else, as most are: one statement, which needs no transaction around it."""
    return len(write.entries) == 1 and write.expected_revision > 0 and write.line is None and write.request is None


def _extend(connection: sqlite3.Connection, write: Append) -> Exception | None:
    expected = write.expected_revision
    added = connection.execute(EXTEND, (expected + 1, write.entries[0], write.game_id, expected)).rowcount
    return None if added else _fenced(write)


def _fenced(write: Append) -> Fenced:
    return Fenced(f"the log of game {write.game_id} does not end at revision {write.expected_revision}")


def _is_taken(connection: sqlite3.Connection, request: Request) -> bool:
    return connection.execute("SELECT 1 FROM requests WHERE id_hash = ?", (request.id_hash,)).fetchone() is not None


def _create(connection: sqlite3.Connection, write: Append) -> int | None:
    assert write.line is not None
    return _only_value(connection.execute(CREATE, (write.game_id, *_row_from_line(write.line))))


def _find(connection: sqlite3.Connection, write: Append) -> int | None:
    return _only_value(connection.execute(FIND, (write.game_id, write.expected_revision)))


def remove(connection: sqlite3.Connection, game_id: str) -> None:
    """Forgets a game."""
    position = _only_value(connection.execute("DELETE FROM games WHERE game_id = ? RETURNING position", (game_id,)))
    connection.execute("DELETE FROM entries WHERE position = ?", (position,))
    connection.execute("DELETE FROM requests WHERE game_id = ?", (game_id,))


def _only_value(cursor: sqlite3.Cursor) -> int | None:
    rows = cursor.fetchall()  # to its end: an unfinished statement would hold up the commit
    return int(rows[0][0]) if rows else None


# When the server ran


def note_alive(connection: sqlite3.Connection, now_us: int) -> None:
    """Notes that the server runs."""
    _put(connection, "alive_us", now_us)


def fill(connection: sqlite3.Connection) -> None:
    """Takes up some room."""
    _put(connection, "filling", secrets.token_bytes(FILLING))


def empty(connection: sqlite3.Connection) -> None:
    """Gives back what `fill` took."""
    connection.execute("DELETE FROM meta WHERE key = 'filling'")


def _put(connection: sqlite3.Connection, key: str, value: bytes | int) -> None:
    connection.execute("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)", (key, value))


def note_outage(connection: sqlite3.Connection, outage: Stretch) -> None:
    """Notes when nothing could be written."""
    connection.execute("INSERT OR REPLACE INTO outages(from_us, to_us) VALUES(?, ?)", outage)


def outages(connection: sqlite3.Connection) -> list[Stretch]:
    """All that were noted, oldest first."""
    return connection.execute("SELECT from_us, to_us FROM outages ORDER BY from_us").fetchall()


def down_since(connection: sqlite3.Connection) -> int | None:
    """At the beginning of a run: when the one before noted last that it ran, if any clock ran then."""
    last = connection.execute("SELECT value FROM meta WHERE key = 'alive_us'").fetchone()
    runs = connection.execute("SELECT 1 FROM games WHERE deadline_us IS NOT NULL LIMIT 1").fetchone()
    return None if last is None or runs is None else int(last[0])
