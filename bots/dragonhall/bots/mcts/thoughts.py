"""What a search has found out about one decision, for whoever chooses, explains, or reviews."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dragonhall.bots.mcts.search import Search


@dataclass(frozen=True)
class Line:
    """One action that was tried."""

    code: int
    """The action's code in the rules (`dragonhall.rules.game`)."""
    prior: float
    """How promising it had looked: its share, 0 to 1."""
    visits: int
    """Simulations that took it."""
    worth: float
    """Sum over these of what the seat had: each 0 to 1."""
    rank: float
    """Sum of its ranks: each 1 to the number of seats."""
    rank_squares: float
    """Sum of their squares."""

    @property
    def utility(self) -> float:
        """What the seat has of what it wants, on average: 0 to 1. NaN if it was never tried."""
        return self.worth / self.visits if self.visits else math.nan

    @property
    def expected_rank(self) -> float:
        """1 (always the winner) to the number of seats. NaN if it was never tried."""
        return self.rank / self.visits if self.visits else math.nan

    @property
    def rank_error(self) -> float:
        """The standard error of `expected_rank`, as far as chance and the others' cards go; NaN below two visits."""
        if self.visits < 2:
            return math.nan
        mean = self.rank / self.visits
        variance = max(0.0, self.rank_squares / self.visits - mean * mean)
        return math.sqrt(variance / (self.visits - 1))


@dataclass(frozen=True)
class Thoughts:
    """The result of thinking about one decision."""

    lines: tuple[Line, ...]
    """Every action that was considered, the most visited first; one at least."""
    simulations: int
    seconds: float

    @property
    def choice(self) -> int:
        """The code to answer with: of the action that was tried most."""
        return self.lines[0].code

    @property
    def expected_rank(self) -> float:
        """Of the choice."""
        return self.lines[0].expected_rank

    def line(self, code: int) -> Line | None:
        """What was found of an action; ``None`` if it was not considered."""
        return next((line for line in self.lines if line.code == code), None)


def thoughts_of(search: Search, root: int, seconds: float) -> Thoughts:
    """What ``search`` has found at its root."""
    tree = search.tree
    first, count = tree.first_edge[root], tree.edges[root]
    lines = [
        Line(
            code=tree.edge_code[edge],
            prior=tree.edge_prior[edge],
            visits=tree.edge_visits[edge],
            worth=tree.edge_worth[edge],
            rank=tree.edge_rank[edge],
            rank_squares=tree.edge_squares[edge],
        )
        for edge in range(first, first + count)
    ]
    return Thoughts(_in_order(lines), search.simulations, seconds)


def merged(found: Sequence[Thoughts]) -> Thoughts:
    """What several searches of the same decision have found together (root parallel)."""
    lines: dict[int, Line] = {}
    for line in (line for thoughts in found for line in thoughts.lines):
        known = lines.get(line.code)
        lines[line.code] = line if known is None else _together(known, line)
    return Thoughts(
        _in_order(lines.values()),
        sum(thoughts.simulations for thoughts in found),
        max(thoughts.seconds for thoughts in found),
    )


def _in_order(lines: Iterable[Line]) -> tuple[Line, ...]:
    return tuple(sorted(lines, key=lambda line: (-line.visits, -line.prior, line.code)))


def _together(one: Line, other: Line) -> Line:
    return Line(
        one.code,
        one.prior,
        one.visits + other.visits,
        one.worth + other.worth,
        one.rank + other.rank,
        one.rank_squares + other.rank_squares,
    )
