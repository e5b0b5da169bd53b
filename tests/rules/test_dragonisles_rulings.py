"""Every ruling of DragonIsles by its id: what the printed rules leave open, decided once."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragonisles import events, quest_board
from dragonhall.rules.dragonisles.decks import Deck
from dragonhall.rules.dragonisles.facts import CHARACTERS, Character, Options
from dragonhall.rules.dragonisles.moves import (
    Advance,
    ChooseCharacter,
    Decline,
    Discard,
    Draw,
    KeepAdventurer,
    KeepTreasure,
    Prepare,
    Reroll,
    TakeCoin,
    TakePotion,
    UsePotion,
    UseTreasures,
)
from dragonhall.rules.dragonisles.outcome import outcome
from dragonhall.rules.dragonisles.player import count_in, one
from dragonhall.rules.dragonisles.setting import NONE
from dragonhall.rules.dragonisles.state import State
from dragonhall.rules.errors import IllegalAction, InvalidOptions
from dragonhall.rules.journal import Journal
from tests.rules.dragonisles_tables import (
    COMPONENTS,
    SEATS,
    Arranged,
    Driver,
    Script,
    arranged,
    card,
    card_set,
    challenge,
    encounter,
    hand,
    names,
    shown,
    treasure,
)
from tests.rules.driver import seeded

RED_RUN = "red 1, red 2, red 3, red 4, red 5, red 6"
EASY = ("Kasha", "Tanuki", "Luck Dragon", "Sea Dragon")
"""Kasha: STRIKE 4, SNEAK 5, STEAL 7 with a coin."""


def refused(table: Arranged, action: object) -> str:
    """The rule by which an action is refused."""
    with pytest.raises(IllegalAction) as error:
        table.act(action)  # type: ignore[arg-type]
    return error.value.rule


def hand_of(state: State, seat: int = 0) -> list[str]:
    """Names of a seat's cards."""
    view = state.view(seat)
    assert view.hand is not None
    return names(view.hand)


@pytest.mark.parametrize("seats", SEATS)
def test_rl1_two_to_five_seats_can_play(seats: int) -> None:
    """RL-1."""
    assert len(Driver(seats).state.view(None).seats) == seats


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_rl1_no_other_number_can(seats: int) -> None:
    """RL-1."""
    with pytest.raises(InvalidOptions, match="2 to 5 seats"):
        Driver(seats)


def test_rl2_characters_and_first_player_are_drawn_from_the_seed() -> None:
    """RL-2."""
    tables = [Driver(3, chance=seeded(3, bytes([seed]) * 32)) for seed in range(40)]
    drawn = [tuple(seat.character for seat in table.state.view(None).seats) for table in tables]
    assert {characters[0] for characters in drawn} == set(CHARACTERS)
    assert all(len(set(characters)) == 3 for characters in drawn)
    assert {table.asked for table in tables} == {0, 1, 2}


def test_rl2_unless_they_are_given() -> None:
    """RL-2."""
    given: tuple[Character, ...] = ("trader", "monk")
    table = Driver(2, Options(characters=given, first_seat=1))
    assert tuple(seat.character for seat in table.state.view(None).seats) == given
    assert table.asked == 1
    assert {outcome.name for outcome in table.steps[0].chance} == {
        "dragonisles/encounters",
        "dragonisles/adventurers",
        "dragonisles/treasures",
    }


def test_rl2_in_a_draft_the_first_player_chooses_last_and_nothing_is_dealt_before() -> None:
    """RL-2."""
    table = Driver(4, Options(draft=True, first_seat=1))
    order = []
    for character in ("warrior", "monk", "pirate", "trader"):
        assert table.state.view(None).quest_board == (None,) * 4
        assert table.state.view(0).hand == ()
        order.append(table.asked)
        table.act(ChooseCharacter(character))
    assert order == [0, 3, 2, 1]
    view = table.state.view(0)
    assert [seat.character for seat in view.seats] == ["warrior", "trader", "pirate", "monk"]
    assert (table.asked, view.turn) == (1, 1)
    assert view.hand is not None
    assert len(view.hand) == 5
    assert None not in view.quest_board


def test_rl2_no_character_is_chosen_twice() -> None:
    """RL-2."""
    table = Driver(2, Options(draft=True, first_seat=0))
    table.act(ChooseCharacter("monk"))
    with pytest.raises(IllegalAction, match="free: sorcerer, pirate, trader, warrior") as error:
        table.act(ChooseCharacter("monk"))
    assert error.value.rule == "RL-2"


def test_rl3_draw_potions_are_used_at_the_turns_start_and_at_each_draw_of_a_prepare() -> None:
    """RL-3."""
    potions = [{"draw_two": 1, "draw_one_and_clear": 2}]
    table = Arranged(arranged(characters=["warrior", "monk"], potions=potions, hands=["red 1"]))
    table.act(UsePotion("draw_one_and_clear"))
    assert table.asked == "turn"
    table.act(Prepare())
    table.act(UsePotion("draw_two"))
    assert table.asked == "draw"
    table.act(Draw(None))
    table.act(UsePotion("draw_one_and_clear"))
    assert table.asked == "draw"
    table.act(Draw(None))
    assert table.state.active == 1  # no window after the last card
    assert len(hand_of(table.state)) == 1 + 1 + 2 + 1 + 1 + 1


def test_rl3_once_dice_are_rolled_only_a_boost_may_be_used() -> None:
    """RL-3."""
    state = arranged(hands=["red 1"], potions=[{"draw_two": 1, "boost": 1}])
    table = Arranged(state, Script(dice=[1], potions=[0]))
    assert refused(table, UsePotion("boost")) == "RL-3"
    table.act(challenge("strike", "red 1"))
    assert table.asked == "boost"
    assert refused(table, UsePotion("draw_two")) == "RL-3"
    table.act(UsePotion("boost"))
    assert state.active == 1  # no window after a challenge


def test_rl4_the_hand_limit_waits_until_a_prepare_has_drawn_all_its_cards() -> None:
    """RL-4."""
    state = arranged(hands=["red 1, red 2, red 3, red 4, red 5, red 6, red 7, red 8"])
    table = Arranged(state).play(Prepare(), Draw(None), Draw(None), Draw(None))
    assert table.asked == "discard"
    assert refused(table, Discard(hand("red 1, red 2"))) == "RL-4"
    table.act(Discard(hand("red 1, red 2, red 3")))
    assert len(hand_of(state)) == 8
    assert state.active == 1


def test_rl4_a_draw_potion_checks_it_in_the_middle_of_a_turn() -> None:
    """RL-4."""
    state = arranged(hands=["red 1, red 2, red 3, red 4, red 5, red 6, red 7, red 8"], potions=[{"draw_two": 1}])
    table = Arranged(state).play(UsePotion("draw_two"))
    assert table.asked == "discard"
    table.act(Discard(hand("red 1, red 8")))
    assert table.asked == "turn"


def test_rl4_in_a_challenge_it_is_the_last_step_of_success_and_failure() -> None:
    """RL-4."""
    full = "red 1, red 2, red 3, red 4, red 5, red 6, red 7, red 8"
    drawing = [["Daruma", "Daruma", "Daruma"]]
    state = arranged(hands=[full], treasures=drawing)
    table = Arranged(state, Script(dice=[1, 1], potions=[0]))
    table.play(challenge("strike", "red 1"), UseTreasures((treasure("Daruma"),) * 3))
    assert table.asked == "discard"  # failed: the card is back in hand, three more were drawn
    assert table.told(events.ChallengeEnded)[-1].succeeded is False
    assert [event.count for event in [state.decision(0)]] == [3]  # type: ignore[union-attr]

    state = arranged(hands=[full], treasures=drawing)
    table = Arranged(state, Script(dice=[1, 4]))
    table.play(challenge("strike", "red 1"), UseTreasures((treasure("Daruma"),) * 3))
    assert table.asked == "advance"
    table.act(Advance("strike"))
    assert table.asked == "discard"
    assert state.excess() == 2


def test_rl5_with_nothing_left_to_draw_the_draw_is_lost_unasked() -> None:
    """RL-5."""
    state = arranged(hands=["red 1"], deck="", tavern="")
    table = Arranged(state)
    assert table.act(Prepare())[-2:] == [events.NothingLeft(0, "adventurer"), events.TurnStarted(1, 2)]
    assert hand_of(state) == ["red 1"]

    table = Arranged(arranged(hands=["red 1"], deck="", tavern="", potions=[{"draw_two": 1}]))
    told = table.act(UsePotion("draw_two"))
    assert told[1:] == [events.NothingLeft(0, "adventurer")] * 2
    assert table.asked == "turn"


def test_rl5_the_tavern_alone_is_still_drawn_from() -> None:
    """RL-5."""
    table = Arranged(arranged(deck="", tavern="red 1, red 2"))
    table.act(Prepare())
    assert table.legal() == [Draw(0), Draw(1)]
    table.play(Draw(1))
    assert table.legal() == [Draw(0)]
    assert refused(table, Draw(1)) == "RL-5"
    assert refused(table, Draw(None)) == "RL-5"
    table.act(Draw(0))
    assert table.state.active == 1  # the Sorcerer's third card is lost
    assert table.told(events.NothingLeft)


def test_rl5_a_deck_that_runs_out_is_made_up_of_its_discards_at_once() -> None:
    """RL-5; Prepare."""
    state = arranged(deck="red 1", discards="green 1, green 2", tavern="blue 1, blue 2")
    table = Arranged(state).play(Prepare())
    assert table.act(Draw(None)) == [
        events.CardDrawn(0, None, 0),
        events.DeckShuffled("adventurers", 2),
    ]
    view = state.view(None)
    assert (view.adventurer_deck.size, view.adventurer_deck.discards, view.adventurer_deck.top) == (2, 0, None)


def test_rl5_without_discards_it_is_made_up_when_a_card_is_next_needed() -> None:
    """RL-5."""
    state = arranged(hands=["red 2, red 3"], deck="red 1", tavern="blue 1, blue 2")
    table = Arranged(state, Script(dice=[2, 2])).play(Prepare(), Draw(None))
    assert table.legal() == [Draw(0), Draw(1)]
    table.play(Draw(0))  # cannot be replaced
    assert table.legal() == [Draw(1)]
    state.adventurers.discard(7)
    assert table.legal() == [Draw(1), Draw(None)]  # a card is there, but not yet in the deck
    assert state.view(None).adventurer_deck.size == 0
    told = table.act(Draw(None))
    assert told[:2] == [events.DeckShuffled("adventurers", 1), events.CardDrawn(0, None, 0)]


def test_rl5_an_empty_place_in_the_tavern_is_filled_as_soon_as_there_are_cards() -> None:
    """RL-5."""
    state = arranged(hands=["red 1, red 2, red 3, red 4, red 5, red 6, red 7, red 8"], deck="", tavern="blue 1")
    table = Arranged(state).play(Prepare(), Draw(0))
    assert table.asked == "discard"
    told = table.act(Discard(hand("red 1")))
    assert told[:3] == [
        events.CardsDiscarded(0, hand("red 1"), "hand_limit"),
        events.DeckShuffled("adventurers", 1),
        events.TavernRefilled(0, card("red 1"), 0),
    ]


@pytest.mark.parametrize("approach", ["sneak", "steal", "strike"])
def test_rl6_one_card_is_a_challenge_of_any_approach(approach: str) -> None:
    """RL-6."""
    table = Arranged(arranged(hands=["red 1"]))
    assert table.challenges(0, approach) == [["red 1"]]  # type: ignore[arg-type]


def test_rl7_runs_do_not_wrap() -> None:
    """RL-7."""
    table = Arranged(arranged(hands=["red 11, green 12, yellow 1, wild"], tavern="blue 1, blue 2"))
    sneaks = table.challenges(0, "sneak")
    assert ["red 11", "green 12"] in sneaks
    assert ["red 11", "green 12", "wild"] in sneaks
    assert all(not {"green 12", "yellow 1"} <= set(cards) for cards in sneaks)
    assert refused(table, challenge("sneak", "green 12, yellow 1")) == "RL-7"


def test_rl8_a_wild_card_stands_for_what_keeps_the_combination_legal() -> None:
    """RL-8."""
    table = Arranged(arranged(hands=["red 6, blue 8, green 6, wild, wild"]))
    assert ["red 6", "blue 8", "wild"] in table.challenges(0, "sneak")
    assert ["red 6", "green 6", "wild", "wild"] in table.challenges(0, "steal")
    assert ["red 6", "wild", "wild"] in table.challenges(0, "strike")
    for approach in ("sneak", "steal", "strike"):
        assert table.challenges(0, approach)[-2:] == [["wild"], ["wild", "wild"]]


def test_rl8_a_steal_has_at_most_five_cards_a_sneak_at_most_twelve() -> None:
    """RL-8."""
    fives = "red 5, purple 5, yellow 5, green 5"
    table = Arranged(arranged(hands=[f"{fives}, wild, wild"]))
    longest = max(table.challenges(0, "steal"), key=len)
    assert len(longest) == 5
    run = ", ".join(f"red {number}" for number in range(2, 12))
    table = Arranged(arranged(hands=[f"{run}, wild, wild"]))
    assert max(len(cards) for cards in table.challenges(0, "sneak")) == 12


def test_rl8_more_than_six_cards_may_be_played_for_six_dice() -> None:
    """RL-8."""
    state = arranged(hands=[f"{RED_RUN}, red 7, wild"])
    table = Arranged(state, Script(dice=[2] * 6))
    table.act(challenge("strike", f"{RED_RUN}, red 7, wild"))
    assert table.told(events.DiceRolled)[0].dice == (2,) * 6


def test_rl9_each_copy_is_used_once_a_challenge_when_dice_just_rolled_show_a_1() -> None:
    """RL-9."""
    state = arranged(hands=["red 1, red 2"], treasures=[["Omamori", "Omamori", "Daruma"]])
    table = Arranged(state, Script(dice=[1, 2, 1, 1], potions=[0]))
    omamori, daruma = treasure("Omamori"), treasure("Daruma")
    table.act(challenge("strike", "red 1, red 2"))
    assert table.asked == "ones"
    assert refused(table, UseTreasures((daruma, daruma))) == "RL-9"
    assert refused(table, UseTreasures(())) == "RL-9"
    table.act(UseTreasures((omamori,)))
    assert table.asked == "ones"  # a 1 again, an Omamori and the Daruma are left
    assert state.view(None).challenge.used_treasures == (omamori,)  # type: ignore[union-attr]
    assert table.legal() == [
        Decline(),
        UseTreasures((omamori,)),
        UseTreasures((omamori, daruma)),
        UseTreasures((daruma,)),
        UseTreasures((daruma, omamori)),
    ]
    told = table.act(UseTreasures((daruma, omamori)))
    assert [type(event).__name__ for event in told[:4]] == ["TreasuresUsed", "CardDrawn", "CoinEarned", "DiceRolled"]
    assert table.asked != "ones"  # a 1 again, but all are used


def test_rl9_what_was_declined_can_be_used_when_dice_are_rolled_again() -> None:
    """RL-9."""
    state = arranged(hands=["red 1, red 2"], treasures=[["Omamori"]], cubes=[[0, 0, 1, 0]])
    table = Arranged(state, Script(dice=[1, 2, 1, 3, 3]))
    table.play(challenge("strike", "red 1, red 2"), Decline())
    assert table.asked == "reroll"
    table.act(Reroll((2,)))
    assert table.asked == "ones"
    told = table.act(UseTreasures((treasure("Omamori"),)))
    assert [event.rolled for event in told if isinstance(event, events.DiceRolled)] == [(3, 3)]  # both ones


def test_rl9_ones_that_stay_on_the_table_ask_nothing_when_the_dice_just_rolled_show_none() -> None:
    """RL-9."""
    state = arranged(hands=["red 1, red 2"], treasures=[["Omamori"]], cubes=[[0, 0, 1, 0]])
    table = Arranged(state, Script(dice=[1, 2, 3]))
    table.play(challenge("strike", "red 1, red 2"), Decline(), Reroll((2,)))
    assert table.told(events.DiceRolled)[-1].dice == (1, 3)
    assert table.asked == "advance"


def test_rl9_the_track_rerolls_once_when_no_effect_is_left_to_decide() -> None:
    """RL-9."""
    state = arranged(hands=["red 1, red 2"], treasures=[["Omamori", "Omamori"]], cubes=[[0, 0, 2, 0]])
    table = Arranged(state, Script(dice=[1, 2, 1, 1, 1, 4, 4]))
    asked = []
    table.act(challenge("strike", "red 1, red 2"))
    use = UseTreasures((treasure("Omamori"),))
    for action in (use, Decline(), Reroll((1, 2)), use):
        asked.append(table.asked)
        table.act(action)
    assert asked == ["ones", "ones", "reroll", "ones"]
    assert table.asked == "advance"


def emptied_pile(state: State, seat: int) -> State:
    """All potions of the pile lie before a seat."""
    state.players[seat].potions += state.potion_pile
    state.potion_pile = 0
    return state


def test_rl10_when_the_pile_is_empty_a_potion_of_ones_choice_is_taken_from_another_seat() -> None:
    """RL-10."""
    state = arranged(characters=["warrior", "monk", "pirate"], hands=["red 1"], potions=[{}, {"boost": 1}])
    table = Arranged(emptied_pile(state, 2), Script(dice=[1]))
    table.act(challenge("strike", "red 1"))
    assert table.asked == "take_potion"
    assert table.legal() == [
        TakePotion(1, "boost"),
        TakePotion(2, "draw_two"),
        TakePotion(2, "draw_one_and_clear"),
        TakePotion(2, "boost"),
    ]
    assert refused(table, TakePotion(1, "draw_two")) == "RL-10"
    told = table.act(TakePotion(1, "boost"))
    assert told[0] == events.PotionTaken(0, 1, "boost")
    view = state.view(None)
    assert (view.seats[0].potions.boost, view.seats[1].potions.boost) == (1, 0)


def test_rl10_if_nobody_has_one_there_is_none() -> None:
    """RL-10."""
    state = arranged(hands=["red 1"])
    table = Arranged(emptied_pile(state, 0), Script(dice=[1]))
    state.players[0].potions -= count_in(state.players[0].potions, 2) * one(2)  # boosts would be asked for
    told = table.act(challenge("strike", "red 1"))
    assert events.NothingLeft(0, "potion") in told


def test_rl10_the_same_for_coins() -> None:
    """RL-10."""
    state = arranged(characters=["warrior", "monk", "pirate"], hands=["red 1, red 2"], treasures=[["Omamori"]])
    state.coins_left, state.players[1].coins, state.players[2].coins = 0, 180, 0
    table = Arranged(state, Script(dice=[1, 2, 4]))
    table.play(challenge("strike", "red 1, red 2"), UseTreasures((treasure("Omamori"),)))
    assert table.asked == "take_coin"
    assert table.legal() == [TakeCoin(1)]
    assert refused(table, TakeCoin(2)) == "RL-10"
    told = table.act(TakeCoin(1))
    assert told[0] == events.CoinTaken(0, 1)
    assert isinstance(told[1], events.DiceRolled)  # the ones are rerolled after the benefit
    assert [seat.coins for seat in state.view(None).seats] == [1, 179, 0]


def test_rl10_nobody_else_has_a_coin() -> None:
    """RL-10."""
    state = arranged(hands=["red 1, red 2"], treasures=[["Omamori"]])
    state.coins_left, state.players[0].coins = 0, 180
    table = Arranged(state, Script(dice=[1, 2, 4]))
    told = table.play(challenge("strike", "red 1, red 2")).act(UseTreasures((treasure("Omamori"),)))
    assert told[1] == events.NothingLeft(0, "coin")


def test_rl11_coins_last_until_the_value_of_all_tokens_is_out() -> None:
    """RL-11."""
    assert COMPONENTS.coin_supply == 30 * 1 + 10 * 5 + 10 * 10
    state = arranged(hands=["red 1, red 2"], treasures=[["Omamori"]])
    state.coins_left, state.players[1].coins = 1, 179
    table = Arranged(state, Script(dice=[1, 2, 4]))
    told = table.play(challenge("strike", "red 1, red 2")).act(UseTreasures((treasure("Omamori"),)))
    assert told[1] == events.CoinEarned(0, treasure("Omamori"))
    assert state.view(None).coins_left == 0


def refilled(state: State, chance: Script | None = None) -> list[object]:
    """What is told when the Quest Board of a state is filled up."""
    journal = Journal()
    quest_board.refill(state, chance or Script(), journal)
    return [entry.event for entry in journal.entries]


LAND = ("Mountain of Darkness", "Thorned Pass", "Tanuki", "Kamaitachi")


def test_rl12_four_of_a_category_are_replaced_until_both_show() -> None:
    """RL-12."""
    state = arranged(board=LAND)
    land, sea = encounter("Kasha", "land"), encounter("Kasha", "sea")
    state.encounters = Deck(vec[i64]([land, land, land, land, sea, sea, land, land]), vec[i64]())
    told = refilled(state)
    cleared = [event for event in told if isinstance(event, events.QuestBoardCleared)]
    assert [event.cause for event in cleared] == ["four_alike"] * 2
    assert cleared[1].encounters == (land,) * 4
    assert list(state.quest_board) == [sea, sea, land, land]


def test_rl12_it_stops_when_board_deck_and_discards_hold_one_category() -> None:
    """RL-12."""
    land = encounter("Kasha", "land")
    state = arranged(board=LAND)
    state.encounters = Deck(vec[i64]([land, land]), vec[i64]([land]))
    before = list(state.quest_board)
    assert refilled(state) == []
    assert list(state.quest_board) == before

    sea = encounter("Kasha", "sea")
    state.encounters = Deck(vec[i64]([land]), vec[i64]([sea]))  # one Sea among the discards: go on
    assert events.QuestBoardCleared("four_alike", tuple(before)) in refilled(state)
    assert sea in list(state.quest_board)


def test_rl13_with_no_encounters_left_the_board_stays_short() -> None:
    """RL-13."""
    sea = encounter("Kasha", "sea")
    state = arranged(board=(None, None, "Tanuki", None))
    state.encounters = Deck(vec[i64]([sea]), vec[i64]())
    assert refilled(state) == [events.EncounterRevealed(0, sea, 0)]
    assert state.view(None).quest_board == (sea, None, encounter("Tanuki"), None)
    state = arranged(board=(None, None, "Tanuki", None))
    state.encounters = Deck(vec[i64](), vec[i64]([sea, sea]))
    assert refilled(state)[0] == events.DeckShuffled("encounters", 2)
    assert state.view(None).quest_board == (sea, sea, encounter("Tanuki"), None)


def test_rl13_an_empty_place_cannot_be_challenged() -> None:
    """RL-13."""
    table = Arranged(arranged(board=(None, "Tanuki", None, None), hands=["red 1"]))
    assert table.challenges(0, "strike") == []
    assert table.challenges(1, "strike") == [["red 1"]]
    assert refused(table, challenge("strike", "red 1", place=0)) == "Challenge, Notes"


def test_rl14_the_trader_keeps_one_of_three_adventurers_after_the_treasures_own_choice() -> None:
    """RL-14."""
    state = arranged(
        characters=["trader", "monk"],
        hands=[RED_RUN],
        deck="green 1, green 2, wild, green 4, green 5",
        next_treasures=["Omamori", "Dragon Scroll"],
    )
    table = Arranged(state, Script(dice=[4] * 6))
    table.act(challenge("strike", RED_RUN))
    table.act(Advance("strike"))
    assert table.asked == "keep_treasure"
    table.act(KeepTreasure(treasure("Omamori")))
    assert table.asked == "keep_adventurer"
    assert state.view(0).adventurer_offer == hand("green 1, green 2, wild")
    assert state.view(1).adventurer_offer is None
    assert refused(table, KeepAdventurer(card("red 1"))) == "RL-14"
    told = table.seen_by(1, KeepAdventurer(card("wild")))
    assert told[0] == events.AdventurerKept(0, None)
    assert told[1] == events.CardsDiscarded(0, hand("green 1, green 2"), "trader")
    assert hand_of(state) == ["wild"]


def test_rl15_an_unclaimed_trophy_needs_strictly_more_symbols_than_every_other_seat() -> None:
    """RL-15."""
    state = arranged(hands=[RED_RUN])
    state.players[1].symbols = one(1)  # an Oni without the trophy, as after a tie
    table = Arranged(state, Script(dice=[4] * 6)).play(challenge("strike", RED_RUN))
    assert table.told(events.EncounterTrophyTaken) == []
    assert state.trophies[1] == NONE


def test_rl15_ties_never_move_a_trophy_one_symbol_more_does() -> None:
    """RL-15."""
    for symbols, holder in ((1, 1), (2, 1), (0, 0)):
        state = arranged(hands=[RED_RUN])
        state.players[1].symbols = symbols * one(1)
        state.trophies[1] = 1
        Arranged(state, Script(dice=[4] * 6)).play(challenge("strike", RED_RUN))
        assert state.trophies[1] == holder


def eighth(hands: str, **arrangement: object) -> State:
    """A state in which seat 0 has won seven encounters."""
    state = arranged(hands=[hands], **arrangement)  # type: ignore[arg-type]
    state.players[0].encounters = vec[i64]([encounter("Jatai")] * 7)
    return state


def test_rl16_what_follows_the_eighth_success_is_carried_out_then_the_game_is_over() -> None:
    """RL-16."""
    state = eighth(f"{RED_RUN}, blue 1", characters=["warrior", "monk"], treasures=[["Katana"]])
    table = Arranged(state, Script(dice=[4] * 6)).play(challenge("strike", RED_RUN))
    assert not state.is_over()
    table.act(Advance("strike"))
    assert state.is_over()
    assert state.pending() == []
    assert len(hand_of(state)) == 1 + 1 + 1  # the Katana's card and the Warrior's
    assert state.view(None).stage == "over"


def test_rl16_even_the_discards_for_the_hand_limit() -> None:
    """RL-16."""
    state = eighth("red 1, blue 1, blue 2, blue 3, blue 4, blue 5, blue 6, blue 7", characters=["warrior", "monk"])
    Arranged(state, Script(dice=[4], potions=[0])).play(challenge("strike", "red 1"), Advance("hand_limit"))
    assert state.is_over()
    state = eighth("red 1, blue 1, blue 2, blue 3, blue 4, blue 5, blue 6, blue 7", characters=["warrior", "monk"])
    table = Arranged(state, Script(dice=[4])).play(challenge("strike", "red 1"), Advance("strike"))
    assert table.asked == "discard"
    table.act(Discard(hand("blue 1")))
    assert state.is_over()


def test_rl17_ties_are_broken_by_coins_undoubled_then_shared() -> None:
    """RL-17."""
    state = arranged(characters=["pirate", "monk", "trader", "warrior"])
    for seat, coins in enumerate((2, 3, 4, 4)):
        state.players[seat].coins = coins
    state.players[1].treasures = vec[i64]([treasure("Oni Scroll")])
    results = outcome(state).results
    assert [(seat.score, seat.rank) for seat in results] == [(4, 4), (4, 3), (4, 1), (4, 1)]
    assert outcome(state).winners() == (2, 3)


def test_rl18_the_monk_says_with_each_potion_whether_it_draws_a_card_too() -> None:
    """RL-18."""
    state = arranged(characters=["monk", "warrior"], hands=["red 1"], potions=[{"draw_two": 2, "boost": 1}])
    table = Arranged(state, Script(dice=[2]))
    table.act(UsePotion("draw_two"))
    assert len(hand_of(state)) == 3
    told = table.act(UsePotion("draw_two", draw=True))
    assert [type(event).__name__ for event in told] == ["PotionUsed", "CardDrawn", "CardDrawn", "CardDrawn"]
    assert len(hand_of(state)) == 6
    table.act(challenge("strike", "red 1"))
    assert table.legal() == [Decline(), UsePotion("boost"), UsePotion("boost", draw=True)]
    told = table.act(UsePotion("boost", draw=True))
    assert [type(event).__name__ for event in told[:3]] == ["PotionUsed", "CardDrawn", "ChallengeEnded"]


def test_rl18_the_monks_card_comes_after_the_potions_own_effect() -> None:
    """RL-18."""
    state = arranged(characters=["monk", "warrior"], potions=[{"draw_one_and_clear": 1}])
    told = Arranged(state).act(UsePotion("draw_one_and_clear", draw=True))
    order = [type(event).__name__ for event in told]
    assert order[:3] == ["PotionUsed", "CardDrawn", "QuestBoardCleared"]
    assert order[-1] == "CardDrawn"


def test_rl18_nobody_else_draws_with_a_potion() -> None:
    """RL-18."""
    table = Arranged(arranged(potions=[{"draw_two": 1}]))
    assert refused(table, UsePotion("draw_two", draw=True)) == "RL-18"


def test_rl19_the_extra_die_is_rolled_before_the_ones_are() -> None:
    """RL-19."""
    state = arranged(hands=["red 1, red 2"], treasures=[["Lucky Mallet"]])
    table = Arranged(state, Script(dice=[1, 3, 1, 2, 4]))
    told = table.play(challenge("strike", "red 1, red 2")).act(UseTreasures((treasure("Lucky Mallet"),)))
    rolls = [event for event in told if isinstance(event, events.DiceRolled)]
    assert [(event.cause, event.rolled, event.dice) for event in rolls] == [
        ("extra_die", (1,), (1, 1, 3)),
        ("ones", (2, 4), (2, 3, 4)),
    ]


def test_rl19_there_is_no_seventh_die_but_the_ones_are_rerolled() -> None:
    """RL-19."""
    state = arranged(hands=[RED_RUN], treasures=[["Lucky Mallet", "Lucky Mallet"]])
    table = Arranged(state, Script(dice=[1, 2, 2, 2, 2, 2, 3]))
    table.play(challenge("strike", RED_RUN), UseTreasures((treasure("Lucky Mallet"),) * 2))
    assert [event.cause for event in table.told(events.DiceRolled)] == ["challenge", "ones"]
    assert shown(state.dice) == [2, 2, 2, 2, 2, 3]
    state = arranged(hands=["red 1, red 2, red 3, red 4, red 5"], treasures=[["Lucky Mallet", "Lucky Mallet"]])
    table = Arranged(state, Script(dice=[1, 2, 2, 2, 2, 4, 3]))
    table.play(challenge("strike", "red 1, red 2, red 3, red 4, red 5"), UseTreasures((treasure("Lucky Mallet"),) * 2))
    assert [event.cause for event in table.told(events.DiceRolled)] == ["challenge", "extra_die", "ones"]


def successful(played: str, approach: str, owned: list[str], rest: str = "", place: int = 0) -> list[object]:
    """What is told after the advance of a success."""
    both = f"{played}, {rest}" if rest else played
    state = arranged(characters=["pirate", "monk"], hands=[both], treasures=[owned], board=("Tanuki", *EASY[1:]))
    table = Arranged(state, Script(dice=[4] * min(6, len(hand(played)))))
    return table.play(challenge(approach, played, place)).act(Advance("sea"))  # type: ignore[arg-type]


def effects(told: list[object]) -> list[str]:
    """Cards and coins, in order, before the next turn."""
    kinds = {events.CardDrawn: "card", events.CoinEarned: "coin"}
    return [kinds[type(event)] for event in told if type(event) in kinds]


def test_rl20_treasures_help_after_a_success_in_the_order_in_which_they_were_earned() -> None:
    """RL-20."""
    owned = ["Dotakubell", "Magatama Bead", "Magatama Bead", "Magatama Bead", "Katana"]
    assert effects(successful("red 1, red 2, wild", "strike", owned)) == ["coin", "card", "card", "card", "card"]
    late = ["Magatama Bead", "Magatama Bead", "Magatama Bead", "Dotakubell"]
    assert effects(successful("red 1, red 2, wild", "strike", late)) == ["card", "card", "card"]  # then three in hand


def test_rl20_each_condition_is_looked_at_when_its_turn_comes() -> None:
    """RL-20."""
    assert effects(successful("red 1, red 2", "strike", ["Katana", "Dotakubell"], "blue 1, blue 2")) == ["card"]
    assert effects(successful("red 1, red 2", "strike", ["Dotakubell", "Katana"], "blue 1, blue 2")) == ["coin", "card"]


def test_rl20_a_wild_card_counts_as_one_more_colour_but_not_in_a_strike() -> None:
    """RL-20."""
    hand_in_reserve = "yellow 1, yellow 2, yellow 3"
    assert effects(successful("red 1, blue 2, wild", "sneak", ["Biwa"], hand_in_reserve)) == ["coin"]
    assert effects(successful("red 2, blue 2, wild", "steal", ["Inuharaku"], hand_in_reserve)) == ["card"]
    assert effects(successful("red 1, blue 2, purple 3", "sneak", ["Biwa"], hand_in_reserve)) == ["coin"]
    assert effects(successful("red 1, red 2, wild", "sneak", ["Biwa"], hand_in_reserve)) == []
    assert effects(successful("red 1, red 2, wild, wild", "strike", ["Biwa"], hand_in_reserve)) == []


def test_rl20_those_earned_just_now_help_too() -> None:
    """RL-20."""
    cards = "red 1, red 2, red 3, blue 1"
    state = arranged(hands=[cards], next_treasures=["Katana", "Mirror"], board=("Tanuki", *EASY[1:]))
    table = Arranged(state, Script(dice=[4, 4, 4])).play(challenge("strike", "red 1, red 2, red 3"))
    table.act(Advance("sneak"))
    told = table.act(KeepTreasure(treasure("Katana")))
    assert effects(told) == ["card"]


def test_rl21_used_potions_go_back_and_an_earned_one_is_drawn_at_random() -> None:
    """RL-21."""
    state = arranged(hands=["red 1"], potions=[{"draw_two": 7, "boost": 10}])
    assert state.view(None).potion_pile.draw_one_and_clear == 3
    table = Arranged(state, Script(dice=[1], potions=[2]))
    table.act(UsePotion("draw_two"))
    assert state.view(None).potion_pile.draw_two == 1
    table.play(challenge("strike", "red 1"), UsePotion("boost"), Decline())
    # In the pile: one draw_two (number 0), three draw_one_and_clear (1 to 3), one boost (4).
    assert table.told(events.PotionEarned) == [events.PotionEarned(0, "draw_one_and_clear")]


def test_cards_of_an_arranged_hand_are_what_they_are_called() -> None:
    assert names(hand("red 12, blue 1, wild")) == ["red 12", "blue 1", "wild"]
    assert card_set("red 1, wild, wild") == 1 + (2 << 60)
