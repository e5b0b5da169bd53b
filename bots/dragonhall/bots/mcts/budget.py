"""How long to think: so many simulations, so many seconds, or whichever comes first."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from librt.random import Random

from dragonhall.bots.mcts.search import Search

_CHUNK_SECONDS: Final = 0.01
"""About how often the clock is looked at."""
_MOST_IN_CHUNK: Final = 4096
_RESERVE: Final = 0.9
"""Of the time left before a deadline at most so much is thought: what is found has to be told, too."""
_SLACK: Final = 0.05
"""By this part more than it is given a decision may take: there is more to it than the search."""
_SLACK_SECONDS: Final = 0.02
"""And by so much: taking it in, and looking at the clock now and then only."""
_LATEST: Final = 0.95
"""Of the time left before a deadline, when everything is done."""
_TEXT: Final = re.compile(r"(?P<seconds>\d{1,6}(\.\d{1,6})?)s|(?P<simulations>[1-9]\d{0,11})")


class InvalidBudget(ValueError):
    """A text that is no budget, or a budget without a limit."""


@dataclass(frozen=True)
class Budget:
    """What one decision may cost. With `simulations` alone the same search always finds the same."""

    simulations: int | None = None
    """At most so many."""
    seconds: float | None = None
    """At most so long."""

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise InvalidBudget("a budget limits the simulations, the seconds, or both")

    @classmethod
    def of_text(cls, text: str) -> Budget:
        """``2000``: simulations; ``0.5s``: seconds. Raises `InvalidBudget`.

        >>> Budget.of_text("2000").simulations, Budget.of_text("0.5s").seconds
        (2000, 0.5)
        """
        found = _TEXT.fullmatch(text)
        if found is None:
            raise InvalidBudget(f"{text!r} is no budget: write simulations as 2000, or seconds as 0.5s")
        if found["seconds"]:
            return cls(seconds=float(found["seconds"]))
        return cls(simulations=int(found["simulations"]))

    def within(self, time_left: float | None) -> Budget:
        """The same, and over before ``time_left`` seconds have passed, if that is given."""
        if time_left is None:
            return self
        most = max(0.0, time_left) * _RESERVE
        return replace(self, seconds=most if self.seconds is None else min(self.seconds, most))

    def pace(self, time_left: float | None) -> float:
        """Seconds after which every decision has been thought about, however hard it is, but before ``time_left``, if
        that is given. 0 for a budget of simulations: how long these take, nobody knows.

        >>> Budget(seconds=1.0).pace(None), Budget(seconds=1.0).pace(0.5), Budget(simulations=100).pace(0.5)
        (1.07, 0.475, 0.0)
        """
        if self.seconds is None or self.simulations is not None:
            return 0.0
        pace = self.seconds * (1.0 + _SLACK) + _SLACK_SECONDS
        return pace if time_left is None else min(pace, max(0.0, time_left) * _LATEST)

    def shared(self, workers: int) -> Budget:
        """The part of each of several searches at the same time: of the simulations, but all of the time."""
        if self.simulations is None:
            return self
        return replace(self, simulations=math.ceil(self.simulations / workers))


def spend(budget: Budget, search: Search, root: int, rng: Random, goes_on: Callable[[], bool] = lambda: True) -> float:
    """Lets ``search`` run until the budget is spent, or nothing can change its choice any more.

    Returns the seconds. ``goes_on`` is asked every now and then; after a no the search ends at once.
    """
    begin = time.perf_counter()
    spent, chunk, done = 0.0, 16 if budget.seconds is None else 1, 0  # interpreted, one may take 30 ms
    most = budget.simulations if budget.simulations is not None else 1 << 60
    while done < most and goes_on():
        count = min(chunk, most - done)
        search.run(count, rng)
        done += count
        spent = time.perf_counter() - begin
        left = float(most - done)
        if budget.seconds is not None:
            left = min(left, (budget.seconds - spent) * done / spent)
            chunk = max(1, min(_MOST_IN_CHUNK, int(_CHUNK_SECONDS * done / spent)))
        if left <= 0 or _is_settled(search, root, left):
            break
    return spent


def _is_settled(search: Search, root: int, left: float) -> bool:
    """Whether the most visited action stays that, whatever is done with the simulations that are left."""
    tree = search.tree
    first, count = tree.first_edge[root], tree.edges[root]
    if count == 1:
        return True
    visits: list[int] = sorted(tree.edge_visits[edge] for edge in range(first, first + count))
    return visits[-1] - visits[-2] > left
