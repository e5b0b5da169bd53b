"""What is answered for a seat that does not answer, in every game."""

from __future__ import annotations

from typing import Any, Final

import pytest
from librt.random import Random as SamplingRandom

from dragonhall.rules.dragonisles import component_set
from tests.rules.driver import Driver, seeded
from tests.rules.every_game import CASES, PLAYED, Case, looked_at

each_case = pytest.mark.parametrize("case", CASES, ids=str)

MOST_ANSWERS: Final = {"dragons": 250, "dragons_interest": 300, "dragonisles": 1_000}
"""No game in which nobody answers takes more: of 1,000 games of DragonIsles the longest took 238."""


def played_by_default(driver: Driver[Any], most: int) -> int:
    """Nobody answers: plays to the end, and returns the number of answers; stops after ``most``."""
    answers = 0
    while driver.table.tickets and answers < most:
        seat = driver.waiting[0]
        driver.act_code(driver.table.default_code(seat), seat)
        answers += 1
    return answers


@each_case
def test_a_game_in_which_nobody_answers_ends(case: Case) -> None:
    most = MOST_ANSWERS[case.played.game.name]
    for number in range(8):
        driver = case.driver(number)
        assert played_by_default(driver, most) < most
        assert driver.state.is_over()


def test_islands_full_of_what_cannot_be_won_are_cleared() -> None:
    """Of three encounters two have targets that no dice can reach."""
    data = component_set.default_components().to_data()
    for place, encounter in enumerate(data["encounters"]):
        for approach in {"sneak", "steal", "strike"} & encounter.keys():
            encounter[approach]["target"] = 4 if place % 3 == 0 else 40
    components = component_set.components_from_data(data)
    for number in range(4):
        driver = Driver[Any](PLAYED["dragonisles"], 2, chance=seeded(2, bytes([number] * 32)), components=components)
        assert played_by_default(driver, 2_000) < 2_000


@each_case
def test_it_is_legal_and_does_not_depend_on_what_the_seat_does_not_know(case: Case) -> None:
    """It is the same in every world that the seat can think of."""
    game = case.played.game
    for driver in looked_at(case.driver(), case.rng()):
        for seat in driver.waiting:
            code = driver.table.default_code(seat)
            assert driver.state.is_legal(seat, code)
            belief = game.belief(driver.knowledge(seat))
            for number in range(3):
                assert game.default_action(belief.sample(SamplingRandom(number)), seat) == code


@each_case
def test_it_changes_nothing(case: Case) -> None:
    for driver in looked_at(case.driver(1), case.rng(1)):
        before = case.played.everything(driver.state)
        for seat in driver.waiting:
            driver.table.default_code(seat)
        assert case.played.everything(driver.state) == before
