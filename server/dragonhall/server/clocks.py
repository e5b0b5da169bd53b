"""The clocks of one game's seats: what time is charged to whom, and when an answer is due. Arithmetic alone.

A clock is told what happened and when; it never asks what time it is. A seat's time runs while it is asked: from the
entry that asked it (or by which someone else took the seat over) to the arrival of its answer, without outages.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dragonhall.server.settings import Bank, PerDecision, SeatState, TimeControl

BACK_AGAIN: Final = 10
"""Whoever takes a seat back has at least this part (a tenth) of the time that there was at first."""

IN_CHARGE: Final = (SeatState.PLAYING, SeatState.SUBSTITUTED)
"""States of a seat whose player's time runs."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What an answer took. Unix times and durations in microseconds."""

    asked_us: int
    """Since when whoever answered had been asked."""
    arrived_us: int
    """When the answer reached the server, never before it was asked."""
    charged_us: int
    bank_us: int | None
    """What the seat has left afterwards, with its increment; ``None`` without banks."""


class Clocks:
    """The clocks of one running game."""

    def __init__(self, control: TimeControl | None, seats: int, substitute_wait_us: int) -> None:
        self._control = control
        self._wait_us = substitute_wait_us
        self._states = [SeatState.PLAYING] * seats
        self._first_us = _first_us(control)
        self._left_us = [self._first_us] * seats
        """What whoever took the seat has left: in its bank, or for the decision that it is asked."""
        self._substitutes_left_us = [self._first_us] * seats
        self._came_back: set[int] = set()
        """Whoever took a seat back since it was asked last."""
        self._stepped_in: set[int] = set()
        """Seats for which a substitute has come since they were asked last."""
        self._wait_until_us: dict[int, int] = {}
        """Until when a substitute is waited for, of seats that were vacant since they were asked last."""
        self._asked_us: dict[int, int] = {}
        self._due_us: dict[int, int] = {}
        """The deadlines as they would be without outages."""
        self._outages: list[tuple[int, int]] = []
        """Those that may overlap with a decision that is open; ascending, none overlapping another."""

    @property
    def deadlines(self) -> dict[int, int]:
        """When answers are due, by seat: of those that are asked and have a limit."""
        if not self._due_us:
            return {}
        return {seat: self._moved(due, self._asked_us[seat]) for seat, due in self._due_us.items()}

    def deadline_us(self, seat: int) -> int | None:
        """When the answer of ``seat`` is due; ``None``: it is not asked, or has no limit."""
        due_us = self._due_us.get(seat)
        return None if due_us is None else self._moved(due_us, self._asked_us[seat])

    @property
    def banks(self) -> dict[int, int] | None:
        """What is left in the bank of whoever plays a seat, by seat, without the time for decisions that are open."""
        if not isinstance(self._control, Bank):
            return None
        return {seat: self._account(seat)[seat] for seat in range(len(self._states))}

    def ask(self, seats: Iterable[int], time_us: int) -> None:
        """``seats`` are asked at once: those in which somebody's time runs have one deadline, the latest of theirs."""
        if not self._asked_us:
            self._outages.clear()
        together = []
        for seat in seats:
            self._asked_us[seat] = time_us
            self._came_back.discard(seat)
            self._stepped_in.discard(seat)
            self._wait_until_us.pop(seat, None)
            if isinstance(self._control, PerDecision):
                self._left_us[seat] = self._substitutes_left_us[seat] = self._first_us
            if self._states[seat] in IN_CHARGE:
                together.append(seat)
            else:
                self._set_deadline(seat)
        if together and self._control is not None:
            latest = time_us + max(self._account(seat)[seat] for seat in together)
            self._due_us.update(dict.fromkeys(together, latest))

    def answer(self, seat: int, arrived_us: int) -> Spent:
        """An answer ends a seat's decision. Whoever plays the seat is charged for it, and gets the increment."""
        asked_us = self._asked_us[seat]
        arrived_us = max(arrived_us, asked_us)
        charged = self._charge(seat, arrived_us)
        self.close(seat)
        if not isinstance(self._control, Bank):
            return Spent(asked_us, arrived_us, charged, None)
        account = self._account(seat)
        if self._states[seat] in IN_CHARGE:
            account[seat] += self._control.increment_us
        return Spent(asked_us, arrived_us, charged, account[seat])

    def left_us(self, seat: int) -> int:
        """What whoever plays the seat has left, in its bank or of its last decision's limit."""
        return self._account(seat)[seat]

    def ask_again(self, seat: int, time_us: int, left_us: int) -> None:
        """The seat has taken its newest answer back, after which it had ``left_us``, and is asked anew.

        What was spent stays spent, also on what it was asked since; the increment is gone with the answer. Else whoever
        gives and takes back would have time without end.
        """
        account, spent_since_us = self._account(seat), 0
        if seat in self._asked_us:
            self._charge(seat, time_us)
            self.close(seat)
            spent_since_us = self._first_us - account[seat]
        if isinstance(self._control, Bank):
            account[seat] = max(0, account[seat] - self._control.increment_us)
        else:
            account[seat] = max(0, left_us - spent_since_us)
        self._asked_us[seat] = time_us
        self._set_deadline(seat)

    def close(self, seat: int) -> None:
        """The seat is not asked any more."""
        del self._asked_us[seat]
        self._due_us.pop(seat, None)

    def change(self, seat: int, state: SeatState, time_us: int) -> None:
        """Someone else plays the seat from now on, or nobody; its open decision is asked of whoever plays it now."""
        is_asked = seat in self._asked_us
        if is_asked:
            self._charge(seat, time_us)
        self._states[seat] = state
        if state is SeatState.SUBSTITUTED:
            self._step_in(seat)
        elif state is SeatState.PLAYING:
            self._come_back(seat)
        if is_asked:
            self._asked_us[seat] = time_us
            self._set_deadline(seat)

    def _step_in(self, seat: int) -> None:
        """A substitute has all the time that there was at first: once a decision, as who comes back has its part."""
        if seat not in self._stepped_in:
            self._stepped_in.add(seat)
            self._substitutes_left_us[seat] = self._first_us

    def _come_back(self, seat: int) -> None:
        """Gives the time that is needed to begin again: once a decision, or coming and going would give it for ever."""
        if seat not in self._came_back:
            self._came_back.add(seat)
            self._left_us[seat] = max(self._left_us[seat], self._first_us // BACK_AGAIN)

    def note_outage(self, from_us: int, to_us: int) -> int:
        """Nothing of this time is charged, and deadlines that had not passed move by it. Returns how long it was.

        What was noted before is not counted again.
        """
        news = self._not_noted(from_us, to_us)
        self._outages = sorted(self._outages + news)
        return sum(end - begin for begin, end in news)

    def would_count(self, from_us: int, to_us: int) -> bool:
        """Whether it makes a difference to a decision that is open if this outage is noted."""
        earliest = min(self._asked_us.values(), default=to_us)
        return any(end > earliest for _, end in self._not_noted(from_us, to_us))

    def _not_noted(self, from_us: int, to_us: int) -> list[tuple[int, int]]:
        news = []
        for begin, end in self._outages:
            news.append((from_us, min(begin, to_us)))
            from_us = max(from_us, end)
        news.append((from_us, to_us))
        return [(begin, end) for begin, end in news if begin < end]

    def _moved(self, due_us: int, asked_us: int) -> int:
        """A deadline, moved by every outage that began before it."""
        for begin, end in self._outages:
            if begin < due_us:
                due_us += max(0, end - max(begin, asked_us))
        return due_us

    def _account(self, seat: int) -> list[int]:
        """Where the time of whoever plays the seat is kept."""
        is_substitutes = self._states[seat] is SeatState.SUBSTITUTED
        return self._substitutes_left_us if is_substitutes else self._left_us

    def _charge(self, seat: int, until_us: int) -> int:
        """Takes off what whoever plays the seat has used since it was asked; nothing, if nobody plays it."""
        if self._states[seat] not in IN_CHARGE:
            return 0
        asked_us = self._asked_us[seat]
        down = sum(max(0, min(until_us, end) - max(asked_us, begin)) for begin, end in self._outages)
        charged = until_us - asked_us - down
        account = self._account(seat)
        account[seat] = max(0, account[seat] - charged)
        return charged

    def _set_deadline(self, seat: int) -> None:
        """Of a seat that has a deadline of its own."""
        state, asked_us = self._states[seat], self._asked_us[seat]
        self._due_us.pop(seat, None)
        if state is SeatState.VACANT:
            self._due_us[seat] = max(asked_us, self._wait_until_us.setdefault(seat, asked_us + self._wait_us))
        elif state in IN_CHARGE and self._control is not None:
            self._due_us[seat] = asked_us + self._account(seat)[seat]


def _first_us(control: TimeControl | None) -> int:
    match control:
        case PerDecision(limit_us):
            return limit_us
        case Bank(initial_us, _):
            return initial_us
    return 0
