"""A blocking seat."""

from __future__ import annotations

from dragonhall.client.seat import Seat
from dragonhall.client.sync.background import BackgroundLoop
from dragonhall.client.sync.blocking import Blocking, blocking, streaming


class SyncSeat(Blocking[Seat]):
    """`dragonhall.client.Seat`, blocking. Made by `SyncClient.take_seat`, `find_game` and `seat`."""

    def __init__(self, loop: BackgroundLoop, original: Seat) -> None:
        super().__init__(loop, original)
        self.game_id = original.game_id
        self.number = original.number
        """0-based, clockwise."""
        self.token = original.token
        """A secret. Whoever has it plays this seat; keep it to come back with `SyncClient.seat`."""

    @property
    def original(self) -> Seat:
        """The asynchronous seat, for the background loop alone."""
        return self._original

    observe = streaming(Seat.observe)
    submit = blocking(Seat.submit)
    validate = blocking(Seat.validate)
    ask_undo = blocking(Seat.ask_undo)
    answer_undo = blocking(Seat.answer_undo)
    leave = blocking(Seat.leave)
    take_back = blocking(Seat.take_back)
    perspective = blocking(Seat.perspective)
    rematch = blocking(Seat.rematch, lambda loop, again: SyncSeat(loop, again))
