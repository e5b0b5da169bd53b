from __future__ import annotations

from typing import Any

import pytest

from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons.facts import Options
from dragonhall.rules.errors import InvalidOptions
from dragonhall.rules.options import parse_options


def test_every_option_is_off_by_default() -> None:
    assert DRAGONS.make_options({}) == Options(False, False, False, None)


def test_option_specs_name_the_options_and_their_defaults() -> None:
    defaults = Options()
    assert {spec.name: spec.default for spec in DRAGONS.options} == vars(defaults)


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
