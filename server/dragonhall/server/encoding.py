"""How the store keeps an entry of a game's log: a ``dragonhall.storage.v1.LogEntry``, readable as long as stores live.

Most causes have the fields of their message; those that have not are written and read by functions of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

from dragonhall.server.log import (
    SUBSTITUTE_WAIT_US,
    Aborted,
    Answered,
    AnswerUndone,
    Cause,
    Created,
    CreatedSeat,
    LogEntry,
    Outage,
    SeatKind,
    SeatLeft,
    SeatSubstituted,
    SeatTaken,
    SeatTakenBack,
    SeatVacated,
    SeedSource,
    Started,
    UndoAgreed,
    UndoAsked,
    UndoEnded,
    UnreadableLog,
)
from dragonhall.server.settings import (
    AbortCause,
    AbsenceCause,
    AbsencePolicy,
    AnsweredBy,
    Bank,
    PerDecision,
    Settings,
    StartPolicy,
    TimeControl,
    Visibility,
)
from dragonhall.storage.v1 import log_pb2
from dragonhall.v1 import game_pb2, record_pb2
from dragonhall.wire import CODECS


def encode(entry: LogEntry) -> bytes:
    """The entry as the store keeps it."""
    field, to_proto, _ = FORMS[type(entry.cause)]
    message = log_pb2.LogEntry(time_us=entry.time_us)
    part = getattr(message, field)
    part.SetInParent()
    part.MergeFrom(to_proto(type(part), entry.cause))
    return message.SerializeToString(deterministic=True)


def decode(data: bytes) -> LogEntry:
    """The entry that `encode` wrote, of this server or an older one. Raises `UnreadableLog`."""
    try:
        message = log_pb2.LogEntry.FromString(data)
        field = message.WhichOneof("cause")
        if field is None:
            raise UnreadableLog("a log entry has no cause that this server knows: a newer server wrote it")
        return LogEntry(message.time_us, FROM_PROTO[field](getattr(message, field)))
    except UnreadableLog:
        raise
    except Exception as error:
        raise UnreadableLog(f"a log entry of {len(data)} bytes cannot be read: {error}") from error


def settings_to_proto(settings: Settings) -> game_pb2.GameSettings:
    """The settings as everyone is told them."""
    message = game_pb2.GameSettings(
        absence=game_pb2.AbsencePolicy.ValueType(settings.absence),
        substitute_bot=settings.substitute_bot,
        start=game_pb2.StartPolicy.ValueType(settings.start),
        visibility=game_pb2.Visibility.ValueType(settings.visibility),
        spectator_delay=settings.spectator_delay,
        allow_undo=settings.allow_undo,
    )
    match settings.time_control:
        case PerDecision(limit_us):
            message.time_control.per_decision.limit.FromMicroseconds(limit_us)
        case Bank(initial_us, increment_us):
            message.time_control.bank.initial.FromMicroseconds(initial_us)
            message.time_control.bank.increment.FromMicroseconds(increment_us)
    return message


def settings_of(message: game_pb2.GameSettings) -> Settings:
    """The settings in a message that was checked when it came in; what is absent has its default."""
    return Settings(
        time_control=_time_control_of(message.time_control),
        absence=AbsencePolicy(message.absence or AbsencePolicy.DEFAULT_ACTION),
        substitute_bot=message.substitute_bot,
        start=StartPolicy(message.start or StartPolicy.WHEN_FULL),
        visibility=Visibility(message.visibility or Visibility.PUBLIC),
        spectator_delay=message.spectator_delay,
        allow_undo=message.allow_undo,
    )


def _time_control_of(message: game_pb2.TimeControl) -> TimeControl | None:
    control = message.WhichOneof("control")
    if control == "per_decision":
        return PerDecision(message.per_decision.limit.ToMicroseconds())
    if control == "bank":
        return Bank(message.bank.initial.ToMicroseconds(), message.bank.increment.ToMicroseconds())
    return None


def _created_to_proto(_: object, created: Created) -> log_pb2.GameCreated:
    codec = CODECS[created.game]
    return log_pb2.GameCreated(
        options=codec.options_to_proto(created.options),
        component_set=codec.components_to_proto(created.components, with_contents=True),
        rules_version=created.rules_version,
        seats=map(_created_seat_to_proto, created.seats),
        title=created.title,
        seed=created.seed,
        seed_source=game_pb2.SeedSource.ValueType(created.seed_source),
        host_token_hash=created.host_token_hash,
        settings=settings_to_proto(created.settings),
        spectator_token_hash=created.spectator_token_hash,
        owner=created.owner,
        rematch_of=created.rematch_of,
        quick_match=created.quick_match,
        imported=created.imported,
        substitute_wait_us=created.substitute_wait_us,
    )


def _created_seat_to_proto(seat: CreatedSeat) -> log_pb2.CreatedSeat:
    kind = game_pb2.SeatKind.ValueType(seat.kind)
    return log_pb2.CreatedSeat(kind=kind, bot_name=seat.bot_name, invitation_hash=seat.invitation_hash)


def _created_of(message: log_pb2.GameCreated) -> Created:
    game = message.options.WhichOneof("game") or ""
    if game not in CODECS:
        raise UnreadableLog(f"the log is of a game that this server does not play: {game or 'unknown'}")
    codec = CODECS[game]
    return Created(
        game=game,
        options=codec.options_from_proto(message.options),
        components=codec.components_from_proto(message.component_set),
        rules_version=message.rules_version,
        seats=tuple(CreatedSeat(SeatKind(s.kind), s.bot_name, s.invitation_hash) for s in message.seats),
        title=message.title,
        seed=message.seed,
        seed_source=SeedSource(message.seed_source),
        host_token_hash=message.host_token_hash,
        settings=settings_of(message.settings),
        spectator_token_hash=message.spectator_token_hash,
        owner=message.owner,
        rematch_of=message.rematch_of,
        quick_match=message.quick_match,
        imported=message.imported,
        substitute_wait_us=message.substitute_wait_us or SUBSTITUTE_WAIT_US,
    )


def _answered_to_proto(_: object, answered: Answered) -> log_pb2.Answered:
    """Named field by field: this is done for every action."""
    return log_pb2.Answered(
        seat=answered.seat,
        decision_id=answered.decision_id,
        code=answered.code,
        index=answered.index,
        by=record_pb2.AnsweredBy.ValueType(answered.by),
        arrived_us=answered.arrived_us,
        thought_us=answered.thought_us,
        time=answered.time,
    )


def _answered_of(message: log_pb2.Answered) -> Answered:
    return Answered(
        message.seat,
        message.decision_id,
        message.code,
        index=message.index if message.HasField("index") else None,
        by=AnsweredBy(message.by or AnsweredBy.SEAT),
        arrived_us=message.arrived_us,
        thought_us=message.thought_us if message.HasField("thought_us") else None,
        time=message.time if message.HasField("time") else None,
    )


def _aborted_of(message: log_pb2.GameAborted) -> Aborted:
    return Aborted(AbortCause(message.cause or AbortCause.HOST))


def _seat_vacated_of(message: log_pb2.SeatVacated) -> SeatVacated:
    return SeatVacated(message.seat, AbsenceCause(message.cause), tuple(message.also))


def _fields_to_proto(kind: type[Any], cause: Any) -> Any:
    return kind(**{field.name: getattr(cause, field.name) for field in fields(cause)})


def _fields_of(kind: type[Cause]) -> Callable[[Any], Cause]:
    return lambda message: kind(**{field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields})


ToProto = Callable[[type[Any], Any], Any]

FORMS: Final[dict[type[Cause], tuple[str, ToProto, Callable[[Any], Cause]]]] = {
    Created: ("created", _created_to_proto, _created_of),
    SeatTaken: ("seat_taken", _fields_to_proto, _fields_of(SeatTaken)),
    SeatLeft: ("seat_left", _fields_to_proto, _fields_of(SeatLeft)),
    Started: ("started", _fields_to_proto, _fields_of(Started)),
    Answered: ("answered", _answered_to_proto, _answered_of),
    Aborted: ("aborted", _fields_to_proto, _aborted_of),
    SeatVacated: ("seat_vacated", _fields_to_proto, _seat_vacated_of),
    SeatSubstituted: ("seat_substituted", _fields_to_proto, _fields_of(SeatSubstituted)),
    SeatTakenBack: ("seat_taken_back", _fields_to_proto, _fields_of(SeatTakenBack)),
    Outage: ("outage", _fields_to_proto, _fields_of(Outage)),
    UndoAsked: ("undo_asked", _fields_to_proto, _fields_of(UndoAsked)),
    UndoAgreed: ("undo_agreed", _fields_to_proto, _fields_of(UndoAgreed)),
    UndoEnded: ("undo_ended", _fields_to_proto, _fields_of(UndoEnded)),
    AnswerUndone: ("answer_undone", _fields_to_proto, _fields_of(AnswerUndone)),
}
"""For each cause: its field in a ``LogEntry``, and the ways there and back."""

FROM_PROTO: Final = {field: of for field, _, of in FORMS.values()}
