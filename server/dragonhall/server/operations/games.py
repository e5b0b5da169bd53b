"""A game's beginning and its end before the end."""

from __future__ import annotations

from dragonhall.server.game import Plan, Write
from dragonhall.server.log import Aborted, Cause, Created, Started
from dragonhall.server.operations.roles import check_host
from dragonhall.server.playthrough import Frame, Playthrough, Status
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.settings import AbortCause
from dragonhall.server.store.base import Request


def create(created: Created, request: Request | None, *further: Cause) -> Plan[int]:
    """A new game's first revision, and maybe some ``further`` ones; the newest of them."""
    return lambda _: Write((created, *further), _newest, request)


def start(host_token: str) -> Plan[int]:
    """The host starts the game whose seats are all taken; the revision, the newest one if it has started before."""

    def plan(game: Playthrough) -> Write[int] | int:
        check_host(game, host_token)
        if game.status is Status.RUNNING:
            return game.revision
        _check_not_over(game)
        free = ",".join(str(seat.seat) for seat in game.seats if seat.taken is None)
        if free:
            raise Refusal(Reason.SEATS_FREE, f"seats are free: {free}; wait until all are taken", seats=free)
        return Write((Started(),), _newest)

    return plan


def abort(host_token: str) -> Plan[int]:
    """The host ends the game; the revision."""

    def plan(game: Playthrough) -> Write[int]:
        check_host(game, host_token)
        _check_not_over(game)
        return Write((Aborted(AbortCause.HOST),), _newest)

    return plan


def expire_game(changed_before_us: int) -> Plan[bool]:
    """The game is ended if nothing has happened in it since (Unix time in microseconds): whether it was."""

    def plan(game: Playthrough) -> Write[bool] | bool:
        if game.status.is_over or game.changed_us >= changed_before_us:
            return False
        return Write((Aborted(AbortCause.EXPIRED),), lambda _: True)

    return plan


def _check_not_over(game: Playthrough) -> None:
    if game.status.is_over:
        status = game.status.name
        raise Refusal(Reason.GAME_NOT_RUNNING, f"the game is {status.lower()} already", status=status)


def _newest(frames: list[Frame]) -> int:
    return frames[-1].revision
