"""A torture: many games of all kinds, clumsy players, and a server that is killed every few seconds.

``python -m tests.faults.torture --games 200 --seconds 600`` plays so many games at once for so long: a game that is
over is checked and followed by its rematch, until the time is up; then all are played to their end. Whatever is not as
it was promised ends it with an error.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sqlite3
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Final, cast

import grpc
from google.protobuf import duration_pb2

from dragonhall.v1 import game_pb2, game_service_pb2, record_service_pb2
from dragonhall.v1.record_pb2 import AnsweredBy, GameRecord
from tests.faults.ledger import Outage, check_game
from tests.faults.players import PlayPlayer, UnaryPlayer, patiently
from tests.faults.seats import TAME, Habits, Seat
from tests.processes import ServerProcess
from tests.service.harness import OPEN, Client, dragonisles, dragons, dragons_interest, refused
from tests.service.recording import RecordingChannel

SEATS: Final = 3
CONNECTIONS: Final = 8
STREAMS: Final = 16
"""Play streams. Half of the seats are played on them, the others by Observe and Submit."""

BOT: Final = "torturer"
"""Comes as the substitute."""

COME_BACK: Final = frozenset({"SEAT_UNAVAILABLE", "REQUEST_ID_REUSED"})
"""How a substitute is refused whose seat's player has come back: before it had the seat, or before it was told."""

LOOK_SECONDS: Final = 0.3
"""Between two looks for seats that want a substitute."""


def span(seconds: float) -> duration_pb2.Duration:
    """A duration."""
    return duration_pb2.Duration(seconds=int(seconds), nanos=round(seconds % 1 * 1e9))


def each(limit: float) -> game_pb2.TimeControl:
    """So many seconds for every decision."""
    return game_pb2.TimeControl(per_decision=game_pb2.TimePerDecision(limit=span(limit)))


def bank(initial: float, increment: float) -> game_pb2.TimeControl:
    """So many seconds for a game, and for each answer."""
    return game_pb2.TimeControl(bank=game_pb2.TimeBank(initial=span(initial), increment=span(increment)))


OPTIONS: Final = (dragons(hidden_card=True), dragons_interest(), dragonisles())
SETTINGS: Final = (
    game_pb2.GameSettings(),
    game_pb2.GameSettings(allow_undo=True),
    game_pb2.GameSettings(time_control=each(2)),
    game_pb2.GameSettings(time_control=bank(60, 1), allow_undo=True, visibility=game_pb2.VISIBILITY_PRIVATE),
    game_pb2.GameSettings(
        time_control=each(3), absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot=BOT, allow_undo=True
    ),
    game_pb2.GameSettings(time_control=bank(5, 0.5)),
    game_pb2.GameSettings(time_control=each(30), absence=game_pb2.ABSENCE_POLICY_FORFEIT),
    game_pb2.GameSettings(start=game_pb2.START_POLICY_BY_HOST, spectator_delay=3, time_control=each(20)),
)
"""Ways to hold a game: every game of `OPTIONS` comes in each."""


@dataclass(frozen=True)
class Plan:
    """How much of it."""

    games: int
    """At the same time."""
    seconds: float
    """After so long no rematch begins."""
    kill_every: float
    """Seconds, more or less."""
    most_kills: int = 1_000_000
    seed: int = 1
    tables: tuple[int, ...] = ()
    """Which tables, instead of the first ``games``."""


@dataclass
class Report:
    """What has happened."""

    games: int = 0
    decisions: int = 0
    by: Counter[str] = field(default_factory=Counter)
    """Who answered the decisions."""
    counts: Counter[str] = field(default_factory=Counter)
    outages: list[Outage] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, record: GameRecord, seats: list[Seat]) -> None:
        """A game that is over and was checked."""
        self.games += 1
        for step in record.steps:
            for decision in step.decisions:
                self.decisions += 1
                self.by[AnsweredBy.Name(decision.by).removeprefix("ANSWERED_BY_").lower()] += 1
            self.counts.update(incident.WhichOneof("incident") or "" for incident in step.incidents)
        for seat in seats:
            self.counts.update(seat.counts)

    def __str__(self) -> str:
        down = sum(outage.end - outage.begin for outage in self.outages)
        lines = [
            f"{self.games} games, {self.games * SEATS} seats, {self.decisions} decisions in {self.seconds:.0f} s",
            f"server killed {len(self.outages)} times, down for {down:.0f} s",
            "answered by: " + ", ".join(f"{who} {number}" for who, number in self.by.most_common()),
            "what happened: " + ", ".join(f"{what} {number}" for what, number in sorted(self.counts.items())),
        ]
        return "\n".join(lines)


class Outages:
    """Notes when no server ran."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.outages: list[Outage] = []
        self.lock = asyncio.Lock()
        """Held while no server runs."""

    @property
    def is_done(self) -> bool:
        """Whether there were enough."""
        return True

    async def run(self) -> None:
        """Sees to it that there are some, until cancelled."""
        raise NotImplementedError

    async def start_again(self, begin: float) -> None:
        """After the server's death at ``begin``."""
        await self.server.start()
        self.outages.append(Outage(begin, serving_since(self.server)))


class Killer(Outages):
    """Ends the server again and again."""

    def __init__(self, server: ServerProcess, plan: Plan) -> None:
        super().__init__(server)
        self._plan = plan
        self._rng = Random(f"killer {plan.seed}")

    async def run(self) -> None:
        """Until cancelled, or as often as it may."""
        while len(self.outages) < self._plan.most_kills:
            await asyncio.sleep(self._plan.kill_every * self._rng.uniform(0.5, 1.5))
            async with self.lock:
                await self.server.kill()
                begin = time.time()
                await asyncio.sleep(self._rng.uniform(0, 1))
                await self.start_again(begin)


def serving_since(server: ServerProcess) -> float:
    """When the server that runs began to serve, by its own log."""
    times = re.findall(r"time=(\S+) level=info event=serving", server.log.read_text())
    return datetime.fromisoformat(times[-1]).timestamp()


@dataclass
class Playing:
    """A game under way, and everybody who sits in it."""

    game_id: str
    host_token: str
    seats: list[Seat]
    others: list[asyncio.Task[None]] = field(default_factory=list)
    """Substitutes at play."""


class Table:
    """One game after another, each the rematch of the one before."""

    def __init__(self, torture: Torture, number: int) -> None:
        self._torture = torture
        self._number = number
        self._rng = Random(f"table {number} {torture.plan.seed}")
        self._options = OPTIONS[number % len(OPTIONS)]
        self._settings = SETTINGS[number // len(OPTIONS) % len(SETTINGS)]
        self._client = torture.clients[number % len(torture.clients)]

    async def run(self) -> None:
        """Until the time is up."""
        game = await self._new_game()
        while True:
            await self._play(game)
            await self._check(game)
            if self._torture.is_over:
                return
            game = await self._rematch(game)

    async def _new_game(self) -> Playing:
        request = game_service_pb2.CreateGameRequest(
            request_id=self._request_id("game"),
            options=self._options,
            settings=self._settings,
            seats=[OPEN] * SEATS,
        )
        created = await patiently(self._rng, lambda: self._client.games.CreateGame(request))
        game = Playing(created.game.game_id, created.host_token, [])
        for number in range(SEATS):
            taking = game_service_pb2.TakeSeatRequest(
                request_id=self._request_id(f"seat {number}"), game_id=game.game_id, player_name=f"Player {number}"
            )
            taken = await patiently(self._rng, partial(self._client.games.TakeSeat, taking))
            game.seats.append(self._seat(game.game_id, taken.seat, taken.seat_token))
        await self._start(game)
        return game

    def _request_id(self, what: str) -> str:
        return f"torture {self._torture.plan.seed}, table {self._number}, {what}"

    def _seat(self, game_id: str, seat: int, token: str) -> Seat:
        undo = 0.15 if self._settings.allow_undo else 0.0
        often = 0.005 if self._options.HasField("dragonisles") else 0.02  # its games are several times as long
        habits = Habits(undo=undo, disconnect=often, stall=often, dawdle=often)
        return Seat(game_id, seat, token, Random(f"{game_id} {seat}"), habits)

    async def _start(self, game: Playing) -> None:
        if self._settings.start == game_pb2.START_POLICY_BY_HOST:
            request = game_service_pb2.StartGameRequest(game_id=game.game_id, host_token=game.host_token)
            await patiently(self._rng, lambda: self._client.games.StartGame(request))

    async def _play(self, game: Playing) -> None:
        torture = self._torture
        torture.games[game.game_id] = game
        watcher = Seat(game.game_id, None, game.host_token, Random(game.game_id))
        streams = [UnaryPlayer(self._client, watcher).play()] if self._number % 4 == 0 else []
        for seat in game.seats:
            if self._rng.random() < 0.5:
                streams.append(self._rng.choice(torture.crowds).play(seat))
            else:
                streams.append(UnaryPlayer(self._client, seat).play())
        await asyncio.gather(*streams)
        del torture.games[game.game_id]
        await asyncio.gather(*game.others)

    async def _check(self, game: Playing) -> None:
        torture = self._torture
        request = record_service_pb2.GetRecordRequest(game_id=game.game_id, token=game.host_token)
        response = await patiently(self._rng, lambda: self._client.records.GetRecord(request))
        async with torture.killer.lock:  # it knows of all outages of the game
            outages = list(torture.killer.outages)
        await asyncio.to_thread(check_game, response.record, game.seats, outages)
        torture.report.add(response.record, game.seats)

    async def _rematch(self, old: Playing) -> Playing:
        host = await self._ask_for_rematch(old, old.host_token)
        game = Playing(host.game.game_id, host.host_token, [])
        players = [seat for seat in old.seats if not seat.is_substitute]
        for seat in self._rng.sample(players, SEATS):
            response = await self._ask_for_rematch(old, seat.token)
            game.seats.append(self._seat(game.game_id, response.seat, response.seat_token))
        await self._start(game)
        return game

    async def _ask_for_rematch(self, old: Playing, token: str) -> game_service_pb2.RematchResponse:
        request = game_service_pb2.RematchRequest(game_id=old.game_id, token=token)
        return await patiently(self._rng, lambda: self._client.games.Rematch(request))


class Torture:
    """All of it."""

    def __init__(self, plan: Plan, killer: Outages, clients: list[Client]) -> None:
        self.plan = plan
        self.clients = clients
        self.killer = killer
        self.crowds = [PlayPlayer(clients[i % len(clients)], Random(f"stream {i} {plan.seed}")) for i in range(STREAMS)]
        self.games: dict[str, Playing] = {}
        """That are being played."""
        self.report = Report(outages=killer.outages)
        self._began = time.monotonic()
        self._rng = Random(f"substitutes {plan.seed}")
        self._numbers = count()

    @property
    def is_over(self) -> bool:
        """Whether the time is up, and there were enough outages."""
        return self.killer.is_done and time.monotonic() - self._began > self.plan.seconds

    async def run(self) -> Report:
        """To the end of all games."""
        async with asyncio.TaskGroup() as group:
            beside = [group.create_task(work) for work in (self.killer.run(), self._send_substitutes())]
            beside += [group.create_task(crowd.run()) for crowd in self.crowds]
            numbers = self.plan.tables or range(self.plan.games)
            tables = [group.create_task(Table(self, number).run()) for number in numbers]
            await asyncio.gather(*tables)
            async with self.killer.lock:
                for task in beside:
                    task.cancel()
        self.report.seconds = time.monotonic() - self._began
        return self.report

    async def _send_substitutes(self) -> None:
        """Looks for seats that want one."""
        wanted = game_service_pb2.GameFilter(reserved_for=BOT)
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            request = game_service_pb2.ListGamesRequest(filter=wanted)
            response = await patiently(self._rng, partial(self.clients[0].games.ListGames, request))
            for listed in response.games:
                if listed.game_id in self.games:
                    await self._send_substitute(self.games[listed.game_id])

    async def _send_substitute(self, game: Playing) -> None:
        client = self._rng.choice(self.clients)
        request = game_service_pb2.TakeSeatRequest(
            request_id=f"torture {self.plan.seed}, substitute {next(self._numbers)}",
            game_id=game.game_id,
            player_name="A substitute",
            bot_name=BOT,
        )
        try:
            taken = await patiently(self._rng, lambda: client.games.TakeSeat(request))
        except grpc.aio.AioRpcError as error:
            if refused(error).reason not in COME_BACK:
                raise
            return
        rng = Random(f"{game.game_id} {taken.seat_token}")
        seat = Seat(game.game_id, taken.seat, taken.seat_token, rng, TAME, is_substitute=True)
        game.seats.append(seat)
        game.others.append(asyncio.create_task(UnaryPlayer(client, seat).play()))
        self.report.counts["substitutes"] += 1


async def torture(plan: Plan, folder: Path) -> Report:
    """Runs it with a server that is killed. Raises AssertionError if anything is not as it was promised."""
    return await torture_by(plan, Killer(ServerProcess(folder), plan))


async def torture_by(plan: Plan, killer: Outages) -> Report:
    """Runs it with whatever ends the killer's server. Raises AssertionError as `torture`."""
    server = killer.server
    async with AsyncExitStack() as opened:
        await opened.enter_async_context(server)
        options = [
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 500),
        ]
        clients = []
        for _ in range(CONNECTIONS):
            channel = await opened.enter_async_context(grpc.aio.insecure_channel(server.target, options))
            clients.append(Client(cast(RecordingChannel, channel)))  # what comes is recorded by the seats
        report = await Torture(plan, killer, clients).run()
        assert await server.stop() == 0
        log = server.log.read_text()
        assert "event=fault" not in log, log[log.index("event=fault") :][:4000]
        check_store(server.store, report)
    return report


def check_store(store: Path, report: Report) -> None:
    """All games are there, and all are finished."""
    connection = sqlite3.connect(store)
    counts = dict(connection.execute("SELECT status, count(*) FROM games GROUP BY status").fetchall())
    connection.close()
    assert counts == {game_pb2.GAME_STATUS_FINISHED: report.games}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="games at the same time")
    parser.add_argument("--seconds", type=float, default=60, help="how long rematches begin")
    parser.add_argument("--kill-every", type=float, default=4, help="seconds between two kills, more or less")
    parser.add_argument("--most-kills", type=int, default=1_000_000, help="kills, at most")
    parser.add_argument("--seed", type=int, default=1)
    plan = Plan(**vars(parser.parse_args()))
    with tempfile.TemporaryDirectory() as folder:
        print(asyncio.run(torture(plan, Path(folder))))


if __name__ == "__main__":
    main()
