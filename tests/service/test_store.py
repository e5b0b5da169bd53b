"""The SQLite store by itself: one write that is fenced, shared commits, searches, and a disk that fails."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from dragonhall.server.store.base import (
    NO_SEAT,
    Append,
    Fenced,
    GameLine,
    LineFilter,
    Request,
    RequestTaken,
    StoreError,
    StoreUnusable,
)
from dragonhall.server.store.sqlite import SqliteStore

LINE = GameLine("one", 0, 1, "dragons", ("greedy", "random"), b"summary")
REQUEST = Request(b"hash", b"digest", "one", NO_SEAT, 1)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore.open(tmp_path / "games.db")
    yield opened
    await opened.close()


def made(game_id: str = "one", entries: tuple[bytes, ...] = (b"created",), **line: object) -> Append:
    """The write that makes a game."""
    return Append(game_id, 0, entries, replace(LINE, game_id=game_id, **line))  # type: ignore[arg-type]


async def test_a_log_grows_at_its_end_only(store: SqliteStore) -> None:
    await store.append(made())
    await store.append(Append("one", 1, (b"second", b"third"), None))
    assert await store.load("one") == [b"created", b"second", b"third"]
    assert await store.load("one", after=2) == [b"third"]
    for expected in (0, 1, 2, 4):
        with pytest.raises(Fenced):
            await store.append(Append("one", expected, (b"late",), LINE))
    with pytest.raises(Fenced):
        await store.append(Append("none", 1, (b"lost",), None))
    assert await store.load("one") == [b"created", b"second", b"third"]
    assert await store.load("none") == []


async def test_of_many_writers_at_once_one_wins(store: SqliteStore) -> None:
    await store.append(made())
    writes = [store.append(Append("one", 1, (b"%d" % i,), None)) for i in range(50)]
    failures = await asyncio.gather(*writes, return_exceptions=True)
    assert sum(failure is None for failure in failures) == 1
    assert sum(isinstance(failure, Fenced) for failure in failures) == 49
    assert len(await store.load("one")) == 2


async def test_writes_at_the_same_time_share_a_commit(store: SqliteStore) -> None:
    await store.append(made())
    before = store.commits
    await asyncio.gather(*(store.append(made(f"game {i}")) for i in range(200)))
    assert store.commits - before < 20
    assert await store.counts() == {1: 201}


async def test_a_refused_write_leaves_the_others_of_its_commit_alone(store: SqliteStore) -> None:
    good, bad = store.append(made("good")), store.append(Append("bad", 7, (b"x",), None))
    again = store.append(made("good"))
    await good
    for refused in (bad, again):
        with pytest.raises(Fenced):
            await refused
    assert await store.load("good") == [b"created"]


async def test_a_request_is_noted_with_its_write_and_only_once(store: SqliteStore) -> None:
    assert await store.find_request(b"hash") is None
    await store.append(replace(made(), request=REQUEST))
    assert await store.find_request(b"hash") == REQUEST
    with pytest.raises(RequestTaken):
        await store.append(replace(made("other"), request=replace(REQUEST, game_id="other")))
    assert await store.load("other") == []
    with pytest.raises(Fenced):
        await store.append(replace(made(), request=replace(REQUEST, id_hash=b"another")))
    assert await store.find_request(b"another") is None


async def test_lines_are_found_by_what_they_say(store: SqliteStore) -> None:
    await store.append(made("a"))
    await store.append(made("b", status=2, free_bots=()))
    await store.append(made("c", free_bots=("random",)))

    async def found(wanted: LineFilter, limit: int = 9, **bounds: int) -> list[str]:
        lines = await store.lines(wanted, limit, **bounds)
        assert all(wanted.matches(line) for line in lines)
        return [line.game_id for line in lines]

    assert await found(LineFilter()) == ["c", "b", "a"]
    assert await found(LineFilter(), limit=2) == ["c", "b"]
    assert await found(LineFilter(), after=0) == ["a", "b", "c"]
    assert await found(LineFilter(), after=1, limit=1) == ["b"]
    assert await found(LineFilter(), before=2) == ["a"]
    assert await found(LineFilter(statuses=(2, 3))) == ["b"]
    assert await found(LineFilter(game="chess")) == []
    assert await found(LineFilter(free_bot="greedy")) == ["a"]
    assert await found(LineFilter(free_bot="random", statuses=(1,))) == ["c", "a"]


async def test_a_line_keeps_all_but_its_revision_until_it_is_replaced(store: SqliteStore) -> None:
    await store.append(made())
    await store.append(Append("one", 1, (b"second",), None))
    line = await store.find_line("one")
    assert line == replace(LINE, revision=2, position=1)
    await store.append(Append("one", 2, (b"third",), replace(LINE, status=3, summary=b"new", free_bots=())))
    line = await store.find_line("one")
    assert line == replace(LINE, revision=3, position=1, status=3, summary=b"new", free_bots=())
    assert await store.find_line("none") is None


async def test_everything_is_there_again_after_closing(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    first = SqliteStore.open(path)
    await first.append(replace(made(), request=REQUEST))
    await first.close()
    with pytest.raises(StoreError, match="closed"):
        await first.append(made("late"))
    with pytest.raises(StoreError, match="closed"):
        await first.load("one")
    second = SqliteStore.open(path)
    assert await second.load("one") == [b"created"]
    assert await second.find_request(b"hash") == REQUEST
    assert second.secret == first.secret
    await second.close()


async def test_writes_that_were_asked_for_are_done_before_the_store_closes(tmp_path: Path) -> None:
    first = SqliteStore.open(tmp_path / "games.db")
    writes = [first.append(made(f"game {i}")) for i in range(100)]
    await first.close()
    await asyncio.gather(*writes)
    second = SqliteStore.open(tmp_path / "games.db")
    assert await second.counts() == {1: 100}
    await second.close()


async def test_every_commit_is_synced_to_disk(store: SqliteStore) -> None:
    assert store.writer_connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store.writer_connection.execute("PRAGMA synchronous").fetchone() == (2,)


async def test_only_its_user_can_read_it(store: SqliteStore, tmp_path: Path) -> None:
    await store.append(made())
    files = modes(tmp_path)
    assert set(files) == {"games.db", "games.db-wal", "games.db-shm", "games.db.lock"}
    assert set(files.values()) == {0o600}


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


async def test_a_store_is_one_servers(store: SqliteStore, tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="in use by another server"):
        SqliteStore.open(tmp_path / "games.db")
    await store.append(made())


async def test_a_store_is_one_servers_by_whatever_name_it_is_called(store: SqliteStore, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "alias.db").symlink_to(tmp_path / "games.db")
    with pytest.raises(StoreUnusable, match="in use by another server"):
        SqliteStore.open(tmp_path / "elsewhere" / "alias.db")


async def test_a_store_with_a_second_name_is_refused(tmp_path: Path) -> None:
    await SqliteStore.open(tmp_path / "games.db").close()
    (tmp_path / "second.db").hardlink_to(tmp_path / "games.db")
    with pytest.raises(StoreUnusable, match="hard link"):
        SqliteStore.open(tmp_path / "second.db")
    (tmp_path / "second.db").unlink()
    await SqliteStore.open(tmp_path / "games.db").close()


@pytest.mark.parametrize("replaced", [False, True])
async def test_a_file_that_was_taken_away_is_not_written_to(store: SqliteStore, tmp_path: Path, replaced: bool) -> None:
    await store.append(made())
    (tmp_path / "games.db").rename(tmp_path / "moved.db")
    if replaced:
        (tmp_path / "games.db").write_bytes(b"")
    with pytest.raises(StoreError, match="removed or replaced"):
        await store.append(made("two"))
    assert len(await store.load("one")) == 1
    (tmp_path / "moved.db").replace(tmp_path / "games.db")
    await store.append(made("two"))


@contextmanager
def full_disk(store: SqliteStore) -> Iterator[None]:
    """No page more for the file."""
    (pages,) = store.writer_connection.execute("PRAGMA page_count").fetchone()
    store.writer_connection.execute(f"PRAGMA max_page_count = {pages}")
    yield
    store.writer_connection.execute("PRAGMA max_page_count = 4294967294")


@contextmanager
def read_only(store: SqliteStore) -> Iterator[None]:
    """Every write is refused."""
    store.writer_connection.execute("PRAGMA query_only = ON")
    yield
    store.writer_connection.execute("PRAGMA query_only = OFF")


@pytest.mark.parametrize("failure", [full_disk, read_only])
async def test_a_disk_that_fails_refuses_writes_goes_on_reading_and_recovers(store: SqliteStore, failure: type) -> None:
    await store.append(made())
    with failure(store):
        large = Append("one", 1, (bytes(200_000),), None)
        for _ in range(2):
            with pytest.raises(StoreError, match="cannot be written"):
                await store.append(large)
        assert await store.load("one") == [b"created"]
        assert await store.lines(LineFilter(), 9)
    await store.append(large)
    assert len(await store.load("one")) == 2


async def test_a_commit_that_fails_undoes_all_its_writes(store: SqliteStore) -> None:
    await store.append(made())
    with full_disk(store):
        writes = [
            store.append(Append("one", 1, (b"small",), None)),
            store.append(made("large", entries=(bytes(200_000),))),
        ]
        failures = await asyncio.gather(*writes, return_exceptions=True)
    held = await store.load("one")
    if isinstance(failures[0], StoreError):
        assert held == [b"created"]
    assert isinstance(failures[1], StoreError)
    assert (len(held) == 2) == (failures[0] is None)
    assert await store.find_line("large") is None


async def test_a_game_is_found_by_an_index(store: SqliteStore) -> None:
    """However many games there are, none of these may look at all of them."""
    connection: sqlite3.Connection = store.writer_connection
    for query in (
        "SELECT status, count(*) FROM games GROUP BY status",
        "SELECT entry FROM entries WHERE position = (SELECT position FROM games WHERE game_id = 'x') AND revision > 0",
        "SELECT game_id FROM games WHERE status IN (1) ORDER BY position LIMIT 9",
        "SELECT game_id FROM games WHERE free_bots <> '' AND instr(free_bots, '/x/') ORDER BY position LIMIT 9",
        "SELECT digest FROM requests WHERE id_hash = x'00'",
    ):
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")]
        assert all("SEARCH" in step or "INDEX" in step or "SUBQUERY" in step for step in plan), plan
