"""The view and the scoring breakdown of Dragons as messages."""

from __future__ import annotations

from typing import Final, get_args

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.dragons import outcome, view
from dragonhall.rules.dragons.facts import MAX_SEATS
from dragonhall.wire.dragons.parts import CARD, CARD_COUNTS, CARDS_IN_ORDER, OPTIONAL_CARD
from dragonhall.wire.fields import EnumNames
from dragonhall.wire.shapes import OPTIONAL, ManyEnumValues, ManyInner, Shape

_PILE: Final = Shape(pb.Pile, view.Pile, top=CARD, cards=CARDS_IN_ORDER, claimed_by=OPTIONAL)
_SEAT: Final = Shape(pb.SeatView, view.SeatView, claimed_pile=OPTIONAL, treasure=CARD_COUNTS)
VIEW: Final = Shape(
    pb.View,
    view.View,
    piles=ManyInner(_PILE, most=MAX_SEATS),
    seats=ManyInner(_SEAT, most=MAX_SEATS),
    active_seat=OPTIONAL,
    drawn=OPTIONAL_CARD,
    held=OPTIONAL_CARD,
)

_FAMINES: Final = get_args(outcome.Famine)
BREAKDOWN: Final = Shape(
    pb.Breakdown,
    outcome.Breakdown,
    famines=ManyEnumValues(EnumNames[outcome.Famine](pb.Famine, _FAMINES), most=len(_FAMINES)),
)
