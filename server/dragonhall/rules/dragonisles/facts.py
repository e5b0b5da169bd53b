"""The facts of DragonIsles: cards, dice, character boards, component sets and options, as values.

Adventurer cards are the same in every component set, and a card that shows a colour and a number is there once. All
else that is printed on cards and boards comes from the set: an *encounter* is the number of a kind in
`Components.encounters`, a *treasure* the number of a kind in `Components.treasures`. `component_set` reads and checks
sets.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

MIN_SEATS: Final = 2
MAX_SEATS: Final = 5
"""RL-1."""
FIRST_HAND: Final = 5
"""Adventurer cards that each seat is dealt (Set Up)."""
QUEST_PLACES: Final = 4
"""Places on the Quest Board."""
TAVERN_PLACES: Final = 2
"""Face-up cards in the Tavern."""
TRACKS: Final = 4
"""Tracks of a character board, and experience cubes of a seat."""
LAST_ENCOUNTER: Final = 8
"""The game ends with the challenge in which a seat wins this many (Ending the Game)."""
MOST_DICE: Final = 6
"""Never more are rolled (Challenge, Notes)."""

Colour = int
"""0 to 4: the place of a colour's name in `Components.colours`."""
Approach = Literal["sneak", "steal", "strike"]
EncounterType = Literal["dragon", "oni", "bakemono", "tsukumogami", "location"]
Category = Literal["land", "sea"]
Character = Literal["monk", "sorcerer", "pirate", "trader", "warrior"]
Potion = Literal["draw_two", "draw_one_and_clear", "boost"]
TrackName = Literal["sneak", "steal", "strike", "sea", "rerolls", "trophies", "hand_limit"]
Reward = Literal["potion", "coin", "treasure"]
Bonus = Literal["coin", "treasure"]
Trigger = Literal["rolled_one", "success"]
Benefit = Literal["coin", "draw_1", "extra_die"]

APPROACHES: Final[tuple[Approach, ...]] = ("sneak", "steal", "strike")
ENCOUNTER_TYPES: Final[tuple[EncounterType, ...]] = ("dragon", "oni", "bakemono", "tsukumogami", "location")
CATEGORIES: Final[tuple[Category, ...]] = ("land", "sea")
CHARACTERS: Final[tuple[Character, ...]] = ("monk", "sorcerer", "pirate", "trader", "warrior")
POTIONS: Final[tuple[Potion, ...]] = ("draw_two", "draw_one_and_clear", "boost")
TRACK_NAMES: Final[tuple[TrackName, ...]] = ("sneak", "steal", "strike", "sea", "rerolls", "trophies", "hand_limit")

COLOURS: Final = 5
NUMBERS: Final = 12
WILDS: Final = 4
WILD: Final = COLOURS * NUMBERS
"""Inside the rules an adventurer card is ``12 × colour + number − 1``, 0 to 59; a wild is 60."""
ADVENTURERS: Final = COLOURS * NUMBERS + WILDS
"""Adventurer cards in all: 64."""


@dataclass(frozen=True)
class Adventurer:
    """An adventurer card."""

    colour: Colour | None
    """``None``: a wild card."""
    number: int
    """1 to 12; 0: a wild card."""

    def __str__(self) -> str:
        return "wild" if self.colour is None else f"{self.number} of colour {self.colour}"


CARDS: Final = (
    *(Adventurer(colour, number) for colour in range(COLOURS) for number in range(1, NUMBERS + 1)),
    Adventurer(None, 0),
)
"""By number inside the rules: the card. This is the canonical order: by colour, by number, wild cards last."""
CARD_OF: Final = {adventurer: card for card, adventurer in enumerate(CARDS)}
"""By card: its number inside the rules."""


def adventurers(cards: Iterable[int]) -> tuple[Adventurer, ...]:
    """Cards by their numbers inside the rules.

    >>> adventurers([5, 60])
    (Adventurer(colour=0, number=6), Adventurer(colour=None, number=0))
    """
    return tuple(CARDS[card] for card in cards)


@dataclass(frozen=True)
class Target:
    """What an encounter prints for one approach."""

    target: int
    """The total that succeeds."""
    bonus: Bonus | None
    """Earned by a success; ``None``: nothing."""


@dataclass(frozen=True)
class Encounter:
    """A kind of encounter card; copies of it are alike."""

    name: str
    """Not unique: there are several kinds of Oni."""
    copies: int
    type: EncounterType
    category: Category
    symbols: int
    """Of its type: 1 or 2."""
    victory_points: int
    sneak: Target | None
    """``None``: it cannot be challenged so."""
    steal: Target | None
    strike: Target | None

    def target(self, approach: Approach) -> Target | None:
        """What it prints for ``approach``; ``None`` if it cannot be challenged so."""
        return {"sneak": self.sneak, "steal": self.steal, "strike": self.strike}[approach]


@dataclass(frozen=True)
class Condition:
    """Of a success, for a treasure to help: the one field that is not ``None``."""

    approach: Approach | None = None
    """The challenge was of this approach."""
    hand_below: int | None = None
    """Fewer cards than this are in hand."""
    colours_at_least: int | None = None
    """So many colours, or more, were played (RL-20 says what a wild card counts as)."""


@dataclass(frozen=True)
class Treasure:
    """A kind of treasure card: a green item, or an orange scroll of a type. Copies of it are alike."""

    name: str
    """Of an item; of a scroll its type and "Scroll", as ``Dragon Scroll``."""
    copies: int
    scroll: EncounterType | None
    """A scroll's one symbol, worth 1 VP; ``None``: an item. A scroll has none of the fields below."""
    trigger: Trigger | None
    """``rolled_one``: once per challenge and copy, when a die shows 1. ``success``: after each that fits ``when``."""
    benefit: Benefit | None
    """``draw_1``: an adventurer card from the deck. ``extra_die``: one more die (`RL-19`); ``rolled_one`` only."""
    when: Condition | None
    """``None``: always. ``success`` only."""


@dataclass(frozen=True)
class Track:
    """An experience track of a character board."""

    name: TrackName
    start: int
    """Its value while the cube is at the bottom."""
    values: tuple[int, ...]
    """Its value with the cube on each space above the bottom: the cumulative bonus, never less than the one before."""
    rewards: tuple[Reward | None, ...]
    """What moving onto each of these spaces earns."""

    def value(self, position: int) -> int:
        """Its value with the cube at ``position``: 0 is the bottom."""
        return self.start if position == 0 else self.values[position - 1]


@dataclass(frozen=True)
class CharacterBoard:
    """A character board."""

    character: Character
    tracks: tuple[Track, ...]
    """Four, from left to right."""


@dataclass(frozen=True)
class CoinTokens:
    """Coin tokens of one metal."""

    count: int
    value: int


@dataclass(frozen=True)
class Components:
    """All that a game is played with."""

    id: str
    """1 to 64 of ``a-z 0-9 . _ -``, as ``dragonisles-default``."""
    version: int
    """From 1."""
    dice_faces: tuple[int, ...]
    """The six faces of every die, ascending."""
    colours: tuple[str, ...]
    """Names of the five colours of adventurer cards."""
    copper: CoinTokens
    silver: CoinTokens
    gold: CoinTokens
    potions: tuple[int, ...]
    """How many there are of each of `POTIONS`."""
    treasures: tuple[Treasure, ...]
    """Items in the file's order, then one scroll for each of `ENCOUNTER_TYPES`."""
    characters: tuple[CharacterBoard, ...]
    """In the order of `CHARACTERS`."""
    encounters: tuple[Encounter, ...]
    """In the file's order."""

    @property
    def coin_supply(self) -> int:
        """The value of all coin tokens together (RL-11)."""
        return sum(tokens.count * tokens.value for tokens in (self.copper, self.silver, self.gold))

    def board(self, character: Character) -> CharacterBoard:
        """The board of ``character``."""
        return self.characters[CHARACTERS.index(character)]

    def card_name(self, card: Adventurer) -> str:
        """As ``yellow 8``, or ``wild``."""
        return "wild" if card.colour is None else f"{self.colours[card.colour]} {card.number}"


@dataclass(frozen=True)
class Options:
    """Who plays whom, and who begins."""

    draft: bool = False
    """Seats choose their characters, one after another in reverse turn order (RL-2). Not with ``characters``."""
    characters: tuple[Character, ...] | None = None
    """Every seat's character, in seat order, none twice; ``None``: drawn by lot, or chosen with ``draft``."""
    first_seat: int | None = None
    """Who takes the first turn; ``None``: drawn by lot."""
