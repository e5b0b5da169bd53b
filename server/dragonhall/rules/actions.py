"""Legal actions in bulk: codes and typed actions in canonical order, where some differ in one amount only.

A game may let a seat name any amount of tokens from some least to some most. Such actions have consecutive codes and
are kept, sent and counted as one *run*; a single action is a run of one. An action's *index* is its place among all
legal actions with every amount counted, so that an index, too, says everything.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, NamedTuple, overload


class Run(NamedTuple):
    """``size`` legal codes, ``first`` and those that follow it. If more than one, they differ in an amount."""

    first: int
    size: int = 1


def codes_of(runs: Iterable[Run]) -> list[int]:
    """Every code, in order.

    >>> codes_of([Run(3), Run(10, 3)])
    [3, 10, 11, 12]
    """
    return [code for first, size in runs for code in range(first, first + size)]


def index_of(runs: Sequence[Run], code: int) -> int:
    """The index of a code. Raises ValueError if it is in none of the runs, which are in ascending order.

    >>> index_of([Run(3), Run(10, 3)], 11)
    2
    """
    place = bisect_right(runs, code, key=lambda run: run.first) - 1
    if place < 0 or not runs[place].first <= code < runs[place].first + runs[place].size:
        raise ValueError(f"code {code} is not legal here")
    return sum(run.size for run in runs[:place]) + code - runs[place].first


def code_at(runs: Iterable[Run], index: int) -> int:
    """The code at an index. Raises IndexError if there are not so many.

    >>> code_at([Run(3), Run(10, 3)], 3)
    12
    """
    left = index
    if left >= 0:
        for first, size in runs:
            if left < size:
                return first + left
            left -= size
    raise IndexError(f"there is no legal action {index}")


class ActionList(Sequence[Any]):
    """Typed actions, one for every index. Those of a run are made only when they are looked at.

    ``entries``: of each run its first action and its number of actions; an action of a longer run has the field
    ``amount``, which goes up by 1 from action to action.
    """

    def __init__(self, entries: Iterable[tuple[Any, int]]) -> None:
        self.entries: tuple[tuple[Any, int], ...] = tuple(entries)
        self._starts = [0, *accumulate(count for _, count in self.entries)]

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"there are {len(self)} actions, and no action {index}")
        place = bisect_right(self._starts, at) - 1
        return raised(self.entries[place][0], at - self._starts[place])

    def __iter__(self) -> Iterator[Any]:
        for first, count in self.entries:
            for more in range(count):
                yield raised(first, more)

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """The index of an action. Raises ValueError if it is none of these."""
        for place, (first, count) in enumerate(self.entries):
            more = 0 if count == 1 else _amount_above(first, value)
            if 0 <= more < count and raised(first, more) == value:
                at = self._starts[place] + more
                if at in range(len(self))[start:stop]:
                    return at
        raise ValueError(f"{value!r} is none of these actions")

    def __contains__(self, value: object) -> bool:
        try:
            self.index(value)
        except ValueError:
            return False
        return True


def raised(action: Any, more: int) -> Any:
    """The same action with an amount that is greater by ``more``."""
    return replace(action, amount=action.amount + more) if more else action


def _amount_above(first: Any, other: Any) -> int:
    """By how much another action of its type is above the first of a run; -1 if it is of another type."""
    return int(other.amount - first.amount) if type(other) is type(first) else -1
