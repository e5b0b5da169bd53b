"""How each game is searched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dragonhall.bots.mcts import dragonisles, dragons, dragons_interest
from dragonhall.bots.mcts.think import Method

METHODS: Final[Mapping[str, Method]] = {
    "dragonisles": Method(dragonisles.problem, ponders=False),
    "dragons": Method(dragons.problem, has_secrets=lambda options: options.hidden_card),
    "dragons_interest": Method(dragons_interest.problem),
}
"""Game name -> how it is searched."""
