"""What a seat may do, and that what it may not do is refused with the rule that forbids it and changes nothing."""

from __future__ import annotations

import pytest

from dragonhall.rules.chance import SeededChance
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons.events import CardDrawn, CardPlaced, PileClaimed, YearStarted
from dragonhall.rules.dragons.facts import Options
from dragonhall.rules.dragons.moves import Action, Claim, Draw, Place, PlacementDecision, Play, TurnDecision
from dragonhall.rules.errors import IllegalAction
from tests.rules.dragons_tables import (
    PLAYED,
    Driver,
    card,
    chance_of,
    everything,
)
from tests.rules.refused import check_not_asked

HIDDEN = Options(hidden_card=True)
NO_CHANCE = SeededChance(bytes(32))


def test_each_pile_starts_with_one_card_of_the_deck() -> None:
    driver = Driver(4, chance=chance_of(["cow", "polish", "coins5", "crown"]))
    assert driver.told(None) == [
        YearStarted(1, 0, (card("cow"), card("polish"), card("coins5"), card("crown")), deck_size=22)
    ]


def test_a_drawn_card_is_shown_to_all_and_then_placed() -> None:
    driver = Driver(3, chance=chance_of(["cow", "cow", "cow", "crown"]))
    assert driver.state.decision(0) == TurnDecision()
    assert driver.act(Draw()) == [CardDrawn(0, card("crown"), deck_size=22)]
    assert driver.asked == 0
    assert driver.state.decision(0) == driver.state.public_decision(0) == PlacementDecision(card("crown"))
    assert driver.act(Place(2)) == [CardPlaced(0, 2, card("crown"), None)]
    assert driver.asked == 1


def test_with_hidden_card_only_the_seat_learns_what_it_draws_and_which_card_it_plays() -> None:
    driver = Driver(3, HIDDEN, chance_of(["cow", "cow", "cow", "crown", "sheep", "sheep", "polish"]))
    driver.act(Draw())
    assert driver.state.decision(0) == PlacementDecision(card("polish"))
    assert driver.state.public_decision(0) == PlacementDecision(None)
    driver.act(Play("held", 1))
    own, other, spectator = (driver.told(viewer)[-2:] for viewer in (0, 1, None))
    assert own == [CardDrawn(0, card("polish"), 19), CardPlaced(0, 1, card("crown"), "held")]
    assert other == spectator == [CardDrawn(0, None, 19), CardPlaced(0, 1, card("crown"), None)]
    assert driver.state.view(0).held == card("polish")


def test_playing_the_drawn_card_keeps_the_held_one() -> None:
    driver = Driver(3, HIDDEN, chance_of(["cow", "cow", "cow", "crown", "sheep", "sheep", "polish"]))
    driver.play(Draw(), Play("drawn", 0))
    assert driver.state.view(0).held == card("crown")
    assert driver.state.view(0).piles[0].top == card("polish")


def test_two_equal_cards_in_hand_are_still_two_actions() -> None:
    driver = Driver(3, HIDDEN, chance_of(["cow", "cow", "cow", "polish", "sheep", "sheep", "polish"])).play(Draw())
    legal = driver.state.legal_actions(0)
    assert [DRAGONS.action(driver.state, 0, code) for code in legal] == [
        *(Play("drawn", pile) for pile in range(3)),
        *(Play("held", pile) for pile in range(3)),
    ]


def test_canonical_order_is_draw_then_claims_by_pile() -> None:
    driver = Driver(4, Options(first_seat=0)).play(Claim(1))
    legal = driver.state.legal_actions(1)
    assert [DRAGONS.action(driver.state, 1, code) for code in legal] == [Draw(), Claim(0), Claim(2), Claim(3)]


def test_a_claim_tells_everyone_and_takes_the_pile_out_of_play() -> None:
    driver = Driver(4, Options(first_seat=0))
    assert driver.act(Claim(2)) == [PileClaimed(0, 2)]
    driver.act(Draw())
    assert driver.state.legal_actions(1) == [0, 1, 3]


REFUSALS: list[tuple[Options, list[Action], Action, str]] = [
    (Options(), [], Place(0), "1. Draw a Card"),
    (HIDDEN, [], Play("drawn", 0), "1. Draw a Card"),
    (Options(), [Draw()], Draw(), "1. Draw a Card"),
    (Options(), [Draw()], Claim(0), "How to Play"),
    (Options(), [Draw()], Play("held", 0), "More control and some bluffing"),
    (HIDDEN, [Draw()], Place(0), "More control and some bluffing"),
    (Options(), [Claim(1)], Claim(1), "2. Place Their Dragon"),
    (Options(), [Claim(1), Draw()], Place(1), "2. Place Their Dragon"),
    (HIDDEN, [Claim(1), Draw()], Play("held", 1), "2. Place Their Dragon"),
    (Options(), [], Claim(4), "Setup"),
    (Options(), [], Claim(-1), "Setup"),
    (Options(), [], Claim(2**70), "Setup"),
    (Options(), [Draw()], Place(4), "Setup"),
    (HIDDEN, [Draw()], Play("drawn", 4), "Setup"),
]


@pytest.mark.parametrize(("options", "before", "action", "rule"), REFUSALS, ids=lambda value: str(value)[:40])
def test_an_illegal_action_is_refused_with_its_rule_and_without_a_trace(
    options: Options, before: list[Action], action: Action, rule: str
) -> None:
    driver = Driver(4, options).play(*before)
    untouched = everything(driver.state)
    with pytest.raises(IllegalAction) as refused:
        driver.act(action)
    assert refused.value.rule == rule
    assert everything(driver.state) == untouched


def test_only_the_seat_whose_turn_it_is_may_act() -> None:
    for refusal in check_not_asked(PLAYED, Driver(3, Options(first_seat=0)).state, 1, Draw()):
        assert (refusal.message, refusal.rule) == ("it is not seat 1's turn but seat 0's", "How to Play")


def test_refusals_say_which_piles_are_free() -> None:
    driver = Driver(4, Options(first_seat=0)).play(Claim(1), Claim(3))
    with pytest.raises(IllegalAction, match="pile 3 has a dragon; without one: 0, 2"):
        driver.act(Claim(3))


@pytest.mark.parametrize(
    ("rule", "text"), [("RD-4", "draw (ruling RD-4)"), ("1. Draw a Card", "draw (rulebook: 1. Draw a Card)")]
)
def test_a_refusal_says_which_rule_it_is_and_where_that_stands(rule: str, text: str) -> None:
    assert str(IllegalAction("draw", rule)) == text
