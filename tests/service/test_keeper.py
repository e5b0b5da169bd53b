"""What the server does by itself: it calls time, also after a restart, and clears away games that nobody plays."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from google.protobuf import duration_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

from dragonhall.rules import GAMES
from dragonhall.server import ServerConfig
from dragonhall.server.config import Limits
from dragonhall.server.deadlines import Deadlines
from dragonhall.server.game import LiveGame
from dragonhall.server.hub import Hub
from dragonhall.server.janitor import Janitor
from dragonhall.server.keeper import PATIENCE_US, Keeper
from dragonhall.server.log import Answered, Outage
from dragonhall.server.playthrough import Status
from dragonhall.server.services import render
from dragonhall.server.settings import AnsweredBy, Bank, PerDecision, Settings
from dragonhall.server.store.sqlite import SqliteStore
from dragonhall.v1 import game_pb2
from tests.service.harness import connected, running
from tests.service.held import SECOND, START, Held

MINUTE = Settings(PerDecision(60 * SECOND))
UNTIMED = Settings()


class Clock:
    """The time of day, as the test sets it."""

    def __init__(self) -> None:
        self.now_us = START

    def __call__(self) -> int:
        return self.now_us

    def passes(self, seconds: float) -> None:
        """Time passes."""
        self.now_us += round(seconds * SECOND)


class Run:
    """One run of a server, without its network."""

    def __init__(self, store: SqliteStore, clock: Clock) -> None:
        self.store = store
        self.hub = Hub(store, render.summary, 60, Limits(), now_us=clock)
        self.keeper = Keeper(self.hub)

    async def begin(self, settings: Settings = MINUTE) -> LiveGame:
        """A running game of Dragons with three seats."""
        held = Held(self.hub)
        await held.begin(settings, 3, "dragons", {})
        return held.game


@asynccontextmanager
async def run(folder: Path, clock: Clock) -> AsyncIterator[Run]:
    """Opens the store and learns what there is, as a server does at its start."""
    store = SqliteStore.open(folder / "games.db", clock)
    try:
        run = Run(store, clock)
        await run.hub.start()
        await run.keeper.start()
        yield run
    finally:
        await store.close()


def by_time(game: LiveGame) -> int:
    """How many answers were given because time was up."""
    return sum(isinstance(e.cause, Answered) and e.cause.by is AnsweredBy.TIME for e in game.log())


def outages(game: LiveGame) -> list[Outage]:
    return [entry.cause for entry in game.log() if isinstance(entry.cause, Outage)]


async def test_time_is_called_when_it_is_up_and_a_little_later_for_answers_on_their_way(tmp_path: Path) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        game = await server.begin()
        assert server.hub.deadlines.earliest_us() == START + 60 * SECOND
        clock.passes(60)
        await server.keeper.look()
        assert by_time(game) == 0
        clock.passes(PATIENCE_US / SECOND)
        await server.keeper.look()
        assert by_time(game) == 1
        assert server.hub.deadlines.earliest_us() == clock.now_us + 60 * SECOND


async def test_a_running_server_calls_time_by_itself(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        limit = game_pb2.TimePerDecision(limit=duration_pb2.Duration(nanos=100_000_000))
        control = game_pb2.TimeControl(per_decision=limit)
        game = await server.seated(3, settings=game_pb2.GameSettings(time_control=control))
        live, woken = await server.server.hub.game(game.game_id), asyncio.Event()
        live.subscribe(woken.set)
        while by_time(live) < 3:
            await asyncio.wait_for(woken.wait(), 10)
            woken.clear()


async def test_nothing_is_written_while_no_clock_runs(tmp_path: Path) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        await server.begin(UNTIMED)
        assert len(server.hub.deadlines) == 0
        written = server.store.commits
        await server.keeper.stop()
        assert server.store.commits == written


async def test_games_with_clocks_are_known_at_the_start_and_loaded_when_they_are_due(tmp_path: Path) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        game_id = (await server.begin()).game_id
        await server.begin(UNTIMED)
    clock.passes(10)
    async with run(tmp_path, clock) as server:
        assert len(server.hub.deadlines) == 1
        clock.passes(45)
        await server.keeper.look()
        assert server.hub.games_in_memory == 0
        clock.passes(20)
        await server.keeper.look()
        assert by_time(await server.hub.game(game_id)) == 1


@pytest.mark.parametrize("settings", [MINUTE, Settings(Bank(60 * SECOND, 0))])
async def test_nobody_is_charged_for_the_time_in_which_no_server_ran(tmp_path: Path, settings: Settings) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        game_id = (await server.begin(settings)).game_id
        clock.passes(20)
        await server.keeper.look()  # notes that it runs
    clock.passes(3600)  # without a last note: killed
    async with run(tmp_path, clock) as server:
        await server.keeper.look()
        game = await server.hub.game(game_id)
        assert by_time(game) == 0
        assert outages(game) == [Outage(START + 20 * SECOND, START + 3620 * SECOND)]
        assert game.deadline_us == clock.now_us + 40 * SECOND
        clock.passes(39)
        await server.keeper.look()
        assert by_time(game) == 0
        clock.passes(2)
        await server.keeper.look()
        assert by_time(game) == 1


async def test_what_was_due_when_the_server_ended_is_carried_out_by_the_next_one(tmp_path: Path) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        game_id = (await server.begin()).game_id
        clock.passes(60.04)
        await server.keeper.look()
        assert by_time(await server.hub.game(game_id)) == 0
    clock.passes(3600)
    async with run(tmp_path, clock) as server:
        clock.passes(0.1)
        await server.keeper.look()
        assert by_time(await server.hub.game(game_id)) == 1


async def test_several_outages_are_each_given_back(tmp_path: Path) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        game_id = (await server.begin()).game_id
        await server.keeper.look()
    for _ in range(3):
        clock.passes(100)
        async with run(tmp_path, clock) as server:
            clock.passes(10)
            await server.keeper.look()
    clock.passes(100)
    async with run(tmp_path, clock) as server:
        game = await server.hub.game(game_id)
        assert len(outages(game)) == 4
        assert game.deadline_us == clock.now_us + 30 * SECOND


async def test_a_server_that_stood_still_charges_nobody_for_it(tmp_path: Path) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        game = await server.begin()
        idle = (await server.begin()).game_id
        server.hub._games.pop(idle)
        clock.passes(300)
        await server.keeper.give_back(START, clock.now_us)
        await server.keeper.look()
        for one in (game, await server.hub.game(idle)):
            assert by_time(one) == 0
            assert one.deadline_us == clock.now_us + 60 * SECOND


@contextmanager
def read_only(store: SqliteStore) -> Iterator[None]:
    """Every write is refused."""
    store.writer_connection.execute("PRAGMA query_only = ON")
    yield
    store.writer_connection.execute("PRAGMA query_only = OFF")


async def test_time_that_is_up_while_nothing_can_be_written_is_given_back(tmp_path: Path) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        game = await server.begin()
        clock.passes(30)
        with read_only(server.store):
            await server.keeper.look()  # cannot note that it runs
            for _ in range(10):
                clock.passes(4)
                await server.keeper.look()
        await server.store.probe()
        await server.hub.owe(*server.store.outages[-1])
        assert by_time(game) == 0
        assert game.deadline_us == START + 60 * SECOND + 40 * SECOND


async def test_a_game_that_cannot_be_read_stops_no_other_clock(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        game_id = (await server.begin()).game_id
        clock.passes(1)
    async with run(tmp_path, clock) as server:
        newer = replace(GAMES["dragons"], rules_version=99)
        monkeypatch.setitem(GAMES, "dragons", newer)
        game = await server.begin()
        clock.passes(61)
        with caplog.at_level(logging.ERROR, "dragonhall.server"):
            await server.keeper.look()
        assert f"event=clock_stopped game={game_id}" in caplog.text
        assert by_time(game) == 1
        assert len(server.hub.deadlines) == 1


def test_of_many_deadlines_the_earliest_is_known() -> None:
    deadlines = Deadlines()
    assert deadlines.earliest_us() is None
    for i in range(100):
        deadlines.set(f"game {i % 7}", 1000 + 37 * i % 101)
    last = {f"game {i % 7}": 1000 + 37 * i % 101 for i in range(100)}
    assert len(deadlines) == 7
    assert deadlines.earliest_us() == min(last.values())
    deadlines.set("game 3", None)
    del last["game 3"]
    assert deadlines.take_due(999) == []
    assert deadlines.take_due(2000) == sorted(last, key=lambda game_id: (last[game_id], game_id))
    assert deadlines.earliest_us() is None


# Games that nobody plays any more

EXPIRING = ServerConfig(
    waiting_expiry=timedelta(days=1), running_expiry=timedelta(days=2), finished_retention=timedelta(days=3)
)


async def test_games_are_ended_and_removed_when_nothing_has_happened_for_long_enough(tmp_path: Path) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        game = await server.begin(UNTIMED)
        janitor = Janitor(server.hub, EXPIRING)
        for days, status in ((1.9, Status.RUNNING), (0.2, Status.ABORTED), (2.8, Status.ABORTED)):
            clock.passes(days * 24 * 3600)
            await janitor.round()
            line = await server.store.find_line(game.game_id)
            assert line is not None
            assert line.status == status
        clock.passes(0.3 * 24 * 3600)
        await janitor.round()
        assert await server.store.find_line(game.game_id) is None


async def test_a_game_that_is_still_played_is_left_alone(tmp_path: Path) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        held = Held(server.hub)
        await held.begin(UNTIMED, 3, "dragons", {})
        janitor = Janitor(server.hub, EXPIRING)
        for _ in range(4):
            clock.passes(1.5 * 24 * 3600)
            held.now_us = clock.now_us
            await held.answer(held.asked[0])
            await janitor.round()
        assert held.head.status is Status.RUNNING


async def test_what_is_never_to_expire_does_not(tmp_path: Path) -> None:
    clock = Clock()
    async with run(tmp_path, clock) as server:
        game = await server.begin(UNTIMED)
        never = replace(EXPIRING, running_expiry=None)
        clock.passes(1e9)
        await Janitor(server.hub, never).round()
        assert game.head.status is Status.RUNNING


# Health


async def test_the_health_tells_when_writes_fail_and_recovers_by_itself(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server, connected(server.port) as channel:
        stub = health_pb2_grpc.HealthStub(channel.plain)
        services = {name: f"dragonhall.v1.{name}Service" for name in ("Game", "Play", "Record")}
        watches = {name: stub.Watch(health_pb2.HealthCheckRequest(service=s)) for name, s in services.items()}
        serving, not_serving = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
        for watch in watches.values():
            assert (await watch.read()).status == serving
        with read_only(server.server.store):
            with pytest.raises(Exception, match="store"):
                await server.create(3)
            for name in ("Game", "Play"):
                assert (await watches[name].read()).status == not_serving
            record = await stub.Check(health_pb2.HealthCheckRequest(service=services["Record"]))
            assert record.status == serving
        for name in ("Game", "Play"):
            assert (await watches[name].read()).status == serving
        await server.create(3)
