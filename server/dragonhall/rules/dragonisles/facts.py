"""The facts of DragonIsles: cards, dice, character boards, component sets and options, as values.

Adventurer cards are the same in every component set, and a card that shows a colour and a number is there once. All
else that is printed on cards and boards comes from the set: an *encounter* is the number of a kind in
`Components.encounters`, a *treasure* the number of a kind in `Components.treasures`. `component_set` reads and checks
sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from dragonhall.rules.errors import InvalidOptions
from dragonhall.rules.options import (
    ChoicePerSeat,
    ChoiceValue,
    OptionSpec,
    SeatNumber,
    Switch,
    check_fit,
    check_seat,
    check_seats,
    read_options,
)

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
ABILITIES: Final[dict[Character, str]] = {
    "monk": "draw_on_potion",
    "sorcerer": "prepare_three",
    "pirate": "double_coins",
    "trader": "adventurers_on_treasure",
    "warrior": "draw_on_success",
}
"""What each character can do (Unique Character Abilities), as component files call it."""
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


def in_order(cards: Iterable[Adventurer]) -> tuple[Adventurer, ...]:
    """Cards in canonical order.

    >>> in_order([Adventurer(None, 0), Adventurer(1, 3)])
    (Adventurer(colour=1, number=3), Adventurer(colour=None, number=0))
    """
    return tuple(sorted(cards, key=lambda card: (card.colour is None, card.colour or 0, card.number)))


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

    def __str__(self) -> str:
        """As component files write it.

        >>> str(Condition(hand_below=3))
        'hand_below=3'
        """
        return next(f"{name}={value}" for name, value in vars(self).items() if value is not None)


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

    def to_data(self) -> dict[str, Any]:
        """The set as plain data, in the shape of its TOML file."""
        return {
            "id": self.id,
            "version": self.version,
            "dice": {"count": MOST_DICE, "faces": list(self.dice_faces)},
            "adventurers": {
                "colours": list(self.colours),
                "numbers": list(range(1, NUMBERS + 1)),
                "wilds": WILDS,
            },
            "coins": {
                metal: {"count": tokens.count, "value": tokens.value}
                for metal, tokens in (("copper", self.copper), ("silver", self.silver), ("gold", self.gold))
            },
            "potions": dict(zip(POTIONS, self.potions, strict=True)),
            "scrolls": {"per_type": self.treasures[-1].copies, "types": list(ENCOUNTER_TYPES)},
            "treasures": [_item_data(treasure) for treasure in self.treasures if treasure.scroll is None],
            "characters": {board.character: _board_data(board) for board in self.characters},
            "encounters": [_encounter_data(encounter) for encounter in self.encounters],
        }

    def card_name(self, card: Adventurer) -> str:
        """As ``yellow 8``, or ``wild``."""
        return "wild" if card.colour is None else f"{self.colours[card.colour]} {card.number}"


def _item_data(item: Treasure) -> dict[str, Any]:
    data = {"name": item.name, "copies": item.copies, "trigger": item.trigger, "benefit": item.benefit}
    if item.when is not None:
        data["when"] = str(item.when)
    return data


def _board_data(board: CharacterBoard) -> dict[str, Any]:
    tracks = [
        {
            "name": track.name,
            "start": track.start,
            "values": list(track.values),
            "rewards": [reward or "" for reward in track.rewards],
        }
        for track in board.tracks
    ]
    return {"ability": ABILITIES[board.character], "tracks": tracks}


def _encounter_data(encounter: Encounter) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": encounter.name,
        "copies": encounter.copies,
        "type": encounter.type,
        "category": encounter.category,
        "symbols": encounter.symbols,
        "victory_points": encounter.victory_points,
    }
    for approach in APPROACHES:
        target = encounter.target(approach)
        if target is not None:
            data[approach] = {"target": target.target} | ({"bonus": target.bonus} if target.bonus else {})
    return data


@dataclass(frozen=True)
class Options:
    """Who plays whom, and who begins."""

    draft: bool = False
    """Seats choose their characters, one after another in reverse turn order (RL-2). Not with ``characters``."""
    characters: tuple[Character, ...] | None = None
    """Every seat's character, in seat order, none twice; ``None``: drawn by lot, or chosen with ``draft``."""
    first_seat: int | None = None
    """Who takes the first turn; ``None``: drawn by lot."""


OPTION_SPECS: Final = (
    OptionSpec(
        "draft",
        Switch(False),
        "Character draft",
        "Seats choose their characters in reverse turn order, the first last; not together with given characters.",
    ),
    OptionSpec(
        "characters",
        ChoicePerSeat(tuple(ChoiceValue(character, character.capitalize()) for character in CHARACTERS)),
        "Characters",
        "Every seat's character, in seat order; drawn by lot if not given.",
    ),
    OptionSpec("first_seat", SeatNumber(), "First player", "The seat of the first turn; drawn by lot if not given."),
)


def make_options(values: Mapping[str, object]) -> Options:
    """Options by name; those not named keep their defaults. Raises `InvalidOptions`.

    >>> make_options({"first_seat": 1})
    Options(draft=False, characters=None, first_seat=1)
    """
    options = Options(**read_options("DragonIsles", OPTION_SPECS, values))
    check_seat("first_seat", options.first_seat, MAX_SEATS)
    if options.draft and options.characters is not None:
        raise InvalidOptions("draft", "seats cannot choose characters that are given: leave out draft or characters")
    return options


def check_options(options: Options, seats: int) -> None:
    """Raises `InvalidOptions` if ``seats`` seats cannot play with ``options`` (RL-1)."""
    check_seats("DragonIsles", seats, MIN_SEATS, MAX_SEATS)
    check_fit(OPTION_SPECS, options, seats)
