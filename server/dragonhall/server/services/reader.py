"""A reader: one viewer's cursor over one game's log. It holds a number, no messages: slow readers cost no memory."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Final

from dragonhall.server.game import LiveGame
from dragonhall.server.happenings import Seat
from dragonhall.server.log import SeatSubstituted, SeatTaken
from dragonhall.server.operations.roles import viewer_of
from dragonhall.server.playthrough import Frame, Playthrough
from dragonhall.server.published import Source
from dragonhall.server.refusal import invalid_field, revision_in_future
from dragonhall.server.services.render import Renderer
from dragonhall.server.tokens import matches
from dragonhall.v1 import play_service_pb2

BATCH: Final = 64
"""Messages taken from one reader at a time, so that no reader keeps others waiting."""

SNAPSHOT: Final = play_service_pb2.STREAM_CONTENT_SNAPSHOT
UPDATES: Final = play_service_pb2.STREAM_CONTENT_UPDATES


@dataclass(frozen=True, slots=True)
class Wish:
    """What a client asks to observe: the fields of ``ObserveRequest`` and ``AttachSeat``."""

    seat_token: str = field(repr=False)
    from_revision: int
    view_delivery: int
    include_history: bool = False
    content: int = play_service_pb2.STREAM_CONTENT_UNSPECIFIED

    @classmethod
    def of(cls, message: play_service_pb2.ObserveRequest | play_service_pb2.AttachSeat) -> Wish:
        """The wish in a message. Raises `Refusal`."""
        if message.content not in play_service_pb2.StreamContent.values():
            raise invalid_field("content", f"{message.content} is no StreamContent")
        if message.content == SNAPSHOT and message.from_revision:
            raise invalid_field("from_revision", "with STREAM_CONTENT_SNAPSHOT it has to be 0")
        return cls(
            message.seat_token,
            message.from_revision,
            checked_delivery(message.view_delivery),
            message.include_history,
            message.content,
        )


def checked_delivery(view_delivery: int) -> int:
    """A ``ViewDelivery``. Raises `Refusal`."""
    if view_delivery not in play_service_pb2.ViewDelivery.values():
        raise invalid_field("view_delivery", f"{view_delivery} is no ViewDelivery")
    return view_delivery


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who reads."""

    seat: int | None = None
    """``None``: a spectator."""
    sitter: Sitter | None = None
    """Who has the seat, as long as the token proves it; ``None``: whoever has it."""

    def has_seat(self, frame: Frame) -> bool:
        """Whether the seat, if any, is still the reader's."""
        return self.seat is None or self.sitter is None or self.sitter in sitters(frame.seats[self.seat])


Sitter = SeatTaken | SeatSubstituted
"""Who has a seat: how it was taken."""


def sitters(seat: Seat) -> list[Sitter]:
    """Everyone whose token proves a seat."""
    return [sitter for sitter in (seat.taken, seat.substitute_taken) if sitter is not None]


class Reader:
    """What one stream (or one channel of a Play stream) has still to be sent of a game."""

    def __init__(self, source: Source, renderer: Renderer, viewer: Viewer, wish: Wish, max_lag: int) -> None:
        """Raises `Refusal` for a revision that the game has not reached, as far as ``viewer`` may see."""
        self.viewer = viewer.seat
        self.ended = False
        """Everything was sent that ever will be."""
        self._source = source
        self._renderer = renderer
        self._who = viewer
        self._wish = wish
        self._max_lag = sys.maxsize if wish.content == UPDATES else max_lag
        self._next = wish.from_revision
        """The first revision not sent; 0 before the opening."""
        self._is_running = False
        """It was up to date once: from then on it may be moved on by a snapshot."""
        self._is_silent = True
        """Nothing was sent since the last heartbeat fell due."""
        head = source.head
        self._since = head.revision
        if self._next > head.revision + 1:
            raise revision_in_future("from_revision", head.revision, head.revision + 1)
        self._greet = self._next == head.revision + 1

    @property
    def is_behind(self) -> bool:
        """Whether something is ready to be sent."""
        return not self.ended and (self._greet or self._next <= self._source.head.revision)

    @property
    def looks_back(self) -> bool:
        """Whether `take` has the log replayed, for revisions that are not at hand any more: that takes its time."""
        return self._is_told_by_updates(self._source.head) and not self._source.has_at_hand(self._next)

    def take(self) -> list[bytes]:
        """The next ``ObserveResponse``s, at most `BATCH`; none if all was sent."""
        if self.ended:
            return []
        head = self._source.head
        has_seat = self._has_seat(head)
        messages = self._updates() if self._is_told_by_updates(head) else self._state(head) if has_seat else []
        self._greet = False
        self._is_running = self._is_running or self._next > head.revision
        if self._is_told_all(head) or not (has_seat or messages):
            self.ended = True
        self._is_silent = self._is_silent and not messages
        return messages

    def take_heartbeat(self) -> list[bytes]:
        """Called once an interval: a heartbeat, if nothing else was sent since the last call and nothing is ready."""
        is_due = self._is_silent and not self.is_behind and not self.ended
        self._is_silent = True
        return [self._heartbeat(self._source.head)] if is_due else []

    def _is_told_by_updates(self, head: Frame) -> bool:
        lag = head.revision + 1 - self._next
        return self._next > 0 and lag > 0 and not (self._is_running and lag > self._max_lag)

    def _is_told_all(self, head: Frame) -> bool:
        return self._next > head.revision and (head.status.is_over or self._wish.content == SNAPSHOT)

    def _state(self, head: Frame) -> list[bytes]:
        """What opens a stream, or moves on one that is too far behind: where the game stands now."""
        caught_up = 0 < self._next <= head.revision
        if caught_up or (self._next == 0 and self._wish.content != UPDATES):
            self._next = head.revision + 1
            history = self._source.history() if self._wish.include_history else ()
            return [self._renderer.snapshot(head, self.viewer, caught_up, history)]
        greet = self._next == 0 or (self._greet and not head.status.is_over)
        self._next = head.revision + 1
        return [self._heartbeat(head)] if greet else []

    def _heartbeat(self, head: Frame) -> bytes:
        """Only for a reader that has been sent ``head``."""
        return self._renderer.heartbeat(head, self.viewer)

    def _updates(self) -> list[bytes]:
        messages: list[bytes] = []
        for frame in self._source.frames(self._next):
            messages.append(self._renderer.update(frame, self.viewer, self._wish.view_delivery))
            self._next = frame.revision + 1
            if not self._has_seat(frame):
                self.ended = True  # told so, and nothing that came later
                break
            if len(messages) == BATCH:
                break
        return messages

    def _has_seat(self, frame: Frame) -> bool:
        """Whether the token is still worth something after a revision. Before the stream began, the seat may have been
        another's."""
        return frame.revision <= self._since or self._who.has_seat(frame)


def reader_of(
    game: LiveGame, message: play_service_pb2.ObserveRequest | play_service_pb2.AttachSeat, max_lag: int
) -> Reader:
    """The reader that a message asks for. Raises `Refusal`: first of all for a token that is not this game's, because
    whoever may not know of a private one is not told what else is wrong; then as `Wish.of` and `Reader`."""
    viewer = _viewer(game.playthrough, message.seat_token)
    wish = Wish.of(message)
    created = game.playthrough.created
    renderer = Renderer(created.game, game.now_us)
    if viewer.seat is not None:
        return Reader(game, renderer, viewer, wish, max_lag)
    # At the end all that was held back is told at once: that is no reader that does not keep up.
    return Reader(spectators_source(game), renderer, viewer, wish, max_lag + created.settings.spectator_delay)


def spectators_source(game: LiveGame) -> Source:
    """The game as far as spectators may see it now."""
    return game if game.head.status.is_over else game.delayed()


def _viewer(game: Playthrough, token: str) -> Viewer:
    seat = viewer_of(game, token)
    if seat is None:
        return Viewer()
    return Viewer(seat, next(sitter for sitter in sitters(game.seats[seat]) if matches(token, sitter.token_hash)))
