"""One step of a table as a record writes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from google.protobuf.timestamp_pb2 import Timestamp

from dragonhall.rules.journal import EVERYONE, Entry
from dragonhall.rules.table import Step, Ticket
from dragonhall.v1 import record_pb2
from dragonhall.wire.codec import Codec


@dataclass(frozen=True)
class GivenAnswer:
    """An answer that was carried out."""

    ticket: Ticket
    step: Step
    by: record_pb2.AnsweredBy.ValueType
    time: record_pb2.TimeSpent | None


@dataclass(frozen=True)
class StepWriter:
    """Writes the steps of one game with ``seats`` seats."""

    codec: Codec
    seats: int

    def start(self, revision: int, time: Timestamp, step: Step) -> record_pb2.RecordStep:
        """The first step: how the game was set up."""
        return record_pb2.RecordStep(
            revision=revision,
            time=time,
            chance=[self.codec.chance_to_proto(outcome) for outcome in step.chance],
            events=self.events(step.entries),
        )

    def answers(
        self,
        revision: int,
        time: Timestamp,
        answered: Sequence[GivenAnswer],
        incidents: Sequence[record_pb2.RecordIncident] = (),
    ) -> record_pb2.RecordStep:
        """The answers to all that was asked at once, in seat order, and all that followed."""
        return record_pb2.RecordStep(
            revision=revision,
            time=time,
            decisions=[self._decision(answer) for answer in answered],
            chance=[self.codec.chance_to_proto(outcome) for answer in answered for outcome in answer.step.chance],
            events=[event for answer in answered for event in self.events(answer.step.entries)],
            incidents=incidents,
        )

    def _decision(self, answer: GivenAnswer) -> record_pb2.RecordDecision:
        return record_pb2.RecordDecision(
            seat=answer.ticket.seat,
            decision_id=answer.ticket.decision_id,
            decision=self.codec.decision_to_proto(answer.ticket.decision),
            action=self.codec.action_to_proto(answer.step.action),
            by=answer.by,
            time=answer.time,
        )

    def events(self, entries: tuple[Entry, ...]) -> list[record_pb2.RecordEvent]:
        """The journal's entries with their audiences spelled out."""
        return [self._event(entry) for entry in entries]

    def _event(self, entry: Entry) -> record_pb2.RecordEvent:
        event = self.codec.event_to_proto(entry.event)
        if entry.audience == EVERYONE:
            return record_pb2.RecordEvent(event=event, everyone=True)
        told = [seat for seat in range(self.seats) if entry.is_for(seat)]
        return record_pb2.RecordEvent(event=event, seats=told, spectators=entry.is_for(None))
