"""What there is in DragonIsles, for its foreign reader: names, cards, decks, what a seat has, and a challenge.

Written from the comments of dragonisles.proto alone. Cards, characters, tracks and potions go by their names in JSON,
encounters and treasures by their kinds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

from tests.records.foreign_isles_facts import ADVENTURERS
from tests.records.foreign_parts import JSON

GAME: Final = "dragonisles"
WILD: Final = "ADVENTURER_WILD"
COLOURS: Final = 5
NUMBERS: Final = 12
MOST_DICE: Final = 6
SNEAK, STEAL, STRIKE = APPROACHES = ("APPROACH_SNEAK", "APPROACH_STEAL", "APPROACH_STRIKE")
DRAW_TWO, CLEAR, BOOST = POTIONS = ("POTION_DRAW_TWO", "POTION_DRAW_ONE_AND_CLEAR", "POTION_BOOST")
POTION_FIELDS: Final = dict(zip(POTIONS, ("drawTwo", "drawOneAndClear", "boost"), strict=True))
"""The field of PotionCounts of each."""
TYPES: Final = tuple(f"ENCOUNTER_TYPE_{name}" for name in ("DRAGON", "ONI", "BAKEMONO", "TSUKUMOGAMI", "LOCATION"))
_VALUES: Final = {card: value for value, card in enumerate(dict.fromkeys(ADVENTURERS), 1)}


def canonical(cards: list[str]) -> list[str]:
    """Adventurer cards in canonical order."""
    return sorted(cards, key=value_of)


def value_of(card: str) -> int:
    """Its value in the enum Adventurer."""
    return _VALUES[card]


def colour_of(card: str) -> int:
    """Of a card that is not wild: 0 to 4."""
    return (value_of(card) - 1) // NUMBERS


def number_of(card: str) -> int:
    """Of a card that is not wild: 1 to 12."""
    return (value_of(card) - 1) % NUMBERS + 1


def copies(kinds: list[JSON]) -> list[int]:
    """Every card of the encounters or treasures, ascending by kind."""
    return list(chain.from_iterable([number] * kind["copies"] for number, kind in enumerate(kinds)))


def potion_pile(components: JSON) -> Counter[str]:
    """All potions."""
    return Counter({potion: components["potions"].get(name, 0) for potion, name in POTION_FIELDS.items()})


def coin_value(components: JSON) -> int:
    """Of all coins together."""
    metals = [components[metal] for metal in ("copper", "silver", "gold")]
    return sum(metal["count"] * metal["value"] for metal in metals)


@dataclass
class Deck:
    """Cards face down, and those discarded."""

    name: str
    """As in the names of its shuffles and of their fields: adventurers, encounters or treasures."""
    cards: list[Any]
    """The next one first."""
    discards: list[Any] = field(default_factory=list)
    """The last one lies on top."""

    @property
    def left(self) -> int:
        """How many cards can still be drawn."""
        return len(self.cards) + len(self.discards)


@dataclass
class Player:
    """What a seat has."""

    character: str = ""
    tracks: list[JSON] = field(default_factory=list)
    """Of its character's board."""
    hand: list[str] = field(default_factory=list)
    positions: Counter[str] = field(default_factory=Counter)
    """By track."""
    potions: Counter[str] = field(default_factory=Counter)
    coins: int = 0
    treasures: list[int] = field(default_factory=list)
    """In the order in which they were earned."""
    encounters: list[int] = field(default_factory=list)
    """In the order in which they were won."""
    symbols: Counter[str] = field(default_factory=Counter)
    """By encounter type."""

    def plays(self, character: str) -> bool:
        """Whether this is its character; the name is without the enum's prefix."""
        return self.character == f"CHARACTER_{character}"

    def track(self, name: str) -> int:
        """The value of this track, 0 if it has none; the name is without the enum's prefix."""
        for track in self.tracks:
            if track["name"] == f"TRACK_NAME_{name}":
                values: list[int] = [track.get("start", 0), *track["values"]]
                return values[self.positions[track["name"]]]
        return 0

    def open_tracks(self) -> list[JSON]:
        """Those whose cube is not at the top, in board order."""
        return [track for track in self.tracks if self.positions[track["name"]] < len(track["values"])]


@dataclass
class Challenge:
    """A challenge under way."""

    place: int
    encounter: int
    approach: str
    cards: list[str]
    """In canonical order."""
    target: JSON
    bonus: int
    """Of the tracks."""
    dice: list[int] = field(default_factory=list)
    """Ascending."""
    used: Counter[int] = field(default_factory=Counter)
    """Copies of treasures used for a rolled 1."""
    reroll_decided: bool = False
    boosts: int = 0

    @property
    def total(self) -> int:
        return sum(self.dice) + self.bonus + 2 * self.boosts

    def colours(self) -> int:
        """As Condition.colours_at_least counts them."""
        if self.approach == STRIKE:
            return 1
        shown = {colour_of(card) for card in self.cards if card != WILD}
        return min(COLOURS, len(shown) + self.cards.count(WILD))
