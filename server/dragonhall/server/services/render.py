"""What a reader is sent of a frame: built up for one viewer from what the rules show that viewer.

Events were addressed by the rules, the view is the viewer's own, and a prompt goes to its seat alone. Parts that are
the same for several readers are serialised once a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from dragonhall.rules import GAMES
from dragonhall.rules.chance import commitment
from dragonhall.rules.game import Components
from dragonhall.rules.journal import Entry
from dragonhall.rules.table import Ticket
from dragonhall.server.encoding import settings_to_proto
from dragonhall.server.happenings import HAPPENINGS, Undone
from dragonhall.server.playthrough import Frame, Playthrough
from dragonhall.server.services.framing import observe_response
from dragonhall.server.services.telling import duration, happening_to_proto, seat_to_proto, timestamp, undo_to_proto
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


class Renderer:
    """Makes the messages of one game. ``now_us``: the time at which they are written."""

    def __init__(self, game: str, now_us: Callable[[], int]) -> None:
        self._game = GAMES[game]
        self._codec: Codec = CODECS[game]
        self._now_us = now_us

    def update(self, frame: Frame, viewer: int | None, delivery: int) -> bytes:
        """The ``ObserveResponse`` with a frame's update, for seat ``viewer`` (``None``: a spectator)."""
        is_asked = frame.ticket_of(viewer) is not None
        with_view = _is_view_due(frame, delivery, is_asked)
        if is_asked and viewer in frame.deadlines:
            return self._update(frame, viewer, with_view)  # another one at any time
        is_like_all = frame.is_public and not with_view and not is_asked
        key = "like all" if is_like_all else (viewer, with_view)
        return _once(frame, key, lambda: self._update(frame, viewer, with_view))

    def _update(self, frame: Frame, viewer: int | None, with_view: bool) -> bytes:
        parts = [self._event(frame, i) for i, entry in enumerate(frame.entries) if entry.is_for(viewer)]
        parts.append(self._waiting(frame, field=2))
        parts.append(self._prompt(frame, viewer, field=3))
        if with_view:
            parts.append(message_field(4, self._view(frame, viewer)))
        parts.append(self._clocks(frame, field=5))
        return observe_response(frame.revision, UPDATE, b"".join(parts))

    def snapshot(
        self,
        frame: Frame,
        viewer: int | None,
        caught_up: bool = False,
        history: Iterable[Entry] = (),
    ) -> bytes:
        """The ``ObserveResponse`` with a snapshot of a frame. ``history``: every entry that still holds."""
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
        parts.append(self._clocks(frame, field=8))
        if frame.undo is not None:
            parts.append(message_field(9, undo_to_proto(frame.undo).SerializeToString()))
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
            return happening_to_proto(event, self._codec).SerializeToString()
        return play_service_pb2.Event(game=self._codec.event_to_proto(event)).SerializeToString()

    def _waiting(self, frame: Frame, field: int) -> bytes:
        def waiting() -> bytes:
            return b"".join(message_field(field, self._waiting_bytes(frame, ticket)) for ticket in frame.tickets)

        return _once(frame, ("waiting", field), waiting)

    def _waiting_bytes(self, frame: Frame, ticket: Ticket) -> bytes:
        waiting = play_service_pb2.Waiting(
            seat=ticket.seat,
            decision_id=ticket.decision_id,
            decision=self._codec.decision_to_proto(ticket.public_decision),
        )
        if ticket.seat in frame.deadlines:
            waiting.deadline.CopyFrom(timestamp(frame.deadlines[ticket.seat]))
        return waiting.SerializeToString()

    def _prompt(self, frame: Frame, viewer: int | None, field: int) -> bytes:
        """The decision that ``viewer`` is asked, with its legal actions; nothing if it is not asked."""
        ticket = frame.ticket_of(viewer)
        if ticket is None or frame.state is None:
            return b""
        state = frame.state
        prompt = _once(frame, ("prompt", ticket.seat), lambda: prompt_to_bytes(self._game, state, ticket, self._codec))
        return message_field(field, prompt + self._time_left(frame, ticket.seat))

    def _time_left(self, frame: Frame, seat: int) -> bytes:
        """The end of a ``Decision``: when the answer is due, and how long that is from now."""
        due_us = frame.deadlines.get(seat)
        if due_us is None:
            return b""
        left = duration(max(0, due_us - self._now_us()))
        return message_field(4, timestamp(due_us).SerializeToString()) + message_field(5, left.SerializeToString())

    def _clocks(self, frame: Frame, field: int) -> bytes:
        banks = frame.banks
        if banks is None:
            return b""

        def clocks() -> bytes:
            messages = (play_service_pb2.SeatClock(seat=seat, bank=duration(left)) for seat, left in banks.items())
            return b"".join(message_field(field, message.SerializeToString()) for message in messages)

        return _once(frame, ("clocks", field), clocks)

    def _view(self, frame: Frame, viewer: int | None) -> bytes:
        state = frame.state
        assert state is not None
        return _once(frame, ("view", viewer), lambda: self._codec.view_to_proto(state.view(viewer)).SerializeToString())


def _is_view_due(frame: Frame, delivery: int, is_asked: bool) -> bool:
    if frame.state is None:
        return False
    if delivery == ALWAYS or (delivery == WITH_DECISIONS and is_asked):
        return True
    return any(isinstance(entry.event, Undone) for entry in frame.entries)  # no event tells how it was before


def _once(frame: Frame, key: object, make: Callable[[], bytes]) -> bytes:
    part = frame.rendered.get(key)
    if part is None:
        part = frame.rendered[key] = make()
    return part
