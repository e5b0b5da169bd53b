from __future__ import annotations

import tomllib
from functools import partial
from typing import Any

import pytest

from dragonhall.rules.dragons_interest.facts import (
    BUILDING_TYPES,
    GENEROUS_DRAGON,
    STACK_SIZE,
    Contract,
    Tile,
    components_from_data,
    default_components,
    face_of,
    tile_of,
)
from tests.rules.component_data import changed_data, refusal_of

VALID = tomllib.loads("""
id = "mine"
version = 3
[contracts]
numbers = [3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15]
jester = { value = 20, needs_any_of = [14, 15] }
[mountain]
ring = ["castle", "temple", "guild", "harbor", "city_hall", "arena"]
[tiles.castle]
start = "generous_dragon"
gold = [1, 2, 3, 4, 5, 6, 7, 8, 9]
events = []
[tiles.harbor]
start = 99
gold = [5, 5, 5]
events = ["generous_dragon", "calendar", "calendar", "invasion", "invasion", "invasion"]
[tiles.temple]
start = 11
gold = [6, 7, 8, 9, 10, 12, 14]
events = ["calendar", "invasion"]
[tiles.city_hall]
start = 1
gold = [6, 7, 8, 9, 10, 11, 12, 14]
events = ["calendar"]
[tiles.guild]
gold = [7, 8, 9, 10, 11, 12, 13, 15]
events = ["calendar", "invasion"]
[tiles.arena]
gold = [7, 8, 9, 10, 11, 12, 13, 15]
events = ["generous_dragon", "calendar"]
""")
changed = partial(changed_data, VALID)
refusal = partial(refusal_of, components_from_data)


def test_the_default_set_has_60_tiles_in_6_stacks_of_10() -> None:
    components = default_components()
    assert (components.id, components.version) == ("dragons-interest-default", 1)
    assert [len(stack.shuffled_faces()) + (stack.start is not None) for stack in components.tiles] == [10] * 6


def test_a_seat_of_the_default_set_has_12_contracts_4_to_14_and_the_jester() -> None:
    assert default_components().contracts == (*(Contract(number) for number in range(4, 15)), Contract(0))
    assert (default_components().jester_value, default_components().jester_needs_any_of) == (17, (13, 14))


def test_the_default_set_has_starting_tiles_for_four_types_and_one_is_the_generous_dragon() -> None:
    starts = {name: stack.start for name, stack in zip(BUILDING_TYPES, default_components().tiles, strict=True)}
    assert [name for name, start in starts.items() if start is None] == ["guild", "arena"]
    assert [name for name, start in starts.items() if start == GENEROUS_DRAGON] == ["city_hall"]


def test_a_corrected_set_is_read() -> None:
    components = components_from_data(VALID)
    assert (components.id, components.version) == ("mine", 3)
    assert components.to_data() == VALID


def backwards(data: Any) -> Any:
    """The same data with its lists but for the ring in reverse."""
    if isinstance(data, dict):
        return {key: data[key] if key == "ring" else backwards(data[key]) for key in data}
    return data[::-1] if isinstance(data, list) else data


def test_a_set_does_not_depend_on_the_order_of_its_lists() -> None:
    components = components_from_data(backwards(VALID))
    assert components == components_from_data(VALID)
    assert components.to_data() == components_from_data(VALID).to_data()


def test_the_ring_is_in_the_files_order() -> None:
    ring = ["castle", "city_hall", "guild", "temple", "harbor", "arena"]
    assert components_from_data(changed("mountain.ring", ring)).ring == tuple(ring)


NUMBERS = [3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15]

WRONG: list[tuple[str, Any, str, str]] = [
    ("contracts", None, "contracts", "must be a table"),
    ("contracts", [1], "contracts", "must be a table"),
    ("contracts.numbers", None, "contracts.numbers", "must be a list"),
    ("contracts.numbers", NUMBERS[1:], "contracts.numbers", "has 10 numbers; there are 11"),
    ("contracts.numbers", [*NUMBERS, 16], "contracts.numbers", "has 12 numbers; there are 11"),
    ("contracts.numbers", [*NUMBERS[1:], 15], "contracts.numbers", "twice"),
    ("contracts.numbers", [*NUMBERS[1:], 0], "contracts.numbers", "from 1 to 99"),
    ("contracts.numbers", [*NUMBERS[1:], 100], "contracts.numbers", "from 1 to 99"),
    ("contracts.numbers", [*NUMBERS[1:], 3.0], "contracts.numbers", "from 1 to 99"),
    ("contracts.numbers", [*NUMBERS[1:], True], "contracts.numbers", "from 1 to 99"),
    ("contracts.jokers", 1, "contracts.jokers", "unknown"),
    ("contracts.jester", None, "contracts.jester", "must be a table"),
    ("contracts.jester.value", None, "contracts.jester.value", "missing"),
    ("contracts.jester.value", 0, "contracts.jester.value", "from 1 to 99"),
    ("contracts.jester.value", 2**70, "contracts.jester.value", "from 1 to 99"),
    ("contracts.jester.worth", 1, "contracts.jester.worth", "unknown"),
    ("contracts.jester.needs_any_of", None, "contracts.jester.needs_any_of", "must be a list"),
    ("contracts.jester.needs_any_of", [], "contracts.jester.needs_any_of", "one or more"),
    ("contracts.jester.needs_any_of", [13, 14], "contracts.jester.needs_any_of", "3, 4, 5, 6"),
    ("contracts.jester.needs_any_of", [14, 14], "contracts.jester.needs_any_of", "twice"),
    ("mountain", None, "mountain", "must be a table"),
    ("mountain.height", 1, "mountain.height", "unknown"),
    ("mountain.ring", None, "mountain.ring", "must be a list"),
    ("mountain.ring", ["castle", "arena"], "mountain.ring", "each of the 6 types once"),
    ("mountain.ring", ["castle", *["temple"] * 4, "arena"], "mountain.ring", "each of the 6 types once"),
    ("mountain.ring", ["castle", "keep"], "mountain.ring", "must be a list of: 'castle'"),
    ("mountain.ring", ["temple", "castle", "guild", "harbor", "city_hall", "arena"], "mountain.ring", "RI-1"),
    ("mountain.ring", ["castle", "arena", "temple", "guild", "harbor", "city_hall"], "mountain.ring", "RI-1"),
    ("tiles", None, "tiles", "must be a table"),
    ("tiles.keep", {}, "tiles.keep", "unknown"),
    ("tiles.castle", None, "tiles.castle", "must be a table"),
    ("tiles.castle.start", None, "tiles.castle.start", "missing"),
    ("tiles.castle.start", "calendar", "tiles.castle.start", "or 'generous_dragon'"),
    ("tiles.castle.start", 0, "tiles.castle.start", "from 1 to 99"),
    ("tiles.castle.start", True, "tiles.castle.start", "from 1 to 99"),
    ("tiles.castle.start", 5, "tiles", "0 starting tiles are the generous_dragon"),
    ("tiles.harbor.start", "generous_dragon", "tiles", "2 starting tiles are the generous_dragon"),
    ("tiles.arena.start", 5, "tiles.arena.start", "unknown"),
    ("tiles.temple.gold", None, "tiles.temple.gold", "must be a list"),
    ("tiles.temple.gold", [100], "tiles.temple.gold", "from 1 to 99"),
    ("tiles.temple.gold", [6], "tiles.temple", "has 4 tiles"),
    ("tiles.guild.gold", [7] * 9, "tiles.guild", "has 11 tiles"),
    ("tiles.temple.events", None, "tiles.temple.events", "must be a list"),
    ("tiles.temple.events", ["dragon"], "tiles.temple.events", "'invasion'"),
    ("tiles.temple.events", [], "tiles.temple", "has 8 tiles"),
    ("tiles.temple.silver", [], "tiles.temple.silver", "unknown"),
    ("cards", {}, "cards", "unknown"),
]


@pytest.mark.parametrize(("path", "value", "key", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_what_is_wrong_is_named_by_its_key(path: str, value: Any, key: str, message: str) -> None:
    refused = refusal(changed(path, value))
    assert refused.key == key
    assert message in refused.message


def test_every_face_is_a_tile_and_back() -> None:
    for building, stack in enumerate(components_from_data(VALID).tiles):
        faces = stack.shuffled_faces()
        assert [face_of(tile_of(building, face)) for face in faces] == faces
        assert len(faces) in (STACK_SIZE, STACK_SIZE - 1)


def test_tiles_and_contracts_are_named_for_people() -> None:
    assert str(Tile("city_hall", 7)) == "city hall: 7 gold"
    assert str(Tile("arena", event="generous_dragon")) == "arena: generous dragon"
    assert (str(Contract(9)), str(Contract(0))) == ("contract 9", "the Jester")
