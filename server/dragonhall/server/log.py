"""A game's log: the causes that made its revisions.

The log is the truth: everything else about a game is a function of it (`dragonhall.server.playthrough`). How the store
keeps an entry is `dragonhall.server.encoding`'s.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

from dragonhall.rules.game import Components
from dragonhall.server.settings import STANDARD, AbortCause, AbsenceCause, AnsweredBy, Settings
from dragonhall.v1.record_pb2 import TimeSpent

SUBSTITUTE_WAIT_US: Final = 30_000_000
"""Where a log does not say how long a substitute is waited for."""


class SeatKind(IntEnum):
    """Who may take a seat; the numbers are those of ``dragonhall.v1.SeatKind``."""

    OPEN = 1
    INVITED = 2
    RESERVED = 3


class SeedSource(IntEnum):
    """Where a seed came from; the numbers are those of ``dragonhall.v1.SeedSource``."""

    SERVER = 1
    HOST = 2


@dataclass(frozen=True, slots=True)
class CreatedSeat:
    """A seat as created."""

    kind: SeatKind
    bot_name: str = ""
    """`SeatKind.RESERVED`: for whom."""
    invitation_hash: bytes = b""
    """`SeatKind.INVITED`: SHA-256 of the code."""


@dataclass(frozen=True, slots=True)
class Created:
    """Revision 1 of every game: all that its play depends on but the nonces and the answers."""

    game: str
    """The rules' name, as ``dragons``."""
    options: Any
    components: Components
    rules_version: int
    seats: tuple[CreatedSeat, ...]
    title: str
    seed: bytes = field(repr=False)
    seed_source: SeedSource
    host_token_hash: bytes
    """Empty: it has no host."""
    settings: Settings = STANDARD
    spectator_token_hash: bytes = b""
    """Of a private game."""
    owner: str = ""
    """Who created it, if callers are known: for that caller's quota, told to nobody."""
    rematch_of: str = ""
    quick_match: bool = False
    imported: bool = False
    substitute_wait_us: int = SUBSTITUTE_WAIT_US
    """How long each decision of a vacant seat waits for the substitute."""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Someone sat down."""

    seat: int
    player_name: str
    nonce: bytes
    token_hash: bytes


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat was given back before the start."""

    seat: int


@dataclass(frozen=True, slots=True)
class Started:
    """All seats are taken and the table is set up."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A ticket was answered, with an action's code and its index among the legal actions."""

    seat: int
    decision_id: int
    code: int
    index: int | None
    """``None`` in logs of servers that did not keep it."""
    by: AnsweredBy = AnsweredBy.SEAT
    arrived_us: int = 0
    """When it reached the server; 0: when it was accepted."""
    thought_us: int | None = None
    """How long the client says it thought; ``None``: it did not say."""
    time: TimeSpent | None = None
    """Of an imported game with a time control: the clock's ledger as its record has it."""


@dataclass(frozen=True, slots=True)
class Aborted:
    """The game ended before it was finished."""

    cause: AbortCause = AbortCause.HOST


@dataclass(frozen=True, slots=True)
class SeatVacated:
    """A seat of the running game went the way of the game's absence policy."""

    seat: int
    cause: AbsenceCause
    also: tuple[int, ...] = ()
    """Seats that did so with it, at once, and for the same cause: they forfeit at one deadline."""

    @property
    def seats(self) -> tuple[int, ...]:
        """All of them."""
        return (self.seat, *self.also)


@dataclass(frozen=True, slots=True)
class SeatSubstituted:
    """A bot took a vacant seat."""

    seat: int
    player_name: str
    token_hash: bytes


@dataclass(frozen=True, slots=True)
class SeatTakenBack:
    """Whoever took the seat first plays again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Outage:
    """The server was down, or could not write: nothing of this time is charged. Unix time in microseconds."""

    from_us: int
    to_us: int


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """A seat asks to take back the newest answer, which was its own."""

    seat: int
    decision_id: int


@dataclass(frozen=True, slots=True)
class UndoAgreed:
    """A seat has nothing against taking back the newest answer."""

    seat: int


@dataclass(frozen=True, slots=True)
class UndoEnded:
    """The request came to nothing: a seat refused, or gave an answer that stands behind this entry."""

    seat: int


@dataclass(frozen=True, slots=True)
class AnswerUndone:
    """The game goes on from before the newest answer."""

    revision: int
    """The revision that is undone."""


Cause = (
    Created
    | SeatTaken
    | SeatLeft
    | Started
    | Answered
    | Aborted
    | SeatVacated
    | SeatSubstituted
    | SeatTakenBack
    | Outage
    | UndoAsked
    | UndoAgreed
    | UndoEnded
    | AnswerUndone
)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One revision: what caused it, and when it was accepted (Unix time in microseconds)."""

    time_us: int
    cause: Cause


class UnreadableLog(Exception):
    """A stored entry that this server cannot read: of a newer server, or damaged."""
