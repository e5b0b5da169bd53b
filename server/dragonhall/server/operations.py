"""What can be done to a game: each operation checks its rules and says what to write.

They run inside the game's single writer (`LiveGame.carry_out`), on its newest state, and change nothing themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dragonhall.rules.actions import code_at, index_of
from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.table import Table
from dragonhall.server.game import Plan, Write
from dragonhall.server.log import Aborted, Answered, Created, SeatKind, SeatLeft, SeatTaken, Started
from dragonhall.server.playthrough import Answer, Frame, Playthrough, Seat, Status
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.store.base import Request
from dragonhall.server.tokens import MAX_TOKEN_LENGTH, find_hash, matches


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to a decision: the index of a legal action, or the action spelled out."""

    index: int | None = None
    action: Any = None

    def is_the_same_as(self, answer: Answer) -> bool:
        """Whether this was answered before."""
        return self.index == answer.index if self.index is not None else bool(self.action == answer.action)


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer that stands."""

    revision: int
    action: Any
    repeated: bool


def answer(seat: int, decision_id: int, choice: Choice) -> Plan[Accepted]:
    """``seat`` answers a decision."""

    def plan(game: Playthrough) -> Write[Accepted] | Accepted:
        given = game.answers.get(decision_id)
        if given is not None and given.seat == seat:
            return _repeated(given, decision_id, choice)
        table = _running_table(game)
        ticket = table.tickets.get(seat)
        if ticket is None or ticket.decision_id != decision_id:
            raise Refusal(
                Reason.DECISION_UNKNOWN,
                f"seat {seat} was never asked decision {decision_id}; answer the newest prompt",
                decision_id=str(decision_id),
            )
        return Write((_answered(table, seat, decision_id, choice),), _accepted)

    return plan


def _accepted(frames: list[Frame]) -> Accepted:
    step = frames[0].step
    assert step is not None
    return Accepted(frames[0].revision, step.action, repeated=False)


def _repeated(given: Answer, decision_id: int, choice: Choice) -> Accepted:
    if not choice.is_the_same_as(given):
        raise Refusal(
            Reason.DECISION_ANSWERED,
            f"decision {decision_id} was answered otherwise at revision {given.revision} "
            f"(with action_index {given.index}); that answer stands",
            decision_id=str(decision_id),
            revision=str(given.revision),
            action_index=str(given.index),
        )
    return Accepted(given.revision, given.action, repeated=True)


def _running_table(game: Playthrough) -> Table:
    if game.status is not Status.RUNNING or game.table is None:
        status = game.status.name
        what = "waits for its seats to be taken" if game.status is Status.WAITING else f"is {status.lower()}"
        raise Refusal(Reason.GAME_NOT_RUNNING, f"the game {what}: there is nothing to answer", status=status)
    return game.table


def _answered(table: Table, seat: int, decision_id: int, choice: Choice) -> Answered:
    """What to write down for a choice. Raises `Refusal`."""
    if choice.index is None:
        code = _checked(table, seat, decision_id, choice.action)
        return Answered(seat, decision_id, code, index_of(table.state.legal_runs(seat), code))
    runs = table.state.legal_runs(seat)
    try:
        return Answered(seat, decision_id, code_at(runs, choice.index), choice.index)
    except IndexError:
        count = sum(run.size for run in runs)
        raise Refusal(
            Reason.ILLEGAL_ACTION,
            f"the prompt has {count} legal actions, counted from 0; action_index {choice.index} is none of them",
            decision_id=str(decision_id),
        ) from None


def _checked(table: Table, seat: int, decision_id: int, action: Any) -> int:
    """The code of an action that is spelled out. Raises `Refusal`."""
    try:
        return table.check(seat, decision_id, action)
    except IllegalAction as error:
        details = {"rule": error.rule, "decision_id": str(decision_id)}
        raise Refusal(Reason.ILLEGAL_ACTION, error.message, **details) from error


def create(created: Created, request: Request | None) -> Plan[int]:
    """A new game's first revision."""
    return lambda _: Write((created,), lambda frames: frames[0].revision, request)


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


def abort(host_token: str) -> Plan[int]:
    """The host ends the game; the revision."""

    def plan(game: Playthrough) -> Write[int]:
        check_host(game, host_token)
        if game.status.is_over:
            status = game.status.name
            raise Refusal(Reason.GAME_NOT_RUNNING, f"the game is {status.lower()} already", status=status)
        return Write((Aborted(),), lambda frames: frames[0].revision)

    return plan


def viewer_of(game: Playthrough, token: str) -> int | None:
    """The seat that watches with ``token``. Raises `Refusal`.

    ``None``: a spectator, for no token, and for the host's: a host who plays has the seat's own token besides.
    """
    position = _role(game, token) if token else None
    return None if position == len(game.seats) else position


def seat_of(game: Playthrough, token: str) -> int:
    """The seat that ``token`` proves. Raises `Refusal`."""
    position = _role(game, token)
    if position == len(game.seats):
        raise Refusal(Reason.NOT_YOUR_ROLE, "this is the host's token; a seat's token is needed here")
    return position


def check_host(game: Playthrough, token: str) -> None:
    """Raises `Refusal` unless ``token`` proves the host."""
    position = _role(game, token)
    if position != len(game.seats):
        raise Refusal(Reason.NOT_YOUR_ROLE, "this is a seat's token; the host's token is needed here")


def _role(game: Playthrough, token: str) -> int:
    """The seat that ``token`` proves, or the number of seats for the host."""
    hashes = [seat.taken.token_hash if seat.taken else b"" for seat in game.seats]
    found = find_hash(token, [*hashes, game.created.host_token_hash]) if len(token) <= MAX_TOKEN_LENGTH else None
    if found is None:
        raise Refusal(Reason.TOKEN_INVALID, "the token is missing or not one of this game's: take a seat first")
    return found
