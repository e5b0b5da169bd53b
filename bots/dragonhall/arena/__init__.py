"""The arena: many games between bots, fairly dealt, and what can be concluded from them.

`Schedule` says who sits where with which deal, `play_games` has the games played on a server, `standings` counts.
Everything but the games' ids follows from the line-up, the number of deals and one base seed.
"""

from __future__ import annotations

from dragonhall.arena.intervals import Interval, mean_interval
from dragonhall.arena.runner import BotsMissing, GameAborted, GamePlan, NotServing, PlayedGame, Watcher, play_games
from dragonhall.arena.schedule import Pairing, Schedule, deal_seed
from dragonhall.arena.standings import Standing, standings

__all__ = [
    "BotsMissing",
    "GameAborted",
    "GamePlan",
    "Interval",
    "NotServing",
    "Pairing",
    "PlayedGame",
    "Schedule",
    "Standing",
    "Watcher",
    "deal_seed",
    "mean_interval",
    "play_games",
    "standings",
]
