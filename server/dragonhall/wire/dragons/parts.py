"""What several messages of Dragons have in them: cards, and small enums."""

from __future__ import annotations

from typing import Any, Final, get_args

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.dragons import facts, moves
from dragonhall.rules.dragons.facts import CARDS, TOTAL_CARDS, Card, CardCount
from dragonhall.wire.errors import InvalidMessage
from dragonhall.wire.fields import EnumNames
from dragonhall.wire.shapes import EnumValue, Inner, ManyInner, OptionalInner, SharedShape

CARD_KINDS: Final = EnumNames[str](pb.CardKind, (*facts.KINDS, facts.COIN_KIND))
HAND_CARDS: Final = EnumNames[moves.HandCard](pb.HandCard, get_args(moves.HandCard))


class _CardShape(SharedShape):
    """A card, which is one of `facts.CARDS`: coin cards alone show coins."""

    def __init__(self) -> None:
        super().__init__(pb.Card, Card, kind=EnumValue(CARD_KINDS))
        self._cards: Final = {(CARD_KINDS.number(card.kind), card.coins): card for card in CARDS}

    def read(self, message: Any) -> Card:
        card = self._cards.get((message.kind, message.coins))
        if card is None:
            raise InvalidMessage("", f"no card has kind {message.kind} and shows {message.coins} coins")
        return card


class _CardCountShape(SharedShape):
    """A card and how often it occurs. A view has dozens of them, so they are read by hand, in half the time."""

    def __init__(self) -> None:
        super().__init__(pb.CardCount, CardCount, card=CARD)

    def read(self, message: Any) -> CardCount:
        card, count = CARD.read(message, "card"), message.count
        if not 1 <= count <= TOTAL_CARDS:
            raise InvalidMessage("count", f"must be from 1 to {TOTAL_CARDS}")
        return CardCount(card, count)


class _CardCounts(ManyInner):
    """Cards and how often they occur, each card once."""

    def __init__(self) -> None:
        super().__init__(_CardCountShape(), most=len(CARDS))

    def _read_all(self, found: Any, name: str) -> tuple[CardCount, ...]:
        counts: tuple[CardCount, ...] = super()._read_all(found, name)
        seen: set[Card] = set()
        for at, count in enumerate(counts):
            if count.card in seen:
                raise InvalidMessage(f"{name}[{at}].card", "is listed twice")
            seen.add(count.card)
        return counts


_CARD_SHAPE: Final = _CardShape()
CARD: Final = Inner(_CARD_SHAPE)
OPTIONAL_CARD: Final = OptionalInner(_CARD_SHAPE)
"""One that there may not be, or that the reader may not know."""
CARDS_IN_ORDER: Final = ManyInner(_CARD_SHAPE, most=TOTAL_CARDS)
CARD_COUNTS: Final = _CardCounts()
