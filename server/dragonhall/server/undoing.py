"""Taking back answers by consent: which answer can be taken back, who has to agree, and what was asked and agreed to.

Kept by a game's playthrough as its log is read; what a seat may ask for is decided by `operations.undo`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dragonhall.rules.game import Game
from dragonhall.rules.table import Step
from dragonhall.server.log import Answered
from dragonhall.server.settings import AnsweredBy


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that stands, as far as it matters for taking it back."""

    revision: int
    seat: int
    decision_id: int
    by: AnsweredBy
    drew_chance: bool
    revealed: bool
    """Something hidden was shown to somebody."""
    concerns: frozenset[int]
    """The other seats that were told anything of it, or were asked something because of it."""
    left_us: int
    """What its seat had left on its clock afterwards, in microseconds."""


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """A seat's request to take back the newest answer, as it stands."""

    given: Given
    revision: int
    """Of the request itself."""
    agreed: tuple[tuple[int, int], ...] = ()
    """Who has agreed, and at which revision."""

    def agreed_at(self, seat: int) -> int | None:
        """The revision at which ``seat`` agreed."""
        return dict(self.agreed).get(seat)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """An answer that was taken back."""

    given: Given
    revision: int
    """The one that undid it."""


class Undoing:
    """What was answered, and what became of requests to take answers back."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._given: list[Given] = []
        self.request: UndoRequest | None = None
        """The one that stands."""
        self.taken_back: dict[int, TakenBack] = {}
        """By decision id."""

    @property
    def newest(self) -> Given | None:
        """The newest answer that stands."""
        return self._given[-1] if self._given else None

    def answered(self, revision: int, answered: Answered, step: Step, left_us: int) -> None:
        """An answer was given, after which its seat had ``left_us``."""
        concerned = {ticket.seat for ticket in step.opened} | {
            seat for seat in range(self._game.max_seats) if any(entry.is_for(seat) for entry in step.entries)
        }
        self._given.append(
            Given(
                revision,
                answered.seat,
                answered.decision_id,
                answered.by,
                drew_chance=bool(step.chance),
                revealed=any(self._game.reveals(entry.event) for entry in step.entries),
                concerns=frozenset(concerned - {answered.seat}),
                left_us=left_us,
            )
        )

    def asked(self, revision: int) -> UndoRequest:
        """The newest answer's seat asks to take it back."""
        self.request = UndoRequest(self._given[-1], revision)
        return self.request

    def agreed(self, revision: int, seat: int) -> None:
        """``seat`` has nothing against it."""
        assert self.request is not None
        self.request = replace(self.request, agreed=(*self.request.agreed, (seat, revision)))

    def ended(self) -> None:
        """The request came to nothing."""
        self.request = None

    def undone(self, revision: int) -> Given:
        """The newest answer is taken back. It is returned."""
        given = self._given.pop()
        self.request = None
        self.taken_back[given.decision_id] = TakenBack(given, revision)
        return given

    def missing(self, present: Iterable[int]) -> tuple[int, ...]:
        """Who still has to agree to take the newest answer back, ascending, if the seats ``present`` are played now."""
        given, agreed = self._given[-1], dict(self.request.agreed) if self.request else {}
        return tuple(sorted(seat for seat in present if seat in given.concerns and seat not in agreed))
