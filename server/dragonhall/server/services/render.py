"""What a reader is sent of a frame: built up for one viewer from what the rules show that viewer.

Events were addressed by the rules, the view is the viewer's own, and a prompt goes to its seat alone. Parts that are
the same for several readers are serialised once a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from dragonhall.rules import GAMES
from dragonhall.rules.chance import commitment
from dragonhall.rules.game import Components
from dragonhall.rules.journal import Entry
from dragonhall.rules.table import Ticket
from dragonhall.server.encoding import settings_to_proto
from dragonhall.server.happenings import HAPPENINGS, Finished, Seat, SeatAnswered, SeatFilled, WasAborted
from dragonhall.server.log import CreatedSeat, SeatLeft, Started
from dragonhall.server.playthrough import Frame, Playthrough
from dragonhall.server.services.framing import observe_response
from dragonhall.v1 import game_pb2, games_pb2, play_service_pb2
from dragonhall.wire import CODECS, Codec, component_digest
from dragonhall.wire.codec import outcome_to_proto
from dragonhall.wire.prompts import prompt_to_bytes
from dragonhall.wire.serialized import message_field, number_field

ON_SNAPSHOT: Final = play_service_pb2.VIEW_DELIVERY_ON_SNAPSHOT
WITH_DECISIONS: Final = play_service_pb2.VIEW_DELIVERY_WITH_DECISIONS
ALWAYS: Final = play_service_pb2.VIEW_DELIVERY_ALWAYS

SNAPSHOT: Final = 2
UPDATE: Final = 3
HEARTBEAT: Final = 4
"""Fields of ``ObserveResponse.message``."""


def summary(game_id: str, playthrough: Playthrough) -> bytes:
    """What everyone may know of a game: a serialised ``Game`` without its revision."""
    created = playthrough.created
    codec = CODECS[created.game]
    game = game_pb2.Game(
        game_id=game_id,
        status=game_pb2.GameStatus.ValueType(playthrough.status),
        options=codec.options_to_proto(created.options),
        component_set=_component_set(created.game, created.components),
        rules_version=created.rules_version,
        seats=[seat_to_proto(seat) for seat in playthrough.seats],
        seed_commitment=commitment(created.seed),
        seed_source=game_pb2.SeedSource.ValueType(created.seed_source),
        title=created.title,
        create_time=timestamp(playthrough.created_us),
        settings=settings_to_proto(created.settings),
        rematch_of=created.rematch_of,
        quick_match=created.quick_match,
        imported=created.imported,
    )
    if playthrough.started_us is not None:
        game.start_time.CopyFrom(timestamp(playthrough.started_us))
    if playthrough.ended_us is not None:
        game.end_time.CopyFrom(timestamp(playthrough.ended_us))
    if playthrough.abort_cause is not None:
        game.abort_cause = game_pb2.AbortCause.ValueType(playthrough.abort_cause)
    if playthrough.outcome is not None:
        game.outcome.CopyFrom(outcome_to_proto(playthrough.outcome, codec))
    return game.SerializeToString()


@lru_cache(maxsize=64)
def _component_set(game: str, components: Components) -> games_pb2.ComponentSet:
    """The set's name and digest, and its contents where a player may not have them."""
    is_default = component_digest(components) == component_digest(GAMES[game].default_components())
    return CODECS[game].components_to_proto(components, with_contents=not is_default)


def game_message(summary: bytes, revision: int) -> game_pb2.Game:
    """The ``Game`` of a summary at a revision."""
    game = game_pb2.Game.FromString(summary)
    game.revision = revision
    return game


def seat_to_proto(seat: Seat) -> game_pb2.Seat:
    """A seat as everyone may know it."""
    created: CreatedSeat = seat.created
    message = game_pb2.Seat(
        seat=seat.seat,
        kind=game_pb2.SeatKind.ValueType(created.kind),
        bot_name=created.bot_name,
        state=game_pb2.SeatState.ValueType(seat.state),
        substitute=seat.substitute,
    )
    if seat.taken is not None:
        message.taken = True
        message.player_name = seat.taken.player_name
        message.nonce = seat.taken.nonce
    return message


def timestamp(time_us: int) -> Timestamp:
    """Unix time in microseconds as protobuf has it."""
    stamp = Timestamp()
    stamp.FromMicroseconds(time_us)
    return stamp


class Renderer:
    """Makes the messages of one game."""

    def __init__(self, game: str) -> None:
        self._game = GAMES[game]
        self._codec: Codec = CODECS[game]

    def update(self, frame: Frame, viewer: int | None, delivery: int) -> bytes:
        """The ``ObserveResponse`` with a frame's update, for seat ``viewer`` (``None``: a spectator)."""
        with_view = frame.state is not None and (
            delivery == ALWAYS or (delivery == WITH_DECISIONS and frame.ticket_of(viewer) is not None)
        )
        is_like_all = frame.is_public and not with_view and frame.ticket_of(viewer) is None
        key = "like all" if is_like_all else (viewer, with_view)
        message = frame.rendered.get(key)
        if message is None:
            message = frame.rendered[key] = self._update(frame, viewer, with_view)
        return message

    def _update(self, frame: Frame, viewer: int | None, with_view: bool) -> bytes:
        parts = [self._event(frame, i) for i, entry in enumerate(frame.entries) if entry.is_for(viewer)]
        parts.append(self._waiting(frame, field=2))
        parts.append(self._prompt(frame, viewer, field=3))
        if with_view:
            parts.append(message_field(4, self._view(frame, viewer)))
        return observe_response(frame.revision, UPDATE, b"".join(parts))

    def snapshot(
        self,
        frame: Frame,
        viewer: int | None,
        caught_up: bool = False,
        history: Iterable[Entry] = (),
    ) -> bytes:
        """The ``ObserveResponse`` with a snapshot of a frame. ``history``: every entry since the start."""
        parts = [message_field(1, game_message(frame.summary, frame.revision).SerializeToString())]
        if viewer is not None:
            parts.append(b"\x10" + bytes([viewer]))  # field 2, optional: written although it may be 0
        if frame.state is not None:
            parts.append(message_field(3, self._view(frame, viewer)))
        parts.append(self._waiting(frame, field=4))
        parts.append(self._prompt(frame, viewer, field=5))
        parts.append(number_field(6, int(caught_up)))
        for i, entry in enumerate(history):
            if entry.is_for(viewer) and not isinstance(entry.event, HAPPENINGS):
                parts.append(self._past_event(frame, i, entry.event))
        return observe_response(frame.revision, SNAPSHOT, b"".join(parts))

    def heartbeat(self, frame: Frame, viewer: int | None) -> bytes:
        """The ``ObserveResponse`` that says: everything up to a frame has been sent, and this is what is asked now."""
        return observe_response(frame.revision, HEARTBEAT, self._prompt(frame, viewer, field=1))

    def _past_event(self, frame: Frame, i: int, event: object) -> bytes:
        return _once(
            frame,
            ("history", i),
            lambda: message_field(7, self._codec.event_to_proto(event).SerializeToString()),
        )

    def _event(self, frame: Frame, i: int) -> bytes:
        return _once(frame, ("event", i), lambda: message_field(1, self._event_bytes(frame.entries[i].event)))

    def _event_bytes(self, event: object) -> bytes:
        if isinstance(event, HAPPENINGS):
            return self._happening(event).SerializeToString()
        return play_service_pb2.Event(game=self._codec.event_to_proto(event)).SerializeToString()

    def _happening(self, event: object) -> play_service_pb2.Event:
        messages = play_service_pb2
        match event:
            case SeatFilled(seat):
                return messages.Event(seat_taken=messages.SeatTaken(seat=seat_to_proto(seat)))
            case SeatLeft(number):
                return messages.Event(seat_left=messages.SeatLeft(seat=number))
            case SeatAnswered(number):
                return messages.Event(seat_answered=messages.SeatAnswered(seat=number))
            case Finished(outcome, seed):
                result = outcome_to_proto(outcome, self._codec)
                return messages.Event(game_finished=messages.GameFinished(outcome=result, seed=seed))
            case Started():
                return messages.Event(game_started=messages.GameStarted())
            case WasAborted(cause, seed):
                aborted = messages.GameAborted(cause=game_pb2.AbortCause.ValueType(cause), seed=seed)
                return messages.Event(game_aborted=aborted)
        raise TypeError(f"no message for {event!r}")

    def _waiting(self, frame: Frame, field: int) -> bytes:
        def waiting() -> bytes:
            return b"".join(message_field(field, self._waiting_bytes(ticket)) for ticket in frame.tickets)

        return _once(frame, ("waiting", field), waiting)

    def _waiting_bytes(self, ticket: Ticket) -> bytes:
        return play_service_pb2.Waiting(
            seat=ticket.seat,
            decision_id=ticket.decision_id,
            decision=self._codec.decision_to_proto(ticket.public_decision),
        ).SerializeToString()

    def _prompt(self, frame: Frame, viewer: int | None, field: int) -> bytes:
        """The decision that ``viewer`` is asked, with its legal actions; nothing if it is not asked."""
        ticket = frame.ticket_of(viewer)
        if ticket is None or frame.state is None:
            return b""
        state = frame.state
        prompt = _once(frame, ("prompt", ticket.seat), lambda: prompt_to_bytes(self._game, state, ticket, self._codec))
        return message_field(field, prompt)

    def _view(self, frame: Frame, viewer: int | None) -> bytes:
        state = frame.state
        assert state is not None
        return _once(frame, ("view", viewer), lambda: self._codec.view_to_proto(state.view(viewer)).SerializeToString())


def _once(frame: Frame, key: object, make: Callable[[], bytes]) -> bytes:
    part = frame.rendered.get(key)
    if part is None:
        part = frame.rendered[key] = make()
    return part
