"""What follows by itself from how things stand in a game, whatever was done to it."""

from __future__ import annotations

from dragonhall.server.log import Cause
from dragonhall.server.operations import absence, undo
from dragonhall.server.playthrough import Playthrough, Status


def consequence(game: Playthrough) -> Cause | None:
    """What has to be written next, before anything else can be done; asked again and again until there is nothing."""
    if game.status is not Status.RUNNING:
        return None
    return undo.consequence(game) or absence.consequence(game)
