"""From a finished game's log to what its record is made of (`dragonhall.wire.records`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from google.protobuf.duration_pb2 import Duration

from dragonhall.server.clocks import Spent
from dragonhall.server.encoding import settings_to_proto
from dragonhall.server.happenings import Seat, SeatChanged, ServerWasDown, Undone
from dragonhall.server.log import Answered, Created, LogEntry, Started
from dragonhall.server.playthrough import ChanceOf, Frame, replay, seeded_chance
from dragonhall.server.services.telling import seat_to_proto, timestamp
from dragonhall.server.settings import SeatState
from dragonhall.v1 import game_pb2, games_pb2, record_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.codec import Codec
from dragonhall.wire.records import Answer, RecordInputs, build_record


@dataclass
class _Story:
    """What happened in a game, as far as its log has been read."""

    codec: Codec
    is_timed: bool
    """Whether the game has a time control: then its answers have ledgers."""
    answers: dict[int, Answer] = field(default_factory=dict)
    """Those that stand, by revision."""
    actions: dict[int, games_pb2.GameAction] = field(default_factory=dict)
    """What was answered, by revision."""
    incidents: list[record_pb2.RecordIncident] = field(default_factory=list)

    def read(self, entry: LogEntry, frame: Frame) -> None:
        """The next entry, and the frame that it made."""
        if isinstance(entry.cause, Answered):
            self._read_answer(entry.time_us, entry.cause, frame)
        for told in frame.entries:
            incident = self._incident_of(told.event)
            if incident is not None:
                incident.revision = frame.revision
                incident.time.CopyFrom(timestamp(entry.time_us))
                self.incidents.append(incident)

    def _read_answer(self, time_us: int, answered: Answered, frame: Frame) -> None:
        assert frame.step is not None
        assert frame.spent is not None
        self.actions[frame.revision] = self.codec.action_to_proto(frame.step.action)
        by = record_pb2.AnsweredBy.ValueType(answered.by)
        time = answered.time or _time_spent(time_us, answered.thought_us, frame.spent)
        self.answers[frame.revision] = Answer(
            frame.revision, time_us, answered.seat, answered.code, by, time if self.is_timed else None
        )

    def _incident_of(self, event: object) -> record_pb2.RecordIncident | None:
        match event:
            case SeatChanged() as changed:
                return record_pb2.RecordIncident(seat=_seat_incident(changed))
            case ServerWasDown(duration_us):
                return record_pb2.RecordIncident(server_was_down=_duration(duration_us))
            case Undone(seat, _, revision):
                del self.answers[revision]
                return record_pb2.RecordIncident(
                    undone=record_pb2.UndoneAnswer(seat=seat, action=self.actions[revision])
                )
        return None


def record_of(game_id: str, log: Sequence[LogEntry]) -> record_pb2.GameRecord:
    """A finished game's record."""
    return build_record(record_inputs(game_id, log))


def record_inputs(game_id: str, log: Sequence[LogEntry], chance_of: ChanceOf = seeded_chance) -> RecordInputs:
    """What a finished game's record is made of."""
    created = log[0].cause
    assert isinstance(created, Created)
    codec = CODECS[created.game]
    story = _Story(codec, created.settings.time_control is not None)
    seats: tuple[Seat, ...] = ()
    for entry, (playthrough, frame) in zip(log, replay(log, chance_of), strict=True):
        story.read(entry, frame)
        seats = playthrough.seats
    start = next(i for i, entry in enumerate(log) if isinstance(entry.cause, Started))
    return RecordInputs(
        game_id=game_id,
        options=codec.options_to_proto(created.options),
        component_set=codec.components_to_proto(created.components, with_contents=True),
        rules_version=created.rules_version,
        seats=[_as_taken(seat) for seat in seats],
        seed=created.seed,
        seed_source=game_pb2.SeedSource.ValueType(created.seed_source),
        title=created.title,
        create_time_us=log[0].time_us,
        start_revision=start + 1,
        start_time_us=log[start].time_us,
        answers=list(story.answers.values()),
        incidents=story.incidents,
        settings=settings_to_proto(created.settings),
        rematch_of=created.rematch_of,
    )


def _as_taken(seat: Seat) -> game_pb2.Seat:
    """Who plays it in the end follows from the incidents."""
    message = seat_to_proto(seat)
    message.ClearField("state")
    message.ClearField("substitute")
    return message


def _seat_incident(changed: SeatChanged) -> record_pb2.SeatIncident:
    seat = changed.seat
    return record_pb2.SeatIncident(
        seat=seat.seat,
        state=game_pb2.SeatState.ValueType(seat.state),
        cause=game_pb2.AbsenceCause.ValueType(changed.cause or 0),
        substitute=seat.substitute if seat.state is SeatState.SUBSTITUTED else "",
    )


def _time_spent(accepted_us: int, thought_us: int | None, spent: Spent) -> record_pb2.TimeSpent:
    """The clock's ledger of one answer."""
    message = record_pb2.TimeSpent(
        asked=timestamp(spent.asked_us),
        queue=_duration(accepted_us - spent.arrived_us),
        charged=_duration(spent.charged_us),
    )
    if thought_us is not None:
        thought_us = min(thought_us, spent.charged_us)
        message.think.CopyFrom(_duration(thought_us))
        message.network.CopyFrom(_duration(spent.charged_us - thought_us))
    if spent.bank_us is not None:
        message.bank.CopyFrom(_duration(spent.bank_us))
    return message


def _duration(duration_us: int) -> Duration:
    duration = Duration()
    duration.FromMicroseconds(duration_us)
    return duration
