"""What several messages of DragonIsles have in them: cards, and small enums."""

from __future__ import annotations

from typing import Final

from dragonhall.dragonisles.v1 import dragonisles_pb2 as pb
from dragonhall.rules.dragonisles import facts
from dragonhall.rules.dragonisles.component_set import ENCOUNTERS, ITEMS, SCROLLS
from dragonhall.wire.fields import EnumNames, EnumValues
from dragonhall.wire.shapes import EnumValue, Many, ManyEnumValues, OptionalEnumValue

ADVENTURERS: Final = EnumValues(pb.Adventurer, {card: at + 1 for at, card in enumerate(facts.CARDS)})
"""The enum's values are the rules' own numbers of cards, and 1 more."""
CHARACTERS: Final = EnumNames(pb.Character, facts.CHARACTERS)
APPROACHES: Final = EnumNames(pb.Approach, facts.APPROACHES)
ENCOUNTER_TYPES: Final = EnumNames(pb.EncounterType, facts.ENCOUNTER_TYPES)
POTIONS: Final = EnumNames(pb.Potion, facts.POTIONS)
TRACK_NAMES: Final = EnumNames(pb.TrackName, facts.TRACK_NAMES)

CARD: Final = EnumValue(ADVENTURERS)
HIDDEN_CARD: Final = OptionalEnumValue(ADVENTURERS)
"""One that the reader may not know."""
CARDS: Final = ManyEnumValues(ADVENTURERS, most=facts.ADVENTURERS)
HIDDEN_CARDS: Final = ManyEnumValues(ADVENTURERS, most=facts.ADVENTURERS, none_if_empty=True)
"""Some that the reader may not know."""
TREASURES: Final = Many(most=ITEMS + SCROLLS)
HIDDEN_TREASURES: Final = Many(most=ITEMS + SCROLLS, none_if_empty=True)
"""Some that the reader may not know."""
QUESTS: Final = Many(most=ENCOUNTERS)
"""Encounters."""
DICE: Final = Many(most=facts.MOST_DICE)
CHARACTER: Final = EnumValue(CHARACTERS)
ALL_CHARACTERS: Final = ManyEnumValues(CHARACTERS, most=len(facts.CHARACTERS))
CHARACTERS_OR_NONE: Final = ManyEnumValues(CHARACTERS, most=len(facts.CHARACTERS), none_if_empty=True)
APPROACH: Final = EnumValue(APPROACHES)
POTION: Final = EnumValue(POTIONS)
TRACK: Final = EnumValue(TRACK_NAMES)
