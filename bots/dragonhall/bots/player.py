"""One seat of one game, played by a policy from the first observation to the game's end."""

from __future__ import annotations

import logging
from operator import index
from random import Random
from typing import Any, Final, SupportsIndex

from dragonhall.bots.history import History
from dragonhall.bots.identity import decision_seed
from dragonhall.bots.policy import Chair, Policy, PolicyFactory
from dragonhall.client import AttachedSeat, DragonhallError, TooLate, asked
from dragonhall.rules import GAMES
from dragonhall.v1 import game_pb2, games_pb2, play_service_pb2
from dragonhall.wire import codec_of, component_digest
from dragonhall.wire.prompts import actions_from_proto

_log: Final = logging.getLogger("dragonhall.bots")

_LEFT: Final = (game_pb2.SEAT_STATE_AWAY, game_pb2.SEAT_STATE_VACANT, game_pb2.SEAT_STATE_SUBSTITUTED)
"""What a seat is after its time ran out, or its player left: to be taken back."""
_OVERTAKEN: Final = frozenset(
    {"GAME_NOT_RUNNING", "SEAT_AWAY", "SEAT_UNAVAILABLE", "DECISION_UNKNOWN", "TOKEN_INVALID", "GAME_NOT_FOUND"}
)
"""Why an answer may be refused that was right when the bot began to think: the game has ended, the seat is another's or
out of the running, or the answer was taken back that had led to the question. The stream tells what it was."""


class CannotPlay(Exception):
    """A game that this bot lacks something for."""


class BadChoice(Exception):
    """A policy's answer that is no position in the list of actions."""


class SeatPlayer:
    """Follows what one seat is told and answers what it is asked.

    It thinks on the event loop: the policies there are need a millisecond or two, less than it takes to hand a question
    to another thread and back under load.
    """

    def __init__(
        self, attached: AttachedSeat, make_policy: PolicyFactory, seed: str, name: str, *, stands_in: bool = False
    ) -> None:
        """``name``: the bot's. ``stands_in``: it plays as the substitute of whoever took the seat."""
        self._attached = attached
        self._make_policy = make_policy
        self._seed = seed
        self._name = name
        self._stands_in = stands_in
        self._plays = True
        """Whether it is this bot's turn to play the seat, as far as it was told."""
        self._rng = Random(0)
        self._history = History()
        self._answered = 0
        self._game: game_pb2.Game
        self._policy: Policy

    async def play(self) -> None:
        """Plays until the game has ended, the seat was detached, or its player took it back from a substitute.

        Raises what iterating over `AttachedSeat` and its `submit` raise, `CannotPlay`, `BadChoice`, and what the
        policy raises.
        """
        async for observation in self._attached:
            if observation.HasField("snapshot"):
                await self._begin(observation.revision, observation.snapshot)
                await self._answer(observation.snapshot.view, asked(observation))
            else:
                await self._follow(observation.revision, observation.update)
                await self._answer(observation.update.view, asked(observation))

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
                self._say_result(event.game_finished.outcome)
            elif kind == "game_aborted":
                self._say("was aborted%s", _ABORTED_BY.get(event.game_aborted.cause, ""))
            elif kind == "seat_changed":
                await self._change(event.seat_changed.seat)
            elif kind == "undo_asked":
                await self._refuse_undo(event.undo_asked)
            elif kind == "undone":
                await self._take_answer_back(revision, event.undone.undone_revision)

    # -- answering ----------------------------------------------------------------------------------------------------

    async def _answer(self, view: games_pb2.GameView, decision: play_service_pb2.Decision | None) -> None:
        if decision is None or decision.decision_id <= self._answered or not self._plays:
            return
        action_index = self._choose(view, decision)
        try:
            await self._attached.submit(decision.decision_id, action_index=action_index)
        except TooLate as error:
            self._say("goes on after a late answer of seat %d: %s", self._number, error)
        except DragonhallError as error:
            if error.reason not in _OVERTAKEN:
                raise
        else:
            self._answered = decision.decision_id

    def _choose(self, view: games_pb2.GameView, decision: play_service_pb2.Decision) -> int:
        """The action_index of the policy's choice."""
        codec = codec_of(self._game.options)
        self._rng.seed(decision_seed(self._seed, self._game.seed_commitment, self._number, decision.decision_id))
        actions = actions_from_proto(decision.legal_actions, codec)
        choice: object = self._policy.choose(
            codec.view_from_proto(view), self._history.events, codec.decision_from_proto(decision.decision), actions
        )
        if not isinstance(choice, SupportsIndex) or not 0 <= index(choice) < len(actions):  # NumPy's integers do
            raise BadChoice(f"the policy chose {choice!r}; it has to choose a position from 0 to {len(actions) - 1}")
        return index(choice)

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
            if error.reason not in _OVERTAKEN:
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
            if error.reason not in _OVERTAKEN and error.reason != "UNDO_NOT_POSSIBLE":  # it has come to its end
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
        self._policy = self._make_policy(chair_of(self._game, self._number), self._rng)

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
