"""Bots as players of the sandbox's playouts, for ``dragonhall serve``: the server itself knows no bot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from dragonhall.bots.policy import Policy

GAMES: Final = ("dragons", "dragons_interest", "dragonisles")


@dataclass(frozen=True)
class BotPlayer:
    """A kind of bot in all seats. Bots are imported by the worker process that needs them, not by the server."""

    game: str
    kind: str
    """One that decides in milliseconds."""

    def __call__(self, options: Any, components: Any, seats: int, seat: int, rng: Random) -> Policy:
        """A `dragonhall.sandbox.PolicyMaker`."""
        from dragonhall.bots.kinds import BOT_KINDS
        from dragonhall.bots.policy import Chair

        return BOT_KINDS[self.game][self.kind](Chair(options, components, seats, seat), rng)


POLICIES: Final[Mapping[str, Mapping[str, BotPlayer]]] = {game: {"greedy": BotPlayer(game, "greedy")} for game in GAMES}
"""By game and name, as `dragonhall.sandbox.SandboxSettings` has them."""
