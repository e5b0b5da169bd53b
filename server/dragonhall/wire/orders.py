"""What shuffles come to, as messages: orders of what the rules know by numbers, such as the faces of cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from dragonhall.rules.chance import ChanceOutcome
from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.errors import InvalidMessage
from dragonhall.wire.fields import each, within
from dragonhall.wire.shapes import Kind


class Order:
    """An order in a message that has one repeated field. A game's own says which number is which item."""

    def __init__(self, field: str, message: Any, items: Kind) -> None:
        """``field``: of `games.ChanceOutcome`; ``items``: the kind of the message's field."""
        self.field: Final = field
        self._message = message
        self._kind = items
        self._items: str = message.DESCRIPTOR.fields[0].name

    def item(self, name: str, number: int) -> Any:
        """What a number stands for in the shuffle ``name``."""
        raise NotImplementedError

    def number(self, name: str, item: Any) -> int:
        """The reverse. Raises `InvalidMessage` for an item that is not shuffled there."""
        raise NotImplementedError

    def write(self, outcome: ChanceOutcome) -> games.ChanceOutcome:
        """The outcome of a shuffle."""
        items = self._kind.write([self.item(outcome.name, number) for number in outcome.order or ()])
        return games.ChanceOutcome(name=outcome.name, **{self.field: self._message(**{self._items: items})})

    def read(self, message: games.ChanceOutcome) -> ChanceOutcome:
        """The outcome of a shuffle. Raises `InvalidMessage`."""
        order = within(self.field, partial(self._numbers_of, message.name), getattr(message, self.field))
        return ChanceOutcome(message.name, order=order)

    def _numbers_of(self, name: str, content: Any) -> tuple[int, ...]:
        return each(self._kind.read(content, self._items), self._items, partial(self.number, name))


class OrderOf(Order):
    """An order of values, each of which has the number of its place."""

    def __init__(self, field: str, message: Any, items: Kind, values: Sequence[Any]) -> None:
        super().__init__(field, message, items)
        self._values = values
        self._numbers = {value: number for number, value in enumerate(values)}

    def item(self, name: str, number: int) -> Any:
        return self._values[number]

    def number(self, name: str, item: Any) -> int:
        if item not in self._numbers:
            raise InvalidMessage("", f"is none of the {len(self._values)} that are shuffled")
        return self._numbers[item]
