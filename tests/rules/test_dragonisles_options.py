from __future__ import annotations

from typing import Any

import pytest

from dragonhall.rules.dragonisles import DRAGONISLES
from dragonhall.rules.dragonisles.facts import Options
from dragonhall.rules.errors import InvalidOptions
from dragonhall.rules.options import parse_options
from tests.rules.dragonisles_tables import Driver


def test_options_not_given_keep_their_defaults() -> None:
    assert DRAGONISLES.make_options({}) == Options(draft=False, characters=None, first_seat=None)


def test_options_are_made_by_name() -> None:
    made = DRAGONISLES.make_options({"characters": ["monk", "pirate"], "first_seat": 1})
    assert made == Options(characters=("monk", "pirate"), first_seat=1)
    assert DRAGONISLES.make_options({"draft": True}).draft


def test_options_are_read_from_a_command_line() -> None:
    texts = {"characters": "Trader, monk,warrior", "first_seat": "2"}
    values = parse_options("dragonisles", DRAGONISLES.options, texts)
    assert DRAGONISLES.make_options(values) == Options(characters=("trader", "monk", "warrior"), first_seat=2)


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"draft": 1}, "draft"),
        ({"characters": "monk"}, "characters"),
        ({"characters": ["monk", "monk"]}, "characters"),
        ({"characters": ["monk", "ninja"]}, "characters"),
        ({"characters": ["monk", "trader"], "draft": True}, "draft"),
        ({"first_seat": -1}, "first_seat"),
        ({"first_seat": 5}, "first_seat"),
        ({"first_seat": "0"}, "first_seat"),
        ({"solo": True}, "solo"),
    ],
    ids=str,
)
def test_options_that_no_game_can_have_are_refused(values: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        DRAGONISLES.make_options(values)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("options", "field"),
    [(Options(first_seat=2), "first_seat"), (Options(characters=("monk", "trader", "pirate")), "characters")],
    ids=str,
)
def test_options_must_fit_the_number_of_seats(options: Options, field: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        Driver(2, options)
    assert refused.value.field == field


def test_a_character_that_there_is_not_is_named() -> None:
    with pytest.raises(InvalidOptions, match="'ninja'") as refused:
        DRAGONISLES.make_options({"characters": ("monk", "ninja")})
    assert refused.value.field == "characters"
