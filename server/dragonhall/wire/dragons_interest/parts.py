"""What several messages of Dragon's Interest share: building types, tokens, tiles, contracts, chest and stake."""

from __future__ import annotations

from typing import Any, Final, get_args

from dragonhall.dragons_interest.v1 import dragons_interest_pb2 as pb
from dragonhall.rules.dragons_interest import facts, moves
from dragonhall.rules.dragons_interest.facts import MAX_SEATS, MAX_VALUE, MIN_SEATS, TYPES, Contract, Tile
from dragonhall.wire.errors import InvalidMessage
from dragonhall.wire.fields import EnumNames
from dragonhall.wire.shapes import (
    OPTIONAL,
    EnumValue,
    Inner,
    Many,
    ManyEnumValues,
    ManyInner,
    OptionalEnumValue,
    OptionalInner,
    Shape,
    SharedShape,
)

BUILDING_TYPES: Final = EnumNames[facts.BuildingType](pb.BuildingType, facts.BUILDING_TYPES)
TILE_EVENTS: Final = EnumNames[facts.TileEvent](pb.TileEvent, facts.EVENTS)

BUILDING: Final = EnumValue(BUILDING_TYPES)
OPTIONAL_BUILDING: Final = OptionalEnumValue(BUILDING_TYPES)
BUILDINGS: Final = ManyEnumValues(BUILDING_TYPES, most=TYPES)
TOKEN: Final = EnumValue(EnumNames[facts.Token](pb.Token, get_args(facts.Token)))
SEATS: Final = Many(MAX_SEATS)
"""Numbers of seats."""
BY_SEAT: Final = Many(MAX_SEATS, least=MIN_SEATS)
"""One number a seat."""
BY_TYPE: Final = Many(TYPES, least=TYPES)
"""One number a building type."""


class _TileShape(SharedShape):
    """A tile shows gold or an event, and never both."""

    def read(self, message: Any) -> Tile:
        tile: Tile = super().read(message)
        if tile.event is None and not 1 <= tile.gold <= MAX_VALUE:
            raise InvalidMessage("gold", f"must be from 1 to {MAX_VALUE} on a tile without an event")
        if tile.event is not None and tile.gold:
            raise InvalidMessage("gold", "must be 0 on a tile with an event")
        return tile


class _ContractShape(SharedShape):
    """A contract's number is bounded."""

    def read(self, message: Any) -> Contract:
        contract: Contract = super().read(message)
        if contract.number > MAX_VALUE:
            raise InvalidMessage("number", f"must be from 1 to {MAX_VALUE}, or 0 for the Jester")
        return contract


TILE_SHAPE: Final = _TileShape(pb.Tile, Tile, building=BUILDING, event=OptionalEnumValue(TILE_EVENTS))
TILE: Final = Inner(TILE_SHAPE)
OPTIONAL_TILE: Final = OptionalInner(TILE_SHAPE)
TILES: Final = ManyInner(TILE_SHAPE, most=TYPES)
"""Tiles that lie face up."""
_CONTRACT_SHAPE: Final = _ContractShape(pb.Contract, Contract)
CONTRACT: Final = Inner(_CONTRACT_SHAPE)
OPTIONAL_CONTRACT: Final = OptionalInner(_CONTRACT_SHAPE)
CONTRACTS: Final = ManyInner(_CONTRACT_SHAPE, most=facts.CONTRACTS)

_CHEST_SHAPE: Final = Shape(pb.Chest, moves.Chest, building=BUILDING, token=TOKEN, amount=OPTIONAL)
CHEST: Final = Inner(_CHEST_SHAPE)
OPTIONAL_CHEST: Final = OptionalInner(_CHEST_SHAPE)
_CONTEST_SHAPE: Final = Shape(
    pb.Contest, moves.Contest, building=BUILDING, stake_token=TOKEN, commitment_token=TOKEN, commitments=SEATS
)
CONTEST: Final = Inner(_CONTEST_SHAPE)
OPTIONAL_CONTEST: Final = OptionalInner(_CONTEST_SHAPE)
