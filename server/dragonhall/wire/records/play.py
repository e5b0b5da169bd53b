"""One replay of a record, step by step, against everything that is written in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from google.protobuf.message import Message

from dragonhall.rules.chance import ChanceOutcome, RecordedChance, SeededChance, game_key
from dragonhall.rules.errors import IllegalAction, InvalidOptions, RulesError
from dragonhall.rules.game import Game
from dragonhall.rules.journal import Entry, Journal
from dragonhall.rules.table import CannotForfeit, Table, Ticket
from dragonhall.v1 import record_pb2
from dragonhall.wire import CODECS, InvalidMessage
from dragonhall.wire.codec import outcome_to_proto
from dragonhall.wire.records.chance import CheckedChance
from dragonhall.wire.records.findings import Finding, Part, written_against
from dragonhall.wire.records.incidents import DEFAULTS, forfeits_of
from dragonhall.wire.records.replay import seat_table
from dragonhall.wire.records.steps import StepWriter
from dragonhall.wire.records.wording import Difference, common_prefix, describe_game, differences, shortened

REPLAY: Final = "the replay"
MOST_TRIED: Final = 50_000
"""Answers that one replay tries, to find those from which the written events follow: many more than a record with a
few changes needs, and few enough for seconds."""


class _Stop(Exception):
    """The replay cannot go on from here."""


@dataclass(frozen=True)
class _Reading:
    """One written answer, read."""

    ticket: Ticket
    """What it answers."""
    where: str
    said: str
    """The action in words."""
    code: int | None
    """``None`` for one that cannot be."""
    fault: str
    """Why it cannot be."""

    @property
    def known(self) -> int:
        """The code of an answer that can be."""
        assert self.code is not None
        return self.code


class Playthrough:
    """One replay of a record, noting every difference.

    A change shows in two places: where it was made, and where it no longer fits. Which is which is told by replaying
    both ways. With ``trust_chance`` the written outcomes are dealt, wherever they can be, not the derived ones. With
    ``trust_events`` a legal action gives way to the one from which the written events follow.
    """

    def __init__(self, record: record_pb2.GameRecord, game: Game, *, trust_chance: bool, trust_events: bool) -> None:
        codec = CODECS[game.name]
        derived = SeededChance(game_key(record.seed, [seat.nonce for seat in record.seats]))
        self.chance = CheckedChance(codec, derived, trust_chance)
        self._trust_events = trust_events
        self.decisions = 0
        self._tries_left = MOST_TRIED
        self._findings: list[Finding] = []
        self._written_chance: list[ChanceOutcome] | None = []
        """Of the step that is being replayed; ``None`` if it is no chance of this game."""
        self._record = record
        self._codec = codec
        self._writer = StepWriter(codec, len(record.seats))
        self._table: Table = seat_table(record, self.chance)

    def findings(self, with_chance: bool = True) -> list[Finding]:
        """What was found, chance first."""
        return [*(self.chance.findings if with_chance else []), *self._findings]

    def run(self) -> None:
        """Replays as far as the record can be followed."""
        try:
            self._start(self._record.steps[0])
            for number, written in enumerate(self._record.steps[1:], start=1):
                self._forfeits(written)
                self._answers(number, written)
            self._end()
        except _Stop:
            return

    def _start(self, written: record_pb2.RecordStep) -> None:
        if written.decisions:
            self._find("decision", "step 0", "is the game's start, which has no decision")
        self.chance.begin("the start", written.chance)
        try:
            step = self._table.start()
        except InvalidOptions as error:
            self._stop("facts", "options", str(error))
        self.chance.end()
        self._compare_events("the start", written, self._writer.events(step.entries))

    def _forfeits(self, written: record_pb2.RecordStep) -> None:
        """Seats that went out of the running. The others' decisions are not touched by it."""
        for revision, seats in forfeits_of(written.incidents):
            try:
                self._table.forfeit(*seats)
            except CannotForfeit as error:
                self._stop("incident", f"revision {revision}", str(error))

    def _answers(self, number: int, written: record_pb2.RecordStep) -> None:
        if not written.decisions:
            if number < len(self._record.steps) - 1 or not self._ends_by_forfeit(written):
                self._stop("decision", f"step {number}", "has no decision")
            return
        self._written_chance = self._chance_from(written)
        where = _where(written)
        tickets = self._tickets(where, written.decisions)
        readings = [self._read(ticket, decision) for ticket, decision in zip(tickets, written.decisions, strict=True)]
        codes = self._codes(readings, written)
        self._check_defaults(readings, written)
        self.chance.begin(where, written.chance)
        entries: list[Entry] = []
        for ticket, code in zip(tickets, codes, strict=True):
            entries += self._table.answer(ticket.seat, ticket.decision_id, code).entries
        self.chance.end()
        self.decisions += len(codes)
        self._compare_events(where, written, self._writer.events(tuple(entries)))

    def _ends_by_forfeit(self, written: record_pb2.RecordStep) -> bool:
        """Whether the step's incidents have ended the game, and nothing else happened in it."""
        by_forfeit = self._table.is_over() and not self._table.state.is_over()
        return by_forfeit and bool(written.incidents) and not written.chance and not written.events

    def _chance_from(self, written: record_pb2.RecordStep) -> list[ChanceOutcome] | None:
        try:
            return [self._codec.chance_from_proto(outcome) for outcome in written.chance]
        except InvalidMessage:
            return None

    def _tickets(self, where: str, decisions: Sequence[record_pb2.RecordDecision]) -> list[Ticket]:
        """The open tickets, all of which the decisions answer in seat order, or must have answered."""
        tickets = sorted(self._table.tickets.values(), key=lambda ticket: ticket.seat)
        asked = " and ".join(f"seat {ticket.seat} (decision {ticket.decision_id})" for ticket in tickets)
        asked = f"what is asked: {asked or 'nothing, the game is over'}"
        for ticket, decision in zip(tickets, decisions, strict=False):
            matches = (ticket.seat == decision.seat, ticket.decision_id == decision.decision_id)
            if not all(matches):
                self._find("decision", _name(decision), f"was not asked here; {asked}")
            if not any(matches):
                raise _Stop
        if len(tickets) != len(decisions):
            text = "was" if len(decisions) == 1 else "were"
            self._stop("decision", where, f"{text} not all that is asked, or more than that; {asked}")
        return tickets

    def _read(self, ticket: Ticket, decision: record_pb2.RecordDecision) -> _Reading:
        """Compares what was asked, and reads the answer."""
        where = _name(decision)
        asked = self._codec.decision_to_proto(ticket.decision)
        for difference in _game_differences(decision.decision, asked):
            self._differs("decision", f"{where}, what was asked", difference)
        said = describe_game(decision.action)
        try:
            action = self._codec.action_from_proto(decision.action)
            code = self._table.check(ticket.seat, ticket.decision_id, action)
        except IllegalAction as error:
            return _Reading(ticket, where, said, None, f"is not legal: {error}")
        except InvalidMessage as error:
            return _Reading(ticket, where, said, None, f"is no action: {error}")
        return _Reading(ticket, where, said, code, "")

    def _check_defaults(self, readings: list[_Reading], written: record_pb2.RecordStep) -> None:
        """What is answered for a seat that does not answer is settled by the rules."""
        for reading, decision in zip(readings, written.decisions, strict=True):
            if decision.by in DEFAULTS and reading.code is not None:
                code = self._table.default_code(reading.ticket.seat)
                if reading.code != code:
                    action = self._table.game.action(self._table.state, reading.ticket.seat, code)
                    text = written_against(reading.said, describe_game(self._codec.action_to_proto(action)), "default")
                    self._find("decision", f"{reading.where}, default action", text)

    def _codes(self, readings: list[_Reading], written: record_pb2.RecordStep) -> list[int]:
        """The written answers; of one that cannot be, or from which other events follow, the one that explains them."""
        codes = [reading.code for reading in readings if reading.code is not None]
        if len(codes) == len(readings) and (not self._trust_events or self._explain(readings, codes, written)):
            self._compare_wording(readings, codes, written)
            return codes
        found = self._explaining(readings, written)
        if found is not None:
            place, code = found
            self._report(readings[place], code)
            return [code if i == place else reading.known for i, reading in enumerate(readings)]
        for reading in readings:
            if reading.code is None:
                self._stop("decision", reading.where, f"{reading.said} {reading.fault}")
        return codes

    def _compare_wording(self, readings: list[_Reading], codes: list[int], written: record_pb2.RecordStep) -> None:
        """An action that can be spelled in several ways, as cards in any order, is written in one."""
        for reading, code, decision in zip(readings, codes, written.decisions, strict=True):
            action = self._table.game.action(self._table.state, reading.ticket.seat, code)
            for difference in _game_differences(decision.action, self._codec.action_to_proto(action)):
                self._differs("decision", f"{reading.where}, answer", difference)

    def _report(self, reading: _Reading, code: int) -> None:
        """That not the written answer was given, but the one with this code."""
        done = self._codec.action_to_proto(self._table.game.action(self._table.state, reading.ticket.seat, code))
        why = f"{reading.fault};" if reading.fault else "in the record, but"
        text = f"{reading.said} {why} the events that follow are those of {describe_game(done)}"
        self._find("decision", reading.where, text)

    def _explaining(self, readings: list[_Reading], written: record_pb2.RecordStep) -> tuple[int, int] | None:
        """The one answer, by place and code, that has to be another for exactly the written events to follow."""
        faulty = [place for place, reading in enumerate(readings) if reading.code is None]
        if len(faulty) > 1:
            return None
        found: list[tuple[int, int]] = []
        for place in faulty or range(len(readings)):
            if self._tries_left == 0:
                return None
            codes = [reading.code or 0 for reading in readings]
            for code in self._table.state.legal_actions(readings[place].ticket.seat):
                if self._tries_left == 0 or len(found) > 1:
                    return None
                self._tries_left -= 1
                codes[place] = code
                if self._explain(readings, codes, written):
                    found.append((place, code))
        return found[0] if len(found) == 1 else None

    def _explain(self, readings: list[_Reading], codes: list[int], written: record_pb2.RecordStep) -> bool:
        """Whether exactly the written events follow from these answers."""
        if self._written_chance is None:
            return False
        journal, chance, state = Journal(), RecordedChance(self._written_chance), self._table.state.copy()
        try:
            for reading, code in zip(readings, codes, strict=True):
                state.apply(reading.ticket.seat, code, chance, journal)
        except RulesError:
            return False
        if len(journal.entries) != len(written.events):
            return False
        return self._writer.events(tuple(journal.entries)) == list(written.events)

    def _compare_events(
        self, where: str, written: record_pb2.RecordStep, expected: list[record_pb2.RecordEvent]
    ) -> None:
        if len(written.events) != len(expected):
            agreed = common_prefix(written.events, expected)
            text = written_against(f"{len(written.events)}", f"{len(expected)} (the first {agreed} agree)", REPLAY)
            self._find("event", f"{where}, number of events", text)
            return
        for i, (one, other) in enumerate(zip(written.events, expected, strict=True), start=1):
            self._compare_event(f"{where}, event {i}", one, other)

    def _compare_event(self, where: str, written: record_pb2.RecordEvent, expected: record_pb2.RecordEvent) -> None:
        for difference in _game_differences(written.event, expected.event):
            self._differs("event", where, difference)
        told, meant = _audience(written), _audience(expected)
        if told != meant:
            self._find("event", f"{where}, told to", written_against(told, meant, REPLAY))

    def _end(self) -> None:
        if not self._table.is_over():
            seats = ", ".join(str(seat) for seat in self._table.state.pending())
            self._stop("decision", "the end", f"the record ends, but the game does not: asked is seat {seats}")
        expected = outcome_to_proto(self._table.outcome(), self._codec)
        if len(self._record.outcome.results) != len(expected.results):
            text = written_against(f"{len(self._record.outcome.results)} results", f"{len(expected.results)}", REPLAY)
            self._stop("outcome", "outcome", text)
        for one, other in zip(self._record.outcome.results, expected.results, strict=True):
            for difference in differences(one, other):
                self._differs("outcome", f"result of seat {other.seat}", difference)

    def _differs(self, part: Part, where: str, difference: Difference) -> None:
        inner = difference.where(leave_out=self._table.game.name)
        place = f"{where}, {inner}" if inner else where
        self._find(part, place, written_against(difference.written, difference.expected, REPLAY))

    def _find(self, part: Part, where: str, message: str) -> None:
        self._findings.append(Finding(part, where, message))

    def _stop(self, part: Part, where: str, message: str) -> NoReturn:
        self._find(part, where, message)
        raise _Stop


def _where(step: record_pb2.RecordStep) -> str:
    """The step's decisions in words."""
    if len(step.decisions) == 1:
        return _name(step.decisions[0])
    return f"decisions {step.decisions[0].decision_id} to {step.decisions[-1].decision_id}"


def _name(decision: record_pb2.RecordDecision) -> str:
    return f"decision {decision.decision_id} of seat {decision.seat}"


def _game(wrapper: Message) -> Message:
    """The game's own message in a `GameAction` or its like; the wrapper itself where it is empty."""
    name = wrapper.WhichOneof("game")
    inner: Message = getattr(wrapper, name) if name else wrapper
    return inner


def _game_differences(written: Message, expected: Message) -> Iterator[Difference]:
    """Where two wrappers differ; if they are of different games, as wholes."""
    if written.WhichOneof("game") == expected.WhichOneof("game"):
        return differences(_game(written), _game(expected))
    return differences(written, expected)


def _audience(event: record_pb2.RecordEvent) -> str:
    if event.everyone and not event.seats and not event.spectators:
        return "everyone"
    told = [f"seat {seat}" for seat in event.seats]
    told += ["spectators"] if event.spectators else []
    told += ["everyone"] if event.everyone else []
    return shortened(", ".join(told)) or "nobody"
