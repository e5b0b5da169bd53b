"""A game in a hub with a store and no network, in which time passes when the test says so."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from dragonhall.rules import GAMES
from dragonhall.server.config import Limits
from dragonhall.server.game import LiveGame, Write
from dragonhall.server.hub import Hub
from dragonhall.server.log import Answered, Cause, Created, CreatedSeat, SeatKind, SeatTaken, SeedSource, Started
from dragonhall.server.operations.absence import expire, leave_running, substitute, take_back
from dragonhall.server.operations.answers import Accepted, Choice, answer
from dragonhall.server.playthrough import Frame, Playthrough, Status
from dragonhall.server.services import render
from dragonhall.server.settings import SeatState, Settings
from dragonhall.server.store.sqlite import SqliteStore

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
WAIT = timedelta(seconds=30)


class Held:
    """One running game, and what can be done in it."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.now_us = START
        self.game: LiveGame

    async def begin(self, settings: Settings, seats: int, game: str, options: Mapping[str, object]) -> None:
        """Makes the game and starts it."""
        rules = GAMES[game]
        created = Created(
            game=game,
            options=rules.make_options(options),
            components=rules.default_components(),
            rules_version=rules.rules_version,
            seats=(CreatedSeat(SeatKind.OPEN),) * seats,
            title="",
            seed=bytes(32),
            seed_source=SeedSource.HOST,
            host_token_hash=b"h",
            settings=settings,
            substitute_wait_us=WAIT // timedelta(microseconds=1),
        )
        taken = (SeatTaken(seat, f"Player {seat}", b"", b"%d" % seat) for seat in range(seats))
        self.game = await self.hub.create(created, lambda _: None, *taken, Started())

    @property
    def head(self) -> Frame:
        return self.game.head

    @property
    def asked(self) -> list[int]:
        """The seats that are asked now."""
        return [ticket.seat for ticket in self.head.tickets]

    @property
    def states(self) -> list[SeatState]:
        return [seat.state for seat in self.head.seats]

    @property
    def left(self) -> dict[int, float]:
        """How many seconds are left until each seat's deadline."""
        return {seat: (us - self.now_us) / SECOND for seat, us in self.head.deadlines.items()}

    @property
    def banks(self) -> dict[int, float]:
        """What is in each seat's bank, in seconds."""
        assert self.head.banks is not None
        return {seat: us / SECOND for seat, us in self.head.banks.items()}

    def causes(self, after: int = 0) -> list[Cause]:
        return [entry.cause for entry in self.game.log(after)]

    def events(self, after: int) -> list[list[object]]:
        """What was told to everyone by each revision after one."""
        return [[entry.event for entry in frame.entries] for frame in self.game.frames(after + 1)]

    def answered(self) -> list[Answered]:
        return [cause for cause in self.causes() if isinstance(cause, Answered)]

    def passes(self, seconds: float) -> None:
        """Time passes."""
        self.now_us += round(seconds * SECOND)

    async def expire(self) -> bool:
        """What the keeper does when a deadline has come."""
        return await self.game.carry_out(expire(self.now_us))

    async def answer(self, seat: int, decision_id: int = 0, index: int = 0, **fields: Any) -> Accepted:
        """A seat answers what it is asked, or a given decision."""
        ticket = self.head.ticket_of(seat)
        decision_id = decision_id or (ticket.decision_id if ticket else 0)
        fields.setdefault("arrived_us", self.now_us)
        return await self.game.carry_out(answer(seat, decision_id, Choice(index), **fields))

    async def leave(self, seat: int, is_substitute: bool = False) -> int:
        return await self.game.carry_out(lambda game: leave_running(game, seat, is_substitute))

    async def take_back(self, seat: int) -> int:
        return await self.game.carry_out(lambda game: take_back(game, seat))

    async def substitute(self, seat: int) -> None:
        def plan(game: Playthrough) -> Write[None] | None:
            return Write((substitute(game, seat, "A bot", b"bot"),), lambda _: None)

        await self.game.carry_out(plan)

    async def play_until(self, seats: int) -> list[int]:
        """Everyone answers by the first action until so many seats are asked at once."""
        while len(self.asked) != seats:
            for seat in self.asked:
                await self.answer(seat)
            assert self.head.status is Status.RUNNING
        return self.asked


@asynccontextmanager
async def held(
    folder: Path,
    settings: Settings,
    seats: int = 3,
    game: str = "dragons",
    **options: object,
) -> AsyncIterator[Held]:
    """A running game with ``settings``, in a store of its own."""
    store = SqliteStore.open(folder / "games.db")
    try:
        hub = Hub(store, render.summary, 60, Limits(), now_us=lambda: the.now_us)
        the = Held(hub)
        await the.begin(settings, seats, game, options)
        yield the
    finally:
        await store.close()
