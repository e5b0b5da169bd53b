"""What a foreign reader checks besides the play (`foreign_reader`): the texts that digests hash, and chance.

Written from the comments of record.proto, games.proto and dragons.proto, and from protos/vectors/README.md; no code is
shared with the product. JSON is written by hand here, because libraries differ in what they escape.
"""

from __future__ import annotations

import base64
from collections import Counter
from typing import Any, Final

from tests.records.foreign_parts import JSON
from tests.rules.derivation import game_key, number_below, shuffled, words

NOT_HASHED: Final = ("gameId", "createTime", "startTime", "endTime", "steps", "outcome", "rematchOf", "factsDigest")
KINDS: Final = (
    *("cow", "sheep", "one_ring", "sword", "helmet", "shield", "breastplate"),
    *("crown", "scepter", "bracelet", "necklace", "pink_gem", "blue_gem", "polish"),
)
SHORT_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def facts_text(record: JSON) -> str:
    """What GameRecord.facts_digest hashes."""
    return canonical({key: value for key, value in record.items() if key not in NOT_HASHED})


def component_text(component_set: JSON) -> str:
    """What ComponentSet.digest hashes, for a set of Dragons with contents."""
    counts = component_set["dragons"]["cards"]
    coins = {str(c["card"]["coins"]): c["count"] for c in counts if c["card"]["kind"] == "CARD_KIND_COINS"}
    others = {c["card"]["kind"].removeprefix("CARD_KIND_").lower(): c["count"] for c in counts}
    cards = {kind: others.get(kind, 0) for kind in KINDS}
    about = {"id": component_set["id"], "version": component_set["version"]}
    return canonical({**about, "cards": cards, "coin_cards": coins})


def canonical(value: Any) -> str:
    """JSON that is written in one way only, as record.proto says at ``facts_digest``."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{canonical(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    if isinstance(value, str):
        return '"' + "".join(_escaped(character) for character in value) + '"'
    return str(value).lower()


def _escaped(character: str) -> str:
    if character in SHORT_ESCAPES:
        return SHORT_ESCAPES[character]
    return character if character >= " " else f"\\u{ord(character):04x}"


def chance(record: JSON) -> list[JSON]:
    """The start's outcomes of chance, from seed and nonces."""
    nonces = [base64.b64decode(seat.get("nonce", "")) for seat in record["seats"]]
    key = game_key(base64.b64decode(record["seed"]), nonces)
    outcomes: list[JSON] = [
        {
            "name": "dragons/treasure",
            "dragonsCards": {"cards": shuffled(words(key, "dragons/treasure"), _cards(record["componentSet"]))},
        }
    ]
    if "firstSeat" not in record["options"]["dragons"]:
        number = number_below(words(key, "dragons/first_seat"), len(nonces))
        outcomes.append({"name": "dragons/first_seat", "number": number})
    return outcomes


def _cards(component_set: JSON) -> list[JSON]:
    """Every card, in the order in which the set lists them."""
    counts = component_set["dragons"]["cards"]
    assert max(Counter(canonical(count["card"]) for count in counts).values()) == 1
    return [count["card"] for count in counts for _ in range(count["count"])]
