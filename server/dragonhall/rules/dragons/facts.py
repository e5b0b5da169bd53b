"""The facts of Dragons: treasure cards, component sets, options, and how the cards are divided into years.

Inside the rules a card is the number of its *face*, what it shows: cards with the same face are alike. The faces are
the kinds in `KINDS`, then the coin cards by the coins shown. At the boundary a card is a `Card`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from dragonhall.rules.component_file import check_keys, read_id, read_toml, read_version, table, whole_number
from dragonhall.rules.errors import InvalidComponents
from dragonhall.rules.options import OptionSpec, SeatNumber, Switch, check_fit, check_seat, check_seats, read_options

MIN_SEATS: Final = 3
MAX_SEATS: Final = 6
TOTAL_CARDS: Final = 104
"""Treasure cards (rulebook, Components)."""
MAX_COINS: Final = 9
"""The most coins that a card of a component set may show."""
TREASURE_STREAM: Final = "dragons/treasure"
"""The name of the shuffle; the order is one of faces."""
FIRST_SEAT_STREAM: Final = "dragons/first_seat"
"""The name of the draw of the first seat (RD-2)."""

COW: Final = 0
SHEEP: Final = 1
ONE_RING: Final = 2
SWORD: Final = 3
HELMET: Final = 4
SHIELD: Final = 5
BREASTPLATE: Final = 6
CROWN: Final = 7
SCEPTER: Final = 8
BRACELET: Final = 9
NECKLACE: Final = 10
PINK_GEM: Final = 11
BLUE_GEM: Final = 12
POLISH: Final = 13
COINS: Final = 13
"""Face of a coin card: ``COINS`` plus the coins shown, so 14 to 22."""
FACES: Final = 23
"""Number of faces."""

KINDS: Final = (
    "cow",
    "sheep",
    "one_ring",
    "sword",
    "helmet",
    "shield",
    "breastplate",
    "crown",
    "scepter",
    "bracelet",
    "necklace",
    "pink_gem",
    "blue_gem",
    "polish",
)
"""Names of the faces 0 to 13: the kinds of card that show one item."""
COIN_KIND: Final = "coins"
"""The kind of all coin cards."""


@dataclass(frozen=True)
class Card:
    """A treasure card at the boundary of the rules."""

    kind: str
    """One of `KINDS`, or `COIN_KIND`."""
    coins: int = 0
    """Coins shown, 1 to 9, on a coin card; 0 on all others."""

    def __str__(self) -> str:
        if self.kind != COIN_KIND:
            return self.kind.replace("_", " ")
        return "1 coin" if self.coins == 1 else f"{self.coins} coins"


@dataclass(frozen=True)
class CardCount:
    """The same card several times."""

    card: Card
    count: int
    """At least 1."""


CARDS: Final = (*(Card(kind) for kind in KINDS), *(Card(COIN_KIND, coins) for coins in range(1, MAX_COINS + 1)))
"""The card of each face."""
FACE_OF: Final = {card: face for face, card in enumerate(CARDS)}
"""The face of each card."""


def card_counts(counts: list[int]) -> tuple[CardCount, ...]:
    """Cards by face number and count, those that occur.

    >>> card_counts([2] + [0] * 22)
    (CardCount(card=Card(kind='cow', coins=0), count=2),)
    """
    return tuple(CardCount(CARDS[face], count) for face, count in enumerate(counts) if count)


@dataclass(frozen=True)
class Components:
    """The treasure cards that a game is played with, 104 in all."""

    id: str
    """1 to 64 of ``a-z 0-9 . _ -``, as ``dragons-default``."""
    version: int
    """From 1."""
    counts: tuple[int, ...]
    """How many cards there are of each face."""

    def cards(self) -> list[int]:
        """The face of every card, in face order: what is shuffled."""
        return [face for face, count in enumerate(self.counts) for _ in range(count)]

    def to_data(self) -> dict[str, Any]:
        """The set as plain data, in the shape of its TOML file. Coin cards that do not occur are left out."""
        coins = {str(coins): self.counts[COINS + coins] for coins in range(1, MAX_COINS + 1)}
        return {
            "id": self.id,
            "version": self.version,
            "cards": {kind: self.counts[face] for face, kind in enumerate(KINDS)},
            "coin_cards": {shown: count for shown, count in coins.items() if count},
        }


def default_components() -> Components:
    """The set that is played with unless another is chosen (``dragons.toml``)."""
    return load_components(files(__package__).joinpath("dragons.toml").read_text(encoding="utf-8"))


def load_components(text: str) -> Components:
    """A component set from the text of a TOML file, shaped like ``dragons.toml``.

    Raises `InvalidComponents` with the key that is wrong.

    >>> load_components("id = 'mine'")
    Traceback (most recent call last):
        ...
    dragonhall.rules.errors.InvalidComponents: version: missing; write a whole number from 1 to 4294967295
    """
    return components_from_data(read_toml(text))


def components_from_data(data: Mapping[str, Any]) -> Components:
    """A component set from plain data in the shape of its TOML file. Raises `InvalidComponents`."""
    check_keys(data, ("id", "version", "provenance", "cards", "coin_cards"))
    table(data, "provenance", required=False)
    components = Components(read_id(data), read_version(data), (*_card_counts(data), *_coin_card_counts(data)))
    if sum(components.counts) != TOTAL_CARDS:
        raise InvalidComponents(
            "cards", f"cards and coin_cards together are {sum(components.counts)}; Dragons has {TOTAL_CARDS} cards"
        )
    return components


def _card_counts(data: Mapping[str, Any]) -> list[int]:
    cards = table(data, "cards")
    check_keys(cards, KINDS, "cards.")
    return [whole_number(cards, kind, f"cards.{kind}", least=0, most=TOTAL_CARDS) for kind in KINDS]


def _coin_card_counts(data: Mapping[str, Any]) -> list[int]:
    cards = table(data, "coin_cards")
    shown = [str(coins) for coins in range(1, MAX_COINS + 1)]
    check_keys(cards, shown, "coin_cards.")
    counts = {key: whole_number(cards, key, f"coin_cards.{key}", least=0, most=TOTAL_CARDS) for key in cards}
    return [counts.get(key, 0) for key in shown]


@dataclass(frozen=True)
class Options:
    """The variants, in any combination, and who begins."""

    extra_year: bool = False
    """Less memory: one more year is played."""
    open_piles: bool = False
    """Brain burning tactics: every card of every pile can be seen."""
    hidden_card: bool = False
    """More control and some bluffing: each seat holds a hidden card and plays one of its two when it draws."""
    first_seat: int | None = None
    """Who begins the first year; ``None``: drawn by lot (RD-2)."""


OPTION_SPECS: Final = (
    OptionSpec("extra_year", Switch(False), "Less memory", "One more year is played, with smaller decks."),
    OptionSpec(
        "open_piles",
        Switch(False),
        "Brain burning tactics",
        "Every card of every pile can be seen, not only the top.",
    ),
    OptionSpec(
        "hidden_card",
        Switch(False),
        "More control and some bluffing",
        "Each year every seat is dealt a hidden card and plays one of its two cards whenever it draws.",
    ),
    OptionSpec(
        "first_seat", SeatNumber(), "First player", "The seat that begins the first year; drawn by lot if not given."
    ),
)


def make_options(values: Mapping[str, object]) -> Options:
    """Options by name; those not named keep their defaults. Raises `InvalidOptions`.

    >>> make_options({"hidden_card": True})
    Options(extra_year=False, open_piles=False, hidden_card=True, first_seat=None)
    """
    options = Options(**read_options("Dragons", OPTION_SPECS, values))
    check_seat("first_seat", options.first_seat, MAX_SEATS)
    return options


def check_options(options: Options, seats: int) -> None:
    """Raises `InvalidOptions` if ``seats`` seats cannot play with ``options``."""
    check_seats("Dragons", seats, MIN_SEATS, MAX_SEATS)
    check_fit(OPTION_SPECS, options, seats)


def deck_sizes(seats: int, extra_year: bool) -> list[int]:
    """Cards in each year's deck, first year first: as equal as can be, the larger ones first (RD-1).

    >>> deck_sizes(seats=5, extra_year=False)
    [35, 35, 34]
    """
    years = (4 if seats <= 4 else 3) + extra_year
    smaller, larger_decks = divmod(TOTAL_CARDS, years)
    return [smaller + (year < larger_decks) for year in range(years)]
