"""What lasts in DragonIsles: treasures and experience, worth what they do in the challenges still to come.

Much of it adds to the dice; how often that helps, and how much, is said in *pips*: points on the dice of a challenge.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import exp
from typing import Final

from dragonhall.bots.greedy.dragonisles.stock import Stock
from dragonhall.bots.greedy.dragonisles.table import Table
from dragonhall.bots.greedy.dragonisles.temper import Temper
from dragonhall.bots.greedy.dragonisles.trophies import Trophies
from dragonhall.rules.dragonisles.facts import APPROACHES, Bonus, Condition, Reward, Track

TRIES: Final = 1.3
"""Challenges for a success."""
SHOWS_A_ONE: Final = 0.35
"""How often some die shows a 1, with the two or three dice of a usual challenge."""
ONES_REROLLED: Final = 0.55
EXTRA_DIE: Final = 1.4
"""Pips, on average, by a treasure for a rolled 1."""
DIE_REROLLED: Final = (1.0, 0.4, 0.2, 0.1)
"""Pips by the right to reroll a first, second ... die."""
AT_SEA: Final = 0.3
"""How many challenges are of Sea encounters, by those who have a bonus for them."""
FEW_CARDS: Final = 0.35
MANY_COLOURS: Final = 0.2
"""How often a success leaves few cards in hand; how often it is made with three colours or more."""
LEANING: Final = 0.35
"""How much more often an approach is chosen for each point of bonus."""
BEST_OF_THREE: Final = 1.4
"""What the best one of three cards is worth, in cards."""
ROOM: Final = 0.3
"""What room for one more card in hand is worth, in cards."""
AT_THE_TOP: Final = -1.0


class Growth:
    """Worths for one seat at one table."""

    def __init__(self, table: Table, temper: Temper, stock: Stock, trophies: Trophies) -> None:
        self._table = table
        self._temper = temper
        self._stock = stock
        self._trophies = trophies
        self._challenges = TRIES * table.later_successes

    # ---- Treasures

    @cached_property
    def treasure(self) -> float:
        """To earn a treasure: the better one of two, and for the Trader the best one of three cards besides."""
        unseen = self._table.unseen_treasures()
        worths = [(self.treasure_worth(kind), number) for kind, number in enumerate(unseen) if number]
        card = BEST_OF_THREE * self._stock.card if self._table.own.character == "trader" else 0.0
        return card + (best_of_draws(worths, 2) if worths else 0.0)

    def treasure_worth(self, kind: int) -> float:
        """A treasure of a kind: what it does as often as there will be an occasion; a scroll at once."""
        treasure = self._table.components.treasures[kind]
        if treasure.scroll is not None:
            return 1 + self._trophies.gain(treasure.scroll, 1)
        benefit = self._stock.benefit(treasure.benefit)
        if treasure.trigger == "success":
            return benefit * self._fitting(treasure.when) * self._table.later_successes
        pips = EXTRA_DIE if treasure.benefit == "extra_die" else ONES_REROLLED
        return (SHOWS_A_ONE * benefit + pips * self._temper.pip) * self._challenges

    def _fitting(self, when: Condition | None) -> float:
        """How many successes fit a condition."""
        if when is None:
            return 1.0
        if when.approach is not None:
            return self._shares[when.approach]
        return FEW_CARDS if when.hand_below is not None else MANY_COLOURS

    @cached_property
    def _shares(self) -> dict[str, float]:
        """How many challenges are made by each approach."""
        leanings = {approach: exp(LEANING * self._table.track(approach)) for approach in APPROACHES}
        return {approach: leaning / sum(leanings.values()) for approach, leaning in leanings.items()}

    # ---- Experience

    @cached_property
    def advances(self) -> list[float]:
        """By track of the own board: to move its cube one space up; less than nothing if it is at the top."""
        places = zip(self._table.board.tracks, self._table.own.positions, strict=True)
        return [self._advance(track, position) for track, position in places]

    def _advance(self, track: Track, position: int) -> float:
        """What the next space brings, and some of what the one after it does."""
        if position == len(track.values):
            return AT_THE_TOP
        worth = self._space(track, position)
        if position + 1 < len(track.values) and self._table.later_successes >= 1:
            worth += self._temper.further_space * self._space(track, position + 1)
        return worth

    def _space(self, track: Track, position: int) -> float:
        more = track.value(position + 1) - track.value(position)
        return more * self._point(track, position) + self.reward(track.rewards[position])

    def _point(self, track: Track, position: int) -> float:
        """One more on a track."""
        if track.name == "trophies":
            return self._trophies.expected
        if track.name == "hand_limit":
            return ROOM * self._stock.card
        return self._pips(track, position) * self._temper.pip * self._challenges

    def _pips(self, track: Track, position: int) -> float:
        if track.name == "rerolls":
            return DIE_REROLLED[min(track.value(position), len(DIE_REROLLED) - 1)]
        return AT_SEA if track.name == "sea" else self._shares[track.name]

    def reward(self, reward: Reward | Bonus | None) -> float:
        """What an encounter or a space of a track gives."""
        if reward is None:
            return 0.0
        return {"coin": self._stock.coin, "potion": self._stock.potion, "treasure": self.treasure}[reward]


def best_of_draws(worths: Iterable[tuple[float, int]], draws: int) -> float:
    """The mean of the best of some draws, each of them equally likely one of all: worths with their numbers.

    >>> best_of_draws([(1.0, 1), (3.0, 1)], 2)
    2.5
    """
    ascending = sorted(worths)
    total = sum(number for _, number in ascending)
    mean, below = 0.0, 0
    for worth, number in ascending:
        at_most = below + number
        mean += worth * ((at_most / total) ** draws - (below / total) ** draws)
        below = at_most
    return mean
