from __future__ import annotations

import pytest

from dragonhall.rules.dragons.outcome import Breakdown, breakdowns, outcome
from dragonhall.rules.dragons.scoring import eliminated_seats, polish_points
from tests.rules.dragons_tables import SEATS, Driver, owned

FED = {"cow": 3, "sheep": 3}


def breakdown(cards: dict[str, int]) -> Breakdown:
    """The breakdown of a seat with these cards beside two others that have none but food."""
    return breakdowns(owned(FED | cards, FED, FED), 3)[0]


def test_rulebook_example_raeghals_four_cans_are_worth_16() -> None:
    assert polish_points(4) == 16
    assert breakdown({"polish": 4}).polish == 16


def test_rulebook_example_falkors_can_is_worth_1() -> None:
    assert polish_points(1) == 1
    assert breakdown({"polish": 1}).polish == 1


@pytest.mark.parametrize(("cards", "points"), [({"coins1": 1}, 1), ({"coins9": 2, "coins5": 1, "coins2": 3}, 29)])
def test_every_coin_is_a_point(cards: dict[str, int], points: int) -> None:
    assert breakdown(cards) == Breakdown(3, 3, (), points, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(("rings", "points"), [(0, 0), (1, 7), (2, 0), (3, 0), (4, 0)])
def test_a_single_one_ring_scores_7_and_several_none(rings: int, points: int) -> None:
    assert breakdown({"one_ring": rings}).one_ring == points


@pytest.mark.parametrize("missing", ["sword", "helmet", "shield", "breastplate"])
def test_armour_scores_10_a_complete_set(missing: str) -> None:
    armour = dict.fromkeys(("sword", "helmet", "shield", "breastplate"), 3)
    assert breakdown(armour).armour == 30
    assert breakdown(armour | {missing: 1}).armour == 10
    assert breakdown(armour | {missing: 0}).armour == 0


@pytest.mark.parametrize("jewel", ["crown", "scepter", "bracelet", "necklace"])
@pytest.mark.parametrize(("count", "points"), [(2, 0), (3, 10), (5, 10), (6, 20)])
def test_jewels_score_10_for_three_of_a_kind(jewel: str, count: int, points: int) -> None:
    assert breakdown({jewel: count}).jewels == points


def test_jewels_of_different_kinds_make_no_set() -> None:
    assert breakdown({"crown": 2, "scepter": 2, "bracelet": 2, "necklace": 2}).jewels == 0
    assert breakdown({"crown": 3, "scepter": 3, "bracelet": 3, "necklace": 4}).jewels == 40


@pytest.mark.parametrize(("gem", "field"), [("pink_gem", "pink_gems"), ("blue_gem", "blue_gems")])
def test_the_most_gems_of_a_colour_score_12(gem: str, field: str) -> None:
    found = breakdowns(owned(FED | {gem: 2}, FED | {gem: 3}, FED), 3)
    assert [getattr(seat, field) for seat in found] == [0, 12, 0]
    assert [seat.score for seat in found] == [0, 12, 0]


def test_food_scores_nothing() -> None:
    assert breakdown({"cow": 10, "sheep": 10}).score == 0


def test_the_score_is_the_sum_of_the_breakdown() -> None:
    cards = {"coins4": 1, "one_ring": 1, "polish": 3, "crown": 3, "pink_gem": 1, "blue_gem": 1}
    armour = {"sword": 1, "helmet": 1, "shield": 1, "breastplate": 1}
    found = breakdown(cards | armour)
    assert found == Breakdown(3, 3, (), 4, 7, 10, 10, 12, 12, 9)
    assert found.score == 64


@pytest.mark.parametrize("seats", [3, 4])
def test_up_to_4_seats_the_fewest_animals_are_out(seats: int) -> None:
    treasure = owned({"cow": 2}, {"sheep": 1}, *[{"cow": 1, "sheep": 1}] * (seats - 2))
    assert [seat.famines for seat in breakdowns(treasure, seats)] == [(), ("animals",), *[()] * (seats - 2)]


@pytest.mark.parametrize("seats", [3, 4])
def test_up_to_4_seats_a_tie_for_the_fewest_animals_eliminates_nobody(seats: int) -> None:
    treasure = owned({"cow": 1}, {"sheep": 1}, *[{"cow": 1, "sheep": 1}] * (seats - 2))
    assert eliminated_seats(treasure, seats) == 0


@pytest.mark.parametrize("seats", [5, 6])
def test_from_5_seats_the_fewest_cows_and_the_fewest_sheep_are_out(seats: int) -> None:
    treasure = owned({"cow": 9}, {"sheep": 9}, *[{"cow": 1, "sheep": 1}] * (seats - 2))
    found = breakdowns(treasure, seats)
    assert [seat.famines for seat in found] == [("sheep",), ("cows",), *[()] * (seats - 2)]
    assert [result.eliminated for result in outcome(treasure, seats).results] == [True, True, *[False] * (seats - 2)]


@pytest.mark.parametrize("seats", [5, 6])
def test_from_5_seats_the_same_seat_in_both_is_alone_out(seats: int) -> None:
    treasure = owned({}, *[{"cow": 1, "sheep": 1}] * (seats - 1))
    found = breakdowns(treasure, seats)
    assert [seat.famines for seat in found] == [("cows", "sheep"), *[()] * (seats - 1)]
    assert eliminated_seats(treasure, seats) == 1


@pytest.mark.parametrize("seats", [5, 6])
def test_from_5_seats_a_tie_for_one_animal_leaves_the_other_alone(seats: int) -> None:
    treasure = owned({"sheep": 3}, {"sheep": 3}, {"cow": 3}, *[{"cow": 1, "sheep": 1}] * (seats - 3))
    assert [seat.famines for seat in breakdowns(treasure, seats)] == [(), (), ("sheep",), *[()] * (seats - 3)]


@pytest.mark.parametrize("seats", SEATS)
def test_with_no_animals_at_all_nobody_is_out(seats: int) -> None:
    assert eliminated_seats(owned(*[{}] * seats), seats) == 0


def test_a_later_seat_can_be_the_one_with_the_fewest_after_a_tie() -> None:
    assert eliminated_seats(owned({"cow": 2}, {"cow": 2}, {"cow": 1}), 3) == 0b100
    assert eliminated_seats(owned({"cow": 1}, {"cow": 2}, {"cow": 2}), 3) == 0b001


def test_the_result_of_a_game_in_progress_is_refused() -> None:
    with pytest.raises(ValueError, match="not over"):
        Driver(3).state.outcome()
