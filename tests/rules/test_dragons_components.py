from __future__ import annotations

import tomllib
from typing import Any

import pytest

from dragonhall.rules.dragons.facts import (
    CARDS,
    FACES,
    KINDS,
    components_from_data,
    default_components,
    load_components,
)
from dragonhall.rules.errors import InvalidComponents

VALID = """
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
"""


def changed(table: str | None, key: str, value: Any) -> dict[str, Any]:
    """A valid set with one value replaced, or removed for ``None``."""
    data = tomllib.loads(VALID)
    target = data if table is None else data[table]
    target[key] = value
    if value is None:
        del target[key]
    return data


def test_default_set_has_104_cards() -> None:
    components = default_components()
    assert (components.id, components.version) == ("dragons-default", 1)
    assert len(components.cards()) == 104
    assert len(components.counts) == FACES


def test_default_set_has_34_coins_on_14_cards() -> None:
    coins = [CARDS[face].coins for face in default_components().cards() if CARDS[face].kind == "coins"]
    assert (len(coins), sum(coins)) == (14, 34)


def test_a_corrected_set_is_loaded_from_text() -> None:
    components = load_components(VALID)
    assert (components.id, components.version) == ("mine", 3)
    assert components.to_data() == tomllib.loads(VALID)


@pytest.mark.parametrize("written", ["\ufeff" + VALID, VALID.replace("\n", "\r\n")], ids=["byte order mark", "CRLF"])
def test_a_set_may_be_written_by_any_editor(written: str) -> None:
    assert load_components(written) == load_components(VALID)


def test_a_byte_order_mark_elsewhere_is_none() -> None:
    with pytest.raises(InvalidComponents, match="the text is not TOML"):
        load_components("\ufeff\ufeff" + VALID)


def test_data_does_not_depend_on_the_files_order_or_on_what_it_says_of_its_sources() -> None:
    data = tomllib.loads(VALID)
    shuffled: dict[str, Any] = {key: data[key] for key in reversed(data)}
    shuffled["cards"] = {key: data["cards"][key] for key in reversed(data["cards"])}
    shuffled["provenance"] = {"counts": "my own copy of the game"}
    assert components_from_data(shuffled) == load_components(VALID)


def test_coin_cards_that_do_not_occur_make_no_difference() -> None:
    assert components_from_data(changed("coin_cards", "7", 0)) == load_components(VALID)


@pytest.mark.parametrize("value", [-1, 105, 2**64, 5.0, True, "5", [5], {}])
@pytest.mark.parametrize(("table", "key"), [("cards", "cow"), ("cards", "polish"), ("coin_cards", "3")])
def test_a_count_must_be_a_whole_number(table: str, key: str, value: Any) -> None:
    with pytest.raises(InvalidComponents) as refused:
        components_from_data(changed(table, key, value))
    assert refused.value.key == f"{table}.{key}"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_must_be_listed(kind: str) -> None:
    with pytest.raises(InvalidComponents, match="missing") as refused:
        components_from_data(changed("cards", kind, None))
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
    with pytest.raises(InvalidComponents) as refused:
        components_from_data(changed(table, key, 1))
    assert refused.value.key == path


@pytest.mark.parametrize("table", ["cards", "coin_cards"])
@pytest.mark.parametrize("value", [None, 5, "cow", [1]])
def test_tables_must_be_tables(table: str, value: Any) -> None:
    with pytest.raises(InvalidComponents) as refused:
        components_from_data(changed(None, table, value))
    assert refused.value.key == table


def test_provenance_must_be_a_table() -> None:
    with pytest.raises(InvalidComponents) as refused:
        components_from_data(changed(None, "provenance", "rulebook"))
    assert refused.value.key == "provenance"


@pytest.mark.parametrize("table", ["cards", "coin_cards"])
@pytest.mark.parametrize("difference", [-1, 1])
def test_the_total_must_be_the_104_of_the_rulebook(table: str, difference: int) -> None:
    key = "cow" if table == "cards" else "1"
    count = tomllib.loads(VALID)[table][key]
    with pytest.raises(InvalidComponents, match=f"together are {104 + difference}") as refused:
        components_from_data(changed(table, key, count + difference))
    assert refused.value.key == "cards"


def test_a_missing_coin_card_is_a_wrong_total() -> None:
    with pytest.raises(InvalidComponents, match="together are 101"):
        components_from_data(changed("coin_cards", "3", None))


@pytest.mark.parametrize("value", [None, "", "Mine", "a b", "-a", ".a", "a" * 65, "a/b", "a\n", "ä", 7, ["a"]])
def test_an_id_is_a_short_name(value: Any) -> None:
    with pytest.raises(InvalidComponents) as refused:
        components_from_data(changed(None, "id", value))
    assert refused.value.key == "id"


@pytest.mark.parametrize("value", [None, 0, -1, 2**32, 1.0, True, "1"])
def test_a_version_is_a_number_from_1(value: Any) -> None:
    with pytest.raises(InvalidComponents) as refused:
        components_from_data(changed(None, "version", value))
    assert refused.value.key == "version"


@pytest.mark.parametrize(
    "text",
    [
        "[cards",
        "\x00",
        '{"id": "json"}',
        "id = 'a'\nid = 'b'",
        "a = " + "[" * 20_000,
        "a = " + "9" * 20_000,
        "[cards]\ncow = 1\n[cards]\n",
    ],
)
def test_text_that_is_not_toml_is_refused(text: str) -> None:
    with pytest.raises(InvalidComponents) as refused:
        load_components(text)
    assert refused.value.key == "toml"
