from __future__ import annotations

from typing import Any

import pytest

from dragonhall.rules.dragons_interest import DRAGONS_INTEREST
from dragonhall.rules.dragons_interest.facts import Options
from dragonhall.rules.errors import InvalidOptions
from dragonhall.rules.options import parse_options
from tests.rules.dragons_interest_tables import SEATS, Driver


def test_by_default_the_marker_rotates_from_a_seat_drawn_by_lot() -> None:
    assert DRAGONS_INTEREST.make_options({}) == Options("rotates", None)


def test_option_specs_name_the_options_and_their_defaults() -> None:
    assert {spec.name: spec.default for spec in DRAGONS_INTEREST.options} == vars(Options())


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


@pytest.mark.parametrize("seats", SEATS)
def test_the_first_seat_is_the_first_start_player(seats: int) -> None:
    assert Driver(seats, Options(first_seat=seats - 1)).state.start_player == seats - 1
