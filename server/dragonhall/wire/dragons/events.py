"""The events of Dragons as messages."""

from __future__ import annotations

from typing import Any, Final

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.dragons import events
from dragonhall.wire.dragons.parts import (
    HAND_CARDS,
    card_from,
    card_to,
    cards_from,
    cards_to,
    optional_card_from,
    optional_card_to,
)
from dragonhall.wire.fields import choice, each


def event_to(event: events.Event) -> pb.Event:
    """An event."""
    message: pb.Event = _TO[type(event)](event)
    return message


def event_from(message: pb.Event) -> events.Event:
    """An event. Raises `InvalidMessage`."""
    kind, content = choice(message, "event")
    event: events.Event = _FROM[kind](content)
    return event


def _year_started_to(event: events.YearStarted) -> pb.Event:
    message = pb.YearStarted(
        year=event.year,
        first_seat=event.first_seat,
        first_cards=cards_to(event.first_cards),
        deck_size=event.deck_size,
    )
    return pb.Event(year_started=message)


def _year_started_from(message: pb.YearStarted) -> events.YearStarted:
    first_cards = cards_from(message.first_cards, "year_started.first_cards")
    return events.YearStarted(message.year, message.first_seat, first_cards, message.deck_size)


def _hidden_card_dealt_to(event: events.HiddenCardDealt) -> pb.Event:
    return pb.Event(hidden_card_dealt=pb.HiddenCardDealt(seat=event.seat, card=optional_card_to(event.card)))


def _hidden_card_dealt_from(message: pb.HiddenCardDealt) -> events.HiddenCardDealt:
    return events.HiddenCardDealt(message.seat, optional_card_from(message, "card", "hidden_card_dealt.card"))


def _card_drawn_to(event: events.CardDrawn) -> pb.Event:
    card = optional_card_to(event.card)
    return pb.Event(card_drawn=pb.CardDrawn(seat=event.seat, card=card, deck_size=event.deck_size))


def _card_drawn_from(message: pb.CardDrawn) -> events.CardDrawn:
    card = optional_card_from(message, "card", "card_drawn.card")
    return events.CardDrawn(message.seat, card, message.deck_size)


def _card_placed_to(event: events.CardPlaced) -> pb.Event:
    played = HAND_CARDS.number(event.played)
    message = pb.CardPlaced(seat=event.seat, pile=event.pile, card=card_to(event.card), played=played)
    return pb.Event(card_placed=message)


def _card_placed_from(message: pb.CardPlaced) -> events.CardPlaced:
    played = HAND_CARDS.optional_name(message.played, "card_placed.played")
    return events.CardPlaced(message.seat, message.pile, card_from(message.card, "card_placed.card"), played)


def _pile_claimed_to(event: events.PileClaimed) -> pb.Event:
    return pb.Event(pile_claimed=pb.PileClaimed(seat=event.seat, pile=event.pile))


def _pile_claimed_from(message: pb.PileClaimed) -> events.PileClaimed:
    return events.PileClaimed(message.seat, message.pile)


def _last_pile_taken_to(event: events.LastPileTaken) -> pb.Event:
    rest = cards_to(event.rest_of_deck)
    return pb.Event(last_pile_taken=pb.LastPileTaken(seat=event.seat, pile=event.pile, rest_of_deck=rest))


def _last_pile_taken_from(message: pb.LastPileTaken) -> events.LastPileTaken:
    rest = cards_from(message.rest_of_deck, "last_pile_taken.rest_of_deck")
    return events.LastPileTaken(message.seat, message.pile, rest)


def _year_ended_to(event: events.YearEnded) -> pb.Event:
    return pb.Event(year_ended=pb.YearEnded(year=event.year, hauls=[_haul_to(haul) for haul in event.hauls]))


def _year_ended_from(message: pb.YearEnded) -> events.YearEnded:
    return events.YearEnded(message.year, each(message.hauls, "year_ended.hauls", _haul_from))


def _haul_to(haul: events.Haul) -> pb.Haul:
    return pb.Haul(
        seat=haul.seat,
        pile=haul.pile,
        cards=cards_to(haul.cards),
        rest_of_deck=cards_to(haul.rest_of_deck),
        hidden_card=optional_card_to(haul.hidden_card),
    )


def _haul_from(message: pb.Haul, field: str) -> events.Haul:
    return events.Haul(
        seat=message.seat,
        pile=message.pile,
        cards=cards_from(message.cards, f"{field}.cards"),
        rest_of_deck=cards_from(message.rest_of_deck, f"{field}.rest_of_deck"),
        hidden_card=optional_card_from(message, "hidden_card", f"{field}.hidden_card"),
    )


_TO: Final[dict[type, Any]] = {
    events.YearStarted: _year_started_to,
    events.HiddenCardDealt: _hidden_card_dealt_to,
    events.CardDrawn: _card_drawn_to,
    events.CardPlaced: _card_placed_to,
    events.PileClaimed: _pile_claimed_to,
    events.LastPileTaken: _last_pile_taken_to,
    events.YearEnded: _year_ended_to,
}
_FROM: Final[dict[str, Any]] = {
    "year_started": _year_started_from,
    "hidden_card_dealt": _hidden_card_dealt_from,
    "card_drawn": _card_drawn_from,
    "card_placed": _card_placed_from,
    "pile_claimed": _pile_claimed_from,
    "last_pile_taken": _last_pile_taken_from,
    "year_ended": _year_ended_from,
}
