"""What a seat of Dragons is asked and may answer, as messages."""

from __future__ import annotations

from typing import Final

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.dragons import moves
from dragonhall.wire.dragons.parts import HAND_CARDS, OPTIONAL_CARD
from dragonhall.wire.shapes import EnumValue, OneOf, Shape

ACTION: Final = OneOf(
    pb.Action,
    "action",
    draw=Shape(pb.Draw, moves.Draw),
    place=Shape(pb.Place, moves.Place),
    play=Shape(pb.Play, moves.Play, card=EnumValue(HAND_CARDS)),
    claim=Shape(pb.Claim, moves.Claim),
)

DECISION: Final = OneOf(
    pb.Decision,
    "decision",
    turn=Shape(pb.TurnDecision, moves.TurnDecision),
    placement=Shape(pb.PlacementDecision, moves.PlacementDecision, drawn=OPTIONAL_CARD),
)
