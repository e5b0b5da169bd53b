"""Taking a seat and giving it back; before the start, and as a substitute's in a running game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dragonhall.server.game import Plan, Write
from dragonhall.server.happenings import Seat
from dragonhall.server.log import Aborted, Cause, SeatKind, SeatLeft, SeatTaken, Started
from dragonhall.server.operations.absence import leave_running, substitute, take_back
from dragonhall.server.operations.roles import is_private, seat_role_of, taker_of
from dragonhall.server.playthrough import Playthrough, Status
from dragonhall.server.refusal import Reason, Refusal, game_not_found, invalid_field
from dragonhall.server.settings import AbortCause, SeatState, StartPolicy
from dragonhall.server.store.base import Request
from dragonhall.server.tokens import MAX_TOKEN_LENGTH, matches


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Who wants a seat, and with which right."""

    seat: int | None
    """``None``: the first free one that is meant for the newcomer, else the first open one."""
    player_name: str
    nonce: bytes
    invitation_code: str = field(repr=False)
    bot_name: str
    token_hash: bytes


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat was taken; the newest revision that this made."""

    seat: int
    revision: int


RequestOf = Callable[[int, int], Request | None]
"""The request that is answered by a seat and the newest revision."""


def take_seat(newcomer: Newcomer, request_of: RequestOf) -> Plan[Seated]:
    """``newcomer`` sits down; the last one starts the game, unless its host is to. When it runs: as a substitute."""

    def plan(game: Playthrough) -> Write[Seated]:
        seat = _find_seat(game, newcomer)
        causes = _sit_down(game, seat, newcomer)
        seated = Seated(seat, game.revision + len(causes))
        return Write(causes, lambda _: seated, request_of(seat, seated.revision))

    return plan


def unless_private(plan: Plan[Seated]) -> Plan[Seated]:
    """For whoever need not know of the game: a private one that has no seat for them is as one that does not exist."""

    def discreet(game: Playthrough) -> Write[Seated] | Seated:
        try:
            return plan(game)
        except Refusal:
            if is_private(game):
                raise game_not_found() from None
            raise

    return discreet


def _sit_down(game: Playthrough, seat: int, newcomer: Newcomer) -> tuple[Cause, ...]:
    if game.status is Status.RUNNING:
        return (substitute(game, seat, newcomer.player_name, newcomer.token_hash),)
    taken = SeatTaken(seat, newcomer.player_name, newcomer.nonce, newcomer.token_hash)
    is_last = all(other.taken or other.seat == seat for other in game.seats)
    starts = is_last and game.created.settings.start is StartPolicy.WHEN_FULL
    return (taken, Started()) if starts else (taken,)


def _find_seat(game: Playthrough, newcomer: Newcomer) -> int:
    if game.status.is_over:
        raise _unavailable(game, f"the game is {game.status.name.lower()}", newcomer.seat)
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
    if game.status is Status.RUNNING:
        raise _unavailable(game, "the game is running: seats are given away before the start, but for a substitute's")
    if newcomer.invitation_code:
        raise Refusal(Reason.INVITATION_INVALID, "the invitation code opens no free seat of this game; ask the host")
    raise _unavailable(game, "the game has no free seat for you: the free ones are invited or reserved")


def _why_not(game: Playthrough, seat: Seat, newcomer: Newcomer) -> Refusal | None:
    """Why ``newcomer`` may not take ``seat``; ``None`` if it may."""
    if game.status is Status.RUNNING:
        return _why_no_substitute(game, seat, newcomer)
    if seat.taken is not None:
        return _unavailable(game, f"seat {seat.seat} is taken; choose another", seat.seat)
    created = seat.created
    if created.kind is SeatKind.RESERVED and newcomer.bot_name != created.bot_name:
        return _unavailable(game, f"seat {seat.seat} is reserved for the bot {created.bot_name!r}", seat.seat)
    if created.kind is SeatKind.INVITED and not _is_code(newcomer.invitation_code, created.invitation_hash):
        message = f"seat {seat.seat} needs its invitation code; ask the host"
        return Refusal(Reason.INVITATION_INVALID, message, seat=str(seat.seat))
    return None


def _why_no_substitute(game: Playthrough, seat: Seat, newcomer: Newcomer) -> Refusal | None:
    if seat.state is not SeatState.VACANT:
        return _unavailable(game, f"the game is running, and seat {seat.seat} needs no substitute", seat.seat)
    bot = game.created.settings.substitute_bot
    if newcomer.bot_name != bot:
        return _unavailable(game, f"seat {seat.seat} waits for its substitute, the bot {bot!r}", seat.seat)
    return None


def _unavailable(game: Playthrough, message: str, seat: int | None = None) -> Refusal:
    details = {} if seat is None else {"seat": str(seat)}
    return Refusal(Reason.SEAT_UNAVAILABLE, message, status=game.status.name, **details)


def _is_code(code: str, kept: bytes) -> bool:
    return 0 < len(code) <= MAX_TOKEN_LENGTH and matches(code, kept)


def leave_seat(seat_token: str) -> Plan[int]:
    """The seat is given back before the start, or left in the running game; the revision."""

    def plan(game: Playthrough) -> Write[int] | int:
        seat, is_substitute = seat_role_of(game, seat_token)
        if game.status is Status.RUNNING:
            return leave_running(game, seat, is_substitute)
        _check_not_over(game, "there is nothing to leave")
        return Write((SeatLeft(seat), *_end_if_deserted(game, seat)), lambda frames: frames[-1].revision)

    return plan


def _end_if_deserted(game: Playthrough, leaves: int) -> tuple[Cause, ...]:
    """The end of a quick match that the last one leaves: it has no host to end it, and would count against its maker.

    A rematch goes on waiting, for it is the only one that its players have.
    """
    created = game.created
    is_kept = not created.quick_match or created.rematch_of
    is_deserted = all(seat.taken is None or seat.seat == leaves for seat in game.seats)
    return (Aborted(AbortCause.LEFT),) if is_deserted and not is_kept else ()


def take_back_seat(seat_token: str) -> Plan[int]:
    """Whoever took the seat plays again; the revision."""

    def plan(game: Playthrough) -> Write[int] | int:
        seat = taker_of(game, seat_token)
        if game.status is Status.WAITING:
            return game.revision
        _check_not_over(game, "there is nothing to take back")
        return take_back(game, seat)

    return plan


def _check_not_over(game: Playthrough, what: str) -> None:
    if game.status.is_over:
        status = game.status.name
        raise Refusal(Reason.GAME_NOT_RUNNING, f"the game is {status.lower()}: {what}", status=status)
