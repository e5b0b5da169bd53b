"""Seats whose player is late or away: leaving a running game, coming back, and what is done for who is not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from dragonhall.rules.actions import index_of
from dragonhall.rules.forfeits import ends_game
from dragonhall.rules.table import Table, Ticket
from dragonhall.server.clocks import IN_CHARGE
from dragonhall.server.game import Plan, Write
from dragonhall.server.log import Answered, Cause, SeatSubstituted, SeatTakenBack, SeatVacated
from dragonhall.server.operations.undo import ending
from dragonhall.server.playthrough import Playthrough, Status
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.settings import AbsenceCause, AbsencePolicy, AnsweredBy, SeatState


def leave_running(game: Playthrough, seat: int, is_substitute: bool = False) -> Write[int] | int:
    """Whoever plays ``seat`` leaves the running game: the revision. Who is not there any more leaves nothing."""
    if game.seats[seat].state is not (SeatState.SUBSTITUTED if is_substitute else SeatState.PLAYING):
        return game.revision
    return _one(SeatVacated(seat, AbsenceCause.LEFT))


def take_back(game: Playthrough, seat: int) -> Write[int] | int:
    """Whoever took ``seat`` first plays again: the revision. Raises `Refusal`."""
    if game.status is not Status.RUNNING:
        status = game.status.name
        message = f"the game is {status.lower()}: a seat is taken back in a running game"
        raise Refusal(Reason.GAME_NOT_RUNNING, message, status=status)
    state = game.seats[seat].state
    if state is SeatState.FORFEITED:
        message = f"seat {seat} was forfeited: it is out of the running for good"
        raise Refusal(Reason.SEAT_UNAVAILABLE, message, status=game.status.name, seat=str(seat))
    return game.revision if state is SeatState.PLAYING else _one(SeatTakenBack(seat))


def substitute(game: Playthrough, seat: int, player_name: str, token_hash: bytes) -> Cause:
    """A bot takes the vacant ``seat``. Whether it is the right one is for the caller to check. Raises `Refusal`."""
    if game.seats[seat].state is not SeatState.VACANT:
        message = f"seat {seat} is not vacant: no substitute is waited for"
        raise Refusal(Reason.SEAT_UNAVAILABLE, message, status=game.status.name, seat=str(seat))
    return SeatSubstituted(seat, player_name, token_hash)


def expire(now_us: int) -> Plan[bool]:
    """What has to be done at ``now_us`` because deadlines have passed; whether there was anything."""

    def plan(game: Playthrough) -> Write[bool] | bool:
        causes = expired(game, now_us)
        return Write(causes, lambda _: True) if causes else False

    return plan


def expired(game: Playthrough, now_us: int) -> tuple[Cause, ...]:
    """What is written for all seats together whose deadline is not after ``now_us``: nothing, if there is none."""
    if game.status is not Status.RUNNING:
        return ()
    deadlines = game.clocks.deadlines
    late = [ticket for ticket in _asked(game.running_table()) if deadlines.get(ticket.seat, now_us + 1) <= now_us]
    if not late:
        return ()
    forfeit = game.created.settings.absence is AbsencePolicy.FORFEIT
    causes = _forfeits(game, late) if forfeit else [_for_late(game, ticket) for ticket in late]
    return (*ending(game, late[0].seat), *causes)


def _for_late(game: Playthrough, ticket: Ticket) -> Cause:
    if game.seats[ticket.seat].state not in IN_CHARGE:
        return _default(game, ticket, AnsweredBy.ABSENCE)
    if game.created.settings.absence is AbsencePolicy.DEFAULT_ACTION:
        return _default(game, ticket, AnsweredBy.TIME)
    return SeatVacated(ticket.seat, AbsenceCause.TIME)


def _forfeits(game: Playthrough, late: Iterable[Ticket]) -> Iterator[Cause]:
    """Seats that are late at one deadline forfeit at once; those of a later one only if that has not ended the game."""
    forfeits = list(game.running_table().forfeits)
    deadlines = game.clocks.deadlines
    of_seat = deadlines.__getitem__
    for _, together in groupby(sorted((ticket.seat for ticket in late), key=of_seat), key=of_seat):
        if ends_game(forfeits, len(game.seats)):
            return
        forfeits.append(tuple(together))
        first, *others = forfeits[-1]
        yield SeatVacated(first, AbsenceCause.TIME, tuple(others))


def consequence(game: Playthrough) -> Cause | None:
    """The default action of a seat that is asked and away, or out of the running.

    As long as nobody attends the running game, nothing happens in it.
    """
    if not any(seat.state.is_attended for seat in game.seats):
        return None
    for ticket in _asked(game.running_table()):
        state = game.seats[ticket.seat].state
        if not state.is_attended:
            by = AnsweredBy.FORFEIT if state is SeatState.FORFEITED else AnsweredBy.ABSENCE
            return next(iter(ending(game, ticket.seat)), None) or _default(game, ticket, by)
    return None


def _asked(table: Table) -> list[Ticket]:
    return sorted(table.tickets.values(), key=lambda ticket: ticket.seat)


def _default(game: Playthrough, ticket: Ticket, by: AnsweredBy) -> Answered:
    table = game.running_table()
    code = table.default_code(ticket.seat)
    index = index_of(table.state.legal_runs(ticket.seat), code)
    return Answered(ticket.seat, ticket.decision_id, code, index, by)


def _one(cause: Cause) -> Write[int]:
    return Write((cause,), lambda frames: frames[0].revision)
