"""The greedy bot of Dragon's Interest."""

from __future__ import annotations

from dragonhall.bots.greedy.dragons_interest.policy import GreedyDragonsInterest
from dragonhall.bots.greedy.dragons_interest.temper import Temper

__all__ = ["GreedyDragonsInterest", "Temper"]
