"""What is seen: everything public, and of what is hidden only the reader's own."""

from __future__ import annotations

from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragonisles import events, stage
from dragonhall.rules.dragonisles.decks import Deck
from dragonhall.rules.dragonisles.facts import Options
from dragonhall.rules.dragonisles.moves import (
    Advance,
    AdventurerDecision,
    Decline,
    DiscardDecision,
    Draw,
    KeepTreasure,
    Prepare,
    TakeCoin,
    TreasureDecision,
    UsePotion,
    UseTreasures,
)
from dragonhall.rules.dragonisles.view import View
from dragonhall.rules.journal import EVERYONE
from tests.rules.dragonisles_tables import (
    Arranged,
    Driver,
    Script,
    arranged,
    card,
    challenge,
    encounter,
    hand,
    treasure,
)

RUN = "red 1, red 2, red 3"


def test_a_seat_sees_its_own_hand_and_the_sizes_of_others() -> None:
    view = arranged(hands=["red 1, wild", "blue 1"]).view(0)
    assert view.hand == hand("red 1, wild")
    assert [seat.hand_size for seat in view.seats] == [2, 1]
    assert [seat.hand_limit for seat in view.seats] == [8, 7]
    assert arranged(hands=["red 1, wild", "blue 1"]).view(None).hand is None


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_there_is_no_view_from_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(ValueError, match="there is no seat"):
        arranged().view(seat)


def test_a_challenge_under_way_is_seen_whole() -> None:
    state = arranged(hands=[RUN], cubes=[[0, 2, 1, 0]], treasures=[["Omamori"]])
    table = Arranged(state, Script(dice=[1, 2, 2]))
    table.act(challenge("strike", RUN))
    challenged = state.view(None).challenge
    assert challenged is not None
    assert (challenged.place, challenged.encounter, challenged.approach) == (0, encounter("Kasha"), "strike")
    assert challenged.cards == hand(RUN)
    assert challenged.dice == (1, 2, 2)
    assert (challenged.bonus, challenged.total, challenged.target) == (2, 7, 4)
    assert (challenged.boosts, challenged.reroll_decided, challenged.used_treasures) == (0, False, ())
    assert state.view(None).seats[0].hand_size == 0


def test_treasures_are_used_as_soon_as_they_are_named() -> None:
    """RL-9, RL-10: a coin is to be taken first, and of the second treasure the benefit is still to come."""
    state = arranged(hands=["red 1, red 2"], treasures=[["Omamori", "Omamori", "Daruma"]])
    state.coins_left, state.players[1].coins = 0, 180
    omamori = treasure("Omamori")
    table = Arranged(state, Script(dice=[1, 2, 1]))
    table.play(challenge("strike", "red 1, red 2"), UseTreasures((omamori, omamori)))
    for coins in (179, 178):
        challenged = state.view(None).challenge
        assert challenged is not None
        assert (table.asked, challenged.used_treasures) == ("take_coin", (omamori, omamori))
        table.act(TakeCoin(1))
        assert state.view(None).seats[1].coins == coins
    assert table.legal() == [Decline(), UseTreasures((treasure("Daruma"),))]


def test_of_discards_the_last_in_canonical_order_lies_on_top() -> None:
    state = arranged(hands=["red 5, blue 4, wild"])
    table = Arranged(state, Script(dice=[4, 4, 4]))
    table.act(challenge("sneak", "wild, red 5, blue 4"))
    deck = state.view(None).adventurer_deck
    assert (deck.discards, deck.top) == (3, card("wild"))


def test_of_encounters_discarded_together_the_last_in_board_order_lies_on_top() -> None:
    state = arranged(potions=[{"draw_one_and_clear": 1}])
    mixed = [encounter("Oni", "land"), encounter("Oni", "sea")] * 2
    state.encounters = Deck(vec[i64](mixed), vec[i64]())
    Arranged(state).play(UsePotion("draw_one_and_clear"))
    assert state.view(None).encounter_deck.top == encounter("Sea Dragon")


def offered() -> Arranged:
    """Seat 0, the Trader, is asked which treasure it keeps."""
    state = arranged(
        characters=["trader", "monk", "pirate"],
        hands=[RUN],
        next_treasures=["Omamori", "Dragon Scroll"],
        deck="green 1, green 2, green 3, green 4",
    )
    return Arranged(state, Script(dice=[4, 4, 4])).play(challenge("strike", RUN), Advance("strike"))


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_treasures_on_offer_are_seen_by_their_seat_alone_until_one_is_kept(viewer: int | None) -> None:
    table = offered()
    state = table.state
    both = tuple(sorted((treasure("Omamori"), treasure("Dragon Scroll"))))
    assert state.view(0).treasure_offer == both
    assert state.view(viewer).treasure_offer is None
    assert state.decision(0) == TreasureDecision(both, 2)
    assert state.public_decision(0) == TreasureDecision(None, 2)
    assert table.told(events.TreasuresOffered, 0) == [events.TreasuresOffered(0, both, 2, 43)]
    assert table.told(events.TreasuresOffered, viewer) == [events.TreasuresOffered(0, None, 2, 43)]
    table.act(KeepTreasure(treasure("Dragon Scroll")))
    kept = events.TreasureKept(0, treasure("Dragon Scroll"), (treasure("Omamori"),))
    assert table.told(events.TreasureKept, viewer) == [kept]
    assert state.view(viewer).treasure_deck.top == treasure("Omamori")


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_the_traders_cards_are_seen_by_it_alone(viewer: int | None) -> None:
    table = offered().play(KeepTreasure(treasure("Omamori")))
    state = table.state
    three = hand("green 1, green 2, green 3")
    assert state.view(0).adventurer_offer == three
    assert state.view(viewer).adventurer_offer is None
    assert state.decision(0) == AdventurerDecision(three, 3)
    assert state.public_decision(0) == AdventurerDecision(None, 3)
    assert table.told(events.AdventurersOffered, viewer) == [events.AdventurersOffered(0, None, 3, 1)]


def test_a_card_from_the_deck_is_seen_by_its_seat_alone_one_from_the_tavern_by_all() -> None:
    state = arranged(deck="green 1, green 2", tavern="blue 1, blue 2")
    table = Arranged(state).play(Prepare(), Draw(None), Draw(1))
    assert table.told(events.CardDrawn, 0) == [events.CardDrawn(0, card("green 1"), 1)]
    for viewer in (1, None):
        assert table.told(events.CardDrawn, viewer) == [events.CardDrawn(0, None, 1)]
        assert table.told(events.TavernCardTaken, viewer) == [events.TavernCardTaken(0, 1, card("blue 2"))]


def test_first_hands_are_told_to_their_seats_alone() -> None:
    driver = Driver(3)
    for viewer in (0, 1, 2, None):
        dealt = [event for event in driver.told(viewer) if isinstance(event, events.HandDealt)]
        assert [event.seat for event in dealt] == [0, 1, 2]
        assert [event.seat for event in dealt if event.cards is not None] == ([] if viewer is None else [viewer])
        assert all(event.count == 5 for event in dealt)


SECRET = (events.HandDealt, events.CardDrawn, events.TreasuresOffered, events.AdventurersOffered, events.AdventurerKept)


@pytest.mark.parametrize("seats", [2, 5])
def test_whatever_is_not_secret_is_told_to_everyone(seats: int) -> None:
    driver = Driver(seats, Options(draft=True)).finish(Random(3))
    for step in driver.steps:
        for entry in step.entries:
            assert (entry.audience == EVERYONE) != isinstance(entry.event, SECRET)


@pytest.mark.parametrize("seats", [2, 4])
def test_views_of_others_do_not_depend_on_what_is_hidden_from_them(seats: int) -> None:
    """Cards of a hand are exchanged for others of the deck: nobody else sees a difference."""
    driver, rng = Driver(seats), Random(8)
    for _ in driver.moments(rng):
        world = driver.state.copy()
        seat = rng.randrange(seats)
        deck = world.adventurers.cards_left()
        own = world.players[seat].hand
        replaced = [each for each in deck if not own >> each & 1][: len(hand_cards(world.view(seat)))]
        if world.asked != stage.SET_UP and len(replaced) == len(hand_cards(world.view(seat))):
            world.players[seat].hand = sum(1 << each for each in replaced)
            for viewer in (*(other for other in range(seats) if other != seat), None):
                assert world.view(viewer) == driver.state.view(viewer)
                assert world.public_decision(world.active) == driver.state.public_decision(world.active)


def hand_cards(view: View) -> tuple[object, ...]:
    assert view.hand is not None
    return view.hand


def test_a_decision_tells_how_many_cards_are_discarded() -> None:
    state = arranged(hands=["red 1, red 2, red 3, red 4, red 5, red 6, red 7"])
    Arranged(state).play(Prepare(), Draw(0), Draw(0), Draw(None))
    assert state.decision(0) == state.public_decision(0) == DiscardDecision(2)
