"""The service's own facts and events as messages: seats, times, and whatever happens that is not the game's doing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from dragonhall.server import happenings
from dragonhall.server.happenings import Seat
from dragonhall.server.log import SeatLeft, Started, UndoAgreed, UndoEnded
from dragonhall.v1 import game_pb2, play_service_pb2
from dragonhall.v1.play_service_pb2 import Event
from dragonhall.wire import Codec
from dragonhall.wire.codec import outcome_to_proto


def timestamp(time_us: int) -> Timestamp:
    """Unix time in microseconds as protobuf has it."""
    stamp = Timestamp()
    stamp.FromMicroseconds(time_us)
    return stamp


def duration(duration_us: int) -> Duration:
    """Microseconds as protobuf has them."""
    message = Duration()
    message.FromMicroseconds(duration_us)
    return message


def seat_to_proto(seat: Seat) -> game_pb2.Seat:
    """A seat as everyone may know it."""
    message = game_pb2.Seat(
        seat=seat.seat,
        kind=game_pb2.SeatKind.ValueType(seat.created.kind),
        bot_name=seat.created.bot_name,
        state=game_pb2.SeatState.ValueType(seat.state),
        substitute=seat.substitute,
    )
    if seat.taken is not None:
        message.taken = True
        message.player_name = seat.taken.player_name
        message.nonce = seat.taken.nonce
    return message


def undo_to_proto(request: happenings.UndoRequested) -> play_service_pb2.UndoAsked:
    """A request to take an answer back."""
    return play_service_pb2.UndoAsked(
        seat=request.seat,
        decision_id=request.decision_id,
        undone_revision=request.undone_revision,
        missing=request.missing,
    )


def happening_to_proto(happening: object, codec: Codec) -> Event:
    """One of the service's own events, a `Happening`."""
    return _EVENTS[type(happening)](happening, codec)


def _seat_filled(filled: happenings.SeatFilled, _: Codec) -> Event:
    return Event(seat_taken=play_service_pb2.SeatTaken(seat=seat_to_proto(filled.seat)))


def _seat_left(left: SeatLeft, _: Codec) -> Event:
    return Event(seat_left=play_service_pb2.SeatLeft(seat=left.seat))


def _started(_: Started, __: Codec) -> Event:
    return Event(game_started=play_service_pb2.GameStarted())


def _seat_answered(answered: happenings.SeatAnswered, _: Codec) -> Event:
    return Event(seat_answered=play_service_pb2.SeatAnswered(seat=answered.seat))


def _finished(finished: happenings.Finished, codec: Codec) -> Event:
    outcome = outcome_to_proto(finished.outcome, codec)
    return Event(game_finished=play_service_pb2.GameFinished(outcome=outcome, seed=finished.seed))


def _aborted(aborted: happenings.WasAborted, _: Codec) -> Event:
    cause = game_pb2.AbortCause.ValueType(aborted.cause)
    return Event(game_aborted=play_service_pb2.GameAborted(cause=cause, seed=aborted.seed))


def _seat_changed(changed: happenings.SeatChanged, _: Codec) -> Event:
    cause = game_pb2.AbsenceCause.ValueType(changed.cause or game_pb2.ABSENCE_CAUSE_UNSPECIFIED)
    return Event(seat_changed=play_service_pb2.SeatChanged(seat=seat_to_proto(changed.seat), cause=cause))


def _time_ran_out(late: happenings.TimeRanOut, _: Codec) -> Event:
    return Event(time_ran_out=play_service_pb2.TimeRanOut(seat=late.seat, decision_id=late.decision_id))


def _server_was_down(down: happenings.ServerWasDown, _: Codec) -> Event:
    return Event(server_was_down=play_service_pb2.ServerWasDown(duration=duration(down.duration_us)))


def _undo_requested(request: happenings.UndoRequested, _: Codec) -> Event:
    return Event(undo_asked=undo_to_proto(request))


def _undo_agreed(agreed: UndoAgreed, _: Codec) -> Event:
    return Event(undo_agreed=play_service_pb2.UndoAgreed(seat=agreed.seat))


def _undo_ended(ended: UndoEnded, _: Codec) -> Event:
    return Event(undo_ended=play_service_pb2.UndoEnded(seat=ended.seat))


def _undone(undone: happenings.Undone, _: Codec) -> Event:
    told = play_service_pb2.Undone(
        seat=undone.seat, decision_id=undone.decision_id, undone_revision=undone.undone_revision
    )
    return Event(undone=told)


_EVENTS: Final[dict[type[object], Callable[[Any, Codec], Event]]] = {
    happenings.SeatFilled: _seat_filled,
    SeatLeft: _seat_left,
    Started: _started,
    happenings.SeatAnswered: _seat_answered,
    happenings.Finished: _finished,
    happenings.WasAborted: _aborted,
    happenings.SeatChanged: _seat_changed,
    happenings.TimeRanOut: _time_ran_out,
    happenings.ServerWasDown: _server_was_down,
    happenings.UndoRequested: _undo_requested,
    UndoAgreed: _undo_agreed,
    UndoEnded: _undo_ended,
    happenings.Undone: _undone,
}
"""By a happening's type."""
