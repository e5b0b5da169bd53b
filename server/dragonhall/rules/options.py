"""A game's options: told well enough to build a form from, and read back from what a form or a command line gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dragonhall.rules.errors import InvalidOptions


@dataclass(frozen=True)
class Switch:
    """On or off: a bool."""

    default: bool


@dataclass(frozen=True)
class SeatNumber:
    """A seat's number, from 0; absent: drawn from the seed."""


@dataclass(frozen=True)
class ChoiceValue:
    """One of the values of a choice."""

    name: str
    """As ``rotates``: lower case, words joined by ``_``."""
    title: str
    """For people."""


@dataclass(frozen=True)
class Choice:
    """One of several values: its name."""

    values: tuple[ChoiceValue, ...]
    default: str
    """The name of one of the values."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the values, in order."""
        return tuple(value.name for value in self.values)


@dataclass(frozen=True)
class ChoicePerSeat:
    """One value for every seat, no two alike: their names in seat order; absent: drawn from the seed."""

    values: tuple[ChoiceValue, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the values, in order."""
        return tuple(value.name for value in self.values)


OptionKind = Switch | SeatNumber | Choice | ChoicePerSeat


@dataclass(frozen=True)
class OptionSpec:
    """One option of a game."""

    name: str
    """The field of the game's options dataclass and message."""
    kind: OptionKind
    title: str
    """The rulebook's name of the variant, or a short title."""
    help: str
    """One sentence: what it changes."""

    @property
    def default(self) -> Any:
        """The value of an option that is not given; ``None``: drawn from the seed."""
        return self.kind.default if isinstance(self.kind, Switch | Choice) else None


def read_options(game_title: str, specs: Sequence[OptionSpec], values: Mapping[str, object]) -> dict[str, Any]:
    """The given options, each of its type; those not given are left out, and ``None`` is as good as not given where the
    seed decides.

    Whether seat numbers and numbers of seats fit the game is for `check_seat` and `check_per_seat`. Raises
    `InvalidOptions` with the option's name.

    >>> open_table = OptionSpec("open_table", Switch(False), "Open table", "All is seen.")
    >>> read_options("Poker", [open_table], {"open_table": True})
    {'open_table': True}
    >>> read_options("Poker", [open_table], {"open_table": 1})
    Traceback (most recent call last):
        ...
    dragonhall.rules.errors.InvalidOptions: open_table: must be true or false
    """
    known = {spec.name: spec for spec in specs}
    for name in values:
        if name not in known:
            raise InvalidOptions(name, f"{game_title} has no such option; it has: {', '.join(known)}")
    return {name: _read(known[name], value) for name, value in values.items()}


def _read(spec: OptionSpec, value: object) -> Any:
    match spec.kind:
        case Switch():
            if not isinstance(value, bool):
                raise InvalidOptions(spec.name, "must be true or false")
        case SeatNumber():
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
                raise InvalidOptions(spec.name, "must be a seat number, from 0, or absent")
        case Choice() as choice:
            if value not in choice.names:
                raise InvalidOptions(spec.name, f"must be one of: {', '.join(choice.names)}")
        case ChoicePerSeat() as per_seat:
            return _read_per_seat(spec.name, per_seat, value)
    return value


def _read_per_seat(name: str, per_seat: ChoicePerSeat, value: object) -> tuple[str, ...] | None:
    if value is None:
        return None
    names = ", ".join(per_seat.names)
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise InvalidOptions(name, f"must name one for every seat, or be absent; there are: {names}")
    for item in value:
        if item not in per_seat.names:
            raise InvalidOptions(name, f"there is no {item[:40]!r}; there are: {names}")
    if len(set(value)) != len(value):
        raise InvalidOptions(name, f"must name each at most once; there are: {names}")
    return tuple(value)


def check_seats(game_title: str, seats: int, least: int, most: int) -> None:
    """Raises `InvalidOptions` (field ``seats``) unless so many can play."""
    if not least <= seats <= most:
        raise InvalidOptions("seats", f"{game_title} is for {least} to {most} seats, not {seats}")


def check_seat(name: str, seat: int | None, seats: int) -> None:
    """Raises `InvalidOptions` unless option ``name`` is one of the game's seats, or absent."""
    if seat is not None and not 0 <= seat < seats:
        raise InvalidOptions(name, f"must be a seat, 0 to {seats - 1}, or absent")


def check_per_seat(name: str, values: Sequence[str] | None, seats: int) -> None:
    """Raises `InvalidOptions` unless option ``name`` has one value for every seat, or is absent."""
    if values is not None and len(values) != seats:
        raise InvalidOptions(name, f"must name one for each of the {seats} seats, not {len(values)}, or be absent")


def check_fit(specs: Sequence[OptionSpec], options: object, seats: int) -> None:
    """Raises `InvalidOptions` if a seat number, or a choice for every seat, does not fit a game of so many seats.

    ``options``: the game's options dataclass.
    """
    for spec in specs:
        if isinstance(spec.kind, SeatNumber):
            check_seat(spec.name, getattr(options, spec.name), seats)
        elif isinstance(spec.kind, ChoicePerSeat):
            check_per_seat(spec.name, getattr(options, spec.name), seats)


def parse_options(game_name: str, specs: Sequence[OptionSpec], texts: Mapping[str, str]) -> dict[str, Any]:
    """Options from ``name -> text`` pairs, as a command line gives them, for `read_options`.

    A switch is ``true`` or ``false``, a seat its number, a choice its name, one for every seat their names with commas
    between. Raises `InvalidOptions` naming the option and what it takes.
    """
    known = {spec.name: spec for spec in specs}
    values: dict[str, Any] = {}
    for name, text in texts.items():
        if name not in known:
            raise InvalidOptions(name, f"{game_name} has no such option; it has: {', '.join(sorted(known))}")
        values[name] = _parse(known[name], text)
    return values


_SWITCH: Final = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(("false", "no", "off", "0"), False)
_LONGEST_NUMBER: Final = 9
"""Digits that any seat number is written with."""


def _parse(spec: OptionSpec, text: str) -> Any:
    match spec.kind:
        case Switch():
            if text.lower() not in _SWITCH:
                raise InvalidOptions(spec.name, f"{text[:20]!r} is neither true nor false")
            return _SWITCH[text.lower()]
        case SeatNumber():
            if not text.isascii() or not text.isdigit() or len(text) > _LONGEST_NUMBER:
                raise InvalidOptions(spec.name, f"{text[:20]!r} is not a seat number (0 for the first seat)")
            return int(text)
        case Choice():
            return text.lower()
        case ChoicePerSeat():
            return tuple(part.strip().lower() for part in text.split(","))
