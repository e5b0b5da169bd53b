"""The course of a turn, what a seat may do, and that all else is refused with its rule and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles import DRAGONISLES, events
from dragonhall.rules.dragonisles.decks import Deck
from dragonhall.rules.dragonisles.moves import (
    Action,
    Advance,
    Challenge,
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
from dragonhall.rules.dragonisles.player import one
from dragonhall.rules.errors import IllegalAction
from tests.rules.dragonisles_tables import (
    PLAYED,
    Arranged,
    Driver,
    Script,
    arranged,
    card,
    challenge,
    encounter,
    everything,
    hand,
    treasure,
)
from tests.rules.refused import check_not_asked

FOUR = "red 1, red 2, red 3, red 4"
NO_CHANCE = Chance()


def kinds(told: list[Any]) -> list[str]:
    """Names of events."""
    return [type(event).__name__ for event in told]


# ---- Setting up


def test_the_table_is_set_up_in_the_rulebooks_order() -> None:
    """Set Up, 2 to 4."""
    driver = Driver(3)
    told = [event for event in driver.told(None) if not isinstance(event, events.QuestBoardCleared)]
    names = kinds(told)
    assert names[0] == "GameStarted"
    assert names[-6:] == ["HandDealt", "HandDealt", "HandDealt", "TavernRefilled", "TavernRefilled", "TurnStarted"]
    assert set(names[1:-6]) == {"EncounterRevealed"}
    view = driver.state.view(None)
    assert [seat.hand_size for seat in view.seats] == [5, 5, 5]
    assert view.adventurer_deck.size == 64 - 15 - 2
    assert view.treasure_deck.size == 45
    assert None not in (*view.quest_board, *view.tavern)


# ---- PREPARE


def test_prepare_draws_two_cards_the_sorcerer_three() -> None:
    """Prepare; Unique Character Abilities."""
    for character, draws in (("warrior", 2), ("sorcerer", 3)):
        state = arranged(characters=[character, "monk"])  # type: ignore[list-item]
        table = Arranged(state)
        assert table.act(Prepare()) == [events.PreparationStarted(0, draws)]
        for left in range(draws, 0, -1):
            assert state.view(None).draws_left == left
            table.act(Draw(None))
        assert state.active == 1


def test_a_tavern_card_is_replaced_at_once() -> None:
    """Handsize."""
    state = arranged(deck="green 1, green 2", tavern="blue 1, blue 2")
    told = Arranged(state).play(Prepare()).act(Draw(0))
    assert told == [events.TavernCardTaken(0, 0, card("blue 1")), events.TavernRefilled(0, card("green 1"), 1)]


def test_draw_one_and_clear_draws_then_discards_and_refills_the_whole_board() -> None:
    """Potions."""
    state = arranged(potions=[{"draw_one_and_clear": 1}])
    new = [encounter("Oni", "land"), encounter("Oni", "sea")] * 2
    state.encounters = Deck(vec[i64](new), vec[i64]())
    before = state.view(None).quest_board
    told = Arranged(state).act(UsePotion("draw_one_and_clear"))
    assert kinds(told) == ["PotionUsed", "CardDrawn", "QuestBoardCleared", *["EncounterRevealed"] * 4]
    assert told[2].cause == "potion"
    assert told[2].encounters == before
    assert state.view(None).quest_board == tuple(new)


# ---- A challenge


def test_a_failure_gives_the_cards_back_and_earns_a_potion() -> None:
    """Challenge Fails."""
    state = arranged(hands=[FOUR])
    table = Arranged(state, Script(dice=[1, 1, 2], potions=[0]))
    told = table.act(challenge("strike", "red 1, red 2, red 3", place=3))
    assert kinds(told) == ["ChallengeStarted", "DiceRolled", "ChallengeEnded", "PotionEarned", "TurnStarted"]
    assert state.view(0).hand == hand(FOUR)
    assert state.view(None).quest_board[3] == encounter("Sea Dragon")
    assert state.view(None).challenge is None


def test_a_success_runs_through_its_steps_in_order() -> None:
    """Challenge Succeeds."""
    state = arranged(characters=["warrior", "monk"], hands=["red 8, green 8, blue 8, wild"])
    table = Arranged(state, Script(dice=[4, 4, 4, 4], potions=[0]))
    told = table.act(challenge("steal", "red 8, green 8, blue 8, wild"))
    assert kinds(told) == [
        "ChallengeStarted",
        "DiceRolled",
        "ChallengeEnded",
        "CardsDiscarded",
        "EncounterWon",
        "EncounterRevealed",
        "EncounterTrophyTaken",
        "CoinEarned",
    ]
    assert state.view(None).stage == "advance"
    told = table.act(Advance("hand_limit"))
    assert kinds(told) == ["TrackAdvanced", "PotionEarned", "CardDrawn", "TurnStarted"]


def test_the_sea_track_helps_against_sea_encounters_only() -> None:
    """Sea Encounters."""
    for place, bonus in ((0, 0), (3, 3)):
        state = arranged(characters=["pirate", "monk"], hands=[FOUR], cubes=[[3, 0, 0, 0]])
        table = Arranged(state, Script(dice=[1, 1, 1, 1], potions=[0]))
        ended = table.play(challenge("strike", FOUR, place)).told(events.ChallengeEnded)
        assert ended[0].total == 4 + bonus


def test_a_track_of_another_approach_does_not_help() -> None:
    """Sneak, Steal and Strike."""
    state = arranged(hands=[FOUR], cubes=[[4, 0, 0, 0]])
    table = Arranged(state, Script(dice=[1, 1, 1, 1], potions=[0]))
    assert table.play(challenge("strike", FOUR, 3)).told(events.ChallengeEnded)[0].total == 4


def test_rerolls_are_asked_once_and_for_no_more_dice_than_the_track_says() -> None:
    """Challenge, Notes."""
    state = arranged(hands=[FOUR], cubes=[[0, 0, 2, 0]])
    table = Arranged(state, Script(dice=[1, 2, 2, 4, 3, 3]))
    table.act(challenge("strike", FOUR))
    assert table.legal() == [
        Decline(),
        Reroll((1,)),
        Reroll((2,)),
        Reroll((1, 2)),
        Reroll((2, 2)),
        Reroll((4,)),
        Reroll((1, 4)),
        Reroll((2, 4)),
    ]
    told = table.act(Reroll((2, 1)))
    assert told[0] == events.DiceRolled(0, "rerolls", (3, 3), (2, 3, 3, 4))
    assert table.asked == "advance"


def test_boosts_are_offered_one_after_another_seeing_the_total() -> None:
    """Potions."""
    state = arranged(hands=[FOUR], potions=[{"boost": 3}])
    table = Arranged(state, Script(dice=[1, 1, 1, 1], potions=[0]))
    table.act(challenge("strike", FOUR, 3))
    totals = []
    for action in (UsePotion("boost"), UsePotion("boost"), Decline()):
        totals.append(state.decision(0).total)  # type: ignore[union-attr]
        table.act(action)
    assert totals == [4, 6, 8]
    assert table.told(events.ChallengeEnded) == [events.ChallengeEnded(0, 8, 12, False)]


def test_a_boost_is_asked_for_even_if_the_total_suffices() -> None:
    """Potions."""
    table = Arranged(arranged(hands=[FOUR], potions=[{"boost": 1}]), Script(dice=[4, 4, 4, 4]))
    table.act(challenge("strike", FOUR))
    assert table.asked == "boost"


def test_a_treasure_is_one_of_two_the_other_is_discarded() -> None:
    """Treasures, Note."""
    state = arranged(hands=[FOUR], next_treasures=["Biwa", "Oni Scroll"])
    table = Arranged(state, Script(dice=[4, 4, 4, 4])).play(challenge("strike", FOUR), Advance("sneak"))
    told = table.act(KeepTreasure(treasure("Oni Scroll")))
    assert kinds(told) == ["TreasureKept", "TurnStarted"]  # the Oni trophy was the Kasha's already
    seat = state.view(None).seats[0]
    assert (seat.treasures, seat.symbols.oni) == ((treasure("Oni Scroll"),), 2)


def test_a_scroll_earns_trophies_at_once() -> None:
    """Orange Scoring Scrolls; Variety Trophies."""
    state = arranged(hands=[FOUR], next_treasures=["Biwa", "Dragon Scroll"])
    state.players[0].symbols = one(2) + one(3) + one(4)
    table = Arranged(state, Script(dice=[4, 4, 4, 4])).play(challenge("strike", FOUR), Advance("sneak"))
    told = table.act(KeepTreasure(treasure("Dragon Scroll")))
    assert kinds(told) == ["TreasureKept", "EncounterTrophyTaken", "VarietyTrophyTaken", "TurnStarted"]


def test_a_variety_trophy_is_taken_once() -> None:
    """Variety Trophies, Note."""
    state = arranged(hands=[FOUR])
    state.players[0].symbols = sum(one(kind) for kind in range(5))
    state.players[0].variety_trophy = True
    table = Arranged(state, Script(dice=[4, 4, 4, 4])).play(challenge("strike", FOUR))
    assert not table.told(events.VarietyTrophyTaken)


def test_a_treasure_deck_that_runs_out_is_made_up_of_its_discards_when_next_needed() -> None:
    """Treasures, Note."""
    biwa, katana = treasure("Biwa"), treasure("Katana")
    for deck, discards, offer in (([], [biwa, katana], 2), ([biwa], [katana], 2), ([], [biwa], 1), ([biwa], [], 1)):
        state = arranged(hands=[FOUR])
        state.treasures = Deck(vec[i64](deck), vec[i64](discards))
        table = Arranged(state, Script(dice=[4, 4, 4, 4])).play(challenge("strike", FOUR), Advance("sneak"))
        assert table.asked == "keep_treasure"
        assert state.public_decision(0).count == offer  # type: ignore[union-attr]
        shuffled = table.told(events.DeckShuffled)
        assert [event.deck_size for event in shuffled] == ([len(discards)] if discards else [])


def test_with_no_treasure_left_there_is_none_to_earn() -> None:
    """RL-5, for treasures."""
    state = arranged(characters=["trader", "monk"], hands=[FOUR])
    state.treasures = Deck(vec[i64](), vec[i64]())
    table = Arranged(state, Script(dice=[4, 4, 4, 4])).play(challenge("strike", FOUR))
    assert kinds(table.act(Advance("sneak"))) == ["TrackAdvanced", "NothingLeft", "TurnStarted"]


def test_the_trader_may_get_fewer_cards_or_none() -> None:
    """RL-14, RL-5."""
    for deck, offer in (("green 1", hand("red 1, red 2, green 1")), ("", hand("red 1, red 2, red 3"))):
        state = arranged(characters=["trader", "monk"], hands=[FOUR], deck=deck, next_treasures=["Biwa", "Katana"])
        table = Arranged(state, Script(dice=[4, 4, 4, 4])).play(challenge("strike", FOUR), Advance("sneak"))
        table.act(KeepTreasure(treasure("Biwa")))
        assert state.view(0).adventurer_offer == offer
    state = arranged(characters=["trader", "monk"], hands=["red 1"], deck="", next_treasures=["Biwa", "Katana"])
    table = Arranged(state, Script(dice=[4])).play(challenge("strike", "red 1"), Advance("sneak"))
    table.act(KeepTreasure(treasure("Biwa")))
    assert table.legal() == [KeepAdventurer(card("red 1"))]
    assert kinds(table.act(KeepAdventurer(card("red 1")))) == ["AdventurerKept", "TurnStarted"]


def test_a_track_at_its_top_cannot_be_advanced() -> None:
    """Character Boards, Note."""
    state = arranged(hands=[FOUR], cubes=[[4, 0, 0, 2]])
    table = Arranged(state, Script(dice=[4, 4, 4, 4])).play(challenge("strike", FOUR))
    assert table.legal() == [Advance("strike"), Advance("rerolls")]
    with pytest.raises(IllegalAction, match="strike, rerolls") as refused:
        table.act(Advance("sneak"))
    assert refused.value.rule == "Character Boards"


# ---- Refusals


def turn_with(**arrangement: Any) -> Arranged:
    return Arranged(arranged(hands=["red 1, red 3, blue 3, wild"], **arrangement), Script(dice=[1, 2, 2], potions=[0]))


def drawing(**arrangement: Any) -> Arranged:
    return turn_with(**arrangement).play(Prepare())


def boosting() -> Arranged:
    return turn_with(potions=[{"boost": 1, "draw_two": 1}]).play(challenge("strike", "red 1"))


def rerolling() -> Arranged:
    return turn_with(cubes=[[0, 0, 1, 0]]).play(challenge("strike", "red 1, red 3, wild"))


def helping() -> Arranged:
    return turn_with(treasures=[["Omamori"]]).play(challenge("strike", "red 1"))


REFUSALS: list[tuple[Any, Action, str]] = [
    (turn_with, Draw(None), "How to Play"),
    (turn_with, Decline(), "How to Play"),
    (turn_with, Discard(hand("red 1")), "How to Play"),
    (turn_with, Advance("sneak"), "How to Play"),
    (turn_with, TakeCoin(1), "How to Play"),
    (turn_with, TakePotion(1, "boost"), "How to Play"),
    (turn_with, ChooseCharacter("monk"), "How to Play"),
    (turn_with, UsePotion("draw_two"), "Potions"),
    (turn_with, UsePotion("boost"), "RL-3"),
    (turn_with, UsePotion("elixir"), "Potions"),  # type: ignore[arg-type]
    (turn_with, challenge("strike", ""), "Action Key"),
    (turn_with, challenge("strike", "red 2"), "Challenge"),
    (turn_with, challenge("strike", "red 1, red 1"), "Challenge"),
    (turn_with, challenge("strike", "wild, wild"), "Challenge"),
    (turn_with, challenge("strike", "red 3, blue 3"), "Action Key"),
    (turn_with, challenge("steal", "red 1, red 3"), "Action Key"),
    (turn_with, challenge("sneak", "red 3, blue 3"), "RL-7"),
    (turn_with, challenge("sneak", "red 1, red 3"), "RL-7"),
    (turn_with, challenge("strike", "red 1", place=4), "Challenge, Notes"),
    (turn_with, challenge("strike", "red 1", place=-1), "Challenge, Notes"),
    (turn_with, Challenge(0, "swim", hand("red 1")), "Challenge"),  # type: ignore[arg-type]
    (drawing, Prepare(), "Prepare"),
    (drawing, challenge("strike", "red 1"), "Prepare"),
    (drawing, Draw(2), "RL-5"),
    (drawing, Draw(-1), "RL-5"),
    (drawing, UsePotion("draw_two"), "Potions"),
    (boosting, UsePotion("draw_two"), "RL-3"),
    (boosting, UsePotion("boost", draw=True), "RL-18"),
    (boosting, Prepare(), "RL-3"),
    (rerolling, Reroll(()), "Challenge, Notes"),
    (rerolling, Reroll((3,)), "Challenge, Notes"),
    (rerolling, Reroll((1, 2)), "Challenge, Notes"),
    (rerolling, Reroll((2, 2, 2)), "Challenge, Notes"),
    (rerolling, UsePotion("boost"), "Challenge, Notes"),
    (helping, UseTreasures((treasure("Daruma"),)), "RL-9"),
    (helping, UseTreasures((treasure("Omamori"),) * 2), "RL-9"),
    (helping, UseTreasures((99,)), "RL-9"),
    (helping, Reroll((1,)), "RL-9"),
]


@pytest.mark.parametrize(
    ("table", "action", "rule"), REFUSALS, ids=lambda value: getattr(value, "__name__", str(value))[:60]
)
def test_an_illegal_action_is_refused_with_its_rule_and_without_a_trace(table: Any, action: Action, rule: str) -> None:
    arranged_table: Arranged = table()
    untouched = everything(arranged_table.state)
    with pytest.raises(IllegalAction) as refused:
        arranged_table.act(action)
    assert refused.value.rule == rule
    assert everything(arranged_table.state) == untouched


def test_a_card_that_does_not_exist_is_not_in_hand() -> None:
    table = turn_with()
    for number in (0, 13, -1):
        with pytest.raises(IllegalAction) as refused:
            table.act(Challenge(0, "strike", (card("red 1").__class__(0, number),)))
        assert refused.value.rule == "Challenge"


def test_an_encounter_without_a_target_for_an_approach_cannot_be_challenged_by_it() -> None:
    """Challenge, Notes."""
    table = Arranged(arranged(hands=["red 1"], board=("Mountain of Darkness", "Hannya", "Kamaitachi", "Sea Dragon")))
    assert table.challenges(0, "sneak") == table.challenges(1, "steal") == table.challenges(2, "strike") == []
    with pytest.raises(IllegalAction, match="at these places is one: 1, 2, 3") as refused:
        table.act(challenge("sneak", "red 1"))
    assert refused.value.rule == "Challenge, Notes"


@pytest.mark.parametrize("code", [5 + 10**6, 2**62, 2**63, 2**64, -1, -(2**63), 2**200])
def test_codes_of_any_size_are_refused_alike(code: int) -> None:
    state = arranged(hands=["red 1"])
    assert not state.is_legal(0, code)
    with pytest.raises(IllegalAction):
        state.apply(0, code, NO_CHANCE, None)
    with pytest.raises(IllegalAction):
        DRAGONISLES.action(state, 0, code)


def test_only_the_seat_whose_turn_it_is_may_act() -> None:
    for refusal in check_not_asked(PLAYED, arranged(hands=["red 1", "red 2"]), 1, Prepare()):
        assert refusal.rule == "How to Play"


# ---- Codes


def test_an_action_may_name_cards_and_dice_in_any_order() -> None:
    first, second = challenge("sneak", "wild, red 3, red 1"), challenge("sneak", "red 1, red 3, wild")
    assert first == second
    state = arranged(hands=["red 1, red 3, wild"])
    assert DRAGONISLES.code(state, 0, first) == DRAGONISLES.code(state, 0, second)
    assert Reroll((3, 1)) == Reroll((1, 3))
    assert Discard(hand("wild, red 1")) == Discard(hand("red 1, wild"))
