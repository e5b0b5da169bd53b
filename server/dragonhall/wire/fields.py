"""Reading and writing single fields: those that may be absent, lists, enums, and the games' oneofs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Generic, TypeVar

from dragonhall.wire.errors import InvalidMessage, UnknownGame

Name = TypeVar("Name", bound=str)
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


def optional(message: Any, field: str) -> int | None:
    """An optional number; ``None`` if it is absent."""
    return getattr(message, field) if message.HasField(field) else None


def each(messages: Iterable[Any], field: str, read: Callable[[Any, str], Value]) -> tuple[Value, ...]:
    """A repeated field: ``read`` is given each item and its path, as ``piles[2]``."""
    return tuple(read(message, f"{field}[{place}]") for place, message in enumerate(messages))


class EnumNames(Generic[Name]):
    """An enum whose values the rules call by name, in lower case and without the prefix that the enum's values share.

    ``names`` may be fewer than the enum has; "unspecified" is none of them.
    """

    def __init__(self, enum: Any, names: Iterable[Name]) -> None:
        """``enum``: as generated, such as ``dragons_pb2.HandCard``."""
        prefix = enum.DESCRIPTOR.values[0].name.removesuffix("UNSPECIFIED")
        self._numbers: Final[dict[Name, int]] = {name: enum.Value(prefix + name.upper()) for name in names}
        self._names: Final[dict[int, Name]] = {number: name for name, number in self._numbers.items()}
        self._written: Final = ", ".join(enum.Name(number) for number in self._names)

    def number(self, name: Name | None) -> Any:
        """The enum's value; unspecified for ``None``."""
        return 0 if name is None else self._numbers[name]

    def numbers(self, names: Iterable[Name]) -> list[Any]:
        """The enum's values, in order."""
        return [self._numbers[name] for name in names]

    def name(self, number: int, field: str) -> Name:
        """The name of a value. Raises `InvalidMessage` for ``field`` if it has none."""
        if number not in self._names:
            raise InvalidMessage(field, f"must be one of: {self._written}")
        return self._names[number]

    def optional_name(self, number: int, field: str) -> Name | None:
        """The same, and ``None`` for unspecified."""
        return self.name(number, field) if number else None

    def names(self, numbers: Iterable[int], field: str) -> tuple[Name, ...]:
        """The names of a repeated field's values, in order."""
        return each(numbers, field, self.name)
