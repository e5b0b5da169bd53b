"""What happens in Dragons and who is told: every event, and every audience, is in this module.

An event's field that a reader may not know is ``None`` in that reader's copy of the event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dragonhall.rules.dragons.facts import CARDS, Card
from dragonhall.rules.dragons.moves import HandCard
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragons.state import State


@dataclass(frozen=True)
class YearStarted:
    """A new deck lies in the middle, and each pile got its first card."""

    year: int
    """From 1."""
    first_seat: int
    first_cards: tuple[Card, ...]
    """One a pile, in pile order."""
    deck_size: int
    """Cards left face down, hidden cards (still to be dealt) included."""


@dataclass(frozen=True)
class HiddenCardDealt:
    """A seat got its hidden card of the year (RD-3)."""

    seat: int
    card: Card | None
    """Known to the seat alone."""


@dataclass(frozen=True)
class CardDrawn:
    """A seat drew."""

    seat: int
    card: Card | None
    """With ``hidden_card`` known to the seat alone."""
    deck_size: int
    """Cards left in the deck after it."""


@dataclass(frozen=True)
class CardPlaced:
    """A card was put on a pile, for all to see."""

    seat: int
    pile: int
    card: Card
    played: HandCard | None
    """With ``hidden_card`` and for the seat alone: which of its two cards it was."""


@dataclass(frozen=True)
class PileClaimed:
    """A dragon was placed."""

    seat: int
    pile: int


@dataclass(frozen=True)
class LastPileTaken:
    """A single seat was left without a pile: it took the last one and the rest of the deck."""

    seat: int
    pile: int
    rest_of_deck: tuple[Card, ...]
    """In deck order."""


@dataclass(frozen=True)
class Haul:
    """What a seat carried home."""

    seat: int
    pile: int
    cards: tuple[Card, ...]
    """The pile, bottom card first."""
    rest_of_deck: tuple[Card, ...]
    """In deck order; empty but for the last remaining seat."""
    hidden_card: Card | None
    """The card left in hand; ``None`` without ``hidden_card``."""


@dataclass(frozen=True)
class YearEnded:
    """Every seat's haul is laid open."""

    year: int
    hauls: tuple[Haul, ...]
    """In seat order."""


Event = YearStarted | HiddenCardDealt | CardDrawn | CardPlaced | PileClaimed | LastPileTaken | YearEnded

_REVEALING: Final = (YearStarted, HiddenCardDealt, CardDrawn, LastPileTaken, YearEnded)


def reveals(event: Event) -> bool:
    """Whether somebody sees cards that were hidden. A card that is placed was, if it comes from a hand."""
    return isinstance(event, _REVEALING) or (isinstance(event, CardPlaced) and event.played is not None)


def tell_year_started(state: State, journal: Journal) -> None:
    """Everyone sees the first cards."""
    first_cards = tuple(state.card(state.pile_top[pile]) for pile in range(state.seats))
    journal.tell(YearStarted(state.year, state.active, first_cards, state.deck_size()))


def tell_hidden_card(state: State, seat: int, journal: Journal) -> None:
    """Everyone sees that ``seat`` was dealt a card, the seat itself sees which."""
    journal.tell_only(seat, HiddenCardDealt(seat, state.card(state.held[seat])))
    journal.tell_others(seat, HiddenCardDealt(seat, None))


def tell_drawn(state: State, journal: Journal) -> None:
    """A drawn card is shown to all, or with ``hidden_card`` to the seat that drew it."""
    seat, card, deck_size = state.active, state.card(state.drawn), state.deck_size()
    if state.deal.hidden_card:
        journal.tell_only(seat, CardDrawn(seat, card, deck_size))
        journal.tell_others(seat, CardDrawn(seat, None, deck_size))
    else:
        journal.tell(CardDrawn(seat, card, deck_size))


def tell_placed(state: State, pile: int, played: HandCard, journal: Journal) -> None:
    """Everyone sees the card on the pile; with ``hidden_card``, only the seat knows which of its two it was."""
    seat, card = state.active, state.card(state.pile_top[pile])
    if state.deal.hidden_card:
        journal.tell_only(seat, CardPlaced(seat, pile, card, played))
        journal.tell_others(seat, CardPlaced(seat, pile, card, None))
    else:
        journal.tell(CardPlaced(seat, pile, card, None))


def tell_claimed(seat: int, pile: int, journal: Journal) -> None:
    """Everyone sees where a dragon lies."""
    journal.tell(PileClaimed(seat, pile))


def tell_year_ended(state: State, last_seat: int, journal: Journal) -> None:
    """Everyone sees what ``last_seat`` takes, then all hauls. Told while the piles and hands still lie there."""
    hauls = sorted((_haul(state, pile, last_seat) for pile in range(state.seats)), key=lambda haul: haul.seat)
    last = hauls[last_seat]
    journal.tell(LastPileTaken(last.seat, last.pile, last.rest_of_deck))
    journal.tell(YearEnded(state.year, tuple(hauls)))


def _haul(state: State, pile: int, last_seat: int) -> Haul:
    seat = state.pile_owner[pile]
    return Haul(
        seat=seat,
        pile=pile,
        cards=tuple(CARDS[face] for face in state.pile_faces(pile)),
        rest_of_deck=tuple(CARDS[face] for face in state.deck_faces()) if seat == last_seat else (),
        hidden_card=state.card(state.held[seat]) if state.deal.hidden_card else None,
    )
