from __future__ import annotations

import tomllib
from functools import partial
from typing import Any

import pytest

from dragonhall.rules.dragons.facts import (
    CARDS,
    FACES,
    KINDS,
    components_from_data,
    default_components,
)
from dragonhall.rules.errors import InvalidComponents
from tests.rules.component_data import changed_data, refusal_of

VALID = tomllib.loads("""
id = "mine"
version = 3
[cards]
cow = 11
sheep = 9
one_ring = 4
sword = 5
helmet = 5
shield = 5
breastplate = 5
crown = 6
scepter = 6
bracelet = 6
necklace = 6
pink_gem = 7
blue_gem = 7
polish = 8
[coin_cards]
1 = 4
2 = 4
3 = 3
4 = 2
9 = 1
""")
changed = partial(changed_data, VALID)
refusal = partial(refusal_of, components_from_data)


def test_default_set_has_104_cards() -> None:
    components = default_components()
    assert (components.id, components.version) == ("dragons-default", 1)
    assert len(components.cards()) == 104
    assert len(components.counts) == FACES


def test_default_set_has_34_coins_on_14_cards() -> None:
    coins = [CARDS[face].coins for face in default_components().cards() if CARDS[face].kind == "coins"]
    assert (len(coins), sum(coins)) == (14, 34)


def test_a_corrected_set_is_read() -> None:
    components = components_from_data(VALID)
    assert (components.id, components.version) == ("mine", 3)
    assert components.to_data() == VALID


def test_coin_cards_that_do_not_occur_make_no_difference() -> None:
    assert components_from_data(changed("coin_cards.7", 0)) == components_from_data(VALID)


@pytest.mark.parametrize("value", [-1, 105, 2**64, 5.0, True, "5", [5], {}])
@pytest.mark.parametrize(("table", "key"), [("cards", "cow"), ("cards", "polish"), ("coin_cards", "3")])
def test_a_count_must_be_a_whole_number(table: str, key: str, value: Any) -> None:
    assert refusal(changed(f"{table}.{key}", value)).key == f"{table}.{key}"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_must_be_listed(kind: str) -> None:
    with pytest.raises(InvalidComponents, match="missing") as refused:
        components_from_data(changed(f"cards.{kind}", None))
    assert refused.value.key == f"cards.{kind}"


@pytest.mark.parametrize(
    ("table", "key", "path"),
    [
        ("cards", "dog", "cards.dog"),
        ("cards", "coins", "cards.coins"),
        ("cards", "Cow", "cards.Cow"),
        ("coin_cards", "0", "coin_cards.0"),
        ("coin_cards", "10", "coin_cards.10"),
        ("coin_cards", "03", "coin_cards.03"),
        ("coin_cards", "٣", "coin_cards.'٣'"),
        (None, "card", "card"),
    ],
)
def test_an_unknown_key_is_named(table: str | None, key: str, path: str) -> None:
    assert refusal(changed(key if table is None else f"{table}.{key}", 1)).key == path


@pytest.mark.parametrize("table", ["cards", "coin_cards"])
@pytest.mark.parametrize("value", [None, 5, "cow", [1]])
def test_tables_must_be_tables(table: str, value: Any) -> None:
    assert refusal(changed(table, value)).key == table


@pytest.mark.parametrize("table", ["cards", "coin_cards"])
@pytest.mark.parametrize("difference", [-1, 1])
def test_the_total_must_be_the_104_of_the_rulebook(table: str, difference: int) -> None:
    key = "cow" if table == "cards" else "1"
    count = VALID[table][key]
    with pytest.raises(InvalidComponents, match=f"together are {104 + difference}") as refused:
        components_from_data(changed(f"{table}.{key}", count + difference))
    assert refused.value.key == "cards"


def test_a_missing_coin_card_is_a_wrong_total() -> None:
    with pytest.raises(InvalidComponents, match="together are 101"):
        components_from_data(changed("coin_cards.3", None))
