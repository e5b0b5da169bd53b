"""What a seat of Dragon's Interest is asked and may answer, as messages."""

from __future__ import annotations

from typing import Final

from dragonhall.dragons_interest.v1 import dragons_interest_pb2 as pb
from dragonhall.rules.dragons_interest import moves
from dragonhall.wire.dragons_interest.parts import BUILDING, CHEST, CONTEST, CONTRACT, SEATS, TOKEN
from dragonhall.wire.shapes import OneOf, Shape

ACTION: Final = OneOf(
    pb.Action,
    "action",
    bid=Shape(pb.Bid, moves.Bid, contract=CONTRACT),
    take=Shape(pb.Take, moves.Take, building=BUILDING),
    pass_turn=Shape(pb.Pass, moves.Pass),
    activate=Shape(pb.Activate, moves.Activate, building=BUILDING),
    offer=Shape(pb.Offer, moves.Offer, building=BUILDING),
    accept=Shape(pb.Accept, moves.Accept),
    match=Shape(pb.Match, moves.Match, building=BUILDING),
    commit=Shape(pb.Commit, moves.Commit),
    award=Shape(pb.Award, moves.Award),
    discard_knights=Shape(pb.DiscardKnights, moves.DiscardKnights),
    discard_building=Shape(pb.DiscardBuilding, moves.DiscardBuilding, building=BUILDING),
)

DECISION: Final = OneOf(
    pb.Decision,
    "decision",
    bid=Shape(pb.BidDecision, moves.BidDecision),
    take=Shape(pb.TakeDecision, moves.TakeDecision),
    activation=Shape(pb.ActivationDecision, moves.ActivationDecision),
    offer=Shape(pb.OfferDecision, moves.OfferDecision, activated=BUILDING, token=TOKEN),
    answer=Shape(pb.AnswerDecision, moves.AnswerDecision, chest=CHEST),
    commit=Shape(pb.CommitDecision, moves.CommitDecision, contest=CONTEST),
    award=Shape(pb.AwardDecision, moves.AwardDecision, contest=CONTEST, tied=SEATS),
    invasion=Shape(pb.InvasionDecision, moves.InvasionDecision, stack=BUILDING),
)
