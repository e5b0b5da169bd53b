"""The hub: the games in memory, a cache of the store's logs, and the way to each of them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from bisect import bisect
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import islice
from operator import itemgetter
from random import uniform
from typing import Final

from dragonhall.server.config import Limits
from dragonhall.server.deadlines import Deadlines
from dragonhall.server.encoding import encode
from dragonhall.server.game import LiveGame, Plan, Surroundings
from dragonhall.server.lobby import Lobby
from dragonhall.server.log import Cause, Created, LogEntry, UnreadableLog
from dragonhall.server.operations.consequences import consequence
from dragonhall.server.operations.games import create
from dragonhall.server.playthrough import ChanceOf, Playthrough, Status, seeded_chance
from dragonhall.server.refusal import Reason, Refusal, game_not_found, shutting_down
from dragonhall.server.store.base import Append, Fenced, GameLine, Request, Store
from dragonhall.server.turns import Turns
from dragonhall.server.unreadable import EVERYONE, UnreadableGame, token_hashes
from dragonhall.server.wall_clock import now_us

logger = logging.getLogger("dragonhall.server")

MAX_GAME_ID_LENGTH: Final = 64

END: Final = itemgetter(1)
"""Of an outage."""

MAX_TRIES: Final = 8
"""Games looked at to find one that can leave memory."""

MIN_IDLE_SECONDS: Final = 1.0
"""So long a game stays in memory at least: whoever asked for it is about to use it."""


class Hub:
    """All games of one server."""

    def __init__(
        self,
        store: Store,
        summarise: Callable[[str, Playthrough], bytes],
        idle_seconds: float,
        limits: Limits,
        chance_of: ChanceOf = seeded_chance,
        now_us: Callable[[], int] = now_us,
        reconnect_delay: timedelta = timedelta(seconds=2),
        substitute_wait: timedelta = timedelta(seconds=30),
    ) -> None:
        self.store = store
        self.substitute_wait_us = substitute_wait // timedelta(microseconds=1)
        """How long each decision of a vacant seat waits for the substitute, in games that are made now."""
        self.now_us = now_us
        """The time of day, Unix time in microseconds."""
        self.lobby = Lobby()
        self.deadlines = Deadlines()
        self.turns = Turns()
        """Of whoever has a log replayed."""
        self.draining = False
        """The server is about to stop: no games are made."""
        self.closing = False
        """The server is stopping: streams come to their end, and no call begins."""
        self._reconnect_delay = reconnect_delay
        self._idle_seconds = idle_seconds
        self._max_open_games = limits.max_open_games
        self._max_games_in_memory = limits.max_games_in_memory
        self._surroundings = Surroundings(
            store,
            summarise,
            consequence,
            now_us,
            on_change=self._changed,
            on_deadline=self.deadlines.set,
            chance_of=chance_of,
        )
        self._open_games = 0
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._streams: dict[Callable[[], None], None] = {}
        self._coming: dict[str, asyncio.Task[LiveGame]] = {}
        self._loop = asyncio.get_running_loop()

    async def start(self) -> None:
        """Counts the games of the store. None is loaded before it is asked for. Raises `StoreError`."""
        counts = await self.store.counts()
        self._open_games = counts.get(Status.WAITING, 0) + counts.get(Status.RUNNING, 0)
        logger.info(
            "event=store_opened games=%d waiting=%d running=%d",
            sum(counts.values()),
            counts.get(Status.WAITING, 0),
            counts.get(Status.RUNNING, 0),
        )

    async def create(self, created: Created, request_of: Callable[[str], Request | None], *further: Cause) -> LiveGame:
        """Makes a game. ``request_of`` says which request is answered by the game of a given id.

        ``further`` causes are stored with the first one or not at all. Raises `Refusal`, `RequestTaken`, `StoreError`.
        """
        self.check_new_games()
        if self._open_games >= self._max_open_games:
            raise Refusal(
                Reason.LIMIT_EXCEEDED,
                f"this server keeps at most {self._max_open_games} games that are not over; finish or abort some",
            )
        game_id = secrets.token_hex(10)
        return await self._bring(game_id, self._create(game_id, create(created, request_of(game_id), *further)))

    async def _create(self, game_id: str, plan: Plan[int]) -> LiveGame:
        self._open_games += 1
        game = self._live(game_id)
        try:
            await game.carry_out(plan)
        except Exception:
            self._open_games -= 1
            raise
        _log_creation(game)
        return self._remember(game)

    async def bring_in(self, game_id: str, log: Sequence[LogEntry]) -> LiveGame:
        """Stores a game that was played elsewhere, whole. Raises `Refusal`, `Fenced` if there is one, `StoreError`."""
        self.check_new_games()
        if game_id in self._games or game_id in self._coming:
            raise Fenced
        return await self._bring(game_id, self._bring_in(game_id, [encode(entry) for entry in log]))

    async def _bring_in(self, game_id: str, stored: list[bytes]) -> LiveGame:
        game = self._live(game_id)
        game.restore(stored)
        line = replace(game.line(), changed_us=self.now_us())  # for how long it is kept counts from now
        await self.store.append(Append(game_id, 0, tuple(stored), line))
        self.lobby.changed(line)
        logger.info("event=game_imported game=%s rules=%s", game_id, line.game)
        return self._remember(game)

    async def game(self, game_id: str) -> LiveGame:
        """The live game, loaded if need be. Raises `Refusal` or `StoreError`.

        It stays in memory for a while; whoever keeps it for longer has to subscribe.
        """
        game = self._games.get(game_id)
        if game is not None:
            return self._remember(game)
        coming = self._coming.get(game_id)
        return await (self._bring(game_id, self._load(game_id)) if coming is None else asyncio.shield(coming))

    def _bring(self, game_id: str, work: Coroutine[None, None, LiveGame]) -> asyncio.Future[LiveGame]:
        """Brings a game into memory, once for all who ask for it meanwhile: there is one live game of each id."""
        coming = self._coming[game_id] = asyncio.create_task(work)
        coming.add_done_callback(partial(self._came, game_id))
        return asyncio.shield(coming)

    def _came(self, game_id: str, coming: asyncio.Task[LiveGame]) -> None:
        self._coming.pop(game_id, None)
        if not coming.cancelled():
            coming.exception()  # known to who still waits; if all have gone, it is not to be logged as nobody's

    async def line(self, game_id: str) -> GameLine:
        """One game's line, without loading the game. Raises `Refusal` or `StoreError`."""
        game = self._games.get(game_id)
        line = game.line() if game is not None else await self.store.find_line(_checked(game_id))
        if line is None:
            raise game_not_found(game_id)
        return line

    async def _load(self, game_id: str) -> LiveGame:
        stored = await self.store.load(_checked(game_id))
        if not stored:
            raise game_not_found(game_id)
        game = self._live(game_id)
        try:
            game.restore(stored)
        except UnreadableLog as error:
            logger.error("event=game_unreadable game=%s error=%r", game_id, str(error))
            line = await self.store.find_line(game_id)
            is_private = line is None or line.private
            raise UnreadableGame(str(error), token_hashes(stored) if is_private else EVERYONE) from error
        if game.playthrough.is_timed:
            await self._settle_outages(game)
        return self._remember(game)

    async def _settle_outages(self, game: LiveGame) -> None:
        """Before anybody sees the game: nobody is charged for the time in which it could not go on."""
        for from_us, to_us in self.store.outages[bisect(self.store.outages, game.playthrough.changed_us, key=END) :]:
            game.owe(from_us, to_us)
        await game.settle()

    async def owe(self, from_us: int, to_us: int) -> None:
        """Nobody is charged for this time, in any game in memory."""
        timed = [game for game in self._games.values() if game.playthrough.is_timed]
        for game in timed:
            game.owe(from_us, to_us)
        await asyncio.gather(*(game.settle() for game in timed))

    def _live(self, game_id: str) -> LiveGame:
        return LiveGame(game_id, self._surroundings)

    def _remember(self, game: LiveGame) -> LiveGame:
        game.last_used = self._loop.time()
        self._games[game.game_id] = game
        self._games.move_to_end(game.game_id)
        if len(self._games) > self._max_games_in_memory:
            self._make_room()
        return game

    async def remove(self, game_id: str) -> bool:
        """Removes a game that is over from memory and store; ``False`` if somebody reads it now. Raises `StoreError`.

        Whoever asks for it from now on is told that there is no such game.
        """
        line = await self.store.find_line(game_id)
        game = self._games.get(game_id)
        if line is None or game_id in self._coming or (game is not None and game.is_busy):
            return line is None
        with suppress(Refusal):
            await self._bring(game_id, self._remove(line))
        self.lobby.removed(line)
        logger.info("event=game_removed game=%s", game_id)
        return True

    async def _remove(self, line: GameLine) -> LiveGame:
        """In the place of the game's loading, so that nobody gets hold of it meanwhile: ends as if it was not there."""
        self._games.pop(line.game_id, None)
        await self.store.remove(line.game_id)
        raise game_not_found(line.game_id)

    def _make_room(self) -> None:
        """Drops one of the games that were not used for longest, if one of the first few can be dropped."""
        for game in list(islice(self._games.values(), MAX_TRIES)):
            if not game.is_busy and game.last_used < self._loop.time() - MIN_IDLE_SECONDS:
                del self._games[game.game_id]
                return
            self._games.move_to_end(game.game_id)

    def _changed(self, game: LiveGame) -> None:
        self.lobby.changed(game.line())
        _log_change(game)
        if game.head.status.is_over:
            self._open_games -= 1

    async def forget_idle_games(self) -> None:
        """Runs until cancelled: games that nobody has used for some time leave memory."""
        while True:
            await asyncio.sleep(self._idle_seconds / 4)
            self.drop_games_idle_since(self._loop.time() - self._idle_seconds)

    def drop_games_idle_since(self, time: float) -> None:
        """Drops the games that were last used before ``time`` (the loop's) and are not in use."""
        for game in list(self._games.values()):
            if game.last_used > time:
                break  # the others were used later
            if game.is_busy:
                self._remember(game)
            else:
                del self._games[game.game_id]

    @property
    def games_in_memory(self) -> int:
        """How many games are in memory now."""
        return len(self._games)

    def when_closing(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Calls ``wake`` when the server is closing, unless the returned function was called before."""
        self._streams[wake] = None
        return lambda: self._streams.pop(wake, None)

    def drain(self) -> None:
        """The server is about to stop: games go on, and none are made."""
        self.draining = True

    def check_new_games(self) -> None:
        """Raises `Refusal` if no games are made any more."""
        if self.draining:
            raise self.closing_refusal()

    def closing_refusal(self) -> Refusal:
        """Why a stopping server refuses. Each client is told another delay: not all come back at once."""
        return shutting_down(self._reconnect_delay * uniform(0.5, 1.5))

    def close(self) -> None:
        """The server is stopping."""
        self.draining = self.closing = True
        for wake in list(self._streams):
            wake()


def _checked(game_id: str) -> str:
    if not game_id or len(game_id) > MAX_GAME_ID_LENGTH:
        raise game_not_found(game_id[:MAX_GAME_ID_LENGTH])
    return game_id


def _log_creation(game: LiveGame) -> None:
    created = game.playthrough.created
    seats, source = len(created.seats), created.seed_source.name.lower()
    logger.info("event=game_created game=%s rules=%s seats=%d seed=%s", game.game_id, created.game, seats, source)


def _log_change(game: LiveGame) -> None:
    head, playthrough = game.head, game.playthrough
    if head.step is not None and head.step.seat is None:
        logger.info("event=game_started game=%s", game.game_id)
    elif head.status.is_over:
        began = playthrough.started_us or playthrough.created_us
        seconds = ((playthrough.ended_us or began) - began) / 1e6
        status = head.status.name.lower()
        logger.info(
            "event=game_over game=%s status=%s revisions=%d seconds=%.1f", game.game_id, status, head.revision, seconds
        )
