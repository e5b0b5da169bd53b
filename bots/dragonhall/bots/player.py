"""One seat of one game, played by a policy from the first observation to the game's end."""

from __future__ import annotations

import logging
from operator import index
from random import Random
from typing import Any, Final, SupportsIndex

from dragonhall.bots.identity import decision_seed
from dragonhall.bots.policy import Chair, Policy, PolicyFactory
from dragonhall.client import AttachedSeat, DragonhallError
from dragonhall.rules import GAMES
from dragonhall.v1 import game_pb2, games_pb2, play_service_pb2
from dragonhall.wire import codec_of, component_digest
from dragonhall.wire.prompts import actions_from_proto

_log: Final = logging.getLogger("dragonhall.bots")


class CannotPlay(Exception):
    """A game that this bot lacks something for."""


class BadChoice(Exception):
    """A policy's answer that is no position in the list of actions."""


class SeatPlayer:
    """Follows what one seat is told and answers what it is asked.

    It thinks on the event loop: the policies there are need a millisecond or two, less than it takes to hand a question
    to another thread and back under load.
    """

    def __init__(self, attached: AttachedSeat, make_policy: PolicyFactory, seed: str) -> None:
        self._attached = attached
        self._make_policy = make_policy
        self._seed = seed
        self._rng = Random(0)
        self._seen: list[Any] = []
        self._answered = 0
        self._game: game_pb2.Game
        self._policy: Policy

    async def play(self) -> None:
        """Plays until the game has ended or the seat was detached.

        Raises what iterating over `AttachedSeat` and its `submit` raise, `CannotPlay`, `BadChoice`, and what the
        policy raises.
        """
        async for observation in self._attached:
            if observation.HasField("snapshot"):
                self._begin(observation.snapshot)
                await self._answer(observation.snapshot)
            else:
                self._follow(observation.update)
                await self._answer(observation.update)

    def _begin(self, snapshot: play_service_pb2.Snapshot) -> None:
        """Takes everything from a snapshot, which comes first, and again if this reader fell far behind."""
        self._game = snapshot.game
        chair = chair_of(snapshot.game, snapshot.seat)
        self._policy = self._make_policy(chair, self._rng)
        codec = codec_of(snapshot.game.options)
        self._seen = [codec.event_from_proto(event) for event in snapshot.history]
        if snapshot.HasField("view"):
            self._say("goes on in seat %d of %d", chair.seat, chair.seats)
        if snapshot.game.HasField("outcome"):
            self._say_result(snapshot.game.outcome)

    def _follow(self, update: play_service_pb2.Update) -> None:
        codec = codec_of(self._game.options)
        for event in update.events:
            kind = event.WhichOneof("event")
            if kind == "game":
                self._seen.append(codec.event_from_proto(event.game))
            elif kind == "game_started":
                self._say("starts; seat %d of %d", self._attached.seat.number, len(self._game.seats))
            elif kind == "game_finished":
                self._say_result(event.game_finished.outcome)
            elif kind == "game_aborted":
                self._say("was aborted by its host")

    async def _answer(self, told: play_service_pb2.Snapshot | play_service_pb2.Update) -> None:
        asked = told.decision
        if not told.HasField("decision") or asked.decision_id <= self._answered:
            return
        action_index = self._choose(told.view, asked)
        try:
            await self._attached.submit(asked.decision_id, action_index=action_index)
        except DragonhallError as error:
            if error.reason != "GAME_NOT_RUNNING":  # its host aborted it meanwhile, of which the next update tells
                raise
        self._answered = asked.decision_id

    def _choose(self, view: games_pb2.GameView, asked: play_service_pb2.Decision) -> int:
        """The action_index of the policy's choice."""
        codec = codec_of(self._game.options)
        self._rng.seed(
            decision_seed(self._seed, self._game.seed_commitment, self._attached.seat.number, asked.decision_id)
        )
        actions = actions_from_proto(asked.legal_actions, codec)
        choice: object = self._policy.choose(
            codec.view_from_proto(view), self._seen, codec.decision_from_proto(asked.decision), actions
        )
        if not isinstance(choice, SupportsIndex) or not 0 <= index(choice) < len(actions):  # NumPy's integers do
            raise BadChoice(f"the policy chose {choice!r}; it has to choose a position from 0 to {len(actions) - 1}")
        return index(choice)

    def _say_result(self, outcome: games_pb2.Outcome) -> None:
        result = outcome.results[self._attached.seat.number]
        eliminated = ", eliminated" if result.eliminated else ""
        self._say("ends; seat %d: rank %d, %d points%s", result.seat, result.rank, result.score, eliminated)

    def _say(self, what: str, *details: object) -> None:
        _log.info(f"game %s {what}", self._attached.seat.game_id, *details)


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
