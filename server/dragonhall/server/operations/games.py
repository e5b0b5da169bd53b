"""A game's beginning and its end before the end."""

from __future__ import annotations

from dragonhall.server.game import Plan, Write
from dragonhall.server.log import Aborted, Cause, Created
from dragonhall.server.operations.roles import check_host
from dragonhall.server.playthrough import Playthrough
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.store.base import Request


def create(created: Created, request: Request | None, *further: Cause) -> Plan[int]:
    """A new game's first revision, and maybe some ``further`` ones; the newest of them."""
    return lambda _: Write((created, *further), lambda frames: frames[-1].revision, request)


def abort(host_token: str) -> Plan[int]:
    """The host ends the game; the revision."""

    def plan(game: Playthrough) -> Write[int]:
        check_host(game, host_token)
        if game.status.is_over:
            status = game.status.name
            raise Refusal(Reason.GAME_NOT_RUNNING, f"the game is {status.lower()} already", status=status)
        return Write((Aborted(),), lambda frames: frames[0].revision)

    return plan
