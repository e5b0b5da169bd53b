"""The view of Dragon's Interest as a message."""

from __future__ import annotations

from typing import Final

from dragonhall.dragons_interest.v1 import dragons_interest_pb2 as pb
from dragonhall.rules.dragons_interest import facts, moves, view
from dragonhall.wire.dragons_interest.moves import ACTION
from dragonhall.wire.dragons_interest.parts import (
    BUILDING,
    BUILDINGS,
    BY_TYPE,
    CONTRACT,
    CONTRACTS,
    OPTIONAL_CHEST,
    OPTIONAL_CONTEST,
    OPTIONAL_CONTRACT,
    OPTIONAL_TILE,
    SEATS,
)
from dragonhall.wire.fields import EnumNames
from dragonhall.wire.shapes import OPTIONAL, EnumValue, ManyInner, OptionalInner, Shape, SharedShape

_STACK: Final = SharedShape(pb.StackView, view.StackView, building=BUILDING, face_up=OPTIONAL_TILE)
_TUCKED: Final = SharedShape(pb.TuckedContract, view.TuckedContract, building=BUILDING, contract=CONTRACT)
_SEAT: Final = Shape(
    pb.SeatView,
    view.SeatView,
    buildings=BY_TYPE,
    tucked=ManyInner(_TUCKED, most=facts.CONTRACTS),
    hand=CONTRACTS,
    revealed=OPTIONAL_CONTRACT,
    gold=OPTIONAL,
    knights=OPTIONAL,
)
VIEW: Final = Shape(
    pb.View,
    view.View,
    stage=EnumValue(EnumNames[moves.Stage](pb.Stage, moves.STAGES)),
    deciding=SEATS,
    active_seat=OPTIONAL,
    seats=ManyInner(_SEAT, least=facts.MIN_SEATS, most=facts.MAX_SEATS),
    stacks=ManyInner(_STACK, most=facts.TYPES),
    dragon_passes_next=BUILDING,
    take_order=SEATS,
    chest=OPTIONAL_CHEST,
    contest=OPTIONAL_CONTEST,
    invasions=BUILDINGS,
    own_answer=OptionalInner(ACTION),
)
