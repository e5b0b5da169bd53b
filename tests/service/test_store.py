"""The SQLite store by itself: one write that is fenced, shared commits, searches, and a disk that fails."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dragonhall.server.store import statements
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
from dragonhall.server.store.sqlite import SqliteStore, moved

LINE = GameLine("one", 0, 1, "dragons", ("greedy", "random"), b"summary")
REQUEST = Request(b"hash", b"digest", "one", NO_SEAT, 1)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore.open(tmp_path / "games.db")
    yield opened
    await opened.close()


def made(game_id: str = "one", entries: tuple[bytes, ...] = (b"created",), **line: Any) -> Append:
    """The write that makes a game."""
    return Append(game_id, 0, entries, replace(LINE, game_id=game_id, **line))


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


FILTERS = [
    LineFilter(statuses, game, free_bot, open_seat, seats, with_private)
    for statuses in ((), (1,), (1, 2))
    for game in ("", "dragons")
    for free_bot in ("", "greedy")
    for open_seat in (False, True)
    for seats in (0, 3)
    for with_private in (False, True)
]


async def test_every_filter_finds_what_matches_it(store: SqliteStore) -> None:
    rng = Random(1)
    for i in range(60):
        await store.append(made(f"game {i}", **random_line(rng)))
    everything = await store.lines(LineFilter(with_private=True), 99, after=0)
    assert len(everything) == 60
    for wanted in FILTERS:
        expected = [line for line in everything if wanted.matches(line)]
        assert await store.lines(wanted, 99, after=0) == expected
        assert await store.lines(wanted, 5) == expected[::-1][:5]
        assert await store.lines(wanted, 99, before=31) == [line for line in expected if line.position < 31][::-1]


def random_line(rng: Random) -> dict[str, Any]:
    """Some of what a line can say."""
    return {
        "status": rng.randint(1, 4),
        "game": rng.choice(["dragons", "dragonisles"]),
        "free_bots": rng.choice([(), ("greedy",), ("random", "greedy")]),
        "seats": rng.randint(2, 4),
        "open_seat": rng.random() < 0.5,
        "private": rng.random() < 0.3,
    }


@pytest.mark.parametrize("wanted", FILTERS)
def test_no_search_reads_the_lines_of_all_games(store: SqliteStore, wanted: LineFilter) -> None:
    """However many games there are: a page's games are found in an index, and nothing else of the table is read."""
    for bounds in ({"before": None, "after": 7}, {"before": 7, "after": None}, {"before": None, "after": None}):
        sql, values = statements.search(wanted, 9, **bounds)
        steps = plan_of(store, sql, values)
        assert "SEARCH games USING INTEGER PRIMARY KEY (rowid=?)" in steps  # the page's lines
        looked_through = [step for step in steps if step.startswith("SCAN games")]
        assert all("games_with_free_bots" in step or "games_with_open_seats" in step for step in looked_through), steps
        if not wanted.with_private and len(wanted.statuses) < 2:
            assert "USE TEMP B-TREE FOR ORDER BY" not in steps


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("SELECT status, count(*) FROM games GROUP BY status", ()),
        (statements.FIND, ("x", 1)),
        (statements.EXTEND, (2, b"", "x", 1)),
        ("DELETE FROM requests WHERE game_id = ?", ("x",)),
        ("SELECT digest FROM requests WHERE id_hash = ?", (b"",)),
        (statements.FIND_MATCH, (b"key",)),
        (statements.COUNT_OWNED, ("owner",)),
        (statements.DEADLINES, ()),
        (statements.stale(2), (3, 4, 7, 9)),
    ],
)
def test_no_query_reads_all_games(store: SqliteStore, query: str, values: tuple[Any, ...]) -> None:
    for step in plan_of(store, query, values):
        assert step.startswith(("SEARCH", "SCALAR SUBQUERY", "CORRELATED", "USE TEMP B-TREE")) or "INDEX" in step, step


def plan_of(store: SqliteStore, sql: str, values: Iterable[Any]) -> list[str]:
    """How SQLite carries a query out."""
    rows = store.writer_connection.execute(f"EXPLAIN QUERY PLAN {sql}", tuple(values))
    return [row[3] for row in rows]


async def test_quick_matches_quotas_and_clocks_are_found_by_their_lines(store: SqliteStore) -> None:
    await store.append(made("a", match_key=b"three", owner="Ann", deadline_us=30))
    await store.append(made("b", match_key=b"four", owner="Ann", deadline_us=20))
    await store.append(made("c", match_key=b"three", owner="Bob"))
    assert [line.game_id for line in await store.find_match(b"three")] == ["a", "c"]
    assert await store.find_match(b"") == []
    assert [await store.count_owned(owner) for owner in ("Ann", "Bob", "Cleo", "")] == [2, 1, 0, 0]
    assert sorted(await store.deadlines()) == [("a", 30), ("b", 20)]
    await store.append(Append("a", 1, (b"over",), replace(LINE, game_id="a", status=3)))
    assert [line.game_id for line in await store.find_match(b"three")] == ["c"]
    assert await store.count_owned("Ann") == 1
    assert await store.deadlines() == [("b", 20)]


async def test_stale_games_are_found_longest_untouched_first(store: SqliteStore) -> None:
    for i, (status, changed_us) in enumerate([(1, 50), (2, 10), (3, 5), (1, 20), (2, 99)]):
        await store.append(made(str(i), status=status, changed_us=changed_us))
    assert await store.stale((1, 2), 60, 9) == ["1", "3", "0"]
    assert await store.stale((1, 2), 60, 2) == ["1", "3"]
    assert await store.stale((3,), 5, 9) == []


async def test_a_removed_game_leaves_nothing_behind(store: SqliteStore) -> None:
    await store.append(replace(made(), request=REQUEST))
    await store.append(replace(made("two"), request=replace(REQUEST, id_hash=b"other", game_id="two")))
    await store.append(Append("one", 1, (b"second",), None))
    await store.remove("one")
    await store.remove("none")
    assert await store.load("one") == []
    assert await store.find_line("one") is None
    assert await store.find_request(b"hash") is None
    assert await store.load("two") == [b"created"]
    assert await store.find_request(b"other") is not None
    with pytest.raises(Fenced):
        await store.append(Append("one", 2, (b"late",), None))
    (left,) = store.writer_connection.execute("SELECT count(*) FROM entries").fetchone()
    assert left == 1
    await store.append(made("three"))
    third = await store.find_line("three")
    assert third is not None
    assert third.position == 3  # a place is never given twice: pages of lists stay what they are


class Time:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000

    def __call__(self) -> int:
        return self.now


async def test_the_time_in_which_no_server_ran_is_known_if_clocks_ran(tmp_path: Path) -> None:
    time, path = Time(), tmp_path / "games.db"

    async def run(begin_us: int) -> SqliteStore:
        time.now = begin_us
        store = SqliteStore.open(path, time)
        await store.begin_run()
        return store

    store = await run(1_000)
    await store.note_alive(2_000)
    await store.close()
    store = await run(3_000)
    assert store.outages == []  # nobody was waited for
    await store.append(made(deadline_us=90_000_000, changed_us=3_000))
    await store.note_alive(4_000)
    await store.close()
    store = await run(5_500)
    assert store.outages == [(4_000, 5_500)]
    assert await store.deadlines() == [("one", 90_000_000)]
    await store.close()
    store = await run(5_000)  # somebody has set the clock back: nothing is known of that time
    assert store.outages == [(4_000, 5_500)]
    await store.close()
    await SqliteStore.open(path, time).close()  # it did not come so far as to serve
    store = await run(6_000)
    assert store.outages == [(4_000, 5_500), (5_000, 6_000)]
    await store.close()


def test_a_deadline_is_moved_by_the_outages_that_began_before_it_and_ended_after_it_was_set() -> None:
    second = 1_000_000

    def moved_by(*outages: tuple[int, int]) -> int:
        return moved(100 * second, 50 * second, [(a * second, b * second) for a, b in outages]) // second - 100

    assert moved_by() == 0
    assert moved_by((20, 40)) == 0
    assert moved_by((40, 60)) == 10 - 2  # two seconds less: the game may have gone on for so long after the last note
    assert moved_by((90, 95), (97, 111), (112, 120)) == 3 + 12 + 6
    assert moved_by((90, 91)) == 0


async def test_the_time_in_which_writes_fail_is_an_outage_that_ends_by_itself(tmp_path: Path) -> None:
    time = Time()
    store = SqliteStore.open(tmp_path / "games.db", time)
    told: list[bool] = []
    store.on_failing = told.append
    await store.append(made())
    with read_only(store):
        for time.now in (2_000, 3_000):
            with pytest.raises(StoreError):
                await store.append(Append("one", 1, (b"second",), None))
        with pytest.raises(StoreError):
            await store.probe()
        assert store.failing_since_us == 2_000
        assert told == [True]
    time.now = 4_000
    with pytest.raises(Fenced):
        await store.append(Append("none", 1, (b"refused, so nothing was tried",), None))
    assert store.failing_since_us == 2_000
    await store.probe()
    assert store.failing_since_us is None
    assert told == [True, False]
    assert store.outages == [(2_000, 4_000)]
    assert store.writer_connection.execute("SELECT count(*) FROM meta WHERE key = 'filling'").fetchone() == (0,)
    await store.close()
    store = SqliteStore.open(tmp_path / "games.db", time)
    assert store.outages == [(2_000, 4_000)]
    await store.close()
