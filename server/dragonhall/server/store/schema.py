"""The SQLite store's tables, and how an older file is brought up to date."""

from __future__ import annotations

import secrets
import sqlite3
from pathlib import Path
from typing import Final

from dragonhall.server.store.base import StoreUnusable
from dragonhall.server.store.older_lines import add_functions
from dragonhall.server.tokens import SECRET_BYTES

APPLICATION_ID: Final = int.from_bytes(b"Dhal", "big")
"""In the file's header: tells our files from other programs'."""

MIGRATIONS: Final = (
    """
    CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

    CREATE TABLE games(
        position  INTEGER PRIMARY KEY AUTOINCREMENT,
        game_id   TEXT    NOT NULL UNIQUE,
        revision  INTEGER NOT NULL,
        status    INTEGER NOT NULL,
        game      TEXT    NOT NULL,
        free_bots TEXT    NOT NULL,  -- names between slashes, as /greedy/random/, or empty
        summary   BLOB    NOT NULL
    );
    CREATE INDEX games_by_status ON games(status, position);
    CREATE INDEX games_with_free_bots ON games(position) WHERE free_bots <> '';

    CREATE TABLE entries(
        position INTEGER NOT NULL,  -- of the game
        revision INTEGER NOT NULL,
        entry    BLOB    NOT NULL,
        PRIMARY KEY(position, revision)
    ) WITHOUT ROWID;

    CREATE TABLE requests(
        id_hash  BLOB    PRIMARY KEY,
        digest   BLOB    NOT NULL,
        game_id  TEXT    NOT NULL,
        seat     INTEGER NOT NULL,
        revision INTEGER NOT NULL
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE games DROP COLUMN revision;  -- it is the newest entry's: most writes are an entry and nothing else
    ALTER TABLE games ADD COLUMN seats       INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE games ADD COLUMN open_seat   INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE games ADD COLUMN private     INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE games ADD COLUMN match_key   BLOB    NOT NULL DEFAULT x'';
    ALTER TABLE games ADD COLUMN owner       TEXT    NOT NULL DEFAULT '';
    ALTER TABLE games ADD COLUMN changed_us  INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE games ADD COLUMN deadline_us INTEGER;

    UPDATE games SET  -- nothing was noted of when they changed: their time begins now
        seats = seats_of(summary),
        open_seat = open_seat_of(summary),
        changed_us = now_us(),
        summary = with_settings(summary);

    DROP INDEX games_by_status;
    -- Whatever is looked for in lists is in these two: they are read alone until the games of a page are known.
    CREATE INDEX games_by_status ON games(private, status, position, game, seats, open_seat);
    CREATE INDEX games_in_order ON games(private, position, status, game, seats, open_seat);
    CREATE INDEX games_with_open_seats ON games(position) WHERE open_seat;
    CREATE INDEX games_by_match_key ON games(match_key) WHERE match_key <> x'';
    CREATE INDEX games_by_owner ON games(owner) WHERE owner <> '';
    CREATE INDEX games_by_change ON games(status, changed_us);
    CREATE INDEX games_by_deadline ON games(deadline_us) WHERE deadline_us IS NOT NULL;
    CREATE INDEX requests_by_game ON requests(game_id);

    CREATE TABLE outages(
        from_us INTEGER PRIMARY KEY,
        to_us   INTEGER NOT NULL
    );
    """,
)
"""Script *i* brings a file from version *i* to *i + 1*. Never changed once released: stores outlive servers.

They may call the functions of `older_lines`."""


def open_connection(path: Path) -> sqlite3.Connection:
    """A connection that is durable at every commit and leaves transactions to the caller. Raises sqlite3.Error."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    """Makes the tables of a new file, or migrates an older one. Raises `StoreUnusable` for a file that is not ours."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application_id != APPLICATION_ID and tables:
        raise StoreUnusable(f"{path} is another program's database. Choose another store")
    if version > len(MIGRATIONS):
        raise StoreUnusable(
            f"{path} was written by a newer Dragonhall (store version {version}, this server knows {len(MIGRATIONS)}). "
            "Upgrade the server, or choose another store"
        )
    add_functions(connection)
    for number in range(version, len(MIGRATIONS)):
        connection.executescript(
            f"BEGIN IMMEDIATE; {MIGRATIONS[number]}"
            f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={number + 1}; COMMIT;"
        )


def read_secret(connection: sqlite3.Connection) -> bytes:
    """The store's secret, drawn at the first call for this file."""
    connection.execute(
        "INSERT INTO meta(key, value) VALUES('secret', ?) ON CONFLICT DO NOTHING", (secrets.token_bytes(SECRET_BYTES),)
    )
    (secret,) = connection.execute("SELECT value FROM meta WHERE key = 'secret'").fetchone()
    return bytes(secret)
