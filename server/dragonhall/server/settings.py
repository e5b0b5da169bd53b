"""How a game is held, whatever is played: time, absence, start, visibility. Numbers are those of ``dragonhall.v1``.

Times inside the server are whole microseconds: Unix time for a moment, a count for a duration.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final


class SeatState(IntEnum):
    """Who plays a seat now."""

    FREE = 1
    PLAYING = 2
    AWAY = 3
    VACANT = 4
    SUBSTITUTED = 5
    FORFEITED = 6

    @property
    def is_attended(self) -> bool:
        """Whether somebody plays the seat, or is waited for who may: its decisions are not answered at once."""
        return self in (SeatState.PLAYING, SeatState.VACANT, SeatState.SUBSTITUTED)


class AbsenceCause(IntEnum):
    """Why a seat of a running game is not played by its player any more."""

    TIME = 1
    LEFT = 2


class AbsencePolicy(IntEnum):
    """What happens to a seat whose time runs out, or whose player leaves the running game."""

    DEFAULT_ACTION = 1
    SUBSTITUTE = 2
    FORFEIT = 3


class StartPolicy(IntEnum):
    """When a game starts."""

    WHEN_FULL = 1
    BY_HOST = 2


class Visibility(IntEnum):
    """Who can find and watch a game."""

    PUBLIC = 1
    PRIVATE = 2


class AnsweredBy(IntEnum):
    """Who answered a decision; all but the first two are the default action."""

    SEAT = 1
    SUBSTITUTE = 2
    TIME = 3
    ABSENCE = 4
    FORFEIT = 5

    @property
    def is_default(self) -> bool:
        """Whether nobody chose it."""
        return self not in (AnsweredBy.SEAT, AnsweredBy.SUBSTITUTE)


class AbortCause(IntEnum):
    """Why a game ended before it was finished."""

    HOST = 1
    EXPIRED = 2
    LEFT = 3


@dataclass(frozen=True, slots=True)
class PerDecision:
    """Every decision has the same limit, in microseconds."""

    limit_us: int


@dataclass(frozen=True, slots=True)
class Bank:
    """Every seat has a bank of time for the whole game, and gets the increment for each of its answers."""

    initial_us: int
    increment_us: int = 0


TimeControl = PerDecision | Bank


@dataclass(frozen=True, slots=True)
class Settings:
    """All of a game's settings, as ``dragonhall.v1.GameSettings`` explains them."""

    time_control: TimeControl | None = None
    """``None``: no limits."""
    absence: AbsencePolicy = AbsencePolicy.DEFAULT_ACTION
    substitute_bot: str = ""
    """`AbsencePolicy.SUBSTITUTE`: the bot's name. Else empty."""
    start: StartPolicy = StartPolicy.WHEN_FULL
    visibility: Visibility = Visibility.PUBLIC
    spectator_delay: int = 0
    """In answers, 0 to 1000."""
    allow_undo: bool = False


STANDARD: Final = Settings()
"""Those of a game whose creator has no wishes, and of all games of older logs."""
