"""The view and the scoring breakdown of DragonIsles as messages."""

from __future__ import annotations

from typing import Any, Final, get_args

from dragonhall.dragonisles.v1 import dragonisles_pb2 as pb
from dragonhall.rules.dragonisles import facts, outcome, view
from dragonhall.wire.dragonisles.parts import (
    ADVENTURERS,
    APPROACH,
    CARDS,
    CHARACTERS,
    DICE,
    ENCOUNTER_TYPES,
    HIDDEN_CARDS,
    HIDDEN_TREASURES,
    QUESTS,
    TREASURES,
)
from dragonhall.wire.fields import EnumNames, within
from dragonhall.wire.shapes import (
    OPTIONAL,
    EnumValue,
    Inner,
    Many,
    ManyEnumValues,
    ManyInner,
    ManyOptionalEnumValues,
    OptionalEnumValue,
    OptionalInner,
    Shape,
)


class _QuestBoard(Many):
    """The places of the Quest Board: the kind of encounter at each, or ``None``."""

    def _write_all(self, values: Any) -> Any:
        return [pb.QuestPlace(encounter=encounter) for encounter in values]

    def _read_all(self, found: Any, name: str) -> tuple[Any, ...]:
        return tuple(place.encounter if place.HasField("encounter") else None for place in found)


class _Hand:
    """The reader's hand, in a message of its own; ``None`` if that is absent."""

    def write(self, value: Any) -> Any:
        return None if value is None else pb.Hand(cards=ADVENTURERS.numbers(value))

    def read(self, message: Any, name: str) -> Any:
        if not message.HasField(name):
            return None
        return within(name, self._cards_of, getattr(message, name))

    def _cards_of(self, hand: Any) -> Any:
        return CARDS.read(hand, "cards")


_STAGE: Final = EnumValue(EnumNames(pb.Stage, get_args(view.Stage)))
_POTIONS: Final = Inner(Shape(pb.PotionCounts, view.PotionCounts))
_SYMBOLS: Final = Inner(Shape(pb.SymbolCounts, view.SymbolCounts))
_CARD_DECK: Final = Inner(Shape(pb.CardDeck, view.CardDeck, top=OPTIONAL))
_ADVENTURER_DECK: Final = Inner(Shape(pb.AdventurerDeck, view.AdventurerDeck, top=OptionalEnumValue(ADVENTURERS)))
_SEAT: Final = Shape(
    pb.SeatView,
    view.SeatView,
    character=OptionalEnumValue(CHARACTERS),
    positions=Many(least=facts.TRACKS, most=facts.TRACKS),
    potions=_POTIONS,
    treasures=TREASURES,
    encounters=QUESTS,
    symbols=_SYMBOLS,
    encounter_trophies=ManyEnumValues(ENCOUNTER_TYPES, most=len(facts.ENCOUNTER_TYPES)),
)
_CHALLENGE: Final = Shape(
    pb.ChallengeView,
    view.ChallengeView,
    approach=APPROACH,
    cards=CARDS,
    dice=DICE,
    used_treasures=TREASURES,
)

VIEW: Final = Shape(
    pb.View,
    view.View,
    stage=_STAGE,
    active_seat=OPTIONAL,
    quest_board=_QuestBoard(least=facts.QUEST_PLACES, most=facts.QUEST_PLACES),
    tavern=ManyOptionalEnumValues(ADVENTURERS, least=facts.TAVERN_PLACES, most=facts.TAVERN_PLACES),
    adventurer_deck=_ADVENTURER_DECK,
    encounter_deck=_CARD_DECK,
    treasure_deck=_CARD_DECK,
    potion_pile=_POTIONS,
    seats=ManyInner(_SEAT, least=facts.MIN_SEATS, most=facts.MAX_SEATS),
    challenge=OptionalInner(_CHALLENGE),
    hand=_Hand(),
    treasure_offer=HIDDEN_TREASURES,
    adventurer_offer=HIDDEN_CARDS,
)

BREAKDOWN: Final = Shape(pb.Breakdown, outcome.Breakdown)
