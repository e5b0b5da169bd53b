"""Standings and their intervals, against figures worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist

import pytest

from dragonhall.arena import Pairing, mean_interval, standings
from dragonhall.arena.intervals import t_quantile


@dataclass(frozen=True)
class Result:
    seat: int
    rank: int
    score: int


@dataclass(frozen=True)
class Played:
    pairing: Pairing
    results: Sequence[Result]


def _game(deal: int, seats: str, ranks: Sequence[int]) -> Played:
    """Seat ``i`` is the bot ``seats[i]`` and ends with ``ranks[i]`` and ten points less for each rank."""
    results = [Result(seat, rank, 100 - 10 * rank) for seat, rank in enumerate(ranks)]
    return Played(Pairing(0, deal, 0, tuple(seats), b""), results)


def test_a_win_counts_for_the_winners_bot_and_shared_wins_are_split() -> None:
    games = [
        _game(0, "aab", (1, 2, 3)),
        _game(0, "aba", (1, 1, 3)),
        _game(1, "baa", (1, 2, 2)),
        _game(1, "aab", (1, 1, 1)),
    ]
    first, second = sorted(standings(games), key=lambda standing: standing.bot)
    assert [first.wins, second.wins] == pytest.approx([1 + 1 / 2 + 0 + 2 / 3, 0 + 1 / 2 + 1 + 1 / 3])
    assert [first.games, first.seats, first.fair_share] == pytest.approx([4, 8, 2 / 3])
    assert first.mean_rank == pytest.approx((1 + 2 + 1 + 3 + 2 + 2 + 1 + 1) / 8)
    assert second.mean_score == pytest.approx((70 + 90 + 90 + 90) / 4)


def test_shares_add_up_to_one() -> None:
    rng = Random(7)
    games = [_game(deal, "abc", rng.choices((1, 2), k=3)) for deal in range(40)]
    played = [game for game in games if any(result.rank == 1 for result in game.results)]
    assert sum(standing.share for standing in standings(played)) == pytest.approx(1)


def test_the_best_for_its_seats_stands_first() -> None:
    games = [_game(0, "abbb", (2, 1, 2, 2)), _game(1, "abbb", (1, 2, 2, 2))]
    assert [standing.bot for standing in standings(games)] == ["a", "b"]  # 50 % of 25 %, 50 % of 75 %


def test_the_interval_is_over_deals_and_not_over_games() -> None:
    """Every game of a deal ends alike: the games of a deal say no more than one of them."""
    once = [_game(deal, "ab", (1, 2) if deal % 3 else (2, 1)) for deal in range(9)]
    often = [game for game in once for _ in range(10)]
    assert standings(once)[0].interval == standings(often)[0].interval


def test_one_deal_has_no_interval() -> None:
    assert standings([_game(0, "ab", (1, 2))])[0].interval is None


def test_the_interval_is_students() -> None:
    interval = mean_interval([0.2, 0.4, 0.6])
    assert interval is not None
    half = 4.302652729911275 * 0.2 / math.sqrt(3)
    assert [interval.low, interval.high] == pytest.approx([max(0, 0.4 - half), 0.4 + half])


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706204736), (2, 4.302652730), (3, 3.182446305), (5, 2.570581836), (10, 2.228138852), (99, 1.984216952)],
)
def test_the_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=1e-8)


def test_many_degrees_of_freedom_are_normal() -> None:
    assert t_quantile(100_000) == pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-4)


def test_winning_always_is_not_taken_for_certainty() -> None:
    interval = mean_interval([1.0] * 10)
    assert interval is not None
    assert 0.6 < interval.low < 0.8
    assert interval.high == 1.0


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = Random(1)
    covered = 0
    for _ in range(1000):
        interval = mean_interval([rng.random() for _ in range(20)])
        assert interval is not None
        covered += interval.low <= 0.5 <= interval.high
    assert 0.93 < covered / 1000 < 0.97
