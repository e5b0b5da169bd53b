"""How playouts ended, added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from dragonhall.rules.game import Outcome
from dragonhall.sandbox.errors import invalid
from dragonhall.v1 import sandbox_service_pb2 as messages
from dragonhall.v1.errors_pb2 import Error

MOST_WORTH: Final = 1e9
"""A rank: sums of squares stay far from what floating point can hold."""


def even_payoffs(seats: int) -> list[float]:
    """From 1 for the first to 0 for the last.

    >>> even_payoffs(3)
    [1.0, 0.5, 0.0]
    """
    return [(seats - 1 - place) / (seats - 1) for place in range(seats)]


class Worth:
    """What ranks are worth. Seats that tie share their places: they have the mean of what these are worth."""

    def __init__(self, payoffs: Sequence[float], seats: int) -> None:
        """``payoffs``: by rank, the best first; empty: `even_payoffs`. Raises `Refused`."""
        by_rank = list(payoffs) or even_payoffs(seats)
        if len(by_rank) != seats:
            raise invalid("payoffs", f"takes one for each of the {seats} seats, or none, not {len(by_rank)}")
        if not all(abs(payoff) <= MOST_WORTH for payoff in by_rank):
            raise invalid("payoffs", f"takes numbers from -{MOST_WORTH:g} to {MOST_WORTH:g}")
        places = [float(place + 1) for place in range(seats)]
        wins = [1.0] + [0.0] * (seats - 1)
        self._means = [_means(values) for values in (places, wins, by_rank)]

    def of(self, ranks: Sequence[int]) -> dict[str, list[float]]:
        """By seat, under the names that `RollOutTotals` has: the place, the share of the win, the payoff, its square.

        >>> Worth([], 3).of([1, 2, 2])["payoffs"]
        [1.0, 0.25, 0.25]
        """
        ties = [ranks.count(rank) for rank in ranks]
        shared = [(rank - 1, tied - 1) for rank, tied in zip(ranks, ties, strict=True)]
        places, wins, payoffs = ([means[first][more] for first, more in shared] for means in self._means)
        squares = [payoff * payoff for payoff in payoffs]
        return {"ranks": places, "wins": wins, "payoffs": payoffs, "payoff_squares": squares}


def _means(values: Sequence[float]) -> list[list[float]]:
    """The means of each value alone, with the next one, with the next two, and so on."""
    return [
        [sum(values[first : last + 1]) / (last + 1 - first) for last in range(first, len(values))]
        for first in range(len(values))
    ]


class Tally:
    """The sums of some playouts of one line, in worlds that follow one another."""

    def __init__(self, line: int, first_world: int, seats: int, worth: Worth) -> None:
        self._line, self._first_world = line, first_world
        self._worth = worth
        self._worlds = self._refused = self._playouts = self._unfinished = self._decisions = 0
        self._error: Error | None = None
        self._points = [0] * seats
        self._endings: Counter[tuple[int, ...]] = Counter()
        """How often each combination of ranks came about."""

    def add_world(self) -> None:
        """One more world is looked at."""
        self._worlds += 1

    def refuse_world(self, error: Error) -> None:
        """The line's moves cannot be carried out in that world."""
        self._error = self._error or error
        self._refused += 1

    def add(self, outcome: Outcome, decisions: int, is_over: bool) -> None:
        """One more playout in it."""
        self._playouts += 1
        self._decisions += decisions
        self._unfinished += not is_over
        for result in outcome.results:
            self._points[result.seat] += result.score
        self._endings[tuple(result.rank for result in outcome.results)] += 1

    def message(self) -> messages.RollOutTotals:
        """The sums."""
        sums = {name: [0.0] * len(self._points) for name in ("ranks", "wins", "payoffs", "payoff_squares")}
        for ranks, times in self._endings.items():
            for name, values in self._worth.of(ranks).items():
                sums[name] = [total + times * value for total, value in zip(sums[name], values, strict=True)]
        return messages.RollOutTotals(
            line=self._line,
            worlds=messages.WorldRange(first=self._first_world, count=self._worlds),
            playouts=self._playouts,
            unfinished=self._unfinished,
            decisions=self._decisions,
            points=self._points,
            refused_worlds=self._refused,
            error=self._error,
            **sums,
        )
