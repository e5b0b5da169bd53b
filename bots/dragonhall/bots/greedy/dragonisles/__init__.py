"""The greedy bot of DragonIsles."""

from __future__ import annotations

from dragonhall.bots.greedy.dragonisles.policy import GreedyDragonIsles
from dragonhall.bots.greedy.dragonisles.temper import Temper

__all__ = ["GreedyDragonIsles", "Temper"]
