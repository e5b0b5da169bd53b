"""What a foreign reader checks of a DragonIsles record besides the play: the set's digest, and the start's chance.

Written from the comments of games.proto and dragonisles.proto, and from protos/vectors/README.md.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any, Final

from tests.records.foreign_facts import canonical
from tests.records.foreign_parts import JSON
from tests.rules.derivation import game_key, number_below, shuffled, words

COLOURS: Final = ("RED", "PURPLE", "YELLOW", "GREEN", "BLUE")
ADVENTURERS: Final = [
    *(f"ADVENTURER_{colour}_{number}" for colour in COLOURS for number in range(1, 13)),
    *["ADVENTURER_WILD"] * 4,
]
CHARACTERS: Final = ("MONK", "SORCERER", "PIRATE", "TRADER", "WARRIOR")
ABILITIES: Final = {
    "monk": "draw_on_potion",
    "sorcerer": "prepare_three",
    "pirate": "double_coins",
    "trader": "adventurers_on_treasure",
    "warrior": "draw_on_success",
}
APPROACHES: Final = ("sneak", "steal", "strike")


def component_text(component_set: JSON) -> str:
    """What ComponentSet.digest hashes, for a set with contents."""
    contents = component_set["dragonisles"]
    potions = contents["potions"]
    scrolls = [treasure for treasure in contents["treasures"] if "scroll" in treasure]
    data = {
        "adventurers": {"colours": contents["colours"], "numbers": list(range(1, 13)), "wilds": 4},
        "characters": dict(_board(board) for board in contents["characters"]),
        "coins": {metal: contents[metal] for metal in ("copper", "gold", "silver")},
        "dice": {"count": 6, "faces": contents["diceFaces"]},
        "encounters": [_encounter(encounter) for encounter in contents["encounters"]],
        "id": component_set["id"],
        "potions": {
            "boost": potions.get("boost", 0),
            "draw_one_and_clear": potions.get("drawOneAndClear", 0),
            "draw_two": potions.get("drawTwo", 0),
        },
        "scrolls": {
            "per_type": scrolls[0]["copies"],
            "types": [_name(scroll["scroll"], "ENCOUNTER_TYPE_") for scroll in scrolls],
        },
        "treasures": [_item(treasure) for treasure in contents["treasures"] if "scroll" not in treasure],
        "version": component_set["version"],
    }
    return canonical(data)


def _name(enum: str, prefix: str) -> str:
    return enum.removeprefix(prefix).lower()


def _board(board: JSON) -> tuple[str, JSON]:
    character = _name(board["character"], "CHARACTER_")
    return character, {"ability": ABILITIES[character], "tracks": [_track(track) for track in board["tracks"]]}


def _track(track: JSON) -> JSON:
    return {
        "name": _name(track["name"], "TRACK_NAME_"),
        "rewards": [_name(reward, "REWARD_").replace("unspecified", "") for reward in track["rewards"]],
        "start": track.get("start", 0),
        "values": track["values"],
    }


def _item(treasure: JSON) -> JSON:
    data = {
        "benefit": _name(treasure["benefit"], "BENEFIT_"),
        "copies": treasure["copies"],
        "name": treasure["name"],
        "trigger": _name(treasure["trigger"], "TRIGGER_"),
    }
    return data | ({"when": _condition(treasure["when"])} if "when" in treasure else {})


def _condition(condition: JSON) -> str:
    [(kind, value)] = condition.items()
    if kind == "approach":
        return f"approach={_name(value, 'APPROACH_')}"
    return f"{'hand_below' if kind == 'handBelow' else 'colours_at_least'}={value}"


def _encounter(encounter: JSON) -> JSON:
    data: dict[str, Any] = {
        "category": _name(encounter["category"], "CATEGORY_"),
        "copies": encounter["copies"],
        "name": encounter["name"],
        "symbols": encounter["symbols"],
        "type": _name(encounter["type"], "ENCOUNTER_TYPE_"),
        "victory_points": encounter.get("victoryPoints", 0),
    }
    return data | {approach: _target(encounter[approach]) for approach in APPROACHES if approach in encounter}


def _target(target: JSON) -> JSON:
    bonus = {"bonus": _name(target["bonus"], "BONUS_")} if "bonus" in target else {}
    return {"target": target["target"]} | bonus


def chance(record: JSON) -> list[JSON]:
    """The outcomes of chance of a game without a draft up to its first turn, from seed and nonces."""
    options, contents = record["options"]["dragonisles"], record["componentSet"]["dragonisles"]
    nonces = [base64.b64decode(seat.get("nonce", "")) for seat in record["seats"]]
    key = game_key(base64.b64decode(record["seed"]), nonces)
    outcomes: list[JSON] = []
    if "firstSeat" not in options:
        number = number_below(words(key, "dragonisles/first_seat"), len(nonces))
        outcomes.append({"name": "dragonisles/first_seat", "number": number})
    orders: list[tuple[str, list[Any]]] = [
        ("encounters", list(_numbers(contents["encounters"]))),
        ("adventurers", ADVENTURERS),
        ("treasures", list(_numbers(contents["treasures"]))),
    ]
    if "characters" not in options:
        orders.insert(0, ("characters", [f"CHARACTER_{name}" for name in CHARACTERS]))
    for what, items in orders:
        order = shuffled(words(key, f"dragonisles/{what}"), items)
        outcomes.append({"name": f"dragonisles/{what}", f"dragonisles{what.capitalize()}": {what: order}})
    return outcomes


def _numbers(kinds: list[JSON]) -> Iterator[int]:
    """Every card of a deck, by kind."""
    for number, kind in enumerate(kinds):
        yield from [number] * kind["copies"]
