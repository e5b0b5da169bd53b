"""One seat after another of the same game, where one process thinks for several: at a pace that tells nothing.

How long a seat waits until its question is come to depends on how long those before it were thought about, and so on
what these hold. At a steady pace (`dragonhall.bots.thinking.steady`) it is answered as if each of them had taken as
long as it may.
"""

from __future__ import annotations

import time

from dragonhall.bots.mcts.searching import Effort
from dragonhall.bots.thinking.messages import Choice, Place, Question
from dragonhall.bots.thinking.seated import Seated


class Turns:
    """Of one process. Seats of other games do not count: nobody there sees what these hold."""

    def __init__(self) -> None:
        self._ends: dict[Place, float] = {}
        """By seat, if it is still to come: when its question will have been answered at a steady pace."""

    def choose(self, place: Place, seated: Seated, question: Question, effort: Effort) -> Choice:
        """As `Seated.choose`, with a pace that begins when the game's other seats will have been answered."""
        begin = time.monotonic()
        self._ends = {other: end for other, end in self._ends.items() if end > begin and other != place}
        before = [end for (game_id, _), end in self._ends.items() if game_id == place[0]]
        choice = seated.choose(question, effort, early=max(before, default=begin) - begin)
        if choice.pace > 0.0:
            self._ends[place] = begin + choice.pace
        return choice
