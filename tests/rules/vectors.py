"""Writes protos/vectors/randomness.json anew: ``python -m tests.rules.vectors``.

Only to be done when the derivation is changed: every published implementation then has to follow.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dragonhall.rules.chance import SeededChance, commitment, game_key
from dragonhall.rules.dragons.facts import CARDS
from tests.rules.dragons_tables import Driver

FILE = Path(__file__).parents[2] / "protos" / "vectors" / "randomness.json"

GAMES: list[tuple[bytes, list[bytes]]] = [
    (bytes(32), [b"", b"", b""]),
    (bytes(range(32)), [b"\x01", b"", b"three", bytes(range(64))]),
    (b"\xff" * 32, [b"", b"", b"", b"", b"", b"one nonce is enough to have a share"]),
]
BELOW = [1, 2, 6, 52, 104, 2**32 + 1, 2**63 + 1, 2**64]
HALF_PASSED_OVER = [2**63 + 1] * 4 + [1] + [2**63 + 1] * 4 + [1, 104]
"""Numbers for which about every second word is passed over, and what comes after them."""
REJECTED = [
    (2**63 + 1, 2**63, False),
    (2**63 + 1, 2**63 + 1, True),
    (2**64, 2**64 - 1, False),
    (10, 2**64 - 7, False),
    (10, 2**64 - 6, True),
    (3, 2**64 - 1, True),
]


def vectors() -> dict[str, Any]:
    """The whole file."""
    return {
        "derivation": "dragonhall/v1",
        "games": [game_vector(seed, nonces) for seed, nonces in GAMES],
        "rejected": [
            {"below": str(below), "word": str(word), "passed_over": passed} for below, word, passed in REJECTED
        ],
    }


def game_vector(seed: bytes, nonces: list[bytes]) -> dict[str, Any]:
    key = game_key(seed, nonces)
    names = ("dragons/treasure", "dragons/first_seat", "ä/ünïcode")
    return {
        "seed": seed.hex(),
        "commitment": commitment(seed).hex(),
        "nonces": [nonce.hex() for nonce in nonces],
        "key": key.hex(),
        "streams": [{"name": name, "words": words(key, name)} for name in names],
        "numbers": [numbers(key, "test/numbers", BELOW), numbers(key, "test/passed_over", HALF_PASSED_OVER)],
        "shuffles": [shuffle(key, "test/shuffle", size) for size in (1, 2, 10)],
        "treasure": treasure(key, len(nonces)),
    }


def words(key: bytes, name: str) -> list[str]:
    chance = SeededChance(key)
    return [str(chance.number(name, 2**64)) for _ in range(6)]


def numbers(key: bytes, name: str, limits: list[int]) -> dict[str, Any]:
    chance = CountedChance(key)
    return {"name": name, "drawn": [drawn(chance, name, below) for below in limits]}


def drawn(chance: CountedChance, name: str, below: int) -> dict[str, Any]:
    before = chance.words
    number = chance.number(name, below)
    return {"below": str(below), "number": str(number), "words": chance.words - before}


class CountedChance(SeededChance):
    """Counts the words that it uses."""

    words = 0

    def _next_word(self, name: str) -> int:
        self.words += 1
        return super()._next_word(name)


def shuffle(key: bytes, name: str, size: int) -> dict[str, Any]:
    items = list(range(size))
    return {"name": name, "items": items, "shuffled": SeededChance(key).shuffle(name, items)}


def treasure(key: bytes, seats: int) -> dict[str, Any]:
    driver = Driver(seats, chance=SeededChance(key))
    shuffled, first_seat = driver.steps[0].chance
    cards = [CARDS[face] for face in shuffled.order or ()]
    return {"cards": [f"{c.kind}{c.coins or ''}" for c in cards], "first_seat": first_seat.number}


if __name__ == "__main__":
    FILE.write_text(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
