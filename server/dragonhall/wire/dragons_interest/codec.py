"""The codec of Dragon's Interest: shapes, component sets, and the order of a stack."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, get_args

from dragonhall.dragons_interest.v1 import dragons_interest_pb2 as pb
from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragons_interest import facts, outcome
from dragonhall.rules.dragons_interest.facts import BUILDING_TYPES, STACK_SIZE, STACK_STREAMS, StackTiles, Tile
from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.dragons_interest import parts
from dragonhall.wire.dragons_interest.events import EVENT
from dragonhall.wire.dragons_interest.moves import ACTION, DECISION
from dragonhall.wire.dragons_interest.views import VIEW
from dragonhall.wire.errors import InvalidMessage
from dragonhall.wire.fields import EnumNames, within
from dragonhall.wire.orders import Order
from dragonhall.wire.shaped import Contents, ShapedCodec
from dragonhall.wire.shapes import OPTIONAL, EnumValueOr, ManyInner, Shape

_START_PLAYERS: Final = EnumNames[facts.StartPlayer](pb.StartPlayer, get_args(facts.StartPlayer))
_OPTIONS: Final = Shape(
    pb.Options,
    facts.Options,
    start_player=EnumValueOr(_START_PLAYERS, facts.Options().start_player),
    first_seat=OPTIONAL,
)
_BREAKDOWN: Final = Shape(
    pb.Breakdown, outcome.Breakdown, buildings=parts.BY_TYPE, types=parts.BUILDINGS, majorities=parts.BUILDINGS
)


class DragonsInterestCodec(ShapedCodec):
    """A `dragonhall.wire.codec.Codec`."""

    def __init__(self) -> None:
        super().__init__(
            "dragons_interest",
            options=_OPTIONS,
            actions=ACTION,
            decisions=DECISION,
            events=EVENT,
            view=VIEW,
            breakdown=_BREAKDOWN,
            contents=Contents(_contents_to, _contents_from, facts.components_from_data),
            orders=dict.fromkeys(STACK_STREAMS, _StackOrder()),
        )


class _StackOrder(Order):
    """The order of a stack: which one it is, the name of the shuffle says."""

    def __init__(self) -> None:
        super().__init__("dragons_interest_tiles", pb.TileOrder, ManyInner(parts.TILE_SHAPE, most=STACK_SIZE))

    def item(self, name: str, number: int) -> Tile:
        return facts.tile_of(STACK_STREAMS.index(name), number)

    def number(self, name: str, item: Tile) -> int:
        building = BUILDING_TYPES[STACK_STREAMS.index(name)]
        if item.building != building:
            raise InvalidMessage("building", f"is none of the stack {building}")
        return facts.face_of(item)

    def read(self, message: games.ChanceOutcome) -> ChanceOutcome:
        if message.name not in STACK_STREAMS:
            raise InvalidMessage("name", f"no stack is shuffled by that name; there are: {', '.join(STACK_STREAMS)}")
        return super().read(message)


# ---- The contents of a component set


def _contents_to(components: facts.Components) -> pb.Components:
    jester = pb.Jester(value=components.jester_value, needs_any_of=components.jester_needs_any_of)
    stacks = enumerate(zip(BUILDING_TYPES, components.tiles, strict=True))
    return pb.Components(
        contracts=pb.Contracts(numbers=components.numbers, jester=jester),
        mountain=pb.Mountain(ring=parts.BUILDING_TYPES.numbers(components.ring)),
        tiles=pb.Tiles(**{name: _stack_to(building, stack) for building, (name, stack) in stacks}),
    )


def _stack_to(building: int, stack: StackTiles) -> pb.StackTiles:
    start = None if stack.start is None else facts.tile_of(building, stack.start)
    return pb.StackTiles(
        start=parts.OPTIONAL_TILE.write(start), gold=stack.gold, events=parts.TILE_EVENTS.numbers(stack.events)
    )


def _contents_from(message: pb.Components) -> Mapping[str, Any]:
    contracts = message.contracts
    jester = {"value": contracts.jester.value, "needs_any_of": list(contracts.jester.needs_any_of)}
    ring = parts.BUILDING_TYPES.names(message.mountain.ring, "mountain.ring")
    return {
        "contracts": {"numbers": list(contracts.numbers), "jester": jester},
        "mountain": {"ring": list(ring)},
        "tiles": {
            name: within(f"tiles.{name}", partial(_stack_from, name), getattr(message.tiles, name))
            for name in BUILDING_TYPES
        },
    }


def _stack_from(name: str, message: pb.StackTiles) -> Mapping[str, Any]:
    events = parts.TILE_EVENTS.names(message.events, "events")
    data: dict[str, Any] = {"gold": list(message.gold), "events": list(events)}
    start = parts.OPTIONAL_TILE.read(message, "start")
    if start is not None:
        if start.building != name:
            raise InvalidMessage("start.building", f"is none of the stack {name}")
        data["start"] = start.event or start.gold
    return data
