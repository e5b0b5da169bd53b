"""The greedy bot of Dragons: it forecasts the rest of the year for each of its actions, and takes the best.

In reading order: `knowledge` counts cards, `value` says what a treasure is worth, `race` how the year may go on, and
`policy` chooses.
"""

from __future__ import annotations

from dragonhall.bots.greedy.dragons.policy import GreedyDragons

__all__ = ["GreedyDragons"]
