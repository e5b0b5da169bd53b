"""Seats, and the events that are the service's own: whatever happens in a game that is not the game's doing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, get_args

from dragonhall.rules.game import Outcome
from dragonhall.server.log import CreatedSeat, SeatLeft, SeatSubstituted, SeatTaken, Started, UndoAgreed, UndoEnded
from dragonhall.server.settings import AbortCause, AbsenceCause, SeatState


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat now: as created, who sits on it, and who plays it."""

    seat: int
    created: CreatedSeat
    taken: SeatTaken | None = None
    """Whoever took it first: that player's seat for the whole game."""
    state: SeatState = SeatState.FREE
    substitute: str = ""
    """`SeatState.SUBSTITUTED`: the name of the bot that plays. `SeatState.VACANT`: of the one that is waited for."""
    substitute_taken: SeatSubstituted | None = None
    """`SeatState.SUBSTITUTED`: how it came in."""


@dataclass(frozen=True, slots=True)
class SeatFilled:
    """A seat as it is now that it is taken."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatAnswered:
    """A seat answered a simultaneous decision."""

    seat: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over and its seed revealed."""

    outcome: Outcome
    seed: bytes


@dataclass(frozen=True, slots=True)
class WasAborted:
    """The game ended before it was finished; its seed is revealed."""

    cause: AbortCause
    seed: bytes


@dataclass(frozen=True, slots=True)
class SeatChanged:
    """A seat of the running game is played by someone else from now on, or by nobody."""

    seat: Seat
    cause: AbsenceCause | None
    """Why, of a seat that is away, vacant or forfeited."""


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """A decision was answered by the default action, because the time had run out."""

    seat: int
    decision_id: int


@dataclass(frozen=True, slots=True)
class ServerWasDown:
    """So many microseconds are not charged to anybody."""

    duration_us: int


@dataclass(frozen=True, slots=True)
class UndoRequested:
    """A seat asks to take back its answer."""

    seat: int
    decision_id: int
    undone_revision: int
    missing: tuple[int, ...]
    """The seats that have to agree and have not yet."""


@dataclass(frozen=True, slots=True)
class Undone:
    """The game goes on from before a revision."""

    seat: int
    decision_id: int
    """The decision that was answered; it is asked anew under another id."""
    undone_revision: int


Happening = (
    SeatFilled
    | SeatLeft
    | Started
    | SeatAnswered
    | Finished
    | WasAborted
    | SeatChanged
    | TimeRanOut
    | ServerWasDown
    | UndoRequested
    | UndoAgreed
    | UndoEnded
    | Undone
)
"""The events that are the service's own; all others are the game's."""

HAPPENINGS: Final[tuple[type[object], ...]] = get_args(Happening)
"""The same, to ask an event's type."""
