"""The seats that a bot plays over one connection: found in the lobby, taken, played, and asked for again in doubt."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, Final

from dragonhall.bots.identity import Identity
from dragonhall.bots.operating.watcher import Watcher
from dragonhall.bots.player import CannotPlay, SeatPlayer, game_name
from dragonhall.bots.thinking.clock import RoundTrips
from dragonhall.bots.thinking.process import PolicyFailed
from dragonhall.bots.thinking.thinker import Thinkers
from dragonhall.client import AttachedSeat, Client, ClientError, DragonhallError, PlayConnection, Seat
from dragonhall.v1 import game_pb2, play_service_pb2

_log: Final = logging.getLogger("dragonhall.bots")

_OPEN_GAMES: Final = (game_pb2.GAME_STATUS_WAITING, game_pb2.GAME_STATUS_RUNNING)
_OPEN_STATUSES: Final = ("WAITING", "RUNNING")
_ASK_AGAIN_AFTER: Final = (5.0, 30.0)
"""Seconds after which a seat that was refused is asked for again, and once more."""
_VIEWS: Final = {
    False: play_service_pb2.VIEW_DELIVERY_WITH_DECISIONS,
    True: play_service_pb2.VIEW_DELIVERY_ALWAYS,
}
"""What a bot is sent, by whether it ponders."""
_GRACE: Final = 5.0
"""Seconds that answers under way are given when the bot stops."""

_Place = tuple[str, int]
"""A game's id and the number of a seat."""


@dataclass(frozen=True)
class _Wanted:
    """A seat for this bot."""

    number: int
    stands_in: bool
    """As the substitute of whoever took it; else it is reserved for the bot."""


class SeatGivenUp(Exception):
    """A seat that its bot cannot play: the policy failed, or lacks something that the game needs."""


@dataclass(frozen=True)
class Calling:
    """What makes a bot this one."""

    name: str
    kind: str
    """What it is said to be."""
    games: Collection[str]
    """The names of those that it plays."""
    seed: str
    identity: Identity
    ponders: bool = False
    """Whether it thinks while others are asked: then it is sent what its seats see all the time."""


class Session:
    """The seats played over one connection.

    A refusal is not the last word on a seat. The request may have been carried out and its answer lost, so that the
    seat which "is taken" is this bot's own; or the server was at fault, and the lobby will not name the seat again. So
    the same request is sent again later: if the seat is this bot's own, the answer is its token.

    As a substitute a bot may have the same seat several times in a game. Each time has a request of its own, and the
    requests of the times before are refused (REQUEST_ID_REUSED): a bot that was started anew tries one after another.
    """

    def __init__(
        self, calling: Calling, thinkers: Thinkers, watcher: Watcher, client: Client, connection: PlayConnection
    ) -> None:
        self._calling = calling
        self._thinkers = thinkers
        self._watcher = watcher
        self._trips = RoundTrips()
        self._client = client
        self._connection = connection
        self._playing: dict[_Place, AttachedSeat] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        """One for each seat that is played."""
        self._asking: dict[_Place, asyncio.Task[None]] = {}
        """One for each seat that is asked for again."""
        self._turns: Counter[_Place] = Counter()
        """How often this bot has had a seat as a substitute and lost it again."""
        self._settled: dict[str, set[int]] = {}
        """Seats taken, or not to be had, in games that the lobby still shows: what it shows may be older than that."""
        self._given_up: asyncio.Future[SeatGivenUp] = asyncio.get_running_loop().create_future()
        """The first one."""

    async def seek_seats(self, recover: bool, synced: Callable[[], None]) -> None:
        """Takes this bot's seats as they appear, for ever; with ``recover`` first those it had before.

        Calls ``synced`` whenever all that the lobby shows has been seen. Raises `ClientError`.
        """
        if recover:
            async for game in self._client.list_games(statuses=_OPEN_GAMES):
                await self._take_seats(game, taken=True)
        async for message in self._client.watch_games(reserved_for=self._calling.name):
            if not message.HasField("game"):
                synced()
            elif message.left_filter:
                self._settled.pop(message.game.game_id, None)
            else:
                await self._take_seats(message.game, taken=False)

    async def wait_given_up(self) -> None:
        """Raises `SeatGivenUp` once a seat is given up for a fault of the bot; waits for ever if none is."""
        raise await asyncio.shield(self._given_up)

    async def finish(self) -> None:
        """Lets answers under way be stored, and plays no further. The games wait for the bot to come back."""
        await _cancel(self._asking.values())
        for attached in list(self._playing.values()):
            attached.detach()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_GRACE)
        await _cancel(self._tasks)
        await _cancel(self._asking.values())  # what ended meanwhile may be in doubt

    # -- taking seats -------------------------------------------------------------------------------------------------

    async def _take_seats(self, game: game_pb2.Game, *, taken: bool) -> None:
        """Takes the seats that are for this bot: the free and vacant ones, or (again) those that are ``taken``."""
        for seat in game.seats:
            wanted = self._wanted(seat, taken)
            if wanted is None or self._is_seen_to(game.game_id, seat.seat):
                continue
            if game_name(game) not in self._calling.games:
                self._pass_over(game)
                return
            doubt = await self._take_seat(game, wanted)
            if doubt is None and not taken:
                self._settled.setdefault(game.game_id, set()).add(seat.seat)
            elif doubt is not None and (doubt.temporary or not taken):
                self._ask_again_later(game, wanted)

    def _wanted(self, seat: game_pb2.Seat, taken: bool) -> _Wanted | None:
        """Whether a seat is for this bot, and as whom."""
        name = self._calling.name
        if seat.kind == game_pb2.SEAT_KIND_RESERVED and seat.bot_name == name and seat.taken == taken:
            return _Wanted(seat.seat, stands_in=False)
        state = game_pb2.SEAT_STATE_SUBSTITUTED if taken else game_pb2.SEAT_STATE_VACANT
        return _Wanted(seat.seat, stands_in=True) if seat.substitute == name and seat.state == state else None

    def _pass_over(self, game: game_pb2.Game) -> None:
        """Leaves the seats of a game that this bot does not play, and says so once."""
        _log.warning(
            "game %s: its seats stay empty, for it is %s, and %s plays: %s",
            game.game_id,
            game_name(game) or "a game of a newer version",
            self._calling.kind,
            ", ".join(sorted(self._calling.games)),
        )
        self._settled[game.game_id] = {seat.seat for seat in game.seats}

    def _is_seen_to(self, game_id: str, number: int) -> bool:
        place = (game_id, number)
        return place in self._playing or place in self._asking or number in self._settled.get(game_id, ())

    async def _take_seat(self, game: game_pb2.Game, wanted: _Wanted) -> DragonhallError | None:
        """Takes a seat and plays it. Returns the refusal if it may not be the last word on that seat."""
        try:
            seat = await self._ask_for(game, wanted)
        except DragonhallError as error:
            level, in_doubt = _judge(error)
            _log.log(level, "game %s: seat %d was not to be had: %s", game.game_id, wanted.number, error)
            return error if in_doubt else None
        attached = self._connection.attach(seat, view_delivery=_VIEWS[self._calling.ponders], include_history=True)
        self._playing[game.game_id, wanted.number] = attached
        self._begin(self._play(game, attached, wanted))
        return None

    async def _ask_for(self, game: game_pb2.Game, wanted: _Wanted) -> Seat:
        identity, place = self._calling.identity, (game.game_id, wanted.number)
        # A host that chose the seed wants to see the same game again: a nonce would change it.
        adds_nonce = game.seed_source == game_pb2.SEED_SOURCE_SERVER and not wanted.stands_in
        while True:
            try:
                return await self._client.take_seat(
                    game.game_id,
                    self._calling.name,
                    seat=wanted.number,
                    nonce=identity.nonce(*place) if adds_nonce else b"",
                    bot_name=self._calling.name,
                    request_id=identity.request_id(*place, self._turns[place]),
                )
            except DragonhallError as error:
                if error.reason != "REQUEST_ID_REUSED" or not wanted.stands_in:
                    raise
                self._turns[place] += 1

    def _ask_again_later(self, game: game_pb2.Game, wanted: _Wanted) -> None:
        place = (game.game_id, wanted.number)
        if place not in self._asking:
            task = self._asking[place] = asyncio.create_task(self._ask_again(game, wanted))
            task.add_done_callback(lambda _: self._asking.pop(place))

    async def _ask_again(self, game: game_pb2.Game, wanted: _Wanted) -> None:
        """As often as there are delays; of a server that is at fault until it is not."""
        doubt: DragonhallError | None = None
        for turn in itertools.count():
            if turn >= len(_ASK_AGAIN_AFTER) and doubt is not None and not doubt.temporary:
                return
            await asyncio.sleep(_ASK_AGAIN_AFTER[min(turn, len(_ASK_AGAIN_AFTER) - 1)])
            doubt = await self._take_seat(game, wanted)
            if doubt is None:
                return

    # -- playing them -------------------------------------------------------------------------------------------------

    def _begin(self, playing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(playing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self, game: game_pb2.Game, attached: AttachedSeat, wanted: _Wanted) -> None:
        number, again = wanted.number, False
        try:
            await self._player(attached, wanted).play()
        except (ClientError, CannotPlay) as error:
            again = isinstance(error, DragonhallError) and error.temporary
            if _was_taken_back(error, wanted):
                _log.info("game %s goes on with its own player in seat %d", game.game_id, number)
            else:
                level = logging.WARNING if again else logging.ERROR
                _log.log(level, "game %s: seat %d is given up%s: %s", game.game_id, number, " for now" * again, error)
            if isinstance(error, CannotPlay):
                self._tell_given_up(game, number)
        except PolicyFailed as error:
            told = (type(error), error, None)  # it has the traceback that matters
            _log.error("game %s: seat %d is given up for a fault of the bot", game.game_id, number, exc_info=told)
            self._tell_given_up(game, number)
        except Exception:
            _log.exception("game %s: seat %d is given up for a fault of the bot", game.game_id, number)
            self._tell_given_up(game, number)
        finally:
            attached.detach()
            self._playing.pop((game.game_id, number), None)
            if wanted.stands_in:  # it may be vacant once more
                self._settled.get(game.game_id, set()).discard(number)
        if again:
            self._ask_again_later(game, wanted)

    def _player(self, attached: AttachedSeat, wanted: _Wanted) -> SeatPlayer:
        return SeatPlayer(
            attached,
            self._thinkers,
            seed=self._calling.seed,
            name=self._calling.name,
            stands_in=wanted.stands_in,
            trips=self._trips,
            watcher=self._watcher,
        )

    def _tell_given_up(self, game: game_pb2.Game, number: int) -> None:
        if not self._given_up.done():
            self._given_up.set_result(SeatGivenUp(f"seat {number} of game {game.game_id} is given up"))


async def _cancel(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Returns when they have ended."""
    ending = list(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)


def _was_taken_back(error: Exception, wanted: _Wanted) -> bool:
    """Whether a seat is its own player's again: the substitute's token died before its stream could tell."""
    dead = isinstance(error, DragonhallError) and error.reason in ("TOKEN_INVALID", "GAME_NOT_FOUND")
    return wanted.stands_in and dead


def _judge(error: DragonhallError) -> tuple[int, bool]:
    """How loudly to tell of a seat's refusal, and whether it may not be the last word."""
    if error.temporary:
        return logging.WARNING, True
    if error.reason == "SEAT_UNAVAILABLE":
        # Another process of the same name was faster, or this one: its answer may have been lost.
        return logging.DEBUG, error.metadata.get("status") in _OPEN_STATUSES
    if error.reason == "GAME_NOT_FOUND":
        return logging.DEBUG, False
    return logging.WARNING, False
