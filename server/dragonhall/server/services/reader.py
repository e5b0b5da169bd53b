"""A reader: one viewer's cursor over one game's log. It holds a number, no messages: slow readers cost no memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dragonhall.server.game import LiveGame
from dragonhall.server.log import SeatLeft
from dragonhall.server.operations.roles import viewer_of
from dragonhall.server.playthrough import Frame
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.services.render import Renderer
from dragonhall.v1 import play_service_pb2

BATCH: Final = 64
"""Messages taken from one reader at a time, so that no reader keeps others waiting."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a client asks to observe: the fields of ``ObserveRequest`` and ``AttachSeat``."""

    seat_token: str
    from_revision: int
    view_delivery: int
    include_history: bool

    @classmethod
    def of(cls, message: play_service_pb2.ObserveRequest | play_service_pb2.AttachSeat) -> Wish:
        """The wish in a message. Raises `Refusal`."""
        if message.view_delivery not in play_service_pb2.ViewDelivery.values():
            raise invalid_field("view_delivery", f"{message.view_delivery} is no ViewDelivery")
        return cls(message.seat_token, message.from_revision, message.view_delivery, message.include_history)


class Reader:
    """What one stream (or one channel of a Play stream) has still to be sent of a game."""

    def __init__(self, game: LiveGame, wish: Wish, max_lag: int) -> None:
        """Raises `Refusal` for a token that is not this game's or a revision that the game has not reached."""
        self.game = game
        self.viewer = viewer_of(game.playthrough, wish.seat_token)
        self._taken = None if self.viewer is None else game.head.seats[self.viewer].taken
        self.ended = False
        """Everything was sent that ever will be."""
        self._renderer = Renderer(game.playthrough.created.game)
        self._delivery = wish.view_delivery
        self._history = wish.include_history
        self._max_lag = max_lag
        self._next = wish.from_revision
        """The first revision not sent; 0 before the first snapshot."""
        self._is_running = False
        """It was up to date once: from then on it may be moved on by a snapshot."""
        self._is_silent = True
        """Nothing was sent since the last heartbeat fell due."""
        newest = game.head.revision
        if self._next > newest + 1:
            raise Refusal(
                Reason.REVISION_IN_FUTURE,
                f"the game is at revision {newest}: from_revision can be 0 to {newest + 1}",
                revision=str(newest),
            )
        self._greet = self._next == newest + 1

    @property
    def is_behind(self) -> bool:
        """Whether something is ready to be sent."""
        return not self.ended and (self._greet or self._next <= self.game.head.revision)

    def take(self) -> list[bytes]:
        """The next ``ObserveResponse``s, at most `BATCH`; none if all was sent."""
        if self.ended:
            return []
        head = self.game.head
        seat_lost = self._seat_lost()
        lag = head.revision + 1 - self._next
        if self._next == 0 or (self._is_running and lag > self._max_lag):
            messages = [] if seat_lost else [self._snapshot(head)]
        elif lag:
            messages = self._updates(seat_lost)
        else:
            messages = [] if head.status.is_over or not self._greet else [self._heartbeat(head)]
        self._greet = False
        self._is_running = self._is_running or self._next > head.revision
        if (seat_lost and not messages) or (head.status.is_over and self._next > head.revision):
            self.ended = True
        self._is_silent = self._is_silent and not messages
        return messages

    def take_heartbeat(self) -> list[bytes]:
        """Called once an interval: a heartbeat, if nothing else was sent since the last call and nothing is ready."""
        is_due = self._is_silent and not self.is_behind and not self.ended
        self._is_silent = True
        return [self._heartbeat(self.game.head)] if is_due else []

    def _heartbeat(self, head: Frame) -> bytes:
        """Only for a reader that has been sent ``head``."""
        return self._renderer.heartbeat(head, self.viewer)

    def _snapshot(self, head: Frame) -> bytes:
        caught_up = self._next > 0
        self._next = head.revision + 1
        history = self.game.history() if self._history else ()
        return self._renderer.snapshot(head, self.viewer, caught_up, history)

    def _updates(self, seat_lost: bool) -> list[bytes]:
        messages: list[bytes] = []
        leaving = None if self.viewer is None else SeatLeft(self.viewer)
        for frame in self.game.frames(self._next):
            messages.append(self._renderer.update(frame, self.viewer, self._delivery))
            self._next = frame.revision + 1
            if seat_lost and any(entry.event == leaving for entry in frame.entries):
                self.ended = True
                break
            if len(messages) == BATCH:
                break
        return messages

    def _seat_lost(self) -> bool:
        """Whether the reader's token is worth nothing any more: it is told so, and nothing that came later."""
        if self.viewer is None:
            return False
        return self.game.head.seats[self.viewer].taken != self._taken
