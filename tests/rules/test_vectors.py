"""The published test vectors, computed here a second time from their description alone (protos/vectors/README.md)."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Any

import pytest

from dragonhall.rules.chance import SeededChance
from tests.rules.vectors import FILE, vectors

PUBLISHED: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))

KINDS = (
    *("cow", "sheep", "one_ring", "sword", "helmet", "shield", "breastplate"),
    *("crown", "scepter", "bracelet", "necklace", "pink_gem", "blue_gem", "polish"),
    *("coins1", "coins2", "coins3", "coins4", "coins5"),
)
COUNTS = (10, 10, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 8, 4, 4, 3, 2, 1)


def words(key: bytes, name: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.new(key, name.encode("utf-8") + b"\x00" + block.to_bytes(8, "big"), hashlib.sha256).digest()
        for at in range(0, 32, 8):
            yield int.from_bytes(digest[at : at + 8], "big")
        block += 1


def number_below(stream: Iterator[int], below: int) -> int:
    while True:
        word = next(stream)
        if not passed_over(word, below):
            return word % below


def passed_over(word: int, below: int) -> bool:
    return word >= 2**64 - 2**64 % below


def shuffled(stream: Iterator[int], items: list[Any]) -> list[Any]:
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = number_below(stream, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


@pytest.mark.parametrize("game", PUBLISHED["games"])
def test_a_second_implementation_computes_the_vectors(game: dict[str, Any]) -> None:
    seed, key = bytes.fromhex(game["seed"]), bytes.fromhex(game["key"])
    nonces = [bytes.fromhex(nonce) for nonce in game["nonces"]]
    assert hashlib.sha256(seed).hexdigest() == game["commitment"]
    message = b"dragonhall/v1/key" + b"".join(bytes([len(nonce)]) + nonce for nonce in nonces)
    assert hmac.new(seed, message, hashlib.sha256).digest() == key
    for stream in game["streams"]:
        produced = words(key, stream["name"])
        assert [str(next(produced)) for _ in stream["words"]] == stream["words"]
    for numbers in game["numbers"]:
        produced = words(key, numbers["name"])
        for drawn in numbers["drawn"]:
            assert str(number_below(produced, int(drawn["below"]))) == drawn["number"]
    for shuffle in game["shuffles"]:
        assert shuffled(words(key, shuffle["name"]), shuffle["items"]) == shuffle["shuffled"]


@pytest.mark.parametrize("game", PUBLISHED["games"])
def test_a_second_implementation_deals_the_treasure(game: dict[str, Any]) -> None:
    key = bytes.fromhex(game["key"])
    cards = [kind for kind, count in zip(KINDS, COUNTS, strict=True) for _ in range(count)]
    assert shuffled(words(key, "dragons/treasure"), cards) == game["treasure"]["cards"]
    assert number_below(words(key, "dragons/first_seat"), len(game["nonces"])) == game["treasure"]["first_seat"]


@pytest.mark.parametrize("case", PUBLISHED["rejected"])
def test_words_that_would_favour_small_numbers_are_passed_over(case: dict[str, Any]) -> None:
    below, word = int(case["below"]), int(case["word"])
    assert passed_over(word, below) == case["passed_over"]

    class OneWord(SeededChance):
        def _next_word(self, name: str) -> int:
            return given.pop(0)

    given = [word, 1]
    number = OneWord(bytes(32)).number("n", below)
    assert number == (1 % below if case["passed_over"] else word % below)


def test_the_published_file_is_what_the_rules_compute() -> None:
    assert vectors() == PUBLISHED
