"""Messages of Dragons: nothing is lost on the way, and nothing that makes no sense comes through."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragons import DRAGONS, events, facts, moves
from dragonhall.rules.dragons.facts import CARDS, FACES, Card, Options, components_from_data
from dragonhall.v1 import games_pb2 as games
from dragonhall.v1 import play_service_pb2 as play
from dragonhall.wire import CODECS, component_digest
from dragonhall.wire.prompts import actions_from_proto, prompt_to_bytes
from tests.rules.dragons_tables import COMPONENTS, Driver
from tests.wire.messages import arrived, check_refused, names_of, sent

CODEC = CODECS["dragons"]


def test_legal_actions_are_numbered_in_canonical_order() -> None:
    driver = Driver(3, Options(hidden_card=True, first_seat=0)).play(moves.Claim(1), moves.Draw())
    prompt = play.Decision.FromString(prompt_to_bytes(DRAGONS, driver.state, driver.table.tickets[1], CODEC))
    written = prompt.legal_actions
    assert [legal.index for legal in written] == [0, 1, 2, 3]
    assert list(actions_from_proto(written, CODEC)) == [
        moves.Play("drawn", 0),
        moves.Play("drawn", 2),
        moves.Play("held", 0),
        moves.Play("held", 2),
    ]
    assert not any(legal.HasField("amounts") for legal in written)


@given(
    st.builds(
        Options,
        extra_year=st.booleans(),
        open_piles=st.booleans(),
        hidden_card=st.booleans(),
        first_seat=st.none() | st.integers(0, 2**32 - 1),
    )
)
def test_options_arrive_as_they_were_sent(options: Options) -> None:
    assert arrived(CODEC, "options", options) == options


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_every_card_arrives_as_it_was_sent(card: Card) -> None:
    event = events.CardDrawn(0, card, 3)
    assert arrived(CODEC, "event", event) == event


def test_the_enum_has_every_kind_of_card_in_the_order_of_the_rules() -> None:
    assert names_of(pb.CardKind) == (*facts.KINDS, facts.COIN_KIND)


# ---- Component sets


def test_component_sets_arrive_as_they_were_sent() -> None:
    data = COMPONENTS.to_data()
    data["cards"] |= {"cow": 0, "sheep": 20}
    data["coin_cards"] = {"9": 14}
    for components in (COMPONENTS, components_from_data(data)):
        message = sent(CODEC.components_to_proto(components, with_contents=True))
        assert CODEC.components_from_proto(message) == components


def test_the_digest_is_the_sha256_of_canonical_json() -> None:
    text = (
        '{"cards":{"blue_gem":7,"bracelet":6,"breastplate":5,"cow":10,"crown":6,"helmet":5,"necklace":6,"one_ring":4,'
        '"pink_gem":7,"polish":8,"scepter":6,"sheep":10,"shield":5,"sword":5},"coin_cards":{"1":4,"2":4,"3":3,"4":2,"5":1},'
        '"id":"dragons-default","version":1}'
    )
    assert json.loads(text) == COMPONENTS.to_data()
    assert component_digest(COMPONENTS) == hashlib.sha256(text.encode()).digest()


def changed_components(change: Callable[[games.ComponentSet], object]) -> games.ComponentSet:
    message = CODEC.components_to_proto(COMPONENTS, with_contents=True)
    change(message)
    return message


def set_counts(message: games.ComponentSet, *counts: int) -> None:
    for card, count in zip(message.dragons.cards, counts, strict=False):
        card.count = count


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda m: set_counts(m, 11), "dragons.cards"),
        (lambda m: set_counts(m, 0), "dragons.cards[0].count"),
        (lambda m: set_counts(m, 10, 2**32 - 1), "dragons.cards[1].count"),
        (lambda m: set_counts(m, 9, 11), "digest"),
        (lambda m: m.dragons.cards.add(card=pb.Card(kind=pb.CARD_KIND_COW), count=1), "dragons.cards[19].card"),
        (lambda m: m.dragons.cards.add(count=1), "dragons.cards[19].card"),
        (lambda m: m.dragons.ClearField("cards"), "dragons.cards"),
    ],
)
def test_a_wrong_component_set_is_refused(change: Callable[[games.ComponentSet], object], field: str) -> None:
    check_refused(CODEC, changed_components(change), field)


# ---- Messages that make no sense

COW = pb.Card(kind=pb.CARD_KIND_COW)
COW_WITH_COINS = pb.Card(kind=pb.CARD_KIND_COW, coins=1)


def event(**kind: Any) -> games.GameEvent:
    return games.GameEvent(dragons=pb.Event(**kind))


def action(**kind: Any) -> games.GameAction:
    return games.GameAction(dragons=pb.Action(**kind))


def order(*cards: pb.Card) -> games.ChanceOutcome:
    return games.ChanceOutcome(name="dragons/treasure", dragons_cards=pb.CardOrder(cards=cards))


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (action(play=pb.Play(pile=1)), "play.card"),
        (action(play=pb.Play(card=7, pile=1)), "play.card"),  # type: ignore[arg-type]
        (
            games.GameDecision(dragons=pb.Decision(placement=pb.PlacementDecision(drawn=COW_WITH_COINS))),
            "placement.drawn",
        ),
        (event(card_drawn=pb.CardDrawn(card=pb.Card())), "card_drawn.card"),
        (event(card_drawn=pb.CardDrawn(card=pb.Card(kind=99))), "card_drawn.card"),  # type: ignore[arg-type]
        (event(hidden_card_dealt=pb.HiddenCardDealt(card=pb.Card(kind=pb.CARD_KIND_COINS))), "hidden_card_dealt.card"),
        (event(card_placed=pb.CardPlaced(seat=1)), "card_placed.card"),
        (event(card_placed=pb.CardPlaced(card=COW, played=9)), "card_placed.played"),  # type: ignore[arg-type]
        (event(year_started=pb.YearStarted(first_cards=[COW, pb.Card()])), "year_started.first_cards[1]"),
        (event(year_started=pb.YearStarted(first_cards=[COW] * 105)), "year_started.first_cards"),
        (event(last_pile_taken=pb.LastPileTaken(rest_of_deck=[COW_WITH_COINS])), "last_pile_taken.rest_of_deck[0]"),
        (event(year_ended=pb.YearEnded(hauls=[pb.Haul(cards=[pb.Card()])])), "year_ended.hauls[0].cards[0]"),
        (event(year_ended=pb.YearEnded(hauls=[pb.Haul(hidden_card=pb.Card())])), "year_ended.hauls[0].hidden_card"),
        (games.GameView(dragons=pb.View(piles=[pb.Pile(size=1)])), "piles[0].top"),
        (games.GameView(dragons=pb.View(piles=[pb.Pile(top=COW, cards=[pb.Card()])])), "piles[0].cards[0]"),
        (games.GameView(dragons=pb.View(drawn=pb.Card())), "drawn"),
        (games.GameView(dragons=pb.View(held=pb.Card(kind=pb.CARD_KIND_COINS, coins=10))), "held"),
        (
            games.GameView(dragons=pb.View(seats=[pb.SeatView(treasure=[pb.CardCount(card=COW)])])),
            "seats[0].treasure[0].count",
        ),
        (games.GameBreakdown(dragons=pb.Breakdown(famines=[pb.FAMINE_COWS, 0])), "famines[1]"),  # type: ignore[list-item]
        (order(COW, pb.Card()), "dragons_cards.cards[1]"),
        (order(*[COW] * 105), "dragons_cards.cards"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_message_that_makes_no_sense_is_refused_by_field(message: Any, field: str) -> None:
    check_refused(CODEC, message, field)


def test_a_number_and_an_order_are_told_apart() -> None:
    zero = ChanceOutcome("dragons/first_seat", number=0)
    every_face = ChanceOutcome("dragons/treasure", order=tuple(range(FACES)))
    for chance in (zero, every_face):
        assert arrived(CODEC, "chance", chance) == chance
