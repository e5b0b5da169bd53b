"""Choices counted and numbered by rule are those that trying everything finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product
from random import Random

import pytest

from dragonhall.rules.dragonisles import cards, choices
from dragonhall.rules.dragonisles.combinations import combination_at, count_combinations, rank_of_combination
from dragonhall.rules.dragonisles.facts import NUMBERS, WILD, WILDS
from dragonhall.rules.dragonisles.setting import NONE, SNEAK, STEAL, STRIKE

APPROACHES = {"sneak": SNEAK, "steal": STEAL, "strike": STRIKE}


def is_combination(approach: int, played: tuple[int, ...]) -> bool:
    """The rulebook's action key, with wild cards, said once more."""
    coloured = [card for card in played if card != WILD]
    numbers = [card % NUMBERS for card in coloured]
    colours = [card // NUMBERS for card in coloured]
    if approach == SNEAK:
        low, high = min(numbers, default=0), max(numbers, default=0)
        return len(set(numbers)) == len(numbers) and high - low < len(played) <= NUMBERS
    if approach == STEAL:
        return len(set(numbers)) <= 1 and len(played) <= 5
    return len(set(colours)) <= 1


def as_set(played: tuple[int, ...]) -> int:
    return sum(1 << card for card in played)


def hands() -> Iterator[list[int]]:
    """Random hands, of which some are full of neighbours or of wild cards."""
    rng = Random(4)
    deck = [*range(WILD), *[WILD] * WILDS]
    for _ in range(60):
        yield rng.sample(deck, rng.randint(1, 9))
        yield rng.sample([card for card in deck if card % NUMBERS < 4], rng.randint(1, 9))
        yield [WILD] * rng.randint(1, WILDS) + rng.sample(range(WILD), rng.randint(0, 5))


@pytest.mark.parametrize("approach", APPROACHES.values(), ids=APPROACHES)
def test_challenges_of_a_hand_are_those_that_trying_everything_finds(approach: int) -> None:
    for hand in hands():
        played = [chosen for size in range(1, len(hand) + 1) for chosen in combinations(hand, size)]
        tried = {as_set(chosen) for chosen in played if is_combination(approach, chosen)}
        held = as_set(tuple(hand))
        found = [combination_at(approach, held, rank) for rank in range(count_combinations(approach, held))]
        assert len(set(found)) == len(found)
        assert set(found) == tried


@pytest.mark.parametrize("approach", APPROACHES.values(), ids=APPROACHES)
def test_cards_have_the_rank_by_which_they_are_found_and_others_none(approach: int) -> None:
    for hand in hands():
        held = as_set(tuple(hand))
        for rank in range(count_combinations(approach, held)):
            assert rank_of_combination(approach, held, combination_at(approach, held, rank)) == rank
        assert rank_of_combination(approach, held, 0) == NONE
        for played in combinations(hand, min(3, len(hand))):
            legal = rank_of_combination(approach, held, as_set(played)) != NONE
            assert legal == is_combination(approach, played)


def test_a_full_hand_of_twelve_is_counted() -> None:
    run = as_set(tuple(range(8))) + (WILDS << WILD)
    longest = max(cards.size(combination_at(SNEAK, run, rank)) for rank in range(count_combinations(SNEAK, run)))
    assert longest == 12
    assert count_combinations(STRIKE, run) == (2**8 - 1) * 5 + 4


@pytest.mark.parametrize("count", [1, 2, 3])
def test_discards_are_all_choices_of_so_many_cards(count: int) -> None:
    for hand in hands():
        if len(hand) < count:
            continue
        held = as_set(tuple(hand))
        found = [choices.discard_at(held, count, rank) for rank in range(choices.count_discards(held, count))]
        assert len(set(found)) == len(found)
        assert set(found) == {as_set(chosen) for chosen in combinations(hand, count)}
        assert [choices.rank_of_discard(held, chosen, count) for chosen in found] == list(range(len(found)))


@pytest.mark.parametrize("copies", [(1,), (3,), (2, 1), (1, 0, 2), (2, 2, 1)])
def test_treasures_can_be_used_in_every_order(copies: tuple[int, ...]) -> None:
    owned = [kind for kind, count in enumerate(copies) for _ in range(count)]
    orders = {order for size in range(len(owned) + 1) for order in permutations(owned, size)}
    packed = sum(count << (4 * kind) for kind, count in enumerate(copies))
    found = [choices.sequence_at(packed, rank) for rank in range(choices.count_sequences(packed))]
    assert [tuple(choices.step_list(sequence)) for sequence in found] == sorted(orders)
    assert [choices.rank_of_sequence(packed, sequence) for sequence in found] == list(range(len(found)))
    assert [choices.sequence_of(choices.step_list(sequence)) for sequence in found] == found


@pytest.mark.parametrize("most", [1, 2, 3, 6])
def test_dice_to_reroll_are_all_choices_of_what_they_show(most: int) -> None:
    for shown in product((1, 2, 3, 4), repeat=3):
        dice = sum(1 << (4 * face) for face in shown)
        parts = [choices.part_at(dice, most, rank) for rank in range(choices.count_parts(dice, most))]
        expected = {tuple(sorted(chosen)) for size in range(min(most, 3) + 1) for chosen in combinations(shown, size)}
        assert parts == sorted(parts)
        assert {tuple(choices.face_list(part)) for part in parts} == expected
        assert len(parts) == len(expected)
        assert all(choices.holds_dice(dice, part) for part in parts)
        assert choices.total_of(dice) == sum(shown)


@pytest.mark.parametrize("part", [-1, 1, 0x2000, 0x300, 1 << 40])
def test_dice_that_are_not_there_are_not_held(part: int) -> None:
    assert not choices.holds_dice(0x0210, part)
