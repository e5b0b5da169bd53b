"""How each game is searched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dragonhall.bots.mcts import dragons
from dragonhall.bots.mcts.think import Method

METHODS: Final[Mapping[str, Method]] = {"dragons": Method(dragons.problem)}
"""Game name -> how it is searched."""
