"""The published test vectors, computed here a second time from their description alone (protos/vectors/README.md)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from dragonhall.rules.chance import SeededChance
from tests.rules.derivation import game_key, number_below, passed_over, shuffled, words
from tests.rules.vectors import FILE, vectors

PUBLISHED: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))

KINDS = (
    *("cow", "sheep", "one_ring", "sword", "helmet", "shield", "breastplate"),
    *("crown", "scepter", "bracelet", "necklace", "pink_gem", "blue_gem", "polish"),
    *("coins1", "coins2", "coins3", "coins4", "coins5"),
)
COUNTS = (10, 10, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 8, 4, 4, 3, 2, 1)


@pytest.mark.parametrize("game", PUBLISHED["games"])
def test_a_second_implementation_computes_the_vectors(game: dict[str, Any]) -> None:
    seed, key = bytes.fromhex(game["seed"]), bytes.fromhex(game["key"])
    nonces = [bytes.fromhex(nonce) for nonce in game["nonces"]]
    assert hashlib.sha256(seed).hexdigest() == game["commitment"]
    assert game_key(seed, nonces) == key
    for stream in game["streams"]:
        produced = words(key, stream["name"])
        assert [str(next(produced)) for _ in stream["words"]] == stream["words"]
    for numbers in game["numbers"]:
        produced, untouched = words(key, numbers["name"]), words(key, numbers["name"])
        for drawn in numbers["drawn"]:
            used = [next(untouched) for _ in range(drawn["words"])]
            assert str(number_below(produced, int(drawn["below"]))) == drawn["number"]
            assert [passed_over(word, int(drawn["below"])) for word in used] == [True] * (len(used) - 1) + [False]
        assert next(produced) == next(untouched)
    for shuffle in game["shuffles"]:
        assert shuffled(words(key, shuffle["name"]), shuffle["items"]) == shuffle["shuffled"]


@pytest.mark.parametrize("game", PUBLISHED["games"])
def test_a_second_implementation_deals_the_treasure(game: dict[str, Any]) -> None:
    key = bytes.fromhex(game["key"])
    cards = [kind for kind, count in zip(KINDS, COUNTS, strict=True) for _ in range(count)]
    assert shuffled(words(key, "dragons/treasure"), cards) == game["treasure"]["cards"]
    assert number_below(words(key, "dragons/first_seat"), len(game["nonces"])) == game["treasure"]["first_seat"]


def test_words_are_passed_over_within_the_published_streams_and_a_number_below_1_uses_one() -> None:
    for game in PUBLISHED["games"]:
        drawn = [drawn for numbers in game["numbers"] for drawn in numbers["drawn"]]
        assert max(one["words"] for one in drawn) > 1
        assert {one["words"] for one in drawn if one["below"] == "1"} == {1}


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
