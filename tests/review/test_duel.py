"""Two actions against each other, in games of which it is known what they are worth."""

from __future__ import annotations

import math
from statistics import fmean, stdev

import pytest
from librt.random import Random
from mypy_extensions import i64

from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.problem import NONE, Problem
from dragonhall.bots.mcts.search import Tuning
from dragonhall.bots.mcts.think import Method
from dragonhall.review.duel import duel
from dragonhall.review.samples import Samples
from dragonhall.rules.game import Knowledge
from tests.bots.small_games import SmallGame, TicTacToe

NOTHING_KNOWN = Knowledge(None, None, 0, None, ())


class Lottery(SmallGame):
    """Two seats. Chance gives seat 0 from 0 to 0.8 of the win, and its choice of 1 gives a tenth more."""

    def __init__(self) -> None:
        super().__init__(2)

    def draw(self, rng: Random) -> int:
        return rng.randrange(9)

    def actor(self) -> i64:
        return NONE if self.moves else 0

    def result(self) -> list[float]:
        share = (self.drawn + self.moves[0]) / 10
        return [share, 1 - share]


def loss(problem: Problem, best: int, played: int, seed: int = 7, budget: Budget | None = None) -> Samples:
    method = Method(lambda knowledge: problem, Tuning())
    return duel(method, NOTHING_KNOWN, best, played, seed, budget or Budget(simulations=400))


def test_the_luck_that_both_have_is_not_in_the_loss() -> None:
    found = loss(Lottery(), best=1, played=0)
    assert found.mean == pytest.approx(0.1)
    assert found.error == pytest.approx(0.0, abs=1e-9)


def test_each_has_half_of_the_simulations() -> None:
    assert loss(Lottery(), 1, 0, budget=Budget(simulations=101)).count == 51


def test_time_is_a_limit_too_and_something_is_tried_in_no_time() -> None:
    assert loss(Lottery(), 1, 0, budget=Budget(seconds=0.0)).count == 16


def test_what_comes_afterwards_is_played_as_well_as_it_can_be() -> None:
    """X on 0 and 1, O on 3 and 4: X wins on 2 at once; on 8 it lets O win on 5."""
    found = loss(TicTacToe([0, 3, 1, 4]), best=2, played=8)
    assert found.mean > 0.9
    assert 0 < found.error < 0.05


def test_the_same_seed_finds_the_same() -> None:
    means = [loss(TicTacToe([0, 3, 1, 4]), 2, 8, seed).mean for seed in (1, 1, 2)]
    assert means[0] == means[1] != means[2]


def test_means_and_errors_are_those_of_the_textbook() -> None:
    numbers = [1.0, 4.0, 2.5, 2.5, 7.0]
    samples = Samples()
    assert samples.error == math.inf
    for number in numbers:
        samples.add(number)
    assert samples.mean == pytest.approx(fmean(numbers))
    assert samples.error == pytest.approx(stdev(numbers) / math.sqrt(len(numbers)))


@pytest.mark.parametrize("weight", [0.5, 0.9, 1.0])
@pytest.mark.parametrize(("share", "rank"), [(1.0, 1.0), (0.0, 4.0), (0.3, 2.2)])
def test_the_win_is_found_in_a_utility(weight: float, share: float, rank: float) -> None:
    method = Method(lambda knowledge: Lottery(), win_weight=weight)
    utility = weight * share + (1 - weight) * (4 - rank) / 3
    assert method.win_expectation(utility, rank, seats=4) == pytest.approx(share)
