"""A bot as a process of its own: it watches the lobby, takes the seats reserved for its name and plays them all."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dragonhall.bots.identity import Identity
from dragonhall.bots.kinds import BOT_KINDS, check_kind
from dragonhall.bots.player import CannotPlay, SeatPlayer, game_name
from dragonhall.client import FOR_EVER, AttachedSeat, Client, ClientError, DragonhallError, PlayConnection
from dragonhall.v1 import game_pb2, play_service_pb2

_log: Final = logging.getLogger("dragonhall.bots")

_OPEN_GAMES: Final = (game_pb2.GAME_STATUS_WAITING, game_pb2.GAME_STATUS_RUNNING)
_SUCH_IS_LIFE: Final = ("SEAT_UNAVAILABLE", "GAME_RUNNING", "GAME_NOT_RUNNING", "GAME_NOT_FOUND")
"""Why a seat of the lobby may be gone: another process of the same name was faster, or the host aborted the game."""
_REST_AFTER_FAULT: Final = 5.0
"""Seconds to leave a server alone that refused for a fault of its own."""
_GRACE: Final = 5.0
"""Seconds that answers under way are given when the bot stops."""


async def run_bot(
    name: str,
    kind: str,
    target: str,
    *,
    seed: str | None = None,
    identity: Path | None = None,
    stop: asyncio.Event | None = None,
) -> None:
    """Plays every seat that games at ``target`` reserve for ``name``, until SIGTERM, SIGINT or ``stop``.

    ``target`` is ``HOST:PORT``, ``kind`` is how the bot plays: one of `BOT_KINDS`. Several processes may share a name:
    each seat is taken by one of them. The process outlives its server: it waits for as long as it takes and goes on
    where the games were. Once it watches it prints ``dragonhall-bot: NAME (KIND) watching HOST:PORT``, one line.

    ``seed``: any text; a bot with the same seed plays a game with the same game seed in the same way. Without it nobody
    can foresee the bot. ``identity``: a file with the bot's secret, created if it does not exist. A bot that was killed
    and is started again with the same file takes its seats up again; without one they are lost to it. Keep one file for
    each process: two with the same file would play the same seats.

    Raises `UnknownKind`, `InvalidIdentity`, `OSError` for the identity's file, and `DragonhallError` if the server
    refuses for good, as INVALID_FIELD for a name that cannot be a bot's.
    """
    check_kind(kind)
    who = Identity.of_file(identity) if identity is not None else Identity.fresh()
    stop = stop or asyncio.Event()
    with _signals_set(stop):
        bot = _Bot(name, kind, target, seed if seed is not None else who.default_seed(), who, stop)
        await bot.run()


@contextlib.contextmanager
def _signals_set(stop: asyncio.Event) -> Iterator[None]:
    """SIGTERM and SIGINT set ``stop`` meanwhile, where the platform and the thread allow it."""
    loop = asyncio.get_running_loop()
    handled = []
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, stop.set)
            handled.append(number)
    try:
        yield
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


class _Bot:
    """The bot's life over all its sessions."""

    def __init__(self, name: str, kind: str, target: str, seed: str, identity: Identity, stop: asyncio.Event) -> None:
        self.name = name
        self.kind = kind
        self.target = target
        self.seed = seed
        self.identity = identity
        self._stop = stop
        self._may_have_seats = identity.lasting
        self._announced = False

    async def run(self) -> None:
        while not self._stop.is_set():
            try:
                await self._session()
            except DragonhallError as error:
                if not error.temporary:
                    raise
                _log.warning("the server is at fault, trying again in %g s: %s", _REST_AFTER_FAULT, error)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._stop.wait(), _REST_AFTER_FAULT)
            self._may_have_seats = True

    async def _session(self) -> None:
        """One client and one play connection, until the bot is stopped or the server refuses."""
        async with Client(self.target, patience=FOR_EVER) as client, client.play() as connection:
            session = _Session(self, client, connection)
            duties = [
                asyncio.create_task(session.seek_seats(self._may_have_seats)),
                asyncio.create_task(connection.wait_ended()),
                asyncio.create_task(self._stop.wait()),
            ]
            try:
                done, _ = await asyncio.wait(duties, return_when=asyncio.FIRST_COMPLETED)
                for duty in done:
                    duty.result()
            finally:
                for duty in duties:
                    duty.cancel()
                await asyncio.gather(*duties, return_exceptions=True)
                await session.finish()

    def announce(self) -> None:
        """Says once that the bot is ready, for people and for whoever started it."""
        if not self._announced:
            print(f"dragonhall-bot: {self.name} ({self.kind}) watching {self.target}", flush=True)
            self._announced = True


class _Session:
    """The seats played over one connection."""

    def __init__(self, bot: _Bot, client: Client, connection: PlayConnection) -> None:
        self._bot = bot
        self._client = client
        self._connection = connection
        self._playing: set[AttachedSeat] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._taken: dict[str, set[int]] = {}
        """Seats taken in games that the lobby still shows: what it shows may be older than that."""

    async def seek_seats(self, recover: bool) -> None:
        """Takes this bot's seats as they appear, for ever; with ``recover`` first those it had before."""
        if recover:
            async for game in self._client.list_games(statuses=_OPEN_GAMES):
                await self._take_seats(game, taken=True)
        async for message in self._client.watch_games(reserved_for=self._bot.name):
            if not message.HasField("game"):
                self._bot.announce()
            elif message.left_filter:
                self._taken.pop(message.game.game_id, None)
            else:
                await self._take_seats(message.game, taken=False)

    async def _take_seats(self, game: game_pb2.Game, *, taken: bool) -> None:
        """Takes the seats reserved for this bot: the free ones, or (again) those that are ``taken``."""
        for seat in game.seats:
            ours = seat.kind == game_pb2.SEAT_KIND_RESERVED and seat.bot_name == self._bot.name
            if ours and seat.taken == taken and seat.seat not in self._taken.get(game.game_id, ()):
                await self._take_seat(game, seat.seat)

    async def _take_seat(self, game: game_pb2.Game, number: int) -> None:
        if self._bot.kind not in BOT_KINDS.get(game_name(game), {}):
            _log.warning("game %s: %s does not play it, a newer version may", game.game_id, self._bot.kind)
            return
        identity = self._bot.identity
        # A host that chose the seed wants to see the same game again: a nonce would change it.
        drawn_by_server = game.seed_source == game_pb2.SEED_SOURCE_SERVER
        try:
            seat = await self._client.take_seat(
                game.game_id,
                self._bot.name,
                seat=number,
                nonce=identity.nonce(game.game_id, number) if drawn_by_server else b"",
                bot_name=self._bot.name,
                request_id=identity.request_id(game.game_id, number),
            )
        except DragonhallError as error:
            level = logging.DEBUG if error.reason in _SUCH_IS_LIFE else logging.WARNING
            _log.log(level, "game %s: seat %d was not to be had: %s", game.game_id, number, error)
            return
        attached = self._connection.attach(
            seat, view_delivery=play_service_pb2.VIEW_DELIVERY_WITH_DECISIONS, include_history=True
        )
        self._playing.add(attached)
        if not game.seats[number].taken:
            self._taken.setdefault(game.game_id, set()).add(number)
        task = asyncio.create_task(self._play(game, attached))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self, game: game_pb2.Game, attached: AttachedSeat) -> None:
        make_policy = BOT_KINDS[game_name(game)][self._bot.kind]
        try:
            await SeatPlayer(attached, make_policy, self._bot.seed).play()
        except (ClientError, CannotPlay) as error:
            _log.error("game %s: seat %d is given up: %s", game.game_id, attached.seat.number, error)
        except Exception:
            _log.exception("game %s: seat %d is given up for a fault of the bot", game.game_id, attached.seat.number)
        finally:
            attached.detach()
            self._playing.discard(attached)

    async def finish(self) -> None:
        """Lets answers under way be stored, and plays no further. The games wait for the bot to come back."""
        for attached in list(self._playing):
            attached.detach()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_GRACE)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
