"""From a record back to a log: what a game's log can have been, such that its record is the same but for revisions.

The record has to be one that verifies. Two things in it are not as a log has them. Of the server's outages it has only
how long they were; of an answer that was taken back only that it was, not what had been given after it and was taken
back before it. Both are laid out so that they fit. The clocks' ledgers are kept as the record has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from dragonhall.rules.actions import index_of
from dragonhall.rules.chance import Chance
from dragonhall.rules.errors import RulesError
from dragonhall.rules.game import State
from dragonhall.server.encoding import settings_of
from dragonhall.server.log import (
    Answered,
    AnswerUndone,
    Cause,
    Created,
    CreatedSeat,
    LogEntry,
    Outage,
    SeatKind,
    SeatSubstituted,
    SeatTaken,
    SeatTakenBack,
    SeatVacated,
    SeedSource,
    Started,
)
from dragonhall.server.playthrough import Playthrough
from dragonhall.server.settings import AbsenceCause, AnsweredBy
from dragonhall.v1 import game_pb2, games_pb2, record_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.records.incidents import forfeits_of

NO_CHANCE: Final = Chance()
"""An answer that was taken back asked for none."""
MOST_UNDONE: Final = 1_000
"""Answers taken back in one game: each costs a replay."""
MOST_TRIED: Final = 10_000
"""States looked at in one game to find what was given before an answer that was taken back: far more than any needs."""
LONGEST: Final = 200
"""Answers given one after another that are all taken back."""


class CannotBeRebuilt(Exception):
    """Incidents that no game can have had. ``where``: which."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message


@dataclass(frozen=True, eq=False)
class _Undone:
    """An answer that was taken back, each one another than any other."""

    seat: int
    action: games_pb2.GameAction


def log_of(record: record_pb2.GameRecord) -> list[LogEntry]:
    """A log of the game. Raises `CannotBeRebuilt`."""
    rebuilding = _Rebuilding(record)
    rebuilding.begin()
    for number, step in enumerate(record.steps[1:], start=1):
        rebuilding.step(number, step)
    return rebuilding.log


class _Rebuilding:
    """A log as far as it is written, and the game as it stands then."""

    def __init__(self, record: record_pb2.GameRecord) -> None:
        self.log: list[LogEntry] = []
        self._record = record
        self._codec = CODECS[record.options.WhichOneof("game") or ""]
        self._game = Playthrough()
        self._outages = _outages(record)
        self._given: list[_Undone] = []
        """Answers that stand now and will be taken back, the oldest first."""
        self._revisions: list[int] = []
        """Theirs, in this log."""
        self._undone = 0
        self._tried = 0

    def begin(self) -> None:
        """All up to the start."""
        record = self._record
        created_us, started_us = record.create_time.ToMicroseconds(), record.start_time.ToMicroseconds()
        self._write(created_us, self._created())
        for seat in record.seats:
            self._write(created_us, SeatTaken(seat.seat, seat.player_name, seat.nonce, b""))
        self._write(started_us, Started())

    def _created(self) -> Created:
        record, codec = self._record, self._codec
        return Created(
            game=record.options.WhichOneof("game") or "",
            options=codec.options_from_proto(record.options),
            components=codec.components_from_proto(record.component_set),
            rules_version=record.rules_version,
            seats=tuple(CreatedSeat(SeatKind(seat.kind), seat.bot_name) for seat in record.seats),
            title=record.title,
            seed=record.seed,
            seed_source=SeedSource(record.seed_source),
            host_token_hash=b"",
            settings=settings_of(record.settings),
            rematch_of=record.rematch_of,
            imported=True,
        )

    def step(self, number: int, step: record_pb2.RecordStep) -> None:
        """One step: its incidents, then its answers."""
        undone = [
            _Undone(incident.undone.seat, incident.undone.action)
            for incident in step.incidents
            if incident.HasField("undone")
        ]
        forfeits = dict(forfeits_of(step.incidents))
        for place, incident in enumerate(step.incidents, start=1):
            time_us = incident.time.ToMicroseconds()
            if incident.HasField("undone"):
                self._undo(f"step {number}, incident {place}", time_us, undone)
                undone.pop(0)
            elif incident.seat.state != game_pb2.SEAT_STATE_FORFEITED:
                self._write(time_us, self._cause_of(incident))
            elif incident.revision in forfeits:
                first, *others = forfeits.pop(incident.revision)
                self._write(time_us, SeatVacated(first, AbsenceCause(incident.seat.cause), tuple(others)))
        for decision in step.decisions:
            self._answer(step.time.ToMicroseconds(), decision)

    def _cause_of(self, incident: record_pb2.RecordIncident) -> Cause:
        if incident.HasField("server_was_down"):
            return next(self._outages)
        seat = incident.seat
        if seat.state == game_pb2.SEAT_STATE_SUBSTITUTED:
            return SeatSubstituted(seat.seat, seat.substitute, b"")
        if seat.state == game_pb2.SEAT_STATE_PLAYING:
            return SeatTakenBack(seat.seat)
        return SeatVacated(seat.seat, AbsenceCause(seat.cause))

    def _answer(self, time_us: int, decision: record_pb2.RecordDecision) -> None:
        by = AnsweredBy(decision.by or AnsweredBy.SEAT)
        time = decision.time if decision.HasField("time") else None
        self._give(time_us, decision.seat, decision.action, by, time)

    def _give(
        self,
        time_us: int,
        seat: int,
        written: games_pb2.GameAction,
        by: AnsweredBy,
        time: record_pb2.TimeSpent | None = None,
    ) -> None:
        table = self._game.running_table()
        ticket = table.tickets[seat]
        code = table.check(seat, ticket.decision_id, self._codec.action_from_proto(written))
        index = index_of(table.state.legal_runs(seat), code)
        self._write(time_us, Answered(seat, ticket.decision_id, code, index, by, time=time))

    def _undo(self, where: str, time_us: int, undone: list[_Undone]) -> None:
        """The first of the answers ``undone`` from here on is taken back; what has to be given for it, is before."""
        self._undone += 1
        if self._undone > MOST_UNDONE:
            raise CannotBeRebuilt(where, f"more than {MOST_UNDONE} answers were taken back")
        if not self._given or self._given[-1] is not undone[0]:
            later = list(takewhile(lambda one: one not in self._given, undone[1:LONGEST]))
            chain = self._chain(self._game.running_table().state, undone[0], later)
            if chain is None:
                raise CannotBeRebuilt(where, "no seat can have given this answer here")
            for one in chain:
                self._give(time_us, one.seat, one.action, AnsweredBy.SEAT)
                self._given.append(one)
                self._revisions.append(self._game.revision)
        self._given.pop()
        self._write(time_us, AnswerUndone(self._revisions.pop()))

    def _chain(self, state: State, wanted: _Undone, later: Sequence[_Undone]) -> list[_Undone] | None:
        """The fewest answers to give one after another, the wanted one last; those before it are taken back later.

        What is taken back last was given first.
        """
        if self._after(state, wanted) is not None:
            return [wanted]
        for place in range(len(later)):
            if self._tried > MOST_TRIED:
                return None
            after = self._after(state, later[place])
            rest = self._chain(after, wanted, later[:place]) if after is not None else None
            if rest is not None:
                return [later[place], *rest]
        return None

    def _after(self, state: State, answer: _Undone) -> State | None:
        """The state after an answer; ``None`` if it cannot be given there, or enough was tried."""
        self._tried += 1
        if self._tried > MOST_TRIED:
            return None
        after = state.copy()
        try:
            code = self._game.running_table().game.code(
                after, answer.seat, self._codec.action_from_proto(answer.action)
            )
            after.apply(answer.seat, code, NO_CHANCE, None)
        except (RulesError, NotImplementedError):
            return None
        return after

    def _write(self, time_us: int, cause: Cause) -> None:
        entry = LogEntry(time_us, cause)
        self._game.advance(entry)
        self.log.append(entry)


def _outages(record: record_pb2.GameRecord) -> Iterator[Outage]:
    """The outages in order: each ends at its incident's time, or where the next one begins, if that is earlier."""
    found: list[Outage] = []
    next_us: int | None = None
    for step in reversed(record.steps):
        for incident in reversed(step.incidents):
            if incident.HasField("server_was_down"):
                time_us = incident.time.ToMicroseconds()
                to_us = time_us if next_us is None else min(time_us, next_us)
                next_us = to_us - incident.server_was_down.ToMicroseconds()
                found.append(Outage(next_us, to_us))
    return reversed(found)
