from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest

from dragonhall.rules.chance import SeededChance
from dragonhall.rules.dragonisles import DRAGONISLES
from dragonhall.rules.dragonisles.component_set import components_from_data, default_components
from dragonhall.rules.dragonisles.facts import CHARACTERS, COLOURS, ENCOUNTER_TYPES, NUMBERS, WILDS, Condition, Options
from tests.rules.component_data import changed_data, refusal_of

DEFAULT = default_components().to_data()
changed = partial(changed_data, DEFAULT)
refusal = partial(refusal_of, components_from_data)


def test_the_default_set_has_what_the_rulebook_counts() -> None:
    """Contents: 50 encounters, 64 adventurers, 45 treasures, 20 potions, 50 coins, 6 dice, 4 tracks a character."""
    components = default_components()
    assert (components.id, components.version) == ("dragonisles-default", 1)
    assert sum(encounter.copies for encounter in components.encounters) == 50
    assert COLOURS * NUMBERS + WILDS == 64
    assert sum(treasure.copies for treasure in components.treasures if treasure.scroll is None) == 30
    assert Counter(treasure.scroll for treasure in components.treasures if treasure.scroll) == dict.fromkeys(
        ENCOUNTER_TYPES, 1
    )
    assert sum(treasure.copies for treasure in components.treasures) == 45
    assert sum(components.potions) == 20
    assert [tokens.count for tokens in (components.copper, components.silver, components.gold)] == [30, 10, 10]
    assert components.coin_supply == 180
    assert [board.character for board in components.characters] == list(CHARACTERS)
    assert all(len(board.tracks) == 4 for board in components.characters)
    assert {encounter.type for encounter in components.encounters} == set(ENCOUNTER_TYPES)


def test_the_default_set_fits_the_rulebooks_examples() -> None:
    """The pink Oni's Strike 7; a Kitsune's Sneak 7; Crashing Waves Cave's two Location symbols; the Omamori's coin."""
    components = default_components()
    kinds = {(each.name, each.category): each for each in reversed(components.encounters)}
    assert kinds["Oni", "land"].strike.target == 7  # type: ignore[union-attr]
    assert kinds["Kitsune", "land"].sneak.target == 7  # type: ignore[union-attr]
    cave = kinds["Crashing Waves Cave", "sea"]
    assert (cave.type, cave.symbols) == ("location", 2)
    omamori = next(each for each in components.treasures if each.name == "Omamori")
    assert (omamori.trigger, omamori.benefit) == ("rolled_one", "coin")
    assert components.dice_faces == (1, 2, 2, 3, 3, 4)


def test_a_corrected_set_is_loaded() -> None:
    components = components_from_data(changed("encounters.2.sneak.target", 8))
    assert components.encounters[2].sneak.target == 8  # type: ignore[union-attr]
    assert components != default_components()


def test_games_of_two_sets_are_played_side_by_side() -> None:
    """Each game looks up its own set's figures, also when many sets were in use."""
    for points in range(20):
        own = components_from_data(changed("encounters.0.victory_points", points))
        sets = (own, default_components())
        states = [DRAGONISLES.new(each, Options(), 2, SeededChance(bytes(32)), None) for each in sets]
        printed = [points, DEFAULT["encounters"][0]["victory_points"]]
        assert [state.setting.victory_points[0] for state in states] == printed
        assert states[0].setting.components == own


def test_conditions_are_read() -> None:
    found = {each.name: each.when for each in default_components().treasures}
    assert found["Jewel"] == Condition(approach="steal")
    assert found["Magatama Bead"] == Condition(hand_below=3)
    assert found["Biwa"] == Condition(colours_at_least=3)
    assert found["Omamori"] is None


REFUSED: list[tuple[str, Any, str]] = [
    ("dragons", {}, "dragons"),
    ("dice", None, "dice"),
    ("dice.count", 5, "dice.count"),
    ("dice.faces", [1, 2, 3], "dice.faces"),
    ("dice.faces", [0, 1, 2, 2, 3, 3], "dice.faces"),
    ("dice.faces", [1, 2, 2, 3, 3, 10], "dice.faces"),
    ("dice.sides", 6, "dice.sides"),
    ("adventurers.colours", ["red", "green"], "adventurers.colours"),
    ("adventurers.colours", ["red", "red", "yellow", "green", "blue"], "adventurers.colours"),
    ("adventurers.colours", ["red", "", "yellow", "green", "blue"], "adventurers.colours[1]"),
    ("adventurers.colours", ["red", 1, "yellow", "green", "blue"], "adventurers.colours[1]"),
    ("adventurers.numbers", [1, 2, 3], "adventurers.numbers"),
    ("adventurers.numbers", [True, *range(2, 13)], "adventurers.numbers"),
    ("adventurers.numbers", [float(number) for number in range(1, 13)], "adventurers.numbers"),
    ("adventurers.wilds", 5, "adventurers.wilds"),
    ("coins.copper.count", 29, "coins.copper.count"),
    ("coins.copper.value", 2, "coins.copper.value"),
    ("coins.gold.value", 4, "coins.gold.value"),
    ("coins.silver", 5, "coins.silver"),
    ("coins.iron", {"count": 1, "value": 1}, "coins.iron"),
    ("potions.boost", 11, "potions"),
    ("potions.boost", None, "potions.boost"),
    ("potions.boost", True, "potions.boost"),
    ("scrolls.per_type", 2, "scrolls.per_type"),
    ("scrolls.types", ["dragon"], "scrolls.types"),
    ("scrolls.types", ["dragon", "oni", "bakemono", "tsukumogami", "island"], "scrolls.types"),
    ("treasures", [], "treasures"),
    ("treasures", {"name": "Omamori"}, "treasures"),
    ("treasures.0.copies", 2, "treasures"),
    ("treasures.4.name", "", "treasures[4].name"),
    ("treasures.4.copies", 0, "treasures[4].copies"),
    ("treasures.4.trigger", "failure", "treasures[4].trigger"),
    ("treasures.4.trigger", "rolled_one", "treasures[4].when"),
    ("treasures.4.benefit", "extra_die", "treasures[4].benefit"),
    ("treasures.0.benefit", "potion", "treasures[0].benefit"),
    ("treasures.4.when", "approach=run", "treasures[4].when"),
    ("treasures.6.when", "hand_below=0", "treasures[6].when"),
    ("treasures.6.when", "hand_below=x", "treasures[6].when"),
    ("treasures.6.when", "hand_below=³", "treasures[6].when"),
    ("treasures.6.when", 3, "treasures[6].when"),
    ("treasures.6.colour", "green", "treasures[6].colour"),
    ("characters.monk", None, "characters.monk"),
    ("characters.pilot", {}, "characters.pilot"),
    ("characters.monk.ability", "double_coins", "characters.monk.ability"),
    ("characters.monk.tracks", [], "characters.monk.tracks"),
    ("characters.monk.tracks.0.name", "strike", "characters.monk.tracks[0].name"),
    ("characters.monk.tracks.0.name", "steal", "characters.monk.tracks"),
    ("characters.monk.tracks.2.start", -1, "characters.monk.tracks[2].start"),
    ("characters.monk.tracks.1.values", [1, 3, 2], "characters.monk.tracks[1].values"),
    ("characters.monk.tracks.3.start", 0, "characters.monk.tracks[3].start"),
    ("characters.monk.tracks.3.values", [7, 10], "characters.monk.tracks[3].values"),
    ("characters.monk.tracks.3.values", [9, 13], "characters.monk.tracks[3].values"),
    ("characters.monk.tracks.1.values", [], "characters.monk.tracks[1].values"),
    ("characters.monk.tracks.1.rewards", ["", "treasure"], "characters.monk.tracks[1].rewards"),
    ("characters.monk.tracks.1.rewards", ["", "treasure", "card"], "characters.monk.tracks[1].rewards"),
    ("encounters.0.copies", 2, "encounters"),
    ("encounters.12.name", 5, "encounters[12].name"),
    ("encounters.12.type", "pirate", "encounters[12].type"),
    ("encounters.12.category", "air", "encounters[12].category"),
    ("encounters.12.symbols", 3, "encounters[12].symbols"),
    ("encounters.12.victory_points", -1, "encounters[12].victory_points"),
    ("encounters.12.sneak.target", 0, "encounters[12].sneak.target"),
    ("encounters.12.sneak.target", 41, "encounters[12].sneak.target"),
    ("encounters.12.sneak.target", None, "encounters[12].sneak.target"),
    ("encounters.12.sneak", 7, "encounters[12].sneak"),
    ("encounters.12.sneak.bonus", "potion", "encounters[12].sneak.bonus"),
    ("encounters.12.swim", {"target": 5}, "encounters[12].swim"),
]


@pytest.mark.parametrize(("path", "value", "key"), REFUSED, ids=lambda value: str(value)[:40])
def test_a_mistake_is_named_by_its_key(path: str, value: Any, key: str) -> None:
    assert refusal(changed(path, value)).key == key


def test_a_table_among_tables_is_asked_for_as_it_can_be_written() -> None:
    assert refusal(changed("encounters.12.sneak", 7)).message == "must be a table: write sneak = { … }"
    assert refusal(changed("coins.silver", 7)).message == "must be a table: begin it with a line [coins.silver]"


@pytest.mark.parametrize(
    ("key", "named"),
    [
        ("", "''"),
        ("a\nb\x1b[31m", r"'a\nb\x1b[31m'"),
        ("k" * 10_000, "'" + "k" * 64 + "…'"),
        ("\u202ered", r"'\u202ered'"),
    ],
    ids=["empty", "control", "long", "direction"],
)
def test_a_key_that_is_not_known_is_named_so_that_it_can_be_read(key: str, named: str) -> None:
    assert refusal(DEFAULT | {key: 1}).key == named
    assert refusal(DEFAULT | {"coins": DEFAULT["coins"] | {key: 1}}).key == f"coins.{named}"


def test_an_encounter_that_cannot_be_challenged_is_refused() -> None:
    data = changed("encounters.0.steal", None)
    del data["encounters"][0]["strike"]
    assert refusal(data).key == "encounters[0]"


def test_a_board_without_eight_advances_is_refused() -> None:
    data = changed("characters.monk.tracks.0.values", [1])
    data["characters"]["monk"]["tracks"][0]["rewards"] = [""]
    data["characters"]["monk"]["tracks"][1] |= {"values": [1], "rewards": [""]}
    error = refusal(data)
    assert error.key == "characters.monk.tracks"
    assert "8 advances" in error.message


def test_more_treasures_for_a_rolled_one_than_can_be_counted_are_refused() -> None:
    data = changed("treasures.3.trigger", "rolled_one")
    del data["treasures"][3]["when"]
    error = refusal(data)
    assert error.key == "treasures"
    assert "at most 9" in error.message


def item(copies: int, trigger: str, benefit: str, **fields: str) -> dict[str, Any]:
    return {"name": "Fan", "copies": copies, "trigger": trigger, "benefit": benefit, **fields}


COINS = item(21, "success", "coin")


def test_more_orders_of_treasures_than_can_be_listed_are_refused() -> None:
    """Nine kinds for a rolled 1 can be used in 986,410 orders, all of which a prompt would list."""
    kinds = [item(1, "rolled_one", "coin")] * 9
    error = refusal(changed("treasures", [*kinds, COINS]))
    assert error.key == "treasures"
    assert "986410 orders" in error.message
    few = [item(1, "rolled_one", "coin")] * 6
    components_from_data(changed("treasures", [*few, COINS | {"copies": 24}]))


@pytest.mark.parametrize(
    "items",
    [
        [item(30, "success", "draw_1")],
        [item(10, "success", "draw_1", when="approach=steal"), COINS | {"copies": 20}],
        [
            item(3, "rolled_one", "draw_1"),
            item(7, "success", "draw_1", when="colours_at_least=5"),
            COINS | {"copies": 20},
        ],
        [item(10, "success", "draw_1", when="hand_below=8"), COINS | {"copies": 20}],
    ],
    ids=["always", "approach", "colours", "hand"],
)
def test_more_draws_than_can_be_discarded_from_are_refused(items: list[dict[str, Any]]) -> None:
    """Of a hand of 12 and 14 cards more there are millions of ways to discard, all of which a prompt would list."""
    error = refusal(changed("treasures", items))
    assert error.key == "treasures"
    assert "10 copies" in error.message or "30 copies" in error.message


def test_draws_that_never_come_together_are_taken() -> None:
    """9 for each approach; below the smallest hand limit, 7; for six of five colours, in a STRIKE for two."""
    apart = [item(9, "success", "draw_1", when=f"approach={approach}") for approach in ("sneak", "steal", "strike")]
    components_from_data(changed("treasures", [*apart, item(3, "success", "draw_1", when="hand_below=7")]))
    colours = [
        item(9, "success", "draw_1", when="approach=strike"),
        item(9, "success", "draw_1", when="colours_at_least=2"),
    ]
    components_from_data(changed("treasures", [*colours, item(12, "success", "draw_1", when="colours_at_least=6")]))


def test_an_encounter_that_nobody_can_win_is_refused() -> None:
    """Six dice of 4, and ten boosts of 2: 44. With a hand limit of 3, without boosts: 12."""
    data = changed("encounters.0", DEFAULT["encounters"][0] | {"steal": {"target": 40}, "strike": {"target": 40}})
    components_from_data(data)
    data["potions"] = {"boost": 0, "draw_two": 17, "draw_one_and_clear": 3}
    assert refusal(data).key == "encounters[0]"
    data["encounters"][0]["steal"]["target"] = 20
    components_from_data(data)
    data["characters"]["pirate"]["tracks"][3]["start"] = 3
    error = refusal(data)
    assert error.key == "encounters[0]"
    assert "a STEAL reaches 12 at most" in error.message
