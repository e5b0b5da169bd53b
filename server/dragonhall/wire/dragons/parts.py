"""What several messages of Dragons have in them: cards, and small enums."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, get_args

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.dragons import moves, outcome
from dragonhall.rules.dragons.facts import CARDS, TOTAL_CARDS, Card, CardCount
from dragonhall.wire.errors import InvalidMessage
from dragonhall.wire.fields import EnumNames, each

# The names of the enum are the rules' kinds in capitals.
_CARD_TO: Final = {
    card: pb.Card(kind=pb.CardKind.Value(f"CARD_KIND_{card.kind.upper()}"), coins=card.coins) for card in CARDS
}
_CARD_FROM: Final = {(message.kind, message.coins): card for card, message in _CARD_TO.items()}


def card_to(card: Card) -> pb.Card:
    """A card. The message is shared: put it into another, which copies it, and do not change it."""
    return _CARD_TO[card]


def card_from(message: pb.Card, field: str) -> Card:
    """A card. Raises `InvalidMessage` for ``field`` if there is no such card."""
    card = _CARD_FROM.get((message.kind, message.coins))
    if card is None:
        raise InvalidMessage(field, f"no card has kind {message.kind} and shows {message.coins} coins")
    return card


def optional_card_to(card: Card | None) -> pb.Card | None:
    """A card, or nothing."""
    return None if card is None else card_to(card)


def optional_card_from(message: Any, name: str, field: str) -> Card | None:
    """The card in the field ``name`` of a message; ``None`` if it is absent."""
    return card_from(getattr(message, name), field) if message.HasField(name) else None


def cards_to(cards: Iterable[Card]) -> list[pb.Card]:
    """Cards in their order."""
    return [card_to(card) for card in cards]


def cards_from(cards: Any, field: str) -> tuple[Card, ...]:
    """Cards in their order, 104 at most."""
    if len(cards) > TOTAL_CARDS:
        raise InvalidMessage(field, f"has {len(cards)} cards; there are {TOTAL_CARDS}")
    return each(cards, field, card_from)


def count_to(count: CardCount) -> pb.CardCount:
    """A card and how often it occurs."""
    return pb.CardCount(card=card_to(count.card), count=count.count)


def counts_from(counts: Iterable[pb.CardCount], field: str) -> tuple[CardCount, ...]:
    """Cards and how often they occur, each card once."""
    found: dict[Card, int] = {}
    for at, count in enumerate(counts):
        card = card_from(count.card, f"{field}[{at}].card")
        if card in found:
            raise InvalidMessage(f"{field}[{at}].card", "is listed twice")
        if not 1 <= count.count <= TOTAL_CARDS:
            raise InvalidMessage(f"{field}[{at}].count", f"must be from 1 to {TOTAL_CARDS}")
        found[card] = count.count
    return tuple(CardCount(card, count) for card, count in found.items())


HAND_CARDS: Final = EnumNames[moves.HandCard](pb.HandCard, get_args(moves.HandCard))
FAMINES: Final = EnumNames[outcome.Famine](pb.Famine, get_args(outcome.Famine))
