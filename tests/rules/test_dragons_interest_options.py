from __future__ import annotations

from typing import Any

import pytest

from dragonhall.rules.dragons_interest import DRAGONS_INTEREST
from dragonhall.rules.dragons_interest.facts import Options
from dragonhall.rules.errors import InvalidOptions
from dragonhall.rules.options import parse_options
from tests.rules.dragons_interest_tables import COMPONENTS, SEATS, VARIANTS, chance_of, variant_name


def test_by_default_the_marker_rotates_from_a_seat_drawn_by_lot() -> None:
    assert DRAGONS_INTEREST.make_options({}) == Options("rotates", None)


def test_option_specs_name_the_options_and_their_defaults() -> None:
    assert {spec.name: spec.default for spec in DRAGONS_INTEREST.options} == vars(Options())


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_every_choice_is_made_from_its_name(options: Options) -> None:
    assert DRAGONS_INTEREST.make_options(vars(options)) == options


def test_options_are_read_from_texts() -> None:
    texts = {"start_player": "fixed", "first_seat": "4"}
    values = parse_options(DRAGONS_INTEREST.name, DRAGONS_INTEREST.options, texts)
    assert DRAGONS_INTEREST.make_options(values) == Options("fixed", 4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("start_player", "moves"),
        ("start_player", None),
        ("start_player", True),
        ("first_seat", -1),
        ("first_seat", 5),
        ("first_seat", True),
        ("first_seat", "0"),
        ("first_player", 0),
    ],
)
def test_a_wrong_option_is_named(name: str, value: Any) -> None:
    with pytest.raises(InvalidOptions) as refused:
        DRAGONS_INTEREST.make_options({name: value})
    assert refused.value.field == name


@pytest.mark.parametrize("seats", [-1, 0, 2, 6, 2**64])
def test_the_game_is_for_3_to_5_seats(seats: int) -> None:
    with pytest.raises(InvalidOptions) as refused:
        DRAGONS_INTEREST.new(COMPONENTS, Options(), seats, chance_of(), None)
    assert refused.value.field == "seats"


@pytest.mark.parametrize("seats", SEATS)
def test_the_first_seat_is_one_of_the_games_seats(seats: int) -> None:
    state = DRAGONS_INTEREST.new(COMPONENTS, Options(first_seat=seats - 1), seats, chance_of(seats), None)
    assert state.start_player == seats - 1
    with pytest.raises(InvalidOptions) as refused:
        DRAGONS_INTEREST.new(COMPONENTS, Options(first_seat=seats), seats, chance_of(seats), None)
    assert refused.value.field == "first_seat"
