"""The codec of DragonIsles: shapes, component sets, and the orders of its decks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dragonhall.dragonisles.v1 import dragonisles_pb2 as pb
from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragonisles import adventurers, earning, facts, quest_board, setup
from dragonhall.rules.dragonisles.component_set import ENCOUNTERS, ITEMS, SCROLLS
from dragonhall.rules.errors import InvalidOptions
from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.codec import read_chance
from dragonhall.wire.dragonisles.components import components_from, components_to
from dragonhall.wire.dragonisles.events import EVENT
from dragonhall.wire.dragonisles.moves import ACTION, DECISION
from dragonhall.wire.dragonisles.parts import ALL_CHARACTERS, CARDS, CHARACTERS_OR_NONE, GAME, QUESTS, TREASURES
from dragonhall.wire.dragonisles.views import BREAKDOWN, VIEW
from dragonhall.wire.errors import InvalidMessage
from dragonhall.wire.shaped import ShapedCodec
from dragonhall.wire.shapes import OPTIONAL, Kind, Shape

_OPTIONS: Final = Shape(pb.Options, facts.Options, characters=CHARACTERS_OR_NONE, first_seat=OPTIONAL)


class DragonIslesCodec(ShapedCodec):
    """A `dragonhall.wire.codec.Codec`."""

    def __init__(self) -> None:
        super().__init__(
            GAME,
            options=_OPTIONS,
            actions=ACTION,
            decisions=DECISION,
            events=EVENT,
            view=VIEW,
            breakdown=BREAKDOWN,
        )

    def options_from_proto(self, message: games.GameOptions) -> facts.Options:
        """Options, which have to fit together. Whether they fit the number of seats is for the rules to say."""
        options: facts.Options = super().options_from_proto(message)
        try:
            return facts.make_options(vars(options))
        except InvalidOptions as error:
            raise InvalidMessage(error.field, error.message) from None

    def components_to_proto(self, components: facts.Components, with_contents: bool) -> games.ComponentSet:
        """A component set."""
        return components_to(components, with_contents)

    def components_from_proto(self, message: games.ComponentSet) -> facts.Components:
        """A component set with its contents; they must fit the digest."""
        return components_from(message)

    def chance_to_proto(self, outcome: ChanceOutcome) -> games.ChanceOutcome:
        """An outcome of chance: a number, or an order."""
        if outcome.number is not None:
            return games.ChanceOutcome(name=outcome.name, number=outcome.number)
        return _ORDERS[outcome.name].write(outcome)

    def chance_from_proto(self, message: games.ChanceOutcome) -> ChanceOutcome:
        """An outcome of chance."""
        return read_chance(message, {order.field: order.read for order in _ORDERS.values()})


class _Order:
    """An order that is drawn by lot, of what the rules know by numbers."""

    def __init__(self, message: Any, kind: Kind, values: Sequence[Any]) -> None:
        """``kind``: of the message's only field. ``values``: what it holds, by the rules' number of it."""
        self._message = message
        self._kind = kind
        self._items: str = message.DESCRIPTOR.fields[0].name
        self._values = values
        self._numbers = {value: number for number, value in enumerate(values)}
        self.field: Final = f"{GAME}_{self._items}"
        """Of `games.ChanceOutcome`."""

    def write(self, outcome: ChanceOutcome) -> games.ChanceOutcome:
        items = self._kind.write([self._values[number] for number in outcome.order or ()])
        return games.ChanceOutcome(name=outcome.name, **{self.field: self._message(**{self._items: items})})

    def read(self, message: games.ChanceOutcome) -> tuple[int, ...]:
        items = self._kind.read(getattr(message, self.field), self._items, self.field)
        for place, item in enumerate(items):
            if item not in self._numbers:
                raise InvalidMessage(f"{self.field}.{self._items}[{place}]", f"must be below {len(self._values)}")
        return tuple(self._numbers[item] for item in items)


_ORDERS: Final = {
    adventurers.STREAM: _Order(pb.AdventurerOrder, CARDS, facts.CARDS),
    quest_board.STREAM: _Order(pb.EncounterOrder, QUESTS, range(ENCOUNTERS)),
    earning.TREASURE_STREAM: _Order(pb.TreasureOrder, TREASURES, range(ITEMS + SCROLLS)),
    setup.CHARACTER_STREAM: _Order(pb.CharacterOrder, ALL_CHARACTERS, facts.CHARACTERS),
}
"""By the name of the shuffle. No set has more kinds of encounters or treasures than cards."""
