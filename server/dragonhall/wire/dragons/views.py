"""The view of Dragons as a message."""

from __future__ import annotations

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.dragons import view
from dragonhall.wire.dragons.parts import (
    card_from,
    card_to,
    cards_from,
    cards_to,
    count_to,
    counts_from,
    optional_card_from,
    optional_card_to,
)
from dragonhall.wire.fields import each, optional


def view_to(seen: view.View) -> pb.View:
    """A view."""
    return pb.View(
        year=seen.year,
        years=seen.years,
        deck_size=seen.deck_size,
        piles=[_pile_to(pile) for pile in seen.piles],
        seats=[_seat_to(seat) for seat in seen.seats],
        active_seat=seen.active_seat,
        drawn=optional_card_to(seen.drawn),
        held=optional_card_to(seen.held),
    )


def view_from(message: pb.View) -> view.View:
    """A view. Raises `InvalidMessage`."""
    return view.View(
        year=message.year,
        years=message.years,
        deck_size=message.deck_size,
        piles=each(message.piles, "piles", _pile_from),
        seats=each(message.seats, "seats", _seat_from),
        active_seat=optional(message, "active_seat"),
        drawn=optional_card_from(message, "drawn", "drawn"),
        held=optional_card_from(message, "held", "held"),
    )


def _pile_to(pile: view.Pile) -> pb.Pile:
    return pb.Pile(size=pile.size, top=card_to(pile.top), cards=cards_to(pile.cards), claimed_by=pile.claimed_by)


def _pile_from(message: pb.Pile, field: str) -> view.Pile:
    return view.Pile(
        size=message.size,
        top=card_from(message.top, f"{field}.top"),
        cards=cards_from(message.cards, f"{field}.cards"),
        claimed_by=optional(message, "claimed_by"),
    )


def _seat_to(seat: view.SeatView) -> pb.SeatView:
    return pb.SeatView(
        claimed_pile=seat.claimed_pile,
        holds_card=seat.holds_card,
        treasure=[count_to(count) for count in seat.treasure],
    )


def _seat_from(message: pb.SeatView, field: str) -> view.SeatView:
    return view.SeatView(
        claimed_pile=optional(message, "claimed_pile"),
        holds_card=message.holds_card,
        treasure=counts_from(message.treasure, f"{field}.treasure"),
    )
