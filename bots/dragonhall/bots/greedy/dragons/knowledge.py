"""Card counting in Dragons: what one seat knows for sure, from its view and the events that it was told.

Treasure is public and so is every card when it is placed. Only the order of the decks is hidden, and with
``hidden_card`` the cards in other hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from dragonhall.bots.policy import Chair
from dragonhall.rules.dragons.events import CardPlaced, YearStarted
from dragonhall.rules.dragons.facts import FACE_OF, FACES, Card, deck_sizes
from dragonhall.rules.dragons.view import View

Counts = list[int]
"""How many cards of each face (`facts`)."""


@dataclass
class Position:
    """The table as one seat knows it, in faces and counts."""

    seats: int
    me: int
    waiting: list[int]
    """Seats without a pile this year, clockwise, the seat whose turn it is first."""
    free_piles: list[int]
    piles: list[Counts]
    """Every card of every pile."""
    owned: list[Counts]
    """By seat: its treasure, the pile that it has claimed this year, and for `me` the card held."""
    unseen: Counts
    """Cards that may come yet, or are in other hands."""
    deck: int
    """Cards left in this year's deck."""
    later: int
    """Cards of the years to come."""
    laid: Counts
    """The card about to be laid on a pile, if one is."""

    @property
    def unseen_total(self) -> int:
        return sum(self.unseen)


def position_of(chair: Chair, view: View, seen: Sequence[Any]) -> Position:
    """What the seat knows of a year in progress. A drawn card is seen, but nobody's yet."""
    piles = pile_contents(chair.seats, seen)
    owned = [_treasure(view, seat) for seat in range(chair.seats)]
    for pile, contents in zip(view.piles, piles, strict=True):
        if pile.claimed_by is not None:
            owned[pile.claimed_by] = _sum(owned[pile.claimed_by], contents)
    if view.held is not None:
        owned[chair.seat][FACE_OF[view.held]] += 1
    active = chair.seat if view.active_seat is None else view.active_seat
    clockwise = [(active + step) % chair.seats for step in range(chair.seats)]
    return Position(
        seats=chair.seats,
        me=chair.seat,
        waiting=[seat for seat in clockwise if view.seats[seat].claimed_pile is None],
        free_piles=[number for number, pile in enumerate(view.piles) if pile.claimed_by is None],
        piles=piles,
        owned=owned,
        unseen=_unseen(chair, view, piles),
        deck=view.deck_size,
        later=sum(deck_sizes(chair.seats, chair.options.extra_year)[view.year :]),
        laid=[0] * FACES,
    )


def pile_contents(seats: int, seen: Sequence[Any]) -> list[Counts]:
    """The cards of this year's piles, closed as they may be: all were shown when they were placed."""
    piles = [[0] * FACES for _ in range(seats)]
    for event in reversed(seen):
        if isinstance(event, CardPlaced):
            piles[event.pile][FACE_OF[event.card]] += 1
        elif isinstance(event, YearStarted):
            for pile, card in zip(piles, event.first_cards, strict=True):
                pile[FACE_OF[card]] += 1
            break
    return piles


def laying(position: Position, card: Card) -> Position:
    """``position`` with ``card`` about to be laid on a pile."""
    return replace(position, laid=_changed([0] * FACES, card, 1))


def exchanged(position: Position, held: Card, drawn: Card) -> Position:
    """``position`` if its seat keeps the drawn card in hand instead of the one held."""
    mine = _changed(_changed(position.owned[position.me], held, -1), drawn, 1)
    owned = [mine if seat == position.me else theirs for seat, theirs in enumerate(position.owned)]
    return replace(position, owned=owned)


def _changed(counts: Counts, card: Card, by: int) -> Counts:
    changed = list(counts)
    changed[FACE_OF[card]] += by
    return changed


def _treasure(view: View, seat: int) -> Counts:
    counts = [0] * FACES
    for entry in view.seats[seat].treasure:
        counts[FACE_OF[entry.card]] += entry.count
    return counts


def _unseen(chair: Chair, view: View, piles: list[Counts]) -> Counts:
    seen = [_treasure(view, seat) for seat in range(chair.seats)] + piles
    shown = map(sum, zip(*seen, strict=True))
    unseen = [total - number for total, number in zip(chair.components.counts, shown, strict=True)]
    for card in (view.drawn, view.held):
        if card is not None:
            unseen[FACE_OF[card]] -= 1
    return unseen


def _sum(left: Counts, right: Counts) -> Counts:
    return [a + b for a, b in zip(left, right, strict=True)]
