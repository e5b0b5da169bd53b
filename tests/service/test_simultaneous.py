"""Simultaneous decisions: each seat has its own ticket, answers never conflict, and none shows before all are in.

The game here, made up for the test, is nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

import pytest

from dragonhall.rules import GAMES
from dragonhall.rules.actions import Run
from dragonhall.rules.chance import Chance
from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.game import Outcome, SeatResult
from dragonhall.rules.journal import Journal
from dragonhall.server.encoding import decode
from dragonhall.server.game import Write
from dragonhall.server.happenings import Finished, SeatAnswered
from dragonhall.server.log import (
    Answered,
    Cause,
    Created,
    CreatedSeat,
    LogEntry,
    SeatKind,
    SeatTaken,
    SeedSource,
    Started,
)
from dragonhall.server.operations.answers import Choice, answer
from dragonhall.server.playthrough import Playthrough
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.storage.v1 import log_pb2

SEATS = 3


@dataclass(frozen=True)
class Revealed:
    """What everyone chose."""

    choices: tuple[int, ...]


@dataclass
class Chosen:
    """Two rounds in which all seats choose 0 or 1 in secret."""

    seats: int = SEATS
    rounds: int = 2
    choices: dict[int, int] = field(default_factory=dict)

    def copy(self) -> Chosen:
        return Chosen(self.seats, self.rounds, dict(self.choices))

    def is_over(self) -> bool:
        return self.rounds == 0

    def pending(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.choices] if self.rounds else []

    def decision(self, seat: int) -> str:
        return "choose"

    public_decision = decision

    def legal_runs(self, seat: int) -> list[Run]:
        return [Run(0), Run(1)]

    def apply(self, seat: int, action: int, chance: Chance, journal: Journal | None) -> None:
        self.choices[seat] = action
        if len(self.choices) == self.seats:
            if journal is not None:
                journal.tell(Revealed(tuple(self.choices[seat] for seat in range(self.seats))))
            self.choices = {}
            self.rounds -= 1

    def outcome(self) -> Outcome:
        return Outcome(tuple(SeatResult(seat, 0, 1, False, None) for seat in range(self.seats)))

    standing = outcome


class Choosing:
    """The game's rules, as far as a table asks for them."""

    name = "choosing"
    rules_version = 1

    def new(self, components: Any, options: Any, seats: int, chance: Chance, journal: Journal | None) -> Chosen:
        return Chosen(seats)

    def action(self, state: Chosen, seat: int, code: int) -> int:
        if code not in (0, 1):
            raise IllegalAction("choose 0 or 1", "the test's")
        return code

    def code(self, state: Chosen, seat: int, action: int) -> int:
        return self.action(state, seat, action)


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Playthrough:
    """A game that has just started, at revision 5."""
    monkeypatch.setitem(GAMES, "choosing", Choosing())
    seats = (CreatedSeat(SeatKind.OPEN),) * SEATS
    created = Created("choosing", None, None, 1, seats, "", bytes(32), SeedSource.SERVER, b"")  # type: ignore[arg-type]
    playthrough = Playthrough()
    causes: list[Cause] = [created, *(SeatTaken(seat, "Someone", b"", b"") for seat in range(SEATS)), Started()]
    for cause in causes:
        playthrough.advance(LogEntry(1, cause))
    return playthrough


def carry_out(game: Playthrough, seat: int, decision_id: int, index: int) -> tuple[int, list[object]]:
    """One answer, as a live game carries it out: its revision, and what happened."""
    planned = answer(seat, decision_id, Choice(index))(game)
    assert isinstance(planned, Write)
    frame = game.advance(LogEntry(2, planned.causes[0]))
    assert planned.result([frame]).revision == frame.revision
    return frame.revision, [entry.event for entry in frame.entries]


def test_each_seat_is_asked_with_a_ticket_of_its_own(game: Playthrough) -> None:
    assert game.table is not None
    tickets = sorted(game.table.tickets.values(), key=lambda ticket: ticket.seat)
    assert [(ticket.seat, ticket.decision_id) for ticket in tickets] == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("order", list(permutations(range(SEATS))))
def test_answers_in_any_order_never_conflict_and_show_when_all_are_in(
    game: Playthrough, order: tuple[int, ...]
) -> None:
    for count, seat in enumerate(order[:-1]):
        revision, events = carry_out(game, seat, seat + 1, seat % 2)
        assert (revision, events) == (6 + count, [SeatAnswered(seat)])
    last = order[-1]
    _, events = carry_out(game, last, last + 1, last % 2)
    assert events == [SeatAnswered(last), Revealed((0, 1, 0))]
    assert game.table is not None
    assert sorted(ticket.decision_id for ticket in game.table.tickets.values()) == [4, 5, 6]


def test_who_is_still_asked_is_told_in_seat_order(game: Playthrough) -> None:
    frame = game.advance(LogEntry(2, Answered(1, 2, 0, 0)))
    assert [ticket.seat for ticket in frame.tickets] == [0, 2]


def test_an_answer_stands_while_the_others_are_still_thinking(game: Playthrough) -> None:
    carry_out(game, 1, 2, 0)
    again = answer(1, 2, Choice(0))(game)
    assert not isinstance(again, Write)
    assert (again.revision, again.repeated) == (6, True)
    with pytest.raises(Refusal) as caught:
        answer(1, 2, Choice(1))(game)
    assert caught.value.reason is Reason.DECISION_ANSWERED


def test_an_answer_of_an_older_log_stands_under_its_index(game: Playthrough) -> None:
    older = log_pb2.LogEntry(time_us=2, answered=log_pb2.Answered(seat=1, decision_id=2, code=1))
    game.advance(decode(older.SerializeToString()))
    again = answer(1, 2, Choice(1))(game)
    assert not isinstance(again, Write)
    assert again.repeated


def test_a_seat_cannot_answer_anothers_ticket(game: Playthrough) -> None:
    carry_out(game, 1, 2, 0)
    for decision_id in (1, 2, 3, 4):
        if decision_id != 1:
            with pytest.raises(Refusal) as caught:
                answer(0, decision_id, Choice(0))(game)
            assert caught.value.reason is Reason.DECISION_UNKNOWN
    carry_out(game, 0, 1, 0)


def test_the_last_answer_ends_the_game(game: Playthrough) -> None:
    for seat in range(SEATS):
        carry_out(game, seat, seat + 1, 1)
    for seat in range(SEATS):
        _, events = carry_out(game, seat, seat + 4, 0)
    assert events[:2] == [SeatAnswered(2), Revealed((0, 0, 0))]
    assert isinstance(events[2], Finished)
    assert game.status.is_over
