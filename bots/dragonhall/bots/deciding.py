"""Deciding for one seat while its player goes on listening: thinking, and answering in time."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import Any, Final

from dragonhall.bots.identity import decision_seed
from dragonhall.bots.operating.watcher import Arrival, Made, Watcher
from dragonhall.bots.thinking.clock import Clock, RoundTrips, time_for
from dragonhall.bots.thinking.messages import Question, Situation
from dragonhall.bots.thinking.thinker import Thinker
from dragonhall.client import AttachedSeat, DragonhallError, TooLate
from dragonhall.v1 import game_pb2, play_service_pb2
from dragonhall.wire import codec_of
from dragonhall.wire.prompts import actions_from_proto

_log: Final = logging.getLogger("dragonhall.bots")

OVERTAKEN: Final = frozenset(
    {"GAME_NOT_RUNNING", "SEAT_AWAY", "SEAT_UNAVAILABLE", "DECISION_UNKNOWN", "TOKEN_INVALID", "GAME_NOT_FOUND"}
)
"""Why an answer may be refused that was right when the bot began to think: the game has ended, the seat is another's or
out of the running, or the answer was taken back that had led to the question. The stream tells what it was."""

Told = play_service_pb2.Snapshot | play_service_pb2.Update


class Decider:
    """Answers what one seat is asked, one question at a time.

    A question stays open until the stream says otherwise: then the thought is dropped, wherever it is. An answer that
    is on its way is not: its result says what became of it.
    """

    def __init__(
        self, attached: AttachedSeat, tasks: asyncio.TaskGroup, seed: str, trips: RoundTrips, watcher: Watcher
    ) -> None:
        """``tasks``: those of the seat; they end with what a policy raises, and what `AttachedSeat.submit` raises."""
        self._attached = attached
        self._tasks = tasks
        self._seed = seed
        self._trips = trips
        self._watcher = watcher
        self._in_work = 0
        """The decision that is thought about, or whose answer is on its way."""
        self._answered = 0
        self._thought: asyncio.Task[None] | None = None
        """As long as it may be dropped."""

    def consider(self, thinker: Thinker, game: game_pb2.Game, told: Told, seen: Sequence[Any]) -> None:
        """What the seat is asked after an observation. ``seen``: all that it was told until then."""
        if not told.HasField("decision") or told.decision.decision_id <= self._answered:
            self.drop()
            self._ponder(thinker, game, told, seen)
        elif told.decision.decision_id != self._in_work:
            self.drop()
            question = self._question(game, told, list(seen))
            self._in_work = question.decision_id
            self._thought = self._tasks.create_task(self._decide(thinker, question))

    def drop(self) -> None:
        """Nobody needs an answer that is still thought about."""
        if self._thought is not None:
            self._thought.cancel()
            self._watcher.dropped(self._place, self._in_work)
            self._thought, self._in_work = None, 0

    def _ponder(self, thinker: Thinker, game: game_pb2.Game, told: Told, seen: Sequence[Any]) -> None:
        """Others are asked; what the seat sees meanwhile is told to bots that ponder."""
        if told.waiting and told.HasField("view") and not told.HasField("decision"):
            thinker.ponder(Situation(codec_of(game.options).view_from_proto(told.view), seen))

    async def _decide(self, thinker: Thinker, question: Question) -> None:
        self._watcher.began(self._place, question.decision_id)
        begin = time.monotonic()
        choice = await thinker.choose(question)
        self._thought = None
        waited = max(0.0, time.monotonic() - begin - choice.seconds - choice.held)
        made = Made(question.decision_id, question.decision, question.view, question.actions, choice, waited)
        self._watcher.decided(self._place, made)
        await self._answer(question.decision_id, choice.position)

    async def _answer(self, decision_id: int, position: int) -> None:
        sent = time.monotonic()
        arrival = await self._submit(decision_id, position)
        seconds = time.monotonic() - sent
        if arrival is Arrival.STORED:
            self._trips.note(seconds)
            self._answered = max(self._answered, decision_id)
        elif self._in_work == decision_id:
            self._in_work = 0  # the stream may ask it again
        self._watcher.answered(self._place, arrival, seconds)

    async def _submit(self, decision_id: int, position: int) -> Arrival:
        try:
            await self._attached.submit(decision_id, action_index=position)
        except TooLate as error:
            seat = self._attached.seat
            _log.info("game %s goes on after a late answer of seat %d: %s", seat.game_id, seat.number, error)
            return Arrival.LATE
        except DragonhallError as error:
            if error.reason not in OVERTAKEN:
                raise
            return Arrival.OVERTAKEN
        return Arrival.STORED

    # -- what is asked ------------------------------------------------------------------------------------------------

    @property
    def _place(self) -> tuple[str, int]:
        return self._attached.seat.game_id, self._attached.seat.number

    def _question(self, game: game_pb2.Game, told: Told, seen: Sequence[Any]) -> Question:
        codec, decision, number = codec_of(game.options), told.decision, self._attached.seat.number
        return Question(
            decision_id=decision.decision_id,
            seed=decision_seed(self._seed, game.seed_commitment, number, decision.decision_id),
            view=codec.view_from_proto(told.view),
            seen=seen,
            decision=codec.decision_from_proto(decision.decision),
            actions=actions_from_proto(decision.legal_actions, codec),
            due=self._due(game, told),
        )

    def _due(self, game: game_pb2.Game, told: Told) -> float | None:
        """When the choice has to be there, by `time.monotonic`."""
        if not told.decision.HasField("remaining"):
            return None
        ago = self._attached.seat.prompts.thought(told.decision.decision_id)
        elapsed = ago.total_seconds() if ago is not None else 0.0
        clock = clock_of(game, told, self._attached.seat.number)
        return time.monotonic() + time_for(clock, elapsed, self._trips.reserve)


def clock_of(game: game_pb2.Game, told: Told, seat: int) -> Clock:
    """What a prompt with a deadline says of the time that ``seat`` has."""
    remaining = told.decision.remaining.ToTimedelta().total_seconds()
    banks = [clock.bank.ToTimedelta().total_seconds() for clock in told.clocks if clock.seat == seat]
    increment = game.settings.time_control.bank.increment.ToTimedelta().total_seconds()
    return Clock(remaining, banks[0] if banks else None, increment)
