"""Points, ranks, and what they are made of; the rulebook's examples are in the docstrings of `scoring`, too."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragons_interest.facts import BUILDING_TYPES, TYPES
from dragonhall.rules.dragons_interest.moves import Activate, Offer
from dragonhall.rules.dragons_interest.outcome import breakdowns, outcome
from dragonhall.rules.dragons_interest.scoring import alone_with_most, scores, type_points
from tests.rules.dragons_interest_tables import SEATS, Driver, activating, everything
from tests.rules.driver import seeded


def kingdoms(*seats: Mapping[str, int]) -> vec[i64]:
    """The buildings of each seat, by type."""
    counts = [0] * (len(seats) * TYPES)
    for seat, buildings in enumerate(seats):
        for name, count in buildings.items():
            counts[seat * TYPES + BUILDING_TYPES.index(name)] = count
    return vec[i64](counts)


def tokens(*seats: int) -> vec[i64]:
    """Tokens of one kind, by seat."""
    return vec[i64](seats)


def test_castle_harbor_and_arena_are_3_points() -> None:
    """The rulebook's example; another seat has the most of each."""
    found = breakdowns(
        kingdoms({"castle": 1, "harbor": 1, "arena": 1}, {"castle": 2, "harbor": 2, "arena": 2}),
        tokens(0, 0),
        tokens(0, 0),
        0,
    )
    assert (found[0].types, found[0].majorities, found[0].score) == (("castle", "harbor", "arena"), (), 3)
    assert type_points(kingdoms({"castle": 1, "harbor": 1, "arena": 1}), 0) == 3


def test_4_arenas_against_3_are_a_point() -> None:
    """The rulebook's example."""
    found = breakdowns(kingdoms({"arena": 3}, {"arena": 4}, {"arena": 3}), tokens(0, 0, 0), tokens(0, 0, 0), 0)
    assert [seat.majorities for seat in found] == [(), ("arena",), ()]
    assert [seat.score for seat in found] == [1, 2, 1]


def test_2_harbors_against_2_are_no_point_for_the_most() -> None:
    """The rulebook's example."""
    found = breakdowns(kingdoms({"harbor": 2}, {"harbor": 2}, {"harbor": 1}), tokens(0, 0, 0), tokens(0, 0, 0), 0)
    assert [seat.majorities for seat in found] == [(), (), ()]
    assert alone_with_most(kingdoms({"harbor": 2}, {"harbor": 2}, {"harbor": 1}), 3, 1) == -1


def test_a_type_that_nobody_has_scores_for_nobody() -> None:
    assert list(scores(kingdoms({}, {}, {}), 3)) == [0, 0, 0]


@pytest.mark.parametrize("building", BUILDING_TYPES)
def test_one_building_alone_is_2_points(building: str) -> None:
    assert list(scores(kingdoms({}, {building: 1}, {}), 3)) == [0, 2, 0]


def test_equal_points_rank_by_knights_then_by_gold_then_share() -> None:
    same = {"castle": 1}
    result = outcome(kingdoms(same, same, same, same), tokens(9, 1, 2, 2), tokens(1, 3, 3, 3), 0)
    assert [seat.rank for seat in result.results] == [4, 3, 1, 1]
    assert result.winners() == (2, 3)


def test_points_come_before_knights_and_gold() -> None:
    result = outcome(kingdoms({"castle": 2}, {"castle": 1}), tokens(0, 99), tokens(0, 99), 0)
    assert [seat.rank for seat in result.results] == [1, 2]


@pytest.mark.parametrize("seats", SEATS)
def test_at_the_end_the_evaluation_is_the_score(seats: int) -> None:
    state = Driver(seats, chance=seeded(seats, b"e" * 32)).finish(Random(17)).state
    assert state.evaluate() == [result.score for result in state.outcome().results]


def test_the_evaluation_counts_the_buildings_of_all_seats_now_and_changes_nothing() -> None:
    driver = activating(3).give(0, castle=2, temple=1).give(1, castle=1, arena=1).give(2, arena=1)
    driver.play(Activate("castle"), Offer(1, "arena", 3))
    untouched = everything(driver.state)
    assert driver.state.evaluate() == [2 + 2, 2, 1]
    assert everything(driver.state) == untouched


def test_a_game_that_is_not_over_has_no_outcome() -> None:
    with pytest.raises(ValueError, match="not over"):
        Driver(3).state.outcome()
