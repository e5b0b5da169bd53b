from __future__ import annotations

from typing import Any

import pytest

from dragonhall.rules.chance import SeededChance
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons.facts import Options
from dragonhall.rules.errors import InvalidOptions
from dragonhall.rules.options import parse_options
from tests.rules.dragons_tables import COMPONENTS, SEATS, VARIANTS, variant_name


def test_every_option_is_off_by_default() -> None:
    assert DRAGONS.make_options({}) == Options(False, False, False, None)


def test_option_specs_name_the_options_and_their_defaults() -> None:
    defaults = Options()
    assert {spec.name: spec.default for spec in DRAGONS.options} == vars(defaults)


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_every_combination_is_made_from_names(options: Options) -> None:
    assert DRAGONS.make_options(vars(options)) == options


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("extra_year", 1),
        ("open_piles", None),
        ("hidden_card", "true"),
        ("first_seat", -1),
        ("first_seat", 6),
        ("first_seat", True),
        ("first_seat", 1.0),
        ("extra_years", True),
    ],
)
def test_a_wrong_option_is_named(name: str, value: Any) -> None:
    with pytest.raises(InvalidOptions) as refused:
        DRAGONS.make_options({name: value})
    assert refused.value.field == name


@pytest.mark.parametrize("seats", [-1, 0, 2, 7, 2**64])
def test_dragons_is_for_3_to_6_seats(seats: int) -> None:
    with pytest.raises(InvalidOptions) as refused:
        DRAGONS.new(COMPONENTS, Options(), seats, SeededChance(bytes(32)), None)
    assert refused.value.field == "seats"


@pytest.mark.parametrize("seats", SEATS)
def test_the_first_seat_is_one_of_the_games_seats(seats: int) -> None:
    DRAGONS.new(COMPONENTS, Options(first_seat=seats - 1), seats, SeededChance(bytes(32)), None)
    with pytest.raises(InvalidOptions) as refused:
        DRAGONS.new(COMPONENTS, Options(first_seat=seats), seats, SeededChance(bytes(32)), None)
    assert refused.value.field == "first_seat"


def test_options_are_read_from_text() -> None:
    values = parse_options("dragons", DRAGONS.options, {"hidden_card": "true", "open_piles": "NO", "first_seat": "2"})
    assert DRAGONS.make_options(values) == Options(hidden_card=True, first_seat=2)


@pytest.mark.parametrize(
    ("name", "text"),
    [("hidden_card", "maybe"), ("hidden_card", ""), ("first_seat", "-1"), ("first_seat", "²"), ("color", "red")],
)
def test_text_that_is_no_option_is_refused(name: str, text: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        parse_options("dragons", DRAGONS.options, {name: text})
    assert refused.value.field == name
