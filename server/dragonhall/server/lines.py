"""The line about a game that the store finds it by, made of what is known of the game."""

from __future__ import annotations

from dragonhall.server.log import SeatKind
from dragonhall.server.matching import match_key
from dragonhall.server.playthrough import Frame, Playthrough, Status
from dragonhall.server.settings import SeatState, Visibility
from dragonhall.server.store.base import GameLine


def line_of(game_id: str, game: Playthrough, frame: Frame) -> GameLine:
    """The game's line as it is after ``frame``. (The playthrough may have read further.)"""
    created = game.created
    open_seat = frame.status is Status.WAITING and any(
        seat.created.kind is SeatKind.OPEN and seat.taken is None for seat in frame.seats
    )
    return GameLine(
        game_id,
        frame.revision,
        frame.status,
        created.game,
        free_bots=_free_bots(frame, created.settings.substitute_bot),
        summary=frame.summary,
        seats=len(created.seats),
        open_seat=open_seat,
        private=created.settings.visibility is Visibility.PRIVATE,
        match_key=match_key(created) if open_seat else b"",
        owner="" if frame.status.is_over else created.owner,
        changed_us=game.changed_us,
        deadline_us=frame.deadline_us,
    )


def _free_bots(frame: Frame, substitute_bot: str) -> tuple[str, ...]:
    """The bots that a seat waits for: reserved ones before the start, vacant ones in the running game."""
    if frame.status is Status.WAITING:
        return tuple(seat.created.bot_name for seat in frame.seats if seat.created.bot_name and seat.taken is None)
    is_vacant = any(seat.state is SeatState.VACANT for seat in frame.seats)
    return (substitute_bot,) if is_vacant and frame.status is Status.RUNNING else ()
