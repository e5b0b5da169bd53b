"""One replay of a record, step by step, against everything that is written in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NoReturn

from google.protobuf.message import Message

from dragonhall.rules.chance import ChanceOutcome, RecordedChance, SeededChance, game_key
from dragonhall.rules.errors import IllegalAction, InvalidOptions, RulesError
from dragonhall.rules.game import Game
from dragonhall.rules.journal import Journal
from dragonhall.rules.table import Table, Ticket
from dragonhall.v1 import record_pb2
from dragonhall.wire import CODECS, InvalidMessage
from dragonhall.wire.codec import outcome_to_proto
from dragonhall.wire.records.chance import CheckedChance
from dragonhall.wire.records.findings import Finding, Part, written_against
from dragonhall.wire.records.replay import seat_table
from dragonhall.wire.records.steps import StepWriter
from dragonhall.wire.records.wording import Difference, common_prefix, describe, differences, shortened

REPLAY: Final = "the replay"


class _Stop(Exception):
    """The replay cannot go on from here."""


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
                self._answer(number, written)
            self._end()
        except _Stop:
            return

    def _start(self, written: record_pb2.RecordStep) -> None:
        if written.HasField("decision"):
            self._find("decision", "step 0", "is the game's start, which has no decision")
        self.chance.begin("the start", written.chance)
        try:
            step = self._table.start()
        except InvalidOptions as error:
            self._stop("facts", "options", str(error))
        self.chance.end()
        self._compare_events("the start", written, self._writer.events(step.entries))

    def _answer(self, number: int, written: record_pb2.RecordStep) -> None:
        decision = written.decision
        if not written.HasField("decision"):
            self._stop("decision", f"step {number}", "has no decision")
        where = f"decision {decision.decision_id} of seat {decision.seat}"
        self._written_chance = self._chance_from(written)
        ticket = self._ticket(where, decision)
        asked = self._codec.decision_to_proto(ticket.decision)
        for difference in _game_differences(decision.decision, asked):
            self._differs("decision", f"{where}, what was asked", difference)
        code = self._code(where, ticket, written)
        self.chance.begin(where, written.chance)
        step = self._table.answer(ticket.seat, ticket.decision_id, code)
        self.chance.end()
        self.decisions += 1
        self._compare_events(where, written, self._writer.events(step.entries))

    def _chance_from(self, written: record_pb2.RecordStep) -> list[ChanceOutcome] | None:
        try:
            return [self._codec.chance_from_proto(outcome) for outcome in written.chance]
        except InvalidMessage:
            return None

    def _ticket(self, where: str, decision: record_pb2.RecordDecision) -> Ticket:
        """The open ticket that the decision answers, or must have answered."""
        tickets = list(self._table.tickets.values())
        for ticket in tickets:
            if (ticket.seat, ticket.decision_id) == (decision.seat, decision.decision_id):
                return ticket
        asked = " and ".join(f"seat {ticket.seat} (decision {ticket.decision_id})" for ticket in tickets)
        self._find("decision", where, f"was not asked here; what is asked: {asked or 'nothing, the game is over'}")
        meant = [t for t in tickets if t.seat == decision.seat or t.decision_id == decision.decision_id]
        if len(meant) != 1:
            raise _Stop
        return meant[0]

    def _code(self, where: str, ticket: Ticket, written: record_pb2.RecordStep) -> int:
        """The code of the written action; of the one that the written events followed from, if that is another."""
        try:
            action = self._codec.action_from_proto(written.decision.action)
            code = self._table.check(ticket.seat, ticket.decision_id, action)
        except IllegalAction as error:
            return self._instead(where, ticket, written, f"is not legal: {error};")
        except InvalidMessage as error:
            return self._instead(where, ticket, written, f"is no action: {error};")
        fits = self._explains(ticket, code, written) or not self._trust_events
        if fits or self._explaining(ticket, written) is None:
            return code
        return self._instead(where, ticket, written, "in the record, but")

    def _instead(self, where: str, ticket: Ticket, written: record_pb2.RecordStep, why: str) -> int:
        """The code of the action from which the written events follow, not the written one, which ``why`` judges."""
        said = describe(_game(written.decision.action))
        explaining = self._explaining(ticket, written)
        if explaining is None:
            self._stop("decision", where, f"{said} {why.rstrip(';')}")
        done = self._codec.action_to_proto(self._table.game.action(self._table.state, ticket.seat, explaining))
        self._find("decision", where, f"{said} {why} the events that follow are those of {describe(_game(done))}")
        return explaining

    def _explaining(self, ticket: Ticket, written: record_pb2.RecordStep) -> int | None:
        """The one legal action from which exactly the written events follow."""
        codes = [c for c in self._table.state.legal_actions(ticket.seat) if self._explains(ticket, c, written)]
        return codes[0] if len(codes) == 1 else None

    def _explains(self, ticket: Ticket, code: int, written: record_pb2.RecordStep) -> bool:
        if self._written_chance is None:
            return False
        journal = Journal()
        try:
            self._table.state.copy().apply(ticket.seat, code, RecordedChance(self._written_chance), journal)
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
        if not self._table.state.is_over():
            seats = ", ".join(str(seat) for seat in self._table.state.pending())
            self._stop("decision", "the end", f"the record ends, but the game does not: asked is seat {seats}")
        expected = outcome_to_proto(self._table.state.outcome(), self._codec)
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
