"""The random bot: every legal action is as likely."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from dragonhall.bots.policy import Chair


class RandomPolicy:
    """Plays any game, badly. The measure of everything else."""

    def __init__(self, chair: Chair, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: Sequence[Any]) -> int:
        """Any of ``actions``."""
        return self._rng.randrange(len(actions))
