"""What a seat of Dragons is asked and may answer, as messages, which are few and come again: they are shared."""

from __future__ import annotations

from typing import Final

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.dragons import moves
from dragonhall.wire.dragons.parts import HAND_CARDS, OPTIONAL_CARD
from dragonhall.wire.shapes import EnumValue, OneOf, SharedShape

ACTION: Final = OneOf(
    pb.Action,
    "action",
    draw=SharedShape(pb.Draw, moves.Draw),
    place=SharedShape(pb.Place, moves.Place),
    play=SharedShape(pb.Play, moves.Play, card=EnumValue(HAND_CARDS)),
    claim=SharedShape(pb.Claim, moves.Claim),
)

DECISION: Final = OneOf(
    pb.Decision,
    "decision",
    turn=SharedShape(pb.TurnDecision, moves.TurnDecision),
    placement=SharedShape(pb.PlacementDecision, moves.PlacementDecision, drawn=OPTIONAL_CARD),
)
