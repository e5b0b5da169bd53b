"""What a foreign reader checks of a Dragon's Interest record besides the play: the set's digest, and chance.

Written from the comments of games.proto and dragons_interest.proto, and from protos/vectors/README.md.
"""

from __future__ import annotations

import base64
from typing import Final

from tests.records.foreign_facts import canonical
from tests.records.foreign_parts import JSON
from tests.rules.derivation import game_key, number_below, shuffled, words

TYPES: Final = ("castle", "harbor", "temple", "city_hall", "guild", "arena")


def component_text(component_set: JSON) -> str:
    """What ComponentSet.digest hashes, for a set with contents."""
    contents = component_set["dragonsInterest"]
    jester = contents["contracts"]["jester"]
    data = {
        "id": component_set["id"],
        "version": component_set["version"],
        "contracts": {
            "numbers": contents["contracts"]["numbers"],
            "jester": {"value": jester["value"], "needs_any_of": jester["needsAnyOf"]},
        },
        "mountain": {"ring": [name.removeprefix("BUILDING_TYPE_").lower() for name in contents["mountain"]["ring"]]},
        "tiles": {name: _stack_data(_stack(component_set, name)) for name in TYPES},
    }
    return canonical(data)


def _stack(component_set: JSON, name: str) -> JSON:
    first, *rest = name.split("_")
    stack: JSON = component_set["dragonsInterest"]["tiles"]["".join([first, *map(str.capitalize, rest)])]
    return stack


def _stack_data(stack: JSON) -> JSON:
    data: JSON = {"gold": stack.get("gold", []), "events": [_event(event) for event in stack.get("events", [])]}
    if "start" in stack:
        data["start"] = stack["start"]["gold"] if "gold" in stack["start"] else _event(stack["start"]["event"])
    return data


def _event(enum: str) -> str:
    return enum.removeprefix("TILE_EVENT_").lower()


def chance(record: JSON) -> list[JSON]:
    """The start's outcomes of chance, from seed and nonces."""
    seats, options = record["seats"], record["options"]["dragonsInterest"]
    key = game_key(base64.b64decode(record["seed"]), [base64.b64decode(seat.get("nonce", "")) for seat in seats])
    outcomes: list[JSON] = []
    for name in TYPES:
        if name == "guild" and len(seats) == 3:
            continue
        stream = f"dragons_interest/{name}"
        tiles = shuffled(words(key, stream), _shuffled_tiles(record["componentSet"], name))
        outcomes.append({"name": stream, "dragonsInterestTiles": {"tiles": tiles}})
    if "firstSeat" not in options:
        number = number_below(words(key, "dragons_interest/first_seat"), len(seats))
        outcomes.append({"name": "dragons_interest/first_seat", "number": number})
    return outcomes


def _shuffled_tiles(component_set: JSON, name: str) -> list[JSON]:
    stack, building = _stack(component_set, name), f"BUILDING_TYPE_{name.upper()}"
    gold = [{"building": building, "gold": number} for number in stack.get("gold", [])]
    return gold + [{"building": building, "event": event} for event in stack.get("events", [])]
