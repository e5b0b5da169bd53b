"""Taking a seat before the start, and giving it back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dragonhall.server.game import Plan, Write
from dragonhall.server.log import SeatKind, SeatLeft, SeatTaken, Started
from dragonhall.server.operations.roles import seat_of
from dragonhall.server.playthrough import Playthrough, Seat, Status
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.store.base import Request
from dragonhall.server.tokens import MAX_TOKEN_LENGTH, matches


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Who wants a seat, and with which right."""

    seat: int | None
    """``None``: the first free one that is meant for the newcomer, else the first open one."""
    player_name: str
    nonce: bytes
    invitation_code: str
    bot_name: str
    token_hash: bytes


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat was taken; the newest revision that this made."""

    seat: int
    revision: int


def take_seat(newcomer: Newcomer, request_of: Callable[[int, int], Request | None]) -> Plan[Seated]:
    """``newcomer`` sits down; the last one starts the game.

    ``request_of``: the request that is answered by a seat and the newest revision.
    """

    def plan(game: Playthrough) -> Write[Seated]:
        if game.status is not Status.WAITING:
            message = f"the game is {game.status.name.lower()}: seats are given away before the start only"
            raise _unavailable(game, message, newcomer.seat)
        seat = _find_seat(game, newcomer)
        is_last = all(other.taken or other.seat == seat for other in game.seats)
        taken = SeatTaken(seat, newcomer.player_name, newcomer.nonce, newcomer.token_hash)
        seated = Seated(seat, game.revision + (2 if is_last else 1))
        causes = (taken, Started()) if is_last else (taken,)
        return Write(causes, lambda frames: seated, request_of(seat, seated.revision))

    return plan


def _find_seat(game: Playthrough, newcomer: Newcomer) -> int:
    if newcomer.seat is None:
        return _first_seat_for(game, newcomer)
    if newcomer.seat >= len(game.seats):
        raise invalid_field("seat", f"the game has seats 0 to {len(game.seats) - 1}")
    refusal = _why_not(game, game.seats[newcomer.seat], newcomer)
    if refusal is not None:
        raise refusal
    return newcomer.seat


def _first_seat_for(game: Playthrough, newcomer: Newcomer) -> int:
    for seat in sorted(game.seats, key=lambda seat: seat.created.kind is SeatKind.OPEN):
        if _why_not(game, seat, newcomer) is None:
            return seat.seat
    if newcomer.invitation_code:
        raise Refusal(Reason.INVITATION_INVALID, "the invitation code opens no free seat of this game; ask the host")
    raise _unavailable(game, "the game has no free seat for you: the free ones are invited or reserved")


def _why_not(game: Playthrough, seat: Seat, newcomer: Newcomer) -> Refusal | None:
    """Why ``newcomer`` may not take ``seat``; ``None`` if it may."""
    if seat.taken is not None:
        return _unavailable(game, f"seat {seat.seat} is taken; choose another", seat.seat)
    created = seat.created
    if created.kind is SeatKind.RESERVED and newcomer.bot_name != created.bot_name:
        return _unavailable(game, f"seat {seat.seat} is reserved for the bot {created.bot_name!r}", seat.seat)
    if created.kind is SeatKind.INVITED and not _is_code(newcomer.invitation_code, created.invitation_hash):
        message = f"seat {seat.seat} needs its invitation code; ask the host"
        return Refusal(Reason.INVITATION_INVALID, message, seat=str(seat.seat))
    return None


def _unavailable(game: Playthrough, message: str, seat: int | None = None) -> Refusal:
    details = {} if seat is None else {"seat": str(seat)}
    return Refusal(Reason.SEAT_UNAVAILABLE, message, status=game.status.name, **details)


def _is_code(code: str, kept: bytes) -> bool:
    return 0 < len(code) <= MAX_TOKEN_LENGTH and matches(code, kept)


def leave_seat(seat_token: str) -> Plan[int]:
    """The seat is given back; its number and revision."""

    def plan(game: Playthrough) -> Write[int]:
        seat = seat_of(game, seat_token)
        if game.status is not Status.WAITING:
            message = "the game has started, or was ended: a seat can be given back only before"
            raise Refusal(Reason.GAME_RUNNING, message, status=game.status.name)
        return Write((SeatLeft(seat),), lambda frames: frames[0].revision)

    return plan
