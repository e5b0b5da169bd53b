"""What the greedy policy does in plain situations of Dragons, where a player knows what is right."""

from __future__ import annotations

import pytest

from dragonhall.rules.dragons.facts import Options
from dragonhall.rules.dragons.moves import Claim, Draw, Place, Play
from tests.bots.situations import Situation, choices

FED = ["cow cow sheep"] * 4
"""Four seats with three animals each: nobody starves."""

LAST_CHOICE = {
    "four cans score sixteen": (Situation(["coins5 coins4", "polish polish polish polish", "coins3"], FED), 1),
    "the can that completes five": (
        Situation(["coins5", "polish", "coins4"], ["cow cow sheep polish polish polish polish", *FED[1:]]),
        1,
    ),
    "a second ring costs the first": (
        Situation(["one_ring coins3", "coins1", "one_ring coins2"], ["cow cow sheep one_ring", *FED[1:]]),
        1,
    ),
    "the first ring is worth seven": (Situation(["coins5", "one_ring", "coins4"], FED), 1),
    "the missing piece of armour": (
        Situation(["coins5 coins3", "breastplate", "coins4"], ["cow cow sheep sword helmet shield", *FED[1:]]),
        1,
    ),
    "the third crown": (
        Situation(["coins5 coins3", "coins4", "crown"], ["cow cow sheep crown crown", *FED[1:]]),
        2,
    ),
    "the gem that makes the majority": (
        Situation(
            ["coins5 coins3", "pink_gem", "coins4"],
            ["cow cow sheep pink_gem", "cow cow sheep pink_gem", *FED[2:]],
        ),
        1,
    ),
    "the gem that makes no difference is left": (
        Situation(["coins3", "pink_gem", "coins2"], [FED[0], "cow cow sheep pink_gem pink_gem pink_gem", *FED[2:]]),
        0,
    ),
    "food when starving": (
        Situation(["coins5 coins4", "cow sheep cow", "coins3"], ["coins5 coins4 cow", *FED[1:]]),
        1,
    ),
    "with five seats cows do not make up for sheep": (
        Situation(
            ["cow cow cow", "sheep sheep", "coins3"],
            ["cow cow", "cow sheep sheep", "cow sheep sheep", "cow sheep", "cow sheep"],
            years=3,
            year=3,
        ),
        1,
    ),
}


@pytest.mark.parametrize("name", LAST_CHOICE)
def test_last_choice(name: str) -> None:
    situation, pile = LAST_CHOICE[name]
    assert choices(situation) == {Claim(pile)}


def test_draws_while_the_rest_of_the_deck_goes_to_the_last() -> None:
    situation = Situation(["coins2", "coins1"], ["coins1"] * 4, deck=18, year=1)
    assert choices(situation) == {Draw()}


def test_claims_a_pile_that_is_worth_more_than_the_other_and_the_deck() -> None:
    situation = Situation(["coins5 coins4 one_ring polish polish polish", "coins1"], FED, deck=2, year=4)
    assert choices(situation) == {Claim(0)}


def test_lays_a_wanted_card_where_the_next_seat_will_not_take_it() -> None:
    # The deck is empty: seat 1 takes the better pile, and the other one is left for seat 0.
    situation = Situation(
        ["coins5 coins4 coins4", "coins1"], ["cow cow sheep polish polish polish", *FED[1:]], drawn="polish"
    )
    assert choices(situation) == {Place(1)}


def test_lays_a_second_ring_on_the_pile_that_another_has_to_take() -> None:
    # Seat 1 owns a ring and takes pile 0 in any case; pile 1 is left for seat 0, which owns one too.
    rich = "coins5 coins4 coins4 coins3 coins3 polish polish polish polish"
    situation = Situation(
        [rich, "coins1"], ["cow cow sheep one_ring", "cow cow sheep one_ring", *FED[2:]], drawn="one_ring"
    )
    assert choices(situation) == {Place(0)}


HIDDEN = Options(hidden_card=True)


def test_keeps_in_hand_what_it_needs() -> None:
    situation = Situation(
        ["coins2", "coins2"],
        ["cow cow sheep polish polish polish", *FED[1:]],
        drawn="polish",
        held="coins1",
        options=HIDDEN,
    )
    assert {action.card for action in choices(situation) if isinstance(action, Play)} == {"held"}


def test_gets_a_second_ring_out_of_its_hand() -> None:
    situation = Situation(
        ["coins2", "coins2"], ["cow cow sheep one_ring", *FED[1:]], drawn="cow", held="one_ring", options=HIDDEN
    )
    assert {action.card for action in choices(situation) if isinstance(action, Play)} == {"held"}


def test_does_not_betray_by_habit_which_of_two_like_cards_it_plays() -> None:
    situation = Situation(["coins2", "coins2"], FED, deck=4, drawn="coins1", held="coins1", options=HIDDEN)
    assert {action.card for action in choices(situation) if isinstance(action, Play)} == {"drawn", "held"}
