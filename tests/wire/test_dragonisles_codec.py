"""Messages of DragonIsles: nothing is lost on the way, and nothing that makes no sense comes through."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragonhall.dragonisles.v1 import dragonisles_pb2 as pb
from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragonisles import DRAGONISLES, component_set, events, facts, moves, view
from dragonhall.rules.dragonisles.facts import CARD_OF, CARDS, Adventurer, Options
from dragonhall.rules.dragonisles.state import State
from dragonhall.v1 import games_pb2 as games
from dragonhall.v1 import play_service_pb2 as play
from dragonhall.wire import CODECS
from dragonhall.wire.prompts import actions_from_proto, prompt_to_bytes
from dragonhall.wire.records import to_data
from tests.records.foreign_isles_facts import component_text
from tests.rules.dragonisles_tables import COMPONENTS, Driver, encounter
from tests.wire.messages import arrived, check_refused, names_of, sent

CODEC = CODECS["dragonisles"]


# ---- Prompts


def asked_with(hand: str, *, quest_board: tuple[int, ...] = (0, 1, 2, 3)) -> tuple[State, play.Decision]:
    """A turn's first question to a seat that holds these cards, as ``8 13 wild wild``: numbers inside the rules."""
    driver = Driver(2, Options(first_seat=0, characters=("monk", "pirate")))
    cards = [60 if card == "wild" else int(card) for card in hand.split()]
    driver.state.players[0].hand = sum(1 << card for card in cards)
    for place, kind in enumerate(quest_board):
        driver.state.quest_board[place] = kind
    written = prompt_to_bytes(DRAGONISLES, driver.state, driver.table.tickets[0], CODEC)
    return driver.state, play.Decision.FromString(written)


def test_legal_actions_are_numbered_in_canonical_order() -> None:
    """Kamaitachi cannot be struck, and of the Mountain of Darkness one cannot sneak past."""
    board = (
        encounter("Kamaitachi", "land"),
        encounter("Mountain of Darkness"),
        encounter("Kamaitachi", "land"),
        encounter("Oni"),
    )
    state, message = asked_with("0 12 wild", quest_board=board)
    assert [legal.index for legal in message.legal_actions] == list(range(len(message.legal_actions)))
    assert not any(legal.HasField("amounts") for legal in message.legal_actions)
    actions = list(actions_from_proto(message.legal_actions, CODEC))
    assert actions[0] == moves.Prepare()
    assert [DRAGONISLES.code(state, 0, action) for action in actions] == state.legal_actions(0)
    challenged = [(a.approach, a.place) for a in actions if isinstance(a, moves.Challenge)]
    assert list(dict.fromkeys(challenged)) == [
        *(("sneak", place) for place in (0, 2, 3)),
        *(("steal", place) for place in (0, 1, 2, 3)),
        *(("strike", place) for place in (1, 3)),
    ]
    one, other, wild = Adventurer(0, 1), Adventurer(1, 1), Adventurer(None, 0)
    assert [a.cards for a in actions if isinstance(a, moves.Challenge) and (a.approach, a.place) == ("steal", 0)] == [
        (one,),
        (one, wild),
        (other,),
        (other, wild),
        (one, other),
        (one, other, wild),
        (wild,),
    ]


def test_a_prompt_of_a_thousand_challenges_is_small_and_is_read_the_same_again() -> None:
    _, message = asked_with(" ".join(str(card) for card in (*range(10), 12, 25)) + " wild wild wild")
    assert len(message.legal_actions) > 1000
    assert message.ByteSize() < 24 * len(message.legal_actions)
    first, second = (list(actions_from_proto(message.legal_actions, CODEC)) for _ in range(2))
    assert first == second
    assert len(set(first)) == len(first)


def test_cards_of_a_challenge_may_stand_in_any_order() -> None:
    state, _ = asked_with("3 4 5", quest_board=(encounter("Oni"),) * 4)
    cards = [pb.ADVENTURER_RED_6, pb.ADVENTURER_RED_4, pb.ADVENTURER_RED_5]
    challenge = pb.Challenge(place=2, approach=pb.APPROACH_SNEAK, cards=cards)
    read = CODEC.action_from_proto(sent(games.GameAction(dragonisles=pb.Action(challenge=challenge))))
    code = DRAGONISLES.code(state, 0, read)
    assert DRAGONISLES.action(state, 0, code) == read


def test_an_offer_is_shown_to_its_seat_alone() -> None:
    for own, public in (
        (moves.TreasureDecision((0, 3), 2), moves.TreasureDecision(None, 2)),
        (moves.AdventurerDecision((CARDS[0], CARDS[60]), 2), moves.AdventurerDecision(None, 2)),
    ):
        assert CODEC.decision_to_proto(own) != CODEC.decision_to_proto(public)
        for decision in (own, public):
            assert arrived(CODEC, "decision", decision) == decision


# ---- Values


def test_every_card_arrives_as_it_was_sent() -> None:
    for card in CARDS:
        event = events.CardDrawn(0, card, 3)
        assert arrived(CODEC, "event", event) == event
        number = CODEC.event_to_proto(event).dragonisles.card_drawn.card
        if card.colour is not None:  # the arithmetic that the .proto describes
            assert ((number - 1) // 12, (number - 1) % 12 + 1) == (card.colour, card.number)
        assert pb.Adventurer.Name(number) == f"ADVENTURER_{COMPONENTS.card_name(card).replace(' ', '_').upper()}"


def test_a_card_that_is_hidden_is_absent() -> None:
    event = events.CardDrawn(1, None, 30)
    assert CODEC.event_to_proto(event).dragonisles.card_drawn == pb.CardDrawn(seat=1, deck_size=30)
    assert arrived(CODEC, "event", event) == event


def test_places_may_be_empty() -> None:
    state = Driver(2).state
    state.quest_board[0] = state.quest_board[2] = state.tavern[1] = -1
    seen = state.view(0)
    assert [encounter is None for encounter in seen.quest_board] == [True, False, True, False]
    assert [card is None for card in seen.tavern] == [False, True]
    assert arrived(CODEC, "view", seen) == seen


def test_an_empty_hand_is_not_a_spectators() -> None:
    state = Driver(2).state
    state.players[0].hand = 0
    for viewer, hand in ((0, ()), (None, None)):
        seen = state.view(viewer)
        assert seen.hand == hand
        assert arrived(CODEC, "view", seen) == seen


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("decision", moves.TakeCoinDecision()),
        ("action", moves.TakeCoin(4)),
        ("event", events.CoinTaken(1, 0)),
        ("event", events.CoinEarned(2, 14)),
        ("event", events.NothingLeft(3, "coin")),
    ],
)
def test_what_few_games_come_to_arrives_as_it_was_sent(what: str, value: Any) -> None:
    assert arrived(CODEC, what, value) == value


@given(
    st.builds(Options, draft=st.booleans(), first_seat=st.none() | st.integers(0, facts.MAX_SEATS - 1))
    | st.builds(
        Options,
        characters=st.permutations(facts.CHARACTERS).flatmap(
            lambda order: st.integers(1, 5).map(lambda n: tuple(order[:n]))
        ),
        first_seat=st.none() | st.integers(0, facts.MAX_SEATS - 1),
    )
)
def test_options_arrive_as_they_were_sent(options: Options) -> None:
    assert arrived(CODEC, "options", options) == options


@pytest.mark.parametrize(
    ("enum", "names"),
    [
        (pb.Approach, facts.APPROACHES),
        (pb.EncounterType, facts.ENCOUNTER_TYPES),
        (pb.Category, facts.CATEGORIES),
        (pb.Character, facts.CHARACTERS),
        (pb.TrackName, facts.TRACK_NAMES),
        (pb.Potion, facts.POTIONS),
        (pb.Reward, get_args(facts.Reward)),
        (pb.Bonus, get_args(facts.Bonus)),
        (pb.Trigger, get_args(facts.Trigger)),
        (pb.Benefit, get_args(facts.Benefit)),
        (pb.ClearCause, get_args(events.ClearCause)),
        (pb.Deck, get_args(events.DeckName)),
        (pb.DiscardCause, get_args(events.DiscardCause)),
        (pb.RollCause, get_args(events.RollCause)),
        (pb.Declined, get_args(events.Declined)),
        (pb.Earning, get_args(events.Earning)),
        (pb.Stage, get_args(view.Stage)),
    ],
    ids=lambda value: value.DESCRIPTOR.name if hasattr(value, "DESCRIPTOR") else "",
)
def test_enums_have_the_names_of_the_rules_in_their_order(enum: Any, names: tuple[str, ...]) -> None:
    assert names_of(enum) == names


# ---- Component sets


def other_components() -> facts.Components:
    """A set that differs in every part that can."""
    data = COMPONENTS.to_data()
    data["id"], data["version"] = "mine", 7
    data["dice"]["faces"] = [0 + 1, 1, 1, 1, 1, 9]
    data["adventurers"]["colours"] = ["rot", 'the "blue"', "\\", "龍", "<&>"]
    data["coins"]["gold"]["value"] = 20
    data["potions"] = {"draw_two": 20, "draw_one_and_clear": 0, "boost": 0}
    always = {"name": "Charm", "copies": 27, "trigger": "success", "benefit": "coin"}
    hand = {"name": "Purse", "copies": 3, "trigger": "success", "benefit": "draw_1", "when": "hand_below=12"}
    data["treasures"] = [always, hand]
    data["characters"]["pirate"]["tracks"].reverse()
    only = {"name": "Gate", "copies": 50, "type": "oni", "category": "sea", "symbols": 2, "victory_points": 0}
    data["encounters"] = [only | {"steal": {"target": 40, "bonus": "treasure"}}]
    return component_set.components_from_data(data)


@pytest.mark.parametrize("components", [COMPONENTS, other_components()], ids=lambda components: components.id)
def test_component_sets_arrive_as_they_were_sent(components: facts.Components) -> None:
    message = sent(CODEC.components_to_proto(components, with_contents=True))
    assert CODEC.components_from_proto(message) == components


@pytest.mark.parametrize("components", [COMPONENTS, other_components()], ids=lambda components: components.id)
def test_the_digest_is_the_sha256_of_the_json_that_the_proto_describes(components: facts.Components) -> None:
    message = CODEC.components_to_proto(components, with_contents=True)
    assert hashlib.sha256(component_text(to_data(message)).encode()).digest() == message.digest


def changed_components(change: Callable[[Any], object]) -> games.ComponentSet:
    message = CODEC.components_to_proto(COMPONENTS, with_contents=True)
    change(message.dragonisles)
    return message


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda m: m.encounters[0].steal.ClearField("target"), "encounters[0].steal.target"),
        (lambda m: setattr(m.encounters[3].steal, "target", 4), ""),
        (lambda m: m.encounters[1].ClearField("type"), "encounters[1].type"),
        (lambda m: setattr(m.encounters[1], "category", 9), "encounters[1].category"),
        (lambda m: setattr(m.encounters[2].sneak, "bonus", 9), "encounters[2].sneak.bonus"),
        (lambda m: setattr(m.encounters[5], "name", ""), "encounters[5].name"),
        (lambda m: setattr(m.encounters[5], "copies", 2), "encounters"),
        (lambda m: m.encounters.add(), "encounters[38].type"),
        (lambda m: m.encounters.extend([m.encounters[0]] * 13), "encounters"),
        (lambda m: m.ClearField("encounters"), "encounters"),
        (lambda m: m.dice_faces.append(1), "dice_faces"),
        (lambda m: m.dice_faces.__setitem__(0, 0), "dice_faces"),
        (lambda m: m.colours.__setitem__(0, "blue"), "colours"),
        (lambda m: m.colours.__setitem__(1, ""), "colours[1]"),
        (lambda m: m.ClearField("copper"), "copper"),
        (lambda m: setattr(m.silver, "count", 9), "silver.count"),
        (lambda m: setattr(m.potions, "boost", 11), "potions"),
        (lambda m: m.ClearField("potions"), "potions"),
        (lambda m: m.ClearField("treasures"), "treasures"),
        (lambda m: m.treasures.pop(), "treasures"),
        (lambda m: m.treasures.pop(0), "treasures"),
        (lambda m: m.treasures.append(m.treasures[0]), "treasures"),
        (lambda m: m.treasures.insert(0, m.treasures.pop()), "treasures"),
        (lambda m: setattr(m.treasures[10], "copies", 4), "treasures"),
        (lambda m: setattr(m.treasures[11], "copies", 4), "treasures"),
        (lambda m: setattr(m.treasures[12], "name", "Scroll"), "treasures"),
        (lambda m: setattr(m.treasures[12], "trigger", pb.TRIGGER_SUCCESS), "treasures"),
        (lambda m: m.treasures[0].ClearField("benefit"), "treasures[0].benefit"),
        (lambda m: setattr(m.treasures[1], "trigger", 7), "treasures[1].trigger"),
        (lambda m: m.treasures[3].when.Clear(), "treasures[3].when"),
        (lambda m: setattr(m.treasures[3].when, "approach", 0), "treasures[3].when"),
        (lambda m: setattr(m.treasures[3].when, "approach", 4), "treasures[3].when.approach"),
        (lambda m: setattr(m.treasures[6].when, "hand_below", 0), "treasures[6].when"),
        (lambda m: m.characters.pop(), "characters"),
        (lambda m: m.characters.reverse(), "characters"),
        (lambda m: setattr(m.characters[0], "character", 0), "characters[0].character"),
        (lambda m: m.characters[1].tracks.pop(), "characters[1].tracks"),
        (lambda m: setattr(m.characters[1].tracks[0], "name", 9), "characters[1].tracks[0].name"),
        (lambda m: setattr(m.characters[1].tracks[0], "start", 2), "characters[1].tracks[0].values"),
        (lambda m: m.characters[4].tracks[2].rewards.append(4), "characters[4].tracks[2].rewards[3]"),
        (lambda m: m.characters[4].tracks[2].rewards.append(0), "characters[4].tracks[2].rewards"),
    ],
)
def test_wrong_contents_of_a_component_set_are_refused(change: Callable[[Any], object], field: str) -> None:
    check_refused(CODEC, changed_components(change), f"dragonisles.{field}" if field else "digest")


# ---- Messages that make no sense

RED, WILD = pb.ADVENTURER_RED_1, pb.ADVENTURER_WILD
SNEAK: Any = pb.APPROACH_SNEAK
NONE: Any = 0
"""Of any enum."""


def event(**kind: Any) -> games.GameEvent:
    return games.GameEvent(dragonisles=pb.Event(**kind))


def action(**kind: Any) -> games.GameAction:
    return games.GameAction(dragonisles=pb.Action(**kind))


def decision(**kind: Any) -> games.GameDecision:
    return games.GameDecision(dragonisles=pb.Decision(**kind))


def options(**fields: Any) -> games.GameOptions:
    return games.GameOptions(dragonisles=pb.Options(**fields))


STATE = Driver(2).state
SEAT = CODEC.view_to_proto(STATE.view(0)).dragonisles.seats[0]


def seen(**fields: Any) -> games.GameView:
    """A view of which only the given fields are wrong."""
    message = CODEC.view_to_proto(STATE.view(0))
    for name in fields:
        message.dragonisles.ClearField(name)  # type: ignore[arg-type]
    message.dragonisles.MergeFrom(pb.View(**{name: value for name, value in fields.items() if value is not None}))
    return message


def seat(**fields: Any) -> pb.SeatView:
    """A seat of which only the given fields are wrong."""
    message = pb.SeatView()
    message.CopyFrom(SEAT)
    for name in fields:
        message.ClearField(name)  # type: ignore[arg-type]
    message.MergeFrom(pb.SeatView(**{name: value for name, value in fields.items() if value is not None}))
    return message


def chance(**order: Any) -> games.ChanceOutcome:
    return games.ChanceOutcome(name="dragonisles/adventurers", **order)


CHALLENGE = pb.ChallengeView(approach=SNEAK, cards=[RED], dice=[3])


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (options(characters=[6]), "characters[0]"),
        (options(characters=[pb.CHARACTER_MONK, NONE]), "characters[1]"),
        (options(characters=[1, 2, 3, 4, 5, 1]), "characters"),
        (options(characters=[pb.CHARACTER_MONK, pb.CHARACTER_MONK]), "characters"),
        (options(characters=[pb.CHARACTER_MONK, pb.CHARACTER_PIRATE], draft=True), "draft"),
        (action(choose_character=pb.ChooseCharacter()), "choose_character.character"),
        (action(challenge=pb.Challenge(cards=[RED])), "challenge.approach"),
        (action(challenge=pb.Challenge(approach=SNEAK, cards=[RED, NONE])), "challenge.cards[1]"),
        (action(challenge=pb.Challenge(approach=SNEAK, cards=[62])), "challenge.cards[0]"),  # type: ignore[list-item]
        (action(challenge=pb.Challenge(approach=SNEAK, cards=[RED] * 65)), "challenge.cards"),
        (action(use_potion=pb.UsePotion(draw=True)), "use_potion.potion"),
        (action(discard=pb.Discard(cards=[NONE])), "discard.cards[0]"),
        (action(use_treasures=pb.UseTreasures(treasures=[0] * 46)), "use_treasures.treasures"),
        (action(reroll=pb.Reroll(faces=[1] * 65)), "reroll.faces"),
        (action(keep_adventurer=pb.KeepAdventurer()), "keep_adventurer.card"),
        (action(advance=pb.Advance(track=8)), "advance.track"),  # type: ignore[arg-type]
        (action(take_potion=pb.TakePotion(seat=1)), "take_potion.potion"),
        (decision(character=pb.CharacterDecision(characters=[NONE])), "character.characters[0]"),
        (decision(adventurer=pb.AdventurerDecision(offer=[RED, NONE])), "adventurer.offer[1]"),
        (decision(advance=pb.AdvanceDecision(tracks=[NONE])), "advance.tracks[0]"),
        (decision(advance=pb.AdvanceDecision(tracks=[1, 2, 3, 4, 5])), "advance.tracks"),  # type: ignore[list-item]
        (event(game_started=pb.GameStarted(characters=[NONE])), "game_started.characters[0]"),
        (event(character_chosen=pb.CharacterChosen()), "character_chosen.character"),
        (event(hand_dealt=pb.HandDealt(cards=[RED, 99])), "hand_dealt.cards[1]"),  # type: ignore[list-item]
        (event(quest_board_cleared=pb.QuestBoardCleared()), "quest_board_cleared.cause"),
        (event(tavern_refilled=pb.TavernRefilled()), "tavern_refilled.card"),
        (event(deck_shuffled=pb.DeckShuffled()), "deck_shuffled.deck"),
        (event(tavern_card_taken=pb.TavernCardTaken()), "tavern_card_taken.card"),
        (event(card_drawn=pb.CardDrawn(card=62)), "card_drawn.card"),  # type: ignore[arg-type]
        (event(cards_discarded=pb.CardsDiscarded(cards=[RED])), "cards_discarded.cause"),
        (event(potion_used=pb.PotionUsed()), "potion_used.potion"),
        (event(challenge_started=pb.ChallengeStarted()), "challenge_started.approach"),
        (event(dice_rolled=pb.DiceRolled()), "dice_rolled.cause"),
        (event(dice_rolled=pb.DiceRolled(cause=pb.ROLL_CAUSE_ONES, dice=[1] * 7)), "dice_rolled.dice"),
        (event(choice_declined=pb.ChoiceDeclined()), "choice_declined.choice"),
        (event(encounter_trophy_taken=pb.EncounterTrophyTaken()), "encounter_trophy_taken.type"),
        (event(track_advanced=pb.TrackAdvanced()), "track_advanced.track"),
        (event(potion_earned=pb.PotionEarned()), "potion_earned.potion"),
        (event(potion_taken=pb.PotionTaken()), "potion_taken.potion"),
        (event(adventurers_offered=pb.AdventurersOffered(cards=[NONE])), "adventurers_offered.cards[0]"),
        (event(nothing_left=pb.NothingLeft()), "nothing_left.earning"),
        (games.GameView(dragonisles=pb.View()), "stage"),
        (seen(stage=14), "stage"),
        (seen(quest_board=[pb.QuestPlace()] * 3), "quest_board"),
        (seen(tavern=[RED, WILD, RED]), "tavern"),
        (seen(tavern=[RED, 62]), "tavern[1]"),
        (seen(adventurer_deck=None), "adventurer_deck"),
        (seen(adventurer_deck=pb.AdventurerDeck(top=62)), "adventurer_deck.top"),  # type: ignore[arg-type]
        (seen(potion_pile=None), "potion_pile"),
        (seen(seats=[SEAT]), "seats"),
        (seen(seats=[SEAT, seat(character=6)]), "seats[1].character"),
        (seen(seats=[SEAT, seat(positions=[0, 0, 0])]), "seats[1].positions"),
        (seen(seats=[SEAT, seat(potions=None)]), "seats[1].potions"),
        (seen(seats=[SEAT, seat(encounter_trophies=[NONE])]), "seats[1].encounter_trophies[0]"),
        (seen(challenge=pb.ChallengeView()), "challenge.approach"),
        (seen(hand=pb.Hand(cards=[RED, NONE])), "hand.cards[1]"),
        (seen(adventurer_offer=[NONE]), "adventurer_offer[0]"),
        (
            chance(dragonisles_adventurers=pb.AdventurerOrder(adventurers=[RED, NONE])),
            "dragonisles_adventurers.adventurers[1]",
        ),
        (
            chance(dragonisles_adventurers=pb.AdventurerOrder(adventurers=[RED] * 65)),
            "dragonisles_adventurers.adventurers",
        ),
        (chance(dragonisles_encounters=pb.EncounterOrder(encounters=[0, 50])), "dragonisles_encounters.encounters[1]"),
        (chance(dragonisles_treasures=pb.TreasureOrder(treasures=[45])), "dragonisles_treasures.treasures[0]"),
        (chance(dragonisles_characters=pb.CharacterOrder(characters=[NONE])), "dragonisles_characters.characters[0]"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_message_that_makes_no_sense_is_refused_by_field(message: Any, field: str) -> None:
    check_refused(CODEC, message, field)


@pytest.mark.parametrize(
    "outcome",
    [
        ChanceOutcome("dragonisles/first_seat", number=0),
        ChanceOutcome("dragonisles/dice", number=5),
        ChanceOutcome("dragonisles/adventurers", order=tuple(reversed(range(61)))),
        ChanceOutcome("dragonisles/encounters", order=(49, 0, 0, 7)),
        ChanceOutcome("dragonisles/treasures", order=(14, 3, 3)),
        ChanceOutcome("dragonisles/characters", order=(4, 3, 0, 1, 2)),
    ],
    ids=lambda outcome: outcome.name,
)
def test_numbers_and_orders_arrive_as_they_were_sent(outcome: ChanceOutcome) -> None:
    assert arrived(CODEC, "chance", outcome) == outcome


def test_cards_are_numbered_as_inside_the_rules() -> None:
    assert [CARD_OF[card] for card in CARDS] == list(range(61))
