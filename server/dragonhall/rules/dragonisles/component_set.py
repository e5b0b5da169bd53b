"""Reading a component set of DragonIsles, and checking it against what the rulebook prints.

What the rulebook settles (the numbers of cards, tokens and dice, each character's ability and tracks) cannot be changed
by a set; what it does not print (targets, ladders, effects) can, within `bounds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from typing import Any, Final, TypeVar

from dragonhall.rules.component_file import (
    check_keys,
    choice,
    choices,
    read_id,
    read_toml,
    read_version,
    table,
    tables,
    text,
    whole_number,
    whole_numbers,
)
from dragonhall.rules.dragonisles.bounds import check_bounds
from dragonhall.rules.dragonisles.facts import (
    ABILITIES,
    APPROACHES,
    CATEGORIES,
    CHARACTERS,
    COLOURS,
    ENCOUNTER_TYPES,
    LAST_ENCOUNTER,
    MOST_DICE,
    NUMBERS,
    POTIONS,
    TRACKS,
    WILDS,
    Benefit,
    Character,
    CharacterBoard,
    CoinTokens,
    Components,
    Condition,
    Encounter,
    EncounterType,
    Reward,
    Target,
    Track,
    TrackName,
    Treasure,
)
from dragonhall.rules.errors import InvalidComponents

ENCOUNTERS: Final = 50
ITEMS: Final = 30
SCROLLS: Final = 15
POTION_TOKENS: Final = 20
COIN_TOKENS: Final = {"copper": 30, "silver": 10, "gold": 10}
"""Numbers of cards and tokens (Contents)."""

TRACKS_OF: Final[dict[Character, tuple[TrackName, ...]]] = {
    "monk": ("sneak", "steal", "trophies", "hand_limit"),
    "sorcerer": ("sneak", "strike", "rerolls", "hand_limit"),
    "pirate": ("sea", "rerolls", "trophies", "hand_limit"),
    "trader": ("sneak", "steal", "strike", "hand_limit"),
    "warrior": ("strike", "sneak", "trophies", "hand_limit"),
}
"""The tracks of each character, in any order (Unique Character Abilities)."""

FACES: Final = 6
MOST_FACE: Final = 9
MOST_TARGET: Final = 40
MOST_POINTS: Final = 20
MOST_COIN_VALUE: Final = 20
MOST_SPACES: Final = 12
"""Spaces of a track above the bottom."""
MOST_BONUS: Final = 12
"""The highest value of a track; a larger hand could not be played as a run."""
LEAST_HAND: Final = 1
"""The smallest hand limit: who may hold no card can challenge nothing, and the game would never end."""

_T = TypeVar("_T")


def default_components() -> Components:
    """The set that is played with unless another is chosen (``dragonisles.toml``)."""
    return load_components(files(__package__).joinpath("dragonisles.toml").read_text(encoding="utf-8"))


def load_components(text: str) -> Components:
    """A component set from the text of a TOML file, shaped like ``dragonisles.toml``.

    Raises `InvalidComponents` with the key that is wrong.

    >>> load_components("id = 'mine'")
    Traceback (most recent call last):
        ...
    dragonhall.rules.errors.InvalidComponents: version: missing; write a whole number from 1 to 4294967295
    """
    return components_from_data(read_toml(text))


def components_from_data(data: Mapping[str, Any]) -> Components:
    """A component set from plain data in the shape of its TOML file. Raises `InvalidComponents`."""
    sections = ("dice", "adventurers", "coins", "potions", "scrolls", "treasures", "characters", "encounters")
    check_keys(data, ("id", "version", "provenance", *sections))
    table(data, "provenance", required=False)
    set_id, version = read_id(data), read_version(data)
    copper, silver, gold = _coins(data)
    components = Components(
        id=set_id,
        version=version,
        dice_faces=_dice_faces(data),
        colours=_colours(data),
        copper=copper,
        silver=silver,
        gold=gold,
        potions=_potions(data),
        treasures=(*_items(data), *_scrolls(data)),
        characters=_characters(data),
        encounters=_encounters(data),
    )
    check_bounds(components)
    return components


def _must_be(key: str, number: int, printed: int, what: str) -> None:
    if number != printed:
        raise InvalidComponents(key, f"{number} {what}; DragonIsles has {printed}")


# ---- Dice, adventurers, tokens


def _dice_faces(data: Mapping[str, Any]) -> tuple[int, ...]:
    dice = table(data, "dice")
    check_keys(dice, ("count", "faces"), "dice.")
    _must_be("dice.count", whole_number(dice, "count", "dice.count", least=1, most=99), MOST_DICE, "dice")
    faces = whole_numbers(dice, "faces", "dice.faces", least=1, most=MOST_FACE)
    _must_be("dice.faces", len(faces), FACES, "faces of a die")
    return tuple(sorted(faces))


def _colours(data: Mapping[str, Any]) -> tuple[str, ...]:
    cards = table(data, "adventurers")
    check_keys(cards, ("colours", "numbers", "wilds"), "adventurers.")
    colours = cards.get("colours")
    if not isinstance(colours, list) or len(colours) != COLOURS or len({str(name) for name in colours}) != COLOURS:
        raise InvalidComponents("adventurers.colours", f"must name {COLOURS} colours, no two alike")
    names = tuple(text({"name": name}, "name", f"adventurers.colours[{at}]") for at, name in enumerate(colours))
    numbers = whole_numbers(cards, "numbers", "adventurers.numbers", least=1, most=NUMBERS)
    if numbers != tuple(range(1, NUMBERS + 1)):
        raise InvalidComponents("adventurers.numbers", f"must be the numbers 1 to {NUMBERS}, in order")
    wilds = whole_number(cards, "wilds", "adventurers.wilds", least=0, most=99)
    _must_be("adventurers.wilds", wilds, WILDS, "wild cards")
    return names


def _coins(data: Mapping[str, Any]) -> tuple[CoinTokens, ...]:
    coins = table(data, "coins")
    check_keys(coins, COIN_TOKENS, "coins.")
    tokens = tuple(_coin_tokens(coins, metal, count) for metal, count in COIN_TOKENS.items())
    if tokens[0].value != 1:
        raise InvalidComponents("coins.copper.value", "must be 1: a coin earned is worth 1 (RL-11)")
    for (metal, _), smaller, larger in zip(list(COIN_TOKENS.items())[1:], tokens, tokens[1:], strict=False):
        if larger.value < smaller.value:
            raise InvalidComponents(f"coins.{metal}.value", "must not be less than that of the metal before it")
    return tokens


def _coin_tokens(coins: Mapping[str, Any], metal: str, count: int) -> CoinTokens:
    path = f"coins.{metal}"
    tokens = table(coins, metal, path)
    check_keys(tokens, ("count", "value"), f"{path}.")
    _must_be(f"{path}.count", whole_number(tokens, "count", f"{path}.count", least=0, most=99), count, f"{metal} coins")
    return CoinTokens(count, whole_number(tokens, "value", f"{path}.value", least=1, most=MOST_COIN_VALUE))


def _potions(data: Mapping[str, Any]) -> tuple[int, ...]:
    potions = table(data, "potions")
    check_keys(potions, POTIONS, "potions.")
    counts = tuple(whole_number(potions, kind, f"potions.{kind}", least=0, most=POTION_TOKENS) for kind in POTIONS)
    _must_be("potions", sum(counts), POTION_TOKENS, "potions")
    return counts


# ---- Treasures


def _items(data: Mapping[str, Any]) -> tuple[Treasure, ...]:
    items = tuple(_item(item, f"treasures[{at}]") for at, item in enumerate(tables(data, "treasures")))
    _must_be("treasures", sum(item.copies for item in items), ITEMS, "copies of treasures (green items)")
    return items


_ROLLED_ONE_BENEFITS: Final[tuple[Benefit, ...]] = ("coin", "draw_1", "extra_die")
_SUCCESS_BENEFITS: Final[tuple[Benefit, ...]] = ("coin", "draw_1")
_REWARDS: Final[tuple[Reward, ...]] = ("potion", "coin", "treasure")


def _item(item: Mapping[str, Any], path: str) -> Treasure:
    check_keys(item, ("name", "copies", "trigger", "benefit", "when"), f"{path}.")
    trigger = choice(item, "trigger", f"{path}.trigger", among=("rolled_one", "success"))
    benefits = _ROLLED_ONE_BENEFITS if trigger == "rolled_one" else _SUCCESS_BENEFITS
    if trigger == "rolled_one" and "when" in item:
        raise InvalidComponents(f"{path}.when", "only a treasure with the trigger success has a condition")
    return Treasure(
        name=text(item, "name", f"{path}.name"),
        copies=whole_number(item, "copies", f"{path}.copies", least=1, most=ITEMS),
        scroll=None,
        trigger="rolled_one" if trigger == "rolled_one" else "success",
        benefit=_chosen(benefits, choice(item, "benefit", f"{path}.benefit", among=benefits)),
        when=_condition(item["when"], f"{path}.when") if "when" in item else None,
    )


def _chosen(among: Iterable[_T], value: str) -> _T:
    """``value``, which is one of ``among``, as the type that these have."""
    return next(item for item in among if item == value)


_CONDITIONS: Final[dict[str, Callable[[str], Condition | None]]] = {
    "approach": lambda value: Condition(approach=_chosen(APPROACHES, value)) if value in APPROACHES else None,
    "hand_below": lambda value: Condition(hand_below=int(value)) if _is_small(value) else None,
    "colours_at_least": lambda value: Condition(colours_at_least=int(value)) if _is_small(value) else None,
}


def _is_small(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= 2 and 1 <= int(value) <= MOST_BONUS


def _condition(written: object, path: str) -> Condition:
    name, _, value = written.partition("=") if isinstance(written, str) else ("", "", "")
    condition = _CONDITIONS[name](value) if name in _CONDITIONS else None
    if condition is None:
        raise InvalidComponents(
            path,
            f"must be 'approach=' and {' or '.join(APPROACHES)}, or 'hand_below=' or 'colours_at_least=' and a number"
            f" from 1 to {MOST_BONUS}",
        )
    return condition


def _scrolls(data: Mapping[str, Any]) -> tuple[Treasure, ...]:
    scrolls = table(data, "scrolls")
    check_keys(scrolls, ("per_type", "types"), "scrolls.")
    copies = whole_number(scrolls, "per_type", "scrolls.per_type", least=1, most=SCROLLS)
    types = choices(scrolls, "types", "scrolls.types", among=ENCOUNTER_TYPES)
    if sorted(types) != sorted(ENCOUNTER_TYPES):
        raise InvalidComponents("scrolls.types", f"must list each type once: {', '.join(ENCOUNTER_TYPES)}")
    _must_be("scrolls.per_type", copies * len(types), SCROLLS, "scrolls in all")
    return tuple(_scroll(kind, copies) for kind in ENCOUNTER_TYPES)


def _scroll(kind: EncounterType, copies: int) -> Treasure:
    return Treasure(f"{kind.capitalize()} Scroll", copies, kind, trigger=None, benefit=None, when=None)


# ---- Character boards


def _characters(data: Mapping[str, Any]) -> tuple[CharacterBoard, ...]:
    boards = table(data, "characters")
    check_keys(boards, CHARACTERS, "characters.")
    return tuple(_board(boards, character) for character in CHARACTERS)


def _board(boards: Mapping[str, Any], character: Character) -> CharacterBoard:
    path = f"characters.{character}"
    board = table(boards, character, path)
    check_keys(board, ("ability", "tracks"), f"{path}.")
    choice(board, "ability", f"{path}.ability", among=(ABILITIES[character],))
    printed = TRACKS_OF[character]
    tracks = tuple(
        _track(track, f"{path}.tracks[{at}]", printed)
        for at, track in enumerate(tables(board, "tracks", f"{path}.tracks"))
    )
    if len(tracks) != TRACKS or {track.name for track in tracks} != set(printed):
        raise InvalidComponents(f"{path}.tracks", f"must be the tracks {', '.join(printed)}, each once")
    spaces = sum(len(track.values) for track in tracks)
    if spaces < LAST_ENCOUNTER:
        raise InvalidComponents(
            f"{path}.tracks", f"{spaces} spaces in all; {LAST_ENCOUNTER} advances must be possible in a game"
        )
    return CharacterBoard(character, tracks)


def _track(track: Mapping[str, Any], path: str, names: tuple[TrackName, ...]) -> Track:
    check_keys(track, ("name", "start", "values", "rewards"), f"{path}.")
    name = _chosen(names, choice(track, "name", f"{path}.name", among=names))
    least = LEAST_HAND if name == "hand_limit" else 0
    start = whole_number(track, "start", f"{path}.start", least=least, most=MOST_BONUS)
    values = whole_numbers(track, "values", f"{path}.values", least=least, most=MOST_BONUS)
    if not 1 <= len(values) <= MOST_SPACES:
        raise InvalidComponents(f"{path}.values", f"must list 1 to {MOST_SPACES} spaces, from the bottom up")
    if list(values) != sorted(values) or values[0] < start:
        raise InvalidComponents(f"{path}.values", "must not go down: a cube on a higher space has no smaller bonus")
    rewards = choices(track, "rewards", f"{path}.rewards", among=("", *_REWARDS))
    if len(rewards) != len(values):
        raise InvalidComponents(f"{path}.rewards", f"must list {len(values)} rewards, one for each space of values")
    earned = tuple(_chosen(_REWARDS, reward) if reward else None for reward in rewards)
    return Track(name, start, values, earned)


# ---- Encounters


def _encounters(data: Mapping[str, Any]) -> tuple[Encounter, ...]:
    found = tuple(_encounter(encounter, f"encounters[{at}]") for at, encounter in enumerate(tables(data, "encounters")))
    _must_be("encounters", sum(encounter.copies for encounter in found), ENCOUNTERS, "copies of encounters")
    return found


def _encounter(encounter: Mapping[str, Any], path: str) -> Encounter:
    fixed = ("name", "copies", "type", "category", "symbols", "victory_points")
    check_keys(encounter, (*fixed, *APPROACHES), f"{path}.")
    if not any(approach in encounter for approach in APPROACHES):
        raise InvalidComponents(path, f"cannot be challenged: write one of {', '.join(APPROACHES)} at least")
    return Encounter(
        name=text(encounter, "name", f"{path}.name"),
        copies=whole_number(encounter, "copies", f"{path}.copies", least=1, most=ENCOUNTERS),
        type=_chosen(ENCOUNTER_TYPES, choice(encounter, "type", f"{path}.type", among=ENCOUNTER_TYPES)),
        category=_chosen(CATEGORIES, choice(encounter, "category", f"{path}.category", among=CATEGORIES)),
        symbols=whole_number(encounter, "symbols", f"{path}.symbols", least=1, most=2),
        victory_points=whole_number(encounter, "victory_points", f"{path}.victory_points", least=0, most=MOST_POINTS),
        sneak=_target(encounter, "sneak", path),
        steal=_target(encounter, "steal", path),
        strike=_target(encounter, "strike", path),
    )


def _target(encounter: Mapping[str, Any], approach: str, path: str) -> Target | None:
    if approach not in encounter:
        return None
    where = f"{path}.{approach}"
    printed = table(encounter, approach, where)
    check_keys(printed, ("target", "bonus"), f"{where}.")
    target = whole_number(printed, "target", f"{where}.target", least=1, most=MOST_TARGET)
    if "bonus" not in printed:
        return Target(target, None)
    bonus = choice(printed, "bonus", f"{where}.bonus", among=("coin", "treasure"))
    return Target(target, "coin" if bonus == "coin" else "treasure")
