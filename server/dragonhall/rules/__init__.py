"""The games' rules: pure, typed, and nothing else. No I/O, no clock, no global randomness, no protobuf."""

from __future__ import annotations

from typing import Final

from dragonhall.rules.dragonisles import DRAGONISLES
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons_interest import DRAGONS_INTEREST
from dragonhall.rules.game import Game

GAMES: Final[dict[str, Game]] = {game.name: game for game in (DRAGONS, DRAGONS_INTEREST, DRAGONISLES)}
"""Every game, by its name."""
