"""What a seat is asked in Dragons, what it may answer, and why other answers are refused.

An answer is an `Action` at the boundary and a small number, its *code*, inside. Codes in ascending order are the
canonical order:

* asked for its turn: 0 draws, 1 + p claims pile p;
* asked for a placement: p plays the drawn card on pile p; with ``hidden_card``, n + p plays the held one (n piles).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from dragonhall.rules.dragons.facts import Card
from dragonhall.rules.errors import IllegalAction

if TYPE_CHECKING:
    from dragonhall.rules.dragons.state import State

DRAW: Final = 0
FIRST_CLAIM: Final = 1

HandCard = Literal["drawn", "held"]
"""One of the two cards that a seat has in hand with ``hidden_card``."""


@dataclass(frozen=True)
class Draw:
    """Take the deck's first card; a placement decision follows."""


@dataclass(frozen=True)
class Place:
    """Put the drawn card on a pile that has no dragon. Without ``hidden_card``."""

    pile: int


@dataclass(frozen=True)
class Play:
    """Put one of the two cards in hand on a pile that has no dragon, and hold the other. With ``hidden_card``."""

    card: HandCard
    pile: int


@dataclass(frozen=True)
class Claim:
    """Place the dragon on a pile that has none, and be out until the year's end."""

    pile: int


Action = Draw | Place | Play | Claim


@dataclass(frozen=True)
class TurnDecision:
    """Draw or claim?"""


@dataclass(frozen=True)
class PlacementDecision:
    """A card was drawn: where does it, or the held one, go?"""

    drawn: Card | None
    """``None`` where the reader may not see it: another seat's, with ``hidden_card``."""


Decision = TurnDecision | PlacementDecision


def action_of(state: State, code: int) -> Action | None:
    """The action that ``code`` would be for the seat whose turn it is, legal or not; ``None`` if it is none at all."""
    seats = state.seats
    if state.is_placing():
        if 0 <= code < seats:
            return Play("drawn", code) if state.deal.hidden_card else Place(code)
        return Play("held", code - seats) if state.deal.hidden_card and seats <= code < 2 * seats else None
    if code == DRAW:
        return Draw()
    return Claim(code - FIRST_CLAIM) if FIRST_CLAIM <= code < FIRST_CLAIM + seats else None


def legal_action_of(state: State, seat: int, code: int) -> Action:
    """The action of a code that is legal for ``seat`` now. Raises `IllegalAction`."""
    check_asked(state, seat)
    action = action_of(state, code)
    if action is None or not state.is_legal(seat, code):
        raise refusal(state, seat, action)
    return action


def code_of(state: State, seat: int, action: Action) -> int:
    """The code of an action that is legal for ``seat`` now. Raises `IllegalAction`."""
    check_asked(state, seat)
    code = _code_here(state, action)
    if code is None or not state.is_legal(seat, code):
        raise refusal(state, seat, action)
    return code


def _code_here(state: State, action: Action) -> int | None:
    """The code that says ``action`` to the question asked now; ``None`` if it does not answer it."""
    hidden_card, placing = state.deal.hidden_card, state.is_placing()
    match action:
        case Draw() if not placing:
            return DRAW
        case Claim(pile) if not placing and 0 <= pile < state.seats:
            return FIRST_CLAIM + pile
        case Place(pile) if placing and not hidden_card and 0 <= pile < state.seats:
            return pile
        case Play(card, pile) if placing and hidden_card and 0 <= pile < state.seats:
            return pile if card == "drawn" else state.seats + pile
    return None


def check_asked(state: State, seat: int) -> None:
    """Raises `IllegalAction` unless it is ``seat``'s turn."""
    if state.is_over():
        raise IllegalAction("the game is over", "End of the Game")
    if seat != state.active:
        raise IllegalAction(f"it is not seat {seat}'s turn but seat {state.active}'s", "How to Play")


def refusal(state: State, seat: int, action: Action | None) -> IllegalAction:
    """Why ``seat``, whose turn it is, may not take ``action``, in words that tell only what all can see."""
    match action:
        case Draw() if state.is_placing():
            return IllegalAction("a card is drawn already: put a card on a pile", "1. Draw a Card")
        case Draw():
            return IllegalAction("the deck is empty: claim a pile", "RD-4")
        case Claim() if state.is_placing():
            return IllegalAction("a card is drawn: put a card on a pile first, claim on a later turn", "How to Play")
        case Place() | Play() if not state.is_placing():
            return IllegalAction("no card is drawn: draw one, or claim a pile", "1. Draw a Card")
        case Place() if state.deal.hidden_card:
            return IllegalAction("say which card: play the drawn or the held one", "More control and some bluffing")
        case Play() if not state.deal.hidden_card:
            return IllegalAction(
                "there are no cards in hand in this game: place the drawn card", "More control and some bluffing"
            )
        case Place(pile) | Play(_, pile) | Claim(pile):
            return _pile_refusal(state, pile)
    return IllegalAction("there is no such action here: choose one of the legal actions", "How to Play")


def _pile_refusal(state: State, pile: int) -> IllegalAction:
    free = ", ".join(str(p) for p in range(state.seats) if state.free_piles >> p & 1)
    if 0 <= pile < state.seats:
        return IllegalAction(f"pile {pile} has a dragon; without one: {free}", "2. Place Their Dragon")
    return IllegalAction(f"there is no pile {pile}; without a dragon: {free}", "Setup")
