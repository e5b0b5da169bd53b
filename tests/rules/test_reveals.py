"""Which events show something that was hidden, in every game: an answer that brought one cannot be taken back."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import pytest
from librt.random import Random as SamplingRandom

from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.journal import Journal
from dragonhall.rules.table import Step
from tests.rules.driver import Driver
from tests.rules.every_game import CASES, Case
from tests.rules.refused import NO_CHANCE

each_case = pytest.mark.parametrize("case", CASES, ids=str)
ANSWERS: Final = 60
"""So many of a game are looked at."""


def reveals(driver: Driver[Any], step: Step) -> bool:
    return bool(step.chance) or any(driver.played.game.reveals(entry.event) for entry in step.entries)


@each_case
def test_what_reveals_nothing_is_told_alike_in_every_world_that_a_reader_can_think_of(case: Case) -> None:
    rng, driver = case.rng(), case.driver()
    for number in range(ANSWERS):
        beliefs = {viewer: case.played.game.belief(driver.knowledge(viewer)) for viewer in (*range(case.seats), None)}
        driver.step(rng)
        step = driver.steps[-1]
        if not reveals(driver, step):
            for viewer, belief in beliefs.items():
                check_told_alike(case, belief.sample(SamplingRandom(number)), step, viewer)
        if not driver.table.tickets:
            return


def check_told_alike(case: Case, world: Any, step: Step, viewer: int | None) -> None:
    journal = Journal()
    assert step.seat is not None
    try:
        code = case.played.game.code(world, step.seat, step.action)
    except IllegalAction:
        return  # in this world the seat would have chosen otherwise
    world.apply(step.seat, code, NO_CHANCE, journal)
    told = [entry.event for entry in journal.entries if entry.is_for(viewer)]
    assert told == [entry.event for entry in step.entries if entry.is_for(viewer)]


REVEALING: Final = {
    "dragons": {"Draw": {True}, "Place": {False}, "Play": {True}, "Claim": {False, True}},
    "dragons_interest": {"Bid": {False, True}, "Pass": {False, True}, "Offer": {True}, "Accept": {False, True}},
    "dragonisles": {"Prepare": {False}, "Decline": {False, True}, "Challenge": {True}, "Discard": {True}},
}
"""By game and kind of action: whether it reveals something."""


@pytest.mark.parametrize("game", REVEALING)
def test_what_reveals_something_is_neither_everything_nor_nothing(game: str) -> None:
    found: dict[str, Counter[bool]] = {}
    for case in CASES:
        if case.played.game.name == game:
            driver = case.driver().finish(case.rng())
            for step in driver.steps[1:]:
                found.setdefault(type(step.action).__name__, Counter())[reveals(driver, step)] += 1
    assert {kind: set(found[kind]) for kind in REVEALING[game]} == REVEALING[game]
