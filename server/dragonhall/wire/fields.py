"""Reading and writing single fields: those that may be absent, lists, enums, and the games' oneofs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Generic, TypeVar

from dragonhall.wire.errors import InvalidMessage, UnknownGame

Name = TypeVar("Name", bound=str)
Item = TypeVar("Item")
Value = TypeVar("Value")


def of_game(message: Any, game: str) -> Any:
    """The content of a message of games.proto. Raises `UnknownGame` if it is none of ``game``."""
    if message.WhichOneof("game") != game:
        raise UnknownGame("game", f"must be {game}")
    return getattr(message, game)


def choice(message: Any, oneof: str) -> tuple[str, Any]:
    """The field of a oneof that is set, and its value. Raises `InvalidMessage` if none is."""
    kind = message.WhichOneof(oneof)
    if kind is None:
        raise InvalidMessage(oneof, "none of its fields is set (or one that this version does not know)")
    return kind, getattr(message, kind)


def within(path: str, read: Callable[[Item], Value], item: Item) -> Value:
    """What ``read`` makes of a message at ``path``, which is told with what is wrong in it."""
    try:
        return read(item)
    except InvalidMessage as error:
        raise error.within(path) from None


def each(items: Iterable[Item], field: str, read: Callable[[Item], Value]) -> tuple[Value, ...]:
    """The items of a repeated field. What is wrong with one is told with its place, as ``piles[2].top``."""
    found: list[Value] = []
    try:
        for item in items:
            found.append(read(item))
    except InvalidMessage as error:
        raise error.within(f"{field}[{len(found)}]") from None
    return tuple(found)


class EnumValues(Generic[Value]):
    """An enum's values, each of which stands for a value of the rules. "Unspecified" stands for ``None``."""

    def __init__(self, enum: Any, numbers: Mapping[Value, int]) -> None:
        """``enum``: as generated, such as ``dragons_pb2.HandCard``; ``numbers``: may be fewer than the enum has."""
        self._numbers: Final[dict[Value | None, Any]] = {None: 0} | dict(numbers.items())
        self._names: Final[dict[int, Value]] = {number: value for value, number in numbers.items()}
        self._written: Final = ", ".join(enum.Name(number) for number in self._names)

    def number(self, name: Value | None) -> Any:
        """The enum's value; unspecified for ``None``."""
        return self._numbers[name]

    def numbers(self, names: Iterable[Value | None]) -> list[Any]:
        """The enum's values, in order."""
        return [self._numbers[name] for name in names]

    def name(self, number: int, field: str = "") -> Value:
        """What a value stands for. Raises `InvalidMessage` for ``field`` if that is nothing."""
        if number not in self._names:
            raise InvalidMessage(field, f"must be one of: {self._written}")
        return self._names[number]

    def optional_name(self, number: int, field: str = "") -> Value | None:
        """The same, and ``None`` for unspecified."""
        return self.name(number, field) if number else None

    def names(self, numbers: Iterable[int], field: str) -> tuple[Value, ...]:
        """What a repeated field's values stand for, in order."""
        try:
            return tuple([self._names[number] for number in numbers])
        except KeyError:
            return each(numbers, field, self.name)  # which tells the place of the one that is wrong


class EnumNames(EnumValues[Name]):
    """An enum whose values the rules call by name: in lower case, without the prefix that the values share."""

    def __init__(self, enum: Any, names: Iterable[Name]) -> None:
        """``enum``: as generated; ``names``: may be fewer than the enum has, "unspecified" is none of them."""
        prefix = enum.DESCRIPTOR.values[0].name.removesuffix("UNSPECIFIED")
        super().__init__(enum, {name: enum.Value(prefix + name.upper()) for name in names})
