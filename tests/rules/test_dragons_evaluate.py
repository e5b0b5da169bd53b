from __future__ import annotations

from random import Random

import pytest

from dragonhall.rules.dragons.facts import Options
from dragonhall.rules.dragons.moves import Claim, Draw, Place, Play
from tests.rules.dragons_tables import SEATS, VARIANTS, Driver, chance_of, everything, variant_name

DEAL = ["polish", "coins3", "one_ring", "coins5", "coins4", "coins2", "polish"]


def test_evaluation_is_zero_before_anything_is_owned() -> None:
    assert Driver(3, chance=chance_of(DEAL)).state.evaluate() == [0, 0, 0]


def test_evaluation_counts_a_claimed_pile_as_owned() -> None:
    driver = Driver(3, chance=chance_of(DEAL)).play(Draw(), Place(0), Claim(0))  # seat 1 gets polish and 5 coins
    assert driver.state.evaluate() == [0, 1 + 5, 0]


def test_evaluation_counts_the_card_in_hand() -> None:
    driver = Driver(3, Options(hidden_card=True), chance_of(DEAL)).play(Draw(), Play("held", 1))
    assert driver.state.evaluate() == [1, 4, 2]


def test_evaluation_counts_a_card_that_is_not_yet_placed_for_nobody() -> None:
    driver = Driver(3, Options(hidden_card=True), chance_of(["cow", "cow", "cow", "sheep", "sheep", "sheep", "coins5"]))
    assert driver.play(Draw()).state.evaluate() == [0, 0, 0]


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_at_the_end_the_evaluation_is_the_score(seats: int, options: Options) -> None:
    state = Driver(seats, options).finish(Random(17)).state
    assert state.evaluate() == [result.score for result in state.outcome().results]


def test_evaluation_changes_nothing() -> None:
    driver = Driver(4, Options(hidden_card=True)).play(Draw(), Play("held", 1), Claim(0), Draw())
    untouched = everything(driver.state)
    driver.state.evaluate()
    assert everything(driver.state) == untouched
