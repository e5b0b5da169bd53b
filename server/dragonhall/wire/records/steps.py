"""One step of a table as a record writes it."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.timestamp_pb2 import Timestamp

from dragonhall.rules.journal import EVERYONE, Entry
from dragonhall.rules.table import Step, Ticket
from dragonhall.v1 import record_pb2
from dragonhall.wire.codec import Codec


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

    def answer(self, revision: int, time: Timestamp, ticket: Ticket, step: Step) -> record_pb2.RecordStep:
        """A decision and all that followed from it; ``ticket`` is what was asked."""
        written = self.start(revision, time, step)
        written.decision.seat = ticket.seat
        written.decision.decision_id = ticket.decision_id
        written.decision.decision.CopyFrom(self.codec.decision_to_proto(ticket.decision))
        written.decision.action.CopyFrom(self.codec.action_to_proto(step.action))
        return written

    def events(self, entries: tuple[Entry, ...]) -> list[record_pb2.RecordEvent]:
        """The journal's entries with their audiences spelled out."""
        return [self._event(entry) for entry in entries]

    def _event(self, entry: Entry) -> record_pb2.RecordEvent:
        event = self.codec.event_to_proto(entry.event)
        if entry.audience == EVERYONE:
            return record_pb2.RecordEvent(event=event, everyone=True)
        told = [seat for seat in range(self.seats) if entry.is_for(seat)]
        return record_pb2.RecordEvent(event=event, seats=told, spectators=entry.is_for(None))
