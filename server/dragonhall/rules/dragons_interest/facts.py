"""The facts of Dragon's Interest: building types, tiles, contracts, component sets, options, and what seats start with.

Inside the rules a building type is its place in `BUILDING_TYPES`, a contract its place in `Components.contracts`, and a
tile the number of its *face*, what it shows: its gold, or one of `EVENTS`. At the boundary they are the values below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Literal

from dragonhall.rules.component_file import (
    check_keys,
    choices,
    read_id,
    read_toml,
    read_version,
    table,
    whole_number,
    whole_numbers,
)
from dragonhall.rules.errors import InvalidComponents
from dragonhall.rules.options import Choice, ChoiceValue, OptionSpec, SeatNumber, check_fit, check_seats, read_options

MIN_SEATS: Final = 3
MAX_SEATS: Final = 5
NOBODY: Final = -1
"""In place of a seat."""

BuildingType = Literal["castle", "harbor", "temple", "city_hall", "guild", "arena"]
BUILDING_TYPES: Final[tuple[BuildingType, ...]] = ("castle", "harbor", "temple", "city_hall", "guild", "arena")
"""Every building type, in the order of everything that is listed by type. The guild is not in a game of 3 seats."""
TYPES: Final = 6
"""Number of building types."""
CASTLE: Final = 0
HARBOR: Final = 1
TEMPLE: Final = 2
CITY_HALL: Final = 3
GUILD: Final = 4
ARENA: Final = 5

Token = Literal["gold", "knights"]


def _token(knights: int) -> Token:
    return "knights" if knights else "gold"


KNIGHTS_COME: Final = 1 << CASTLE | 1 << CITY_HALL | 1 << GUILD
"""Bit mask: the types that bring in knights."""
KNIGHTS_GO: Final = 1 << CASTLE | 1 << TEMPLE | 1 << ARENA
"""Bit mask: the types for which knights are offered or committed."""
CONTESTS: Final = 1 << GUILD | 1 << ARENA
"""Bit mask: the types whose action is a contest; that of the others is an exchange."""
INCOME_TOKEN: Final = tuple(_token(KNIGHTS_COME >> place & 1) for place in range(TYPES))
"""By type: what each building of it brings in; for guild and arena also what is staked."""
SPENT_TOKEN: Final = tuple(_token(KNIGHTS_GO >> place & 1) for place in range(TYPES))
"""By type: what is offered; for guild and arena what is committed."""
ARENA_STAKE: Final = 6
"""Gold staked, and gained by an active seat that wins (rulebook, Arena)."""
GUILD_STAKE: Final = 3
"""Knights staked, and gained by an active seat that wins (rulebook, Adventurer's Guild)."""
STAKES: Final[dict[BuildingType, int]] = {"arena": ARENA_STAKE, "guild": GUILD_STAKE}
INVASION_KNIGHTS: Final = 2
"""Knights that an Invasion costs who does not discard a building (rulebook, Phase 3)."""

STACK_STREAMS: Final = tuple(f"dragons_interest/{name}" for name in BUILDING_TYPES)
"""By type: the name of its stack's shuffle; the order is one of faces (see `tile_of`), without the starting tile."""
FIRST_SEAT_STREAM: Final = "dragons_interest/first_seat"
"""The name of the draw of the first start player (RI-2)."""

STACK_SIZE: Final = 10
"""Tiles of each type (rulebook, Components and Setup): 60 in 6 stacks."""
TYPES_WITH_START: Final[tuple[BuildingType, ...]] = ("castle", "harbor", "temple", "city_hall")
"""The types that have a starting tile, with a white border."""
NUMBERED_CONTRACTS: Final = 11
CONTRACTS: Final = 12
"""Contracts of a seat: numbered ones and the Jester (rulebook, Components and Setup)."""
JESTER_PLACE: Final = 11
"""The Jester's place among a seat's contracts."""

MAX_VALUE: Final = 99
"""The most gold that a tile, and the highest value that a contract, of a component set may show."""

TileEvent = Literal["generous_dragon", "calendar", "invasion"]
EVENTS: Final[tuple[TileEvent, ...]] = ("generous_dragon", "calendar", "invasion")
NO_TILE: Final = 0
GENEROUS_DRAGON: Final = 100
CALENDAR: Final = 101
INVASION: Final = 102
"""Faces: 0 for no tile, 1 to 99 for gold, 100 and more for an event."""

BUILDINGS_TO_END: Final = 10
"""As many buildings of one seat end the game (rulebook, Phase 4)."""


@dataclass(frozen=True)
class Tile:
    """A building tile: it shows either gold, and can be built, or an event."""

    building: BuildingType
    """The stack that it belongs to."""
    gold: int = 0
    """Gold shown, 1 to 99; 0 on an event tile."""
    event: TileEvent | None = None
    """``None`` on a tile that shows gold."""

    def __str__(self) -> str:
        shown = f"{self.gold} gold" if self.event is None else self.event.replace("_", " ")
        return f"{self.building.replace('_', ' ')}: {shown}"


@dataclass(frozen=True)
class Contract:
    """A contract card. Every seat has the same ones, each once."""

    number: int
    """1 to 99; 0 for the Jester."""

    def __str__(self) -> str:
        return f"contract {self.number}" if self.number else "the Jester"


JESTER: Final = Contract(0)


def tile_of(building: int, face: int) -> Tile:
    """The tile of a type (its place in `BUILDING_TYPES`) that shows ``face``.

    >>> tile_of(CASTLE, 9), tile_of(ARENA, CALENDAR)
    (Tile(building='castle', gold=9, event=None), Tile(building='arena', gold=0, event='calendar'))
    """
    if face <= MAX_VALUE:
        return Tile(BUILDING_TYPES[building], face)
    return Tile(BUILDING_TYPES[building], event=EVENTS[face - GENEROUS_DRAGON])


def face_of(tile: Tile) -> int:
    """The face of a tile: the reverse of `tile_of`.

    >>> face_of(Tile("castle", 9)), face_of(Tile("arena", event="calendar"))
    (9, 101)
    """
    return tile.gold if tile.event is None else _face(tile.event)


def _face(event: TileEvent) -> int:
    return GENEROUS_DRAGON + EVENTS.index(event)


@dataclass(frozen=True)
class StackTiles:
    """The 10 tiles of one type."""

    start: int | None
    """Face of the starting tile; ``None`` for the guild and the arena, which have none."""
    gold: tuple[int, ...]
    """The other tiles that show gold, ascending."""
    events: tuple[TileEvent, ...]
    """The other tiles that show an event, in the order of `EVENTS`."""

    def shuffled_faces(self) -> list[int]:
        """The faces of all tiles but the starting one: what is shuffled."""
        return [*self.gold, *(_face(event) for event in self.events)]


@dataclass(frozen=True)
class Components:
    """The contracts, the ring of stacks around the mountain, and the tiles that a game is played with."""

    id: str
    """1 to 64 of ``a-z 0-9 . _ -``, as ``dragons-interest-default``."""
    version: int
    """From 1."""
    numbers: tuple[int, ...]
    """The numbered contracts, 11, ascending."""
    jester_value: int
    """What the Jester is worth, unless it is worth nothing."""
    jester_needs_any_of: tuple[int, ...]
    """The numbers of which one at least must be revealed with the Jester for it to be worth anything; ascending."""
    ring: tuple[BuildingType, ...]
    """All 6 types as their stacks lie clockwise, from the one that the dragon passes first (RI-1)."""
    tiles: tuple[StackTiles, ...]
    """By type, in the order of `BUILDING_TYPES`."""

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """A seat's contracts: the numbered ones, ascending, and the Jester."""
        return (*(Contract(number) for number in self.numbers), JESTER)

    def to_data(self) -> dict[str, Any]:
        """The set as plain data, in the shape of its TOML file."""
        return {
            "id": self.id,
            "version": self.version,
            "contracts": {
                "numbers": list(self.numbers),
                "jester": {"value": self.jester_value, "needs_any_of": list(self.jester_needs_any_of)},
            },
            "mountain": {"ring": list(self.ring)},
            "tiles": {name: _stack_data(stack) for name, stack in zip(BUILDING_TYPES, self.tiles, strict=True)},
        }


def _stack_data(stack: StackTiles) -> dict[str, Any]:
    data: dict[str, Any] = {"gold": list(stack.gold), "events": list(stack.events)}
    if stack.start is not None:
        data["start"] = stack.start if stack.start <= MAX_VALUE else EVENTS[stack.start - GENEROUS_DRAGON]
    return data


def default_components() -> Components:
    """The set that is played with unless another is chosen (``dragons_interest.toml``)."""
    return load_components(files(__package__).joinpath("dragons_interest.toml").read_text(encoding="utf-8"))


def load_components(text: str) -> Components:
    """A component set from the text of a TOML file, shaped like ``dragons_interest.toml``.

    Raises `InvalidComponents` with the key that is wrong.

    >>> load_components("id = 'mine'")
    Traceback (most recent call last):
        ...
    dragonhall.rules.errors.InvalidComponents: version: missing; write a whole number from 1 to 4294967295
    """
    return components_from_data(read_toml(text))


def components_from_data(data: Mapping[str, Any]) -> Components:
    """A component set from plain data in the shape of its TOML file. Raises `InvalidComponents`.

    The lists of numbers, tiles and events may be in any order; the ring is in its own.
    """
    check_keys(data, ("id", "version", "provenance", "contracts", "mountain", "tiles"))
    table(data, "provenance", required=False)
    set_id, version = read_id(data), read_version(data)
    contracts = table(data, "contracts")
    check_keys(contracts, ("numbers", "jester"), "contracts.")
    numbers = _distinct(contracts, "numbers", "contracts.numbers")
    if len(numbers) != NUMBERED_CONTRACTS:
        raise InvalidComponents("contracts.numbers", f"has {len(numbers)} numbers; there are {NUMBERED_CONTRACTS}")
    jester_value, jester_needs = _jester(contracts, numbers)
    return Components(set_id, version, numbers, jester_value, jester_needs, _ring(data), _tiles(data))


def _distinct(data: Mapping[str, Any], key: str, path: str) -> tuple[int, ...]:
    numbers = whole_numbers(data, key, path, least=1, most=MAX_VALUE)
    if len(set(numbers)) != len(numbers):
        raise InvalidComponents(path, "lists a number twice; a seat has each contract once")
    return tuple(sorted(numbers))


def _jester(contracts: Mapping[str, Any], numbers: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    jester = table(contracts, "jester", "contracts.jester")
    check_keys(jester, ("value", "needs_any_of"), "contracts.jester.")
    value = whole_number(jester, "value", "contracts.jester.value", least=1, most=MAX_VALUE)
    path = "contracts.jester.needs_any_of"
    needs = _distinct(jester, "needs_any_of", path)
    if not needs or not set(needs) <= set(numbers):
        raise InvalidComponents(path, f"must list one or more of the contracts' numbers: {_listed(numbers)}")
    return value, needs


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)


def _ring(data: Mapping[str, Any]) -> tuple[BuildingType, ...]:
    mountain = table(data, "mountain")
    check_keys(mountain, ("ring",), "mountain.")
    names = choices(mountain, "ring", "mountain.ring", among=BUILDING_TYPES)
    if sorted(names) != sorted(BUILDING_TYPES):
        raise InvalidComponents("mountain.ring", "must list each of the 6 types once, clockwise")
    if names[0] != "castle" or names[-1] != "arena":
        raise InvalidComponents(
            "mountain.ring", "must begin with castle and end with arena: the dragon starts between them (RI-1)"
        )
    return tuple(BUILDING_TYPES[BUILDING_TYPES.index(name)] for name in names)


def _tiles(data: Mapping[str, Any]) -> tuple[StackTiles, ...]:
    tiles = table(data, "tiles")
    check_keys(tiles, BUILDING_TYPES, "tiles.")
    stacks = tuple(_stack(tiles, name) for name in BUILDING_TYPES)
    generous = sum(stack.start == GENEROUS_DRAGON for stack in stacks)
    if generous != 1:
        raise InvalidComponents(
            "tiles", f"{generous} starting tiles are the generous_dragon; it shows in every game's first round, once"
        )
    return stacks


def _stack(tiles: Mapping[str, Any], name: BuildingType) -> StackTiles:
    path = f"tiles.{name}"
    stack = table(tiles, name, path)
    has_start = name in TYPES_WITH_START
    check_keys(stack, ("start", "gold", "events") if has_start else ("gold", "events"), f"{path}.")
    gold = whole_numbers(stack, "gold", f"{path}.gold", least=1, most=MAX_VALUE)
    named = choices(stack, "events", f"{path}.events", among=EVENTS)
    events = tuple(event for event in EVENTS for _ in range(named.count(event)))
    start = _start(stack, f"{path}.start") if has_start else None
    total = len(gold) + len(events) + has_start
    if total != STACK_SIZE:
        raise InvalidComponents(path, f"has {total} tiles (start, gold and events together); there are {STACK_SIZE}")
    return StackTiles(start, tuple(sorted(gold)), events)


def _start(stack: Mapping[str, Any], path: str) -> int:
    if stack.get("start") == "generous_dragon":
        return GENEROUS_DRAGON
    if isinstance(stack.get("start"), str):
        raise InvalidComponents(path, f"must be gold, a whole number from 1 to {MAX_VALUE}, or 'generous_dragon'")
    return whole_number(stack, "start", path, least=1, most=MAX_VALUE)


StartPlayer = Literal["rotates", "fixed"]


@dataclass(frozen=True)
class Options:
    """Who is the start player."""

    start_player: StartPlayer = "rotates"
    """``rotates``: the marker moves to the next seat clockwise after every round; ``fixed``: it stays (RI-3)."""
    first_seat: int | None = None
    """Start player of the first round; ``None``: drawn by lot (RI-2)."""


OPTION_SPECS: Final = (
    OptionSpec(
        "start_player",
        Choice(
            (ChoiceValue("rotates", "Moves on every round"), ChoiceValue("fixed", "Stays the whole game")), "rotates"
        ),
        "Start player marker",
        "Whether the marker moves to the next seat clockwise after every round, or stays.",
    ),
    OptionSpec(
        "first_seat",
        SeatNumber(),
        "First start player",
        "The start player of the first round; drawn by lot if not given.",
    ),
)


def make_options(values: Mapping[str, object]) -> Options:
    """Options by name; those not named keep their defaults. Raises `InvalidOptions`.

    >>> make_options({"start_player": "fixed"})
    Options(start_player='fixed', first_seat=None)
    """
    options = Options(**read_options("Dragon's Interest", OPTION_SPECS, values))
    check_fit(OPTION_SPECS, options, MAX_SEATS)
    return options


def check_options(options: Options, seats: int) -> None:
    """Raises `InvalidOptions` if ``seats`` seats cannot play with ``options``."""
    check_seats("Dragon's Interest", seats, MIN_SEATS, MAX_SEATS)
    check_fit(OPTION_SPECS, options, seats)


def starting_gold(seats: int) -> int:
    """Gold of each seat at the start (rulebook, Components and Setup, G).

    >>> [starting_gold(seats) for seats in (3, 4, 5)]
    [0, 0, 6]
    """
    return 6 if seats == 5 else 0


def starting_knights(seats: int) -> int:
    """Knights of each seat at the start (rulebook, Components and Setup, G).

    >>> [starting_knights(seats) for seats in (3, 4, 5)]
    [6, 3, 3]
    """
    return 6 if seats == 3 else 3
