"""What holds for every game's component sets; what each may hold is in the tests of its own."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from dragonhall.rules import GAMES
from dragonhall.rules.dragonisles import component_set
from dragonhall.rules.dragons import facts as dragons_facts
from dragonhall.rules.dragons_interest import facts as dragons_interest_facts
from tests.rules.component_data import changed_data, refusal_of

each_game = pytest.mark.parametrize("game", GAMES)
READ: dict[str, Callable[[dict[str, Any]], Any]] = {
    "dragons": dragons_facts.components_from_data,
    "dragons_interest": dragons_interest_facts.components_from_data,
    "dragonisles": component_set.components_from_data,
}
"""By game: a set from plain data, such as is in a file."""
BYTE_ORDER_MARK = "\ufeff"


def shipped(game: str) -> str:
    """The file of the default set."""
    return files(f"dragonhall.rules.{game}").joinpath(f"{game}.toml").read_text(encoding="utf-8")


def mine(game: str) -> dict[str, Any]:
    """A set of other names."""
    data = tomllib.loads(shipped(game))
    del data["provenance"]
    return data | {"id": "mine", "version": 3}


def refusal(game: str, path: str, value: Any) -> str:
    """The key that is told to be wrong in a set in which one value is replaced."""
    return refusal_of(READ[game], changed_data(mine(game), path, value)).key


@each_game
def test_the_shipped_file_is_the_default_set(game: str) -> None:
    components = GAMES[game].default_components()
    assert (components.id, components.version) == (f"{game.replace('_', '-')}-default", 1)
    assert GAMES[game].load_components(shipped(game)) == components


@each_game
def test_a_set_is_read_back_from_its_data(game: str) -> None:
    for components in (GAMES[game].default_components(), READ[game](mine(game))):
        data = components.to_data()
        before = copy.deepcopy(data)
        assert READ[game](data) == components
        assert data == before


@each_game
def test_a_set_may_be_written_by_any_editor(game: str) -> None:
    text = shipped(game)
    for written in (BYTE_ORDER_MARK + text, text.replace("\n", "\r\n")):
        assert GAMES[game].load_components(written) == GAMES[game].default_components()


@each_game
def test_a_byte_order_mark_elsewhere_is_none(game: str) -> None:
    refused = refusal_of(GAMES[game].load_components, 2 * BYTE_ORDER_MARK + shipped(game))
    assert (refused.key, "the text is not TOML" in refused.message) == ("toml", True)


@each_game
def test_a_set_does_not_depend_on_the_order_of_its_keys_or_on_what_it_says_of_its_sources(game: str) -> None:
    data = reordered(mine(game)) | {"provenance": {"all": "my own copy of the game"}}
    assert READ[game](data) == READ[game](mine(game))
    assert READ[game](data).to_data() == READ[game](mine(game)).to_data()


def reordered(data: Any) -> Any:
    """The same data with the keys of all its tables in reverse."""
    if isinstance(data, dict):
        return {key: reordered(data[key]) for key in reversed(data)}
    return [reordered(item) for item in data] if isinstance(data, list) else data


@each_game
def test_sources_are_a_table_and_other_keys_are_not_known(game: str) -> None:
    for key, value in (("provenance", "rulebook"), ("dog", 1)):
        assert refusal(game, key, value) == key


@each_game
@pytest.mark.parametrize("value", [None, "", "Mine", "a b", "-a", ".a", "a" * 65, "a/b", "a\n", "ä", 7, ["a"]])
def test_an_id_is_a_short_name(game: str, value: Any) -> None:
    assert refusal(game, "id", value) == "id"


@each_game
@pytest.mark.parametrize("value", [None, 0, -1, 2**32, 1.0, True, "1"])
def test_a_version_is_a_number_from_1(game: str, value: Any) -> None:
    assert refusal(game, "version", value) == "version"


@each_game
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
    ids=lambda text: text[:12],
)
def test_text_that_is_not_toml_is_refused(game: str, text: str) -> None:
    assert refusal_of(GAMES[game].load_components, text).key == "toml"
