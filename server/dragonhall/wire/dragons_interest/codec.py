"""The codec of Dragon's Interest: shapes, component sets, and the order of a stack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from dragonhall.dragons_interest.v1 import dragons_interest_pb2 as pb
from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragons_interest import facts, outcome
from dragonhall.rules.dragons_interest.facts import BUILDING_TYPES, STACK_SIZE, STACK_STREAMS, StackTiles
from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.codec import component_set, read_chance, read_component_set
from dragonhall.wire.dragons_interest import parts
from dragonhall.wire.dragons_interest.events import EVENT
from dragonhall.wire.dragons_interest.moves import ACTION, DECISION
from dragonhall.wire.dragons_interest.views import VIEW
from dragonhall.wire.errors import InvalidMessage
from dragonhall.wire.fields import EnumNames
from dragonhall.wire.shaped import ShapedCodec
from dragonhall.wire.shapes import OPTIONAL, EnumValueOr, ManyInner, Shape

GAME: Final = "dragons_interest"
"""The field of this game in the oneofs of games.proto."""

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
_ORDER: Final = ManyInner(parts.TILE_SHAPE, most=STACK_SIZE)


class DragonsInterestCodec(ShapedCodec):
    """A `dragonhall.wire.codec.Codec`."""

    def __init__(self) -> None:
        super().__init__(
            GAME,
            options=_OPTIONS,
            actions=ACTION,
            decisions=DECISION,
            events=EVENT,
            view=VIEW,
            breakdown=_BREAKDOWN,
        )

    def components_to_proto(self, components: facts.Components, with_contents: bool) -> games.ComponentSet:
        """A component set."""
        message = component_set(components)
        if with_contents:
            message.dragons_interest.CopyFrom(_contents_to(components))
        return message

    def components_from_proto(self, message: games.ComponentSet) -> facts.Components:
        """A component set with its contents; they must fit the digest."""
        return read_component_set(message, GAME, _contents_from, facts.components_from_data)

    def chance_to_proto(self, outcome: ChanceOutcome) -> games.ChanceOutcome:
        """An outcome of chance: a number, or the order of a stack."""
        if outcome.number is not None:
            return games.ChanceOutcome(name=outcome.name, number=outcome.number)
        building = STACK_STREAMS.index(outcome.name)
        tiles = [facts.tile_of(building, face) for face in outcome.order or ()]
        order = pb.TileOrder(tiles=_ORDER.write(tiles))
        return games.ChanceOutcome(name=outcome.name, dragons_interest_tiles=order)

    def chance_from_proto(self, message: games.ChanceOutcome) -> ChanceOutcome:
        """An outcome of chance."""
        return read_chance(message, {"dragons_interest_tiles": _order_from})


def _order_from(message: games.ChanceOutcome) -> tuple[int, ...]:
    if message.name not in STACK_STREAMS:
        raise InvalidMessage("name", f"no stack is shuffled by that name; there are: {', '.join(STACK_STREAMS)}")
    building = BUILDING_TYPES[STACK_STREAMS.index(message.name)]
    tiles: tuple[facts.Tile, ...] = _ORDER.read(message.dragons_interest_tiles, "tiles", "dragons_interest_tiles")
    for place, tile in enumerate(tiles):
        if tile.building != building:
            raise InvalidMessage(f"dragons_interest_tiles.tiles[{place}].building", f"is none of the stack {building}")
    return tuple(facts.face_of(tile) for tile in tiles)


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
    """What a set's TOML file says besides its id and version."""
    contracts = message.contracts
    jester = {"value": contracts.jester.value, "needs_any_of": list(contracts.jester.needs_any_of)}
    ring = parts.BUILDING_TYPES.names(message.mountain.ring, f"{GAME}.mountain.ring")
    return {
        "contracts": {"numbers": list(contracts.numbers), "jester": jester},
        "mountain": {"ring": list(ring)},
        "tiles": {name: _stack_from(getattr(message.tiles, name), name) for name in BUILDING_TYPES},
    }


def _stack_from(message: pb.StackTiles, name: str) -> Mapping[str, Any]:
    path = f"{GAME}.tiles.{name}"
    events = parts.TILE_EVENTS.names(message.events, f"{path}.events")
    data: dict[str, Any] = {"gold": list(message.gold), "events": list(events)}
    start = parts.OPTIONAL_TILE.read(message, "start", path)
    if start is not None:
        if start.building != name:
            raise InvalidMessage(f"{path}.start.building", f"is none of the stack {name}")
        data["start"] = start.event or start.gold
    return data
