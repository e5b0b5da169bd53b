"""The facts of Dragons: treasure cards, component sets, options, and how the cards are divided into years.

Inside the rules a card is the number of its *face*, what it shows: cards with the same face are alike. The faces are
the kinds in `KINDS`, then the coin cards by the coins shown. At the boundary a card is a `Card`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from dragonhall.rules.errors import InvalidComponents, InvalidOptions
from dragonhall.rules.game import OptionSpec

MIN_SEATS: Final = 3
MAX_SEATS: Final = 6
TOTAL_CARDS: Final = 104
"""Treasure cards (rulebook, Components)."""
MAX_COINS: Final = 9
"""The most coins that a card of a component set may show."""

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

    A byte order mark at the beginning, as some editors write it, is passed over.

    Raises `InvalidComponents` with the key that is wrong.

    >>> load_components("id = 'mine'")
    Traceback (most recent call last):
        ...
    dragonhall.rules.errors.InvalidComponents: version: missing; write a whole number from 1 to 4294967295
    """
    try:
        data = tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise InvalidComponents("toml", f"the text is not TOML: {error}") from None
    return components_from_data(data)


def components_from_data(data: Mapping[str, Any]) -> Components:
    """A component set from plain data in the shape of its TOML file. Raises `InvalidComponents`."""
    _check_keys(data, ("id", "version", "provenance", "cards", "coin_cards"), "")
    _table(data, "provenance", required=False)
    set_id = data.get("id")
    if not isinstance(set_id, str) or not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,63}", set_id):
        raise InvalidComponents("id", "write 1 to 64 of a-z, 0-9, '.', '_' and '-', not starting with a sign")
    version = _whole_number(data, "version", "version", 1, 2**32 - 1)
    components = Components(set_id, version, (*_card_counts(data), *_coin_card_counts(data)))
    if sum(components.counts) != TOTAL_CARDS:
        raise InvalidComponents(
            "cards", f"cards and coin_cards together are {sum(components.counts)}; Dragons has {TOTAL_CARDS} cards"
        )
    return components


def _card_counts(data: Mapping[str, Any]) -> list[int]:
    cards = _table(data, "cards", required=True)
    _check_keys(cards, KINDS, "cards.")
    return [_whole_number(cards, kind, f"cards.{kind}", 0, TOTAL_CARDS) for kind in KINDS]


def _coin_card_counts(data: Mapping[str, Any]) -> list[int]:
    cards = _table(data, "coin_cards", required=True)
    shown = [str(coins) for coins in range(1, MAX_COINS + 1)]
    _check_keys(cards, shown, "coin_cards.")
    counts = {key: _whole_number(cards, key, f"coin_cards.{key}", 0, TOTAL_CARDS) for key in cards}
    return [counts.get(key, 0) for key in shown]


def _table(data: Mapping[str, Any], key: str, *, required: bool) -> Mapping[str, Any]:
    if key not in data and not required:
        return {}
    table = data.get(key)
    if not isinstance(table, Mapping):
        raise InvalidComponents(key, f"must be a table: begin it with a line [{key}]")
    return table


def _check_keys(data: Mapping[str, Any], known: tuple[str, ...] | list[str], prefix: str) -> None:
    for key in data:
        if key not in known:
            raise InvalidComponents(f"{prefix}{key}", f"unknown; these may be written here: {', '.join(known)}")


def _whole_number(data: Mapping[str, Any], key: str, path: str, least: int, most: int) -> int:
    if key not in data:
        raise InvalidComponents(path, f"missing; write a whole number from {least} to {most}")
    number = data[key]
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise InvalidComponents(path, f"must be a whole number from {least} to {most}")
    return number


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


OPTION_SPECS: Final[tuple[OptionSpec, ...]] = (
    OptionSpec("extra_year", False, "Less memory", "One more year is played, with smaller decks."),
    OptionSpec("open_piles", False, "Brain burning tactics", "Every card of every pile can be seen, not only the top."),
    OptionSpec(
        "hidden_card",
        False,
        "More control and some bluffing",
        "Each year every seat is dealt a hidden card and plays one of its two cards whenever it draws.",
    ),
    OptionSpec("first_seat", None, "First player", "The seat that begins the first year; drawn by lot if not given."),
)


def make_options(values: Mapping[str, bool | int | None]) -> Options:
    """Options by name; those not named keep their defaults. Raises `InvalidOptions`.

    >>> make_options({"hidden_card": True})
    Options(extra_year=False, open_piles=False, hidden_card=True, first_seat=None)
    """
    for name, value in values.items():
        if name == "first_seat":
            _check_first_seat(value, MAX_SEATS)
        elif name not in ("extra_year", "open_piles", "hidden_card"):
            known = ", ".join(spec.name for spec in OPTION_SPECS)
            raise InvalidOptions(name, f"Dragons has no such option; it has: {known}")
        elif not isinstance(value, bool):
            raise InvalidOptions(name, "must be true or false")
    return Options(**values)  # type: ignore[arg-type]  # checked one by one above


def check_options(options: Options, seats: int) -> None:
    """Raises `InvalidOptions` if ``seats`` seats cannot play with ``options``."""
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise InvalidOptions("seats", f"Dragons is for {MIN_SEATS} to {MAX_SEATS} seats, not {seats}")
    _check_first_seat(options.first_seat, seats)


def _check_first_seat(value: object, seats: int) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < seats:
        raise InvalidOptions("first_seat", f"must be a seat, 0 to {seats - 1}, or absent")


def deck_sizes(seats: int, extra_year: bool) -> list[int]:
    """Cards in each year's deck, first year first: as equal as can be, the larger ones first (RD-1).

    >>> deck_sizes(seats=5, extra_year=False)
    [35, 35, 34]
    """
    years = (4 if seats <= 4 else 3) + extra_year
    smaller, larger_decks = divmod(TOTAL_CARDS, years)
    return [smaller + (year < larger_decks) for year in range(years)]
