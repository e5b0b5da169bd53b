"""The events of Dragon's Interest as messages."""

from __future__ import annotations

from typing import Final

from dragonhall.dragons_interest.v1 import dragons_interest_pb2 as pb
from dragonhall.rules.dragons_interest import events
from dragonhall.rules.dragons_interest.facts import MAX_SEATS, MIN_SEATS, TYPES
from dragonhall.wire.dragons_interest.parts import (
    BUILDING,
    BUILDING_TYPES,
    BY_SEAT,
    CHEST,
    CONTRACT,
    OPTIONAL_BUILDING,
    SEATS,
    TILE,
    TILES,
    TOKEN,
)
from dragonhall.wire.shapes import ManyEnumValues, ManyInner, OneOf, Shape

_REVEALED_BID: Final = Shape(pb.RevealedBid, events.RevealedBid, contract=CONTRACT)
_INVASION_LOSS: Final = Shape(pb.InvasionLoss, events.InvasionLoss, building=OPTIONAL_BUILDING)
_INTEREST_PAYMENT: Final = Shape(pb.InterestPayment, events.InterestPayment)
_HOLDING: Final = Shape(pb.Holding, events.Holding)
_PASSED: Final = ManyEnumValues(BUILDING_TYPES, least=1, most=1 + TYPES)
"""One stack, and one more for each Calendar, of which every stack may show one."""


def _one_a_seat(shape: Shape) -> ManyInner:
    return ManyInner(shape, least=MIN_SEATS, most=MAX_SEATS)


EVENT: Final = OneOf(
    pb.Event,
    "event",
    tiles_turned_up=Shape(pb.TilesTurnedUp, events.TilesTurnedUp, tiles=TILES),
    round_started=Shape(pb.RoundStarted, events.RoundStarted),
    bids_revealed=Shape(pb.BidsRevealed, events.BidsRevealed, bids=_one_a_seat(_REVEALED_BID), take_order=SEATS),
    contract_returned=Shape(pb.ContractReturned, events.ContractReturned, contract=CONTRACT),
    tile_taken=Shape(pb.TileTaken, events.TileTaken, tile=TILE, contract=CONTRACT),
    gold_collected_again=Shape(pb.GoldCollectedAgain, events.GoldCollectedAgain, amounts=BY_SEAT),
    passed=Shape(pb.Passed, events.Passed),
    building_activated=Shape(pb.BuildingActivated, events.BuildingActivated, building=BUILDING),
    income_taken=Shape(pb.IncomeTaken, events.IncomeTaken, token=TOKEN, amounts=BY_SEAT),
    offer_made=Shape(pb.OfferMade, events.OfferMade, chest=CHEST),
    offer_accepted=Shape(pb.OfferAccepted, events.OfferAccepted, chest=CHEST),
    offer_matched=Shape(pb.OfferMatched, events.OfferMatched, chest=CHEST, building=BUILDING),
    stake_placed=Shape(pb.StakePlaced, events.StakePlaced, token=TOKEN),
    commitments_revealed=Shape(pb.CommitmentsRevealed, events.CommitmentsRevealed, token=TOKEN, amounts=BY_SEAT),
    stake_won=Shape(pb.StakeWon, events.StakeWon, stake_token=TOKEN, commitment_token=TOKEN),
    stake_kept=Shape(pb.StakeKept, events.StakeKept, stake_token=TOKEN, commitment_token=TOKEN),
    stake_returned=Shape(pb.StakeReturned, events.StakeReturned, stake_token=TOKEN),
    tiles_discarded=Shape(pb.TilesDiscarded, events.TilesDiscarded, tiles=TILES),
    invasion_suffered=Shape(
        pb.InvasionSuffered, events.InvasionSuffered, stack=BUILDING, losses=_one_a_seat(_INVASION_LOSS)
    ),
    interest_waived=Shape(pb.InterestWaived, events.InterestWaived),
    dragon_moved=Shape(pb.DragonMoved, events.DragonMoved, passed=_PASSED),
    interest_paid=Shape(pb.InterestPaid, events.InterestPaid, payments=_one_a_seat(_INTEREST_PAYMENT)),
    game_ended=Shape(pb.GameEnded, events.GameEnded, ruined=SEATS, completed=SEATS, holdings=_one_a_seat(_HOLDING)),
)
