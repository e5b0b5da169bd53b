"""Dataclasses and messages of the same fields: both ways from one line of a table.

A `Shape` pairs a dataclass of the rules with its message. Fields that are not mentioned are plain: a number, a switch
or a text, the same on both sides. For all others the table says of which *kind* they are.

>>> from dragonhall.dragons.v1 import dragons_pb2 as pb
>>> from dragonhall.rules.dragons import events
>>> claimed = Shape(pb.PileClaimed, events.PileClaimed)
>>> claimed.read(claimed.write(events.PileClaimed(seat=2, pile=0)))
PileClaimed(seat=2, pile=0)

`OneOf` pairs a message that is one of several with the dataclasses that these stand for.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import Any, Final, Protocol

from dragonhall.wire.errors import InvalidMessage
from dragonhall.wire.fields import EnumValues, choice, each, within

_SHARED: Final = 1024
"""The most messages that a `SharedShape` keeps."""


class Kind(Protocol):
    """What a field holds."""

    def write(self, value: Any) -> Any:
        """A dataclass's value as a message's constructor takes it; ``None``: absent."""
        ...

    def read(self, message: Any, name: str) -> Any:
        """The value of the field ``name`` of a message. Raises `InvalidMessage`."""
        ...


# ---- One value


class Plain:
    """The same on both sides."""

    def write(self, value: Any) -> Any:
        return value

    def read(self, message: Any, name: str) -> Any:
        return getattr(message, name)


class OptionalPlain(Plain):
    """The same on both sides, where absent stands for ``None``."""

    def read(self, message: Any, name: str) -> Any:
        return getattr(message, name) if message.HasField(name) else None


PLAIN: Final = Plain()
OPTIONAL: Final = OptionalPlain()


class EnumValue:
    """One of an enum's values."""

    def __init__(self, values: EnumValues[Any]) -> None:
        self._values = values

    def write(self, value: Any) -> Any:
        return self._values.number(value)

    def read(self, message: Any, name: str) -> Any:
        return self._values.name(getattr(message, name), name)


class OptionalEnumValue(EnumValue):
    """One of an enum's values, where unspecified stands for ``None``."""

    def read(self, message: Any, name: str) -> Any:
        return self._values.optional_name(getattr(message, name), name)


class EnumValueOr(EnumValue):
    """One of an enum's values, where unspecified stands for one of them."""

    def __init__(self, values: EnumValues[Any], default: Any) -> None:
        super().__init__(values)
        self._default = default

    def read(self, message: Any, name: str) -> Any:
        return super().read(message, name) if getattr(message, name) else self._default


class Inner:
    """A message of a shape of its own."""

    def __init__(self, shape: Shape | OneOf) -> None:
        self._shape = shape

    def write(self, value: Any) -> Any:
        return self._shape.write(value)

    def read(self, message: Any, name: str) -> Any:
        if not message.HasField(name):
            raise InvalidMessage(name, "is missing")
        return within(name, self._shape.read, getattr(message, name))


class OptionalInner(Inner):
    """A message of a shape of its own, where absent stands for ``None``."""

    def write(self, value: Any) -> Any:
        return None if value is None else self._shape.write(value)

    def read(self, message: Any, name: str) -> Any:
        return super().read(message, name) if message.HasField(name) else None


# ---- Several values: a repeated field, and a tuple


class Many:
    """Plain values."""

    def __init__(self, most: int, *, least: int = 0, none_if_empty: bool = False) -> None:
        """``least``, ``most``: how many make sense. ``none_if_empty``: an empty field stands for ``None``."""
        self._least = least
        self._most = most
        self._none_if_empty = none_if_empty

    def write(self, value: Any) -> Any:
        return None if value is None else self._write_all(value)

    def read(self, message: Any, name: str) -> Any:
        found = getattr(message, name)
        if len(found) > self._most:
            raise InvalidMessage(name, f"has {len(found)} values; there are never more than {self._most}")
        if len(found) < self._least:
            raise InvalidMessage(name, f"has {len(found)} values; there are never fewer than {self._least}")
        return None if self._none_if_empty and not found else self._read_all(found, name)

    def _write_all(self, values: Any) -> Any:
        return values

    def _read_all(self, found: Any, name: str) -> tuple[Any, ...]:
        return tuple(found)


class ManyEnumValues(Many):
    """Values of an enum."""

    def __init__(self, values: EnumValues[Any], most: int, *, least: int = 0, none_if_empty: bool = False) -> None:
        super().__init__(most, least=least, none_if_empty=none_if_empty)
        self._values = values

    def _write_all(self, values: Any) -> Any:
        return self._values.numbers(values)

    def _read_all(self, found: Any, name: str) -> tuple[Any, ...]:
        return self._values.names(found, name)


class ManyOptionalEnumValues(ManyEnumValues):
    """Values of an enum, where unspecified stands for ``None``."""

    def _read_all(self, found: Any, name: str) -> tuple[Any, ...]:
        return each(found, name, self._values.optional_name)


class ManyInner(Many):
    """Messages of one shape."""

    def __init__(self, shape: Shape, most: int, *, least: int = 0) -> None:
        super().__init__(most, least=least)
        self._shape = shape

    def _write_all(self, values: Any) -> Any:
        return [self._shape.write(value) for value in values]

    def _read_all(self, found: Any, name: str) -> tuple[Any, ...]:
        return each(found, name, self._shape.read)


# ---- Messages


class Shape:
    """A message, and the dataclass with the same fields, in the same order."""

    def __init__(self, message: Any, value: Any, **kinds: Kind) -> None:
        """``kinds``: of the fields that are not plain. Raises TypeError if the two have not the same fields."""
        names = [field.name for field in dataclasses.fields(value)]
        if names != [field.name for field in message.DESCRIPTOR.fields] or not kinds.keys() <= set(names):
            raise TypeError(f"{message.DESCRIPTOR.full_name} and {value.__qualname__} have not the same fields")
        self.value: Final = value
        self._message: Final = message
        self._fields: Final = tuple((name, kinds.get(name)) for name in names)  # None: plain, without a call

    def write(self, value: Any) -> Any:
        """The message of a value."""
        return self._message(
            **{name: kind.write(getattr(value, name)) if kind else getattr(value, name) for name, kind in self._fields}
        )

    def read(self, message: Any) -> Any:
        """The value of a message. Raises `InvalidMessage`."""
        return self.value(
            *[kind.read(message, name) if kind else getattr(message, name) for name, kind in self._fields]
        )


class SharedShape(Shape):
    """Of values that come again and again, such as cards: the message of each is made once.

    It is copied when it is put into another one, and must not be changed.
    """

    def __init__(self, message: Any, value: Any, **kinds: Kind) -> None:
        super().__init__(message, value, **kinds)
        self._written: Final = lru_cache(maxsize=_SHARED)(super().write)

    def write(self, value: Any) -> Any:
        """The message of a value, which is hashable."""
        return self._written(value)


class OneOf:
    """A message that holds one of several, and the dataclasses that these stand for."""

    def __init__(self, message: Any, oneof: str, **shapes: Shape) -> None:
        """``shapes``: by the fields of the oneof, all of them. Raises TypeError if one is missing or too many."""
        if shapes.keys() != {field.name for field in message.DESCRIPTOR.fields}:
            raise TypeError(f"{message.DESCRIPTOR.full_name} has not just the fields {', '.join(shapes)}")
        self._message: Final = message
        self._oneof: Final = oneof
        self._shapes: Final = shapes
        self._by_value: Final = {shape.value: (name, shape) for name, shape in shapes.items()}

    def write(self, value: Any) -> Any:
        """The message of a value."""
        name, shape = self._by_value[type(value)]
        return self._message(**{name: shape.write(value)})

    def read(self, message: Any) -> Any:
        """The value of a message. Raises `InvalidMessage`."""
        kind, content = choice(message, self._oneof)
        return within(kind, self._shapes[kind].read, content)
