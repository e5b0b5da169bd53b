"""How a game ends for seats that gave it up, or were out of time: alike in all games, and outside of their rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dragonhall.rules.game import Outcome, SeatResult

Forfeits = Sequence[Sequence[int]]
"""The seats that have forfeited, in the order in which they did: those together that did at once."""


def ends_game(forfeits: Forfeits, seats: int) -> bool:
    """Whether so many seats have forfeited that there is nobody left to play against.

    >>> ends_game([[2]], seats=3), ends_game([[2], [0]], seats=3), ends_game([[0, 1, 2]], seats=3)
    (False, True, True)
    """
    return sum(map(len, forfeits)) >= seats - 1


def with_forfeits(outcome: Outcome, forfeits: Forfeits) -> Outcome:
    """The outcome with the seats that forfeited behind all others.

    Those others keep their order and their ties. Of several that forfeited, who did so later does better, and those
    that did at once share a rank.
    """
    if not forfeits:
        return outcome
    left, rank_of = len(outcome.results), {}
    for together in forfeits:
        left -= len(together)
        rank_of.update(dict.fromkeys(together, left + 1))
    return Outcome(tuple(_ranked(result, outcome, rank_of) for result in outcome.results))


def _ranked(result: SeatResult, outcome: Outcome, rank_of: Mapping[int, int]) -> SeatResult:
    """``rank_of``: of the seats that forfeited."""
    if result.seat in rank_of:
        return replace(result, rank=rank_of[result.seat], forfeited=True)
    better = [other for other in outcome.results if other.rank < result.rank and other.seat not in rank_of]
    return replace(result, rank=1 + len(better))
