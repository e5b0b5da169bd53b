"""How a game ends for seats that gave it up, or were out of time: alike in all games, and outside of their rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dragonhall.rules.game import Outcome, SeatResult


def ends_game(forfeited: Sequence[int], seats: int) -> bool:
    """Whether so many seats have forfeited that there is nobody left to play against.

    >>> ends_game([2], seats=3), ends_game([2, 0], seats=3)
    (False, True)
    """
    return len(forfeited) >= seats - 1


def with_forfeits(outcome: Outcome, forfeited: Sequence[int]) -> Outcome:
    """The outcome with ``forfeited`` seats (in the order in which they forfeited) behind all others.

    Those others keep their order and their ties; of several that forfeited, who did so later does better.
    """
    if not forfeited:
        return outcome
    return Outcome(tuple(_ranked(result, outcome, forfeited) for result in outcome.results))


def _ranked(result: SeatResult, outcome: Outcome, forfeited: Sequence[int]) -> SeatResult:
    if result.seat in forfeited:
        return replace(result, rank=len(outcome.results) - forfeited.index(result.seat), forfeited=True)
    better = [other for other in outcome.results if other.rank < result.rank and other.seat not in forfeited]
    return replace(result, rank=1 + len(better))
