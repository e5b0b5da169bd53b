"""The events of Dragons as messages."""

from __future__ import annotations

from typing import Final

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.dragons import events
from dragonhall.rules.dragons.facts import MAX_SEATS
from dragonhall.wire.dragons.parts import CARD, CARDS_IN_ORDER, HAND_CARDS, OPTIONAL_CARD
from dragonhall.wire.shapes import ManyInner, OneOf, OptionalEnumValue, Shape

_HAUL: Final = Shape(pb.Haul, events.Haul, cards=CARDS_IN_ORDER, rest_of_deck=CARDS_IN_ORDER, hidden_card=OPTIONAL_CARD)

EVENT: Final = OneOf(
    pb.Event,
    "event",
    year_started=Shape(pb.YearStarted, events.YearStarted, first_cards=CARDS_IN_ORDER),
    hidden_card_dealt=Shape(pb.HiddenCardDealt, events.HiddenCardDealt, card=OPTIONAL_CARD),
    card_drawn=Shape(pb.CardDrawn, events.CardDrawn, card=OPTIONAL_CARD),
    card_placed=Shape(pb.CardPlaced, events.CardPlaced, card=CARD, played=OptionalEnumValue(HAND_CARDS)),
    pile_claimed=Shape(pb.PileClaimed, events.PileClaimed),
    last_pile_taken=Shape(pb.LastPileTaken, events.LastPileTaken, rest_of_deck=CARDS_IN_ORDER),
    year_ended=Shape(pb.YearEnded, events.YearEnded, hauls=ManyInner(_HAUL, most=MAX_SEATS)),
)
