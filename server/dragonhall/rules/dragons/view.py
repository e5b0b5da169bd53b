"""What is seen on the table of Dragons, by a seat or by a spectator.

A view is put together from the pieces below; only the last two ask who is looking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dragonhall.rules.dragons.facts import CARDS, FACES, Card, CardCount, card_counts

if TYPE_CHECKING:
    from dragonhall.rules.dragons.state import State


@dataclass(frozen=True)
class Pile:
    """A treasure pile as it lies."""

    size: int
    """At least 1."""
    top: Card
    cards: tuple[Card, ...]
    """All cards, bottom first, with ``open_piles``; else empty."""
    claimed_by: int | None
    """The seat whose dragon lies on it."""


@dataclass(frozen=True)
class SeatView:
    """A seat as all see it."""

    claimed_pile: int | None
    """The pile that it claimed this year."""
    holds_card: bool
    """It holds a hidden card."""
    treasure: tuple[CardCount, ...]
    """Of the years that have ended, in the order of `facts.CARDS`."""


@dataclass(frozen=True)
class View:
    """What a reader sees on the table now."""

    year: int
    """From 1."""
    years: int
    """Years played in all, 3 to 5."""
    deck_size: int
    """Cards face down in this year's deck."""
    piles: tuple[Pile, ...]
    """One a seat; none when the game is over."""
    seats: tuple[SeatView, ...]
    active_seat: int | None
    """Whose turn it is; ``None`` when the game is over."""
    drawn: Card | None
    """The card drawn and not yet placed, if the reader sees it: with ``hidden_card`` only in the seat's own view."""
    held: Card | None
    """The reader's own hidden card."""


def view_of(state: State, viewer: int | None) -> View:
    """What seat ``viewer``, or a spectator (``None``), sees. Raises `ValueError` if there is no such seat."""
    if viewer is not None and not 0 <= viewer < state.seats:
        raise ValueError(f"there is no seat {viewer} to look from")
    return View(
        year=state.year,
        years=len(state.deal.deck_ends),
        deck_size=state.deck_size(),
        piles=_piles(state),
        seats=tuple(_seat(state, seat) for seat in range(state.seats)),
        active_seat=None if state.is_over() else state.active,
        drawn=_drawn(state, viewer),
        held=_held(state, viewer),
    )


def _piles(state: State) -> tuple[Pile, ...]:
    return () if state.is_over() else tuple(_pile(state, pile) for pile in range(state.seats))


def _pile(state: State, pile: int) -> Pile:
    faces = state.pile_faces(pile)
    return Pile(
        size=len(faces),
        top=CARDS[faces[-1]],
        cards=tuple(CARDS[face] for face in faces) if state.deal.open_piles else (),
        claimed_by=None if state.free_piles >> pile & 1 else state.pile_owner[pile],
    )


def _seat(state: State, seat: int) -> SeatView:
    counts = state.treasure[seat * FACES : (seat + 1) * FACES]
    return SeatView(
        claimed_pile=_claimed_pile(state, seat),
        holds_card=state.held[seat] >= 0,
        treasure=card_counts(list(counts)),
    )


def _claimed_pile(state: State, seat: int) -> int | None:
    if state.is_over():
        return None
    return next((pile for pile in range(state.seats) if state.pile_owner[pile] == seat), None)


def _drawn(state: State, viewer: int | None) -> Card | None:
    shown = state.is_placing() and (not state.deal.hidden_card or viewer == state.active)
    return state.card(state.drawn) if shown else None


def _held(state: State, viewer: int | None) -> Card | None:
    return state.card(state.held[viewer]) if viewer is not None and state.held[viewer] >= 0 else None
