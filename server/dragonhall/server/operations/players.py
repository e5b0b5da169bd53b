"""Who plays a seat now, of those whose tokens prove it."""

from __future__ import annotations

from dragonhall.server.happenings import Seat
from dragonhall.server.playthrough import Status
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.settings import SeatState


def check_plays(seat: Seat, is_substitute: bool) -> None:
    """Raises `Refusal` unless it is the substitute, or else whoever took the seat first, that plays ``seat`` now."""
    if seat.state is (SeatState.SUBSTITUTED if is_substitute else SeatState.PLAYING):
        return
    number = str(seat.seat)
    if is_substitute:
        raise Refusal(Reason.TOKEN_INVALID, f"seat {number} is not the substitute's any more")
    if seat.state is SeatState.FORFEITED:
        message = f"seat {number} was forfeited: it is out of the running for good"
        raise Refusal(Reason.SEAT_UNAVAILABLE, message, seat=number, status=Status.RUNNING.name)
    state = seat.state.name.lower()
    raise Refusal(Reason.SEAT_AWAY, f"seat {number} is {state}: take it back first (TakeBackSeat)", seat=number)
