"""One seat of one game, played by a policy from the first observation to the game's end."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from dragonhall.bots.deciding import OVERTAKEN, Decider
from dragonhall.bots.history import History
from dragonhall.bots.operating.watcher import Ending, Watcher
from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking.clock import RoundTrips
from dragonhall.bots.thinking.thinker import Thinker, Thinkers
from dragonhall.client import AttachedSeat, ClientError, DragonhallError
from dragonhall.rules import GAMES
from dragonhall.v1 import game_pb2, games_pb2, play_service_pb2
from dragonhall.wire import codec_of, component_digest

_log: Final = logging.getLogger("dragonhall.bots")

_LEFT: Final = (game_pb2.SEAT_STATE_AWAY, game_pb2.SEAT_STATE_VACANT, game_pb2.SEAT_STATE_SUBSTITUTED)
"""What a seat is after its time ran out, or its player left: to be taken back."""


class CannotPlay(Exception):
    """A game that this bot lacks something for."""


class SeatPlayer:
    """Follows what one seat is told, and has what it is asked decided meanwhile."""

    def __init__(
        self,
        attached: AttachedSeat,
        thinkers: Thinkers,
        *,
        seed: str,
        name: str,
        stands_in: bool = False,
        trips: RoundTrips | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        """``name``: the bot's. ``stands_in``: it plays as the substitute of whoever took the seat. ``trips``: as
        measured over the same connection."""
        self._attached = attached
        self._thinkers = thinkers
        self._seed = seed
        self._name = name
        self._stands_in = stands_in
        self._trips = trips or RoundTrips()
        self._watcher = watcher or Watcher()
        self._ending = Ending.LEFT
        self._plays = True
        """Whether it is this bot's turn to play the seat, as far as it was told."""
        self._history = History()
        self._thinker: Thinker | None = None
        self._game: game_pb2.Game
        self._decider: Decider

    async def play(self) -> None:
        """Plays until the game has ended, the seat was detached, or its player took it back from a substitute.

        Raises what iterating over `AttachedSeat` and its `submit` raise, `CannotPlay`, and what the policy raises or
        `PolicyFailed`.
        """
        try:
            async with asyncio.TaskGroup() as tasks:
                self._decider = Decider(self._attached, tasks, self._seed, self._trips, self._watcher)
                async for observation in self._attached:
                    await self._observe(observation)
                self._decider.drop()
        except BaseExceptionGroup as group:  # of one, nearly always: the others are cancelled by it
            error = group.exceptions[0]
            self._ending = Ending.LEFT if isinstance(error, ClientError) else Ending.FAILED
            raise error from None
        finally:
            self._leave()

    async def _observe(self, observation: play_service_pb2.ObserveResponse) -> None:
        if observation.HasField("heartbeat"):
            return
        told: play_service_pb2.Snapshot | play_service_pb2.Update
        if observation.HasField("snapshot"):
            told = observation.snapshot
            await self._begin(observation.revision, observation.snapshot)
        else:
            told = observation.update
            await self._follow(observation.revision, observation.update)
        if self._plays and self._thinker is not None:
            self._decider.consider(self._thinker, self._game, told, self._history.events)
            return
        self._decider.drop()
        if self._thinker is not None:
            self._thinker.rest()

    async def _begin(self, revision: int, snapshot: play_service_pb2.Snapshot) -> None:
        """Takes everything from a snapshot, which comes first, and again if this reader fell far behind."""
        self._game = snapshot.game
        self._sit_down()
        self._history = History(revision, self._events(snapshot.history))
        if snapshot.HasField("view"):
            self._say("goes on in seat %d of %d", self._number, len(snapshot.game.seats))
        if snapshot.game.HasField("outcome"):
            self._say_result(snapshot.game.outcome)
        seat = snapshot.game.seats[self._number]
        self._plays = self._is_ours(seat)
        if not self._stands_in and seat.state in _LEFT:  # it was away for too long, and is here again
            await self._take_back()
        if snapshot.HasField("undo_asked"):
            await self._refuse_undo(snapshot.undo_asked)

    async def _follow(self, revision: int, update: play_service_pb2.Update) -> None:
        self._history.add(revision, self._events(event.game for event in update.events if event.HasField("game")))
        for event in update.events:
            kind = event.WhichOneof("event")
            if kind == "game_started":
                self._say("starts; seat %d of %d", self._number, len(self._game.seats))
            elif kind == "game_finished":
                self._ending = Ending.FINISHED
                self._say_result(event.game_finished.outcome)
            elif kind == "game_aborted":
                self._ending = Ending.ABORTED
                self._say("was aborted%s", _ABORTED_BY.get(event.game_aborted.cause, ""))
            elif kind == "seat_changed":
                await self._change(event.seat_changed.seat)
            elif kind == "undo_asked":
                await self._refuse_undo(event.undo_asked)
            elif kind == "undone":
                await self._take_answer_back(revision, event.undone.undone_revision)

    # -- who plays ----------------------------------------------------------------------------------------------------

    async def _change(self, seat: game_pb2.Seat) -> None:
        """Somebody else plays a seat from now on, or nobody."""
        if seat.seat != self._number:
            return
        self._plays = self._is_ours(seat)
        if self._stands_in and seat.state == game_pb2.SEAT_STATE_PLAYING:
            self._say("goes on with its own player in seat %d", self._number)
        elif not self._stands_in and seat.state in _LEFT:
            self._say("goes on without this bot in seat %d, whose time had run out", self._number)
            if seat.substitute == self._name:  # the one that everybody waits for
                await self._take_back()

    def _is_ours(self, seat: game_pb2.Seat) -> bool:
        if self._stands_in:
            return seat.state == game_pb2.SEAT_STATE_SUBSTITUTED
        return seat.state not in (*_LEFT, game_pb2.SEAT_STATE_FORFEITED)

    async def _take_back(self) -> None:
        try:
            await self._attached.seat.take_back()
        except DragonhallError as error:
            if error.reason not in OVERTAKEN:
                raise
        else:
            self._plays = True
            self._say("has this bot in seat %d again", self._number)

    # -- answers taken back -------------------------------------------------------------------------------------------

    async def _refuse_undo(self, request: play_service_pb2.UndoAsked) -> None:
        """A bot agrees to nothing: what it has seen it cannot help but use. It says so, so that nobody waits for it."""
        if self._number not in request.missing:
            return
        try:
            await self._attached.seat.answer_undo(request.decision_id, agree=False)
        except DragonhallError as error:
            if error.reason not in OVERTAKEN and error.reason != "UNDO_NOT_POSSIBLE":  # it has come to its end
                raise

    async def _take_answer_back(self, revision: int, undone_revision: int) -> None:
        """All goes on as if the answer had not been given; the policy too may have drawn conclusions."""
        if not self._history.take_back(undone_revision):
            told = await self._attached.seat.perspective(revision)
            self._history = History(revision, self._events(told.snapshot.history))
        self._sit_down()

    # -- small things -------------------------------------------------------------------------------------------------

    @property
    def _number(self) -> int:
        return self._attached.seat.number

    def _sit_down(self) -> None:
        """With a policy that was told nothing yet."""
        self._decider.drop()
        if self._thinker is not None:
            self._thinker.sit_again()
            return
        game, place = game_name(self._game), (self._game.game_id, self._number)
        chair = chair_of(self._game, self._number)
        self._thinker = self._thinkers.seat(place, game, chair)
        self._watcher.sat_down(place, game, chair)

    def _leave(self) -> None:
        if self._thinker is not None:
            self._thinker.leave()
            self._watcher.rose((self._game.game_id, self._number), self._ending)

    def _events(self, events: Any) -> list[Any]:
        codec = codec_of(self._game.options)
        return [codec.event_from_proto(event) for event in events]

    def _say_result(self, outcome: games_pb2.Outcome) -> None:
        result = outcome.results[self._number]
        out = ", forfeited" if result.forfeited else ", eliminated" if result.eliminated else ""
        self._say("ends; seat %d: rank %d, %d points%s", result.seat, result.rank, result.score, out)

    def _say(self, what: str, *details: object) -> None:
        _log.info(f"game %s {what}", self._attached.seat.game_id, *details)


_ABORTED_BY: Final = {
    game_pb2.ABORT_CAUSE_HOST: " by its host",
    game_pb2.ABORT_CAUSE_EXPIRED: ": nothing had happened in it for too long",
}


def game_name(game: game_pb2.Game) -> str:
    """The game's name in `GAMES`; empty for a game that this bot's version does not know."""
    return game.options.WhichOneof("game") or ""


def chair_of(game: game_pb2.Game, seat: int) -> Chair:
    """What a policy is told of ``game``. Raises `CannotPlay` if it is played with cards that this bot does not know."""
    return Chair(
        options=codec_of(game.options).options_from_proto(game.options),
        components=_components(game),
        seats=len(game.seats),
        seat=seat,
    )


def _components(game: game_pb2.Game) -> Any:
    told = game.component_set
    if told.WhichOneof("contents") is not None:
        return codec_of(game.options).components_from_proto(told)
    components = GAMES[game_name(game)].default_components()
    if component_digest(components) != told.digest:
        raise CannotPlay(f"the game is played with the component set {told.id}, which this bot does not have")
    return components
