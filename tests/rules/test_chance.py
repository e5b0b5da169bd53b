from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragonhall.rules.chance import (
    Chance,
    ChanceOutcome,
    NotedChance,
    RecordedChance,
    SeededChance,
    commitment,
    game_key,
    new_seed,
)
from dragonhall.rules.errors import ChanceMismatch

KEY = game_key(bytes(32), [])


def test_seeds_are_32_bytes_and_differ() -> None:
    seeds = {new_seed() for _ in range(20)}
    assert len(seeds) == 20
    assert {len(seed) for seed in seeds} == {32}


def test_the_commitment_is_the_seeds_sha256() -> None:
    assert commitment(b"s" * 32) == hashlib.sha256(b"s" * 32).digest()


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(bytes(size))
    with pytest.raises(ValueError, match="32 bytes"):
        game_key(bytes(size), [])


def test_a_nonce_of_more_than_64_bytes_is_refused() -> None:
    game_key(bytes(32), [bytes(64)])
    with pytest.raises(ValueError, match="at most 64 bytes"):
        game_key(bytes(32), [b"", bytes(65)])


def test_the_key_depends_on_the_seed_every_nonce_and_whose_it_is() -> None:
    keys = [
        game_key(bytes(32), nonces)
        for nonces in ([b"", b""], [b"a", b""], [b"", b"a"], [b"ab", b""], [b"a", b"b"], [b"", b"", b""])
    ]
    assert len({*keys, game_key(b"s" * 32, [b"", b""])}) == 7


def test_streams_do_not_share_words() -> None:
    alone, beside = SeededChance(KEY), SeededChance(KEY)
    first = [alone.number("a", 1000) for _ in range(9)]
    second = []
    for _ in range(9):
        second.append(beside.number("a", 1000))
        beside.number("b", 1000)
        beside.shuffle("c", [1, 2, 3])
    assert first == second


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_the_items_and_leaves_the_list_alone(key: bytes, items: list[int]) -> None:
    before = list(items)
    shuffled = SeededChance(key).shuffle("s", items)
    assert items == before
    assert Counter(shuffled) == Counter(items)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**64))
def test_numbers_are_below_their_bound(key: bytes, below: int) -> None:
    chance = SeededChance(key)
    assert all(0 <= chance.number("n", below) < below for _ in range(5))


@pytest.mark.parametrize("below", [0, -1, 2**64 + 1])
def test_an_impossible_bound_is_refused(below: int) -> None:
    with pytest.raises(ValueError, match="cannot be drawn"):
        SeededChance(KEY).number("n", below)


def test_every_order_of_three_is_about_as_likely() -> None:
    """6000 shuffles: each of 6 orders 1000 times, give or take 5 standard deviations (29 each)."""
    chance = SeededChance(KEY)
    orders = Counter(tuple(chance.shuffle("s", [0, 1, 2])) for _ in range(6000))
    assert len(orders) == 6
    assert all(abs(count - 1000) < 145 for count in orders.values())


def test_a_source_of_chance_must_say_how_it_draws() -> None:
    with pytest.raises(NotImplementedError):
        Chance().number("n", 2)


def test_noted_chance_notes_each_outcome_once_and_in_order() -> None:
    noted, plain = NotedChance(SeededChance(KEY)), SeededChance(KEY)
    order = noted.shuffle("cards", [5, 6, 7])
    number = noted.number("die", 6)
    assert (order, number) == (plain.shuffle("cards", [5, 6, 7]), plain.number("die", 6))
    assert noted.take() == (ChanceOutcome("cards", order=tuple(order)), ChanceOutcome("die", number=number))
    assert noted.take() == ()


def test_recorded_chance_plays_back_what_was_noted() -> None:
    noted = NotedChance(SeededChance(KEY))
    order, number = noted.shuffle("cards", [5, 5, 7]), noted.number("die", 6)
    recorded = RecordedChance(noted.take())
    assert recorded.shuffle("cards", [7, 5, 5]) == order
    assert recorded.number("die", 6) == number


ORDER = ChanceOutcome("cards", order=(2, 0, 1))
NUMBER = ChanceOutcome("die", number=5)


@pytest.mark.parametrize(
    ("recorded", "message"),
    [
        ([], "no chance outcome is left"),
        ([ChanceOutcome("other", order=(0, 1, 2))], "outcome 0 is other, but the game asks for cards"),
        ([ChanceOutcome("cards", number=1)], "outcome 0 .* not an order"),
        ([ChanceOutcome("cards")], "outcome 0 .* not an order"),
        ([ChanceOutcome("cards", order=(0, 1))], "outcome 0 .* not an order"),
        ([ChanceOutcome("cards", order=(0, 1, 1))], "outcome 0 .* not an order"),
        ([ORDER], "no chance outcome is left"),
        ([ORDER, ChanceOutcome("die", order=(1,))], "outcome 1 .* not a number from 0 to 5"),
        ([ORDER, ChanceOutcome("die", number=6)], "outcome 1 .* not a number from 0 to 5"),
        ([ORDER, ChanceOutcome("die", number=-1)], "outcome 1 .* not a number from 0 to 5"),
        ([NUMBER, ORDER], "outcome 0 is die, but the game asks for cards"),
    ],
)
def test_recorded_chance_that_does_not_fit_is_refused(recorded: list[ChanceOutcome], message: str) -> None:
    chance = RecordedChance(recorded)
    with pytest.raises(ChanceMismatch, match=message):
        _ = chance.shuffle("cards", [0, 1, 2]), chance.number("die", 6)
