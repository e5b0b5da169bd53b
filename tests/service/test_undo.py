"""Taking back by consent: what can be taken back, who has to agree, and that afterwards all is as it was before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragonhall.rules.table import Step
from dragonhall.server.game import Plan, Write
from dragonhall.server.happenings import HAPPENINGS, Undone, UndoRequested
from dragonhall.server.log import (
    Cause,
    Created,
    CreatedSeat,
    LogEntry,
    SeatKind,
    SeatTaken,
    SeedSource,
    Started,
)
from dragonhall.server.operations import undo
from dragonhall.server.operations.answers import Choice, answer
from dragonhall.server.playthrough import Frame, Playthrough
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.settings import Settings
from tests.rules.every_game import CASES, Case


@dataclass
class Played:
    """A game in which answers are taken back, and what stands of it."""

    case: Case
    game: Playthrough = field(default_factory=Playthrough)
    frames: list[Frame] = field(default_factory=list)
    standing: list[tuple[int, int]] = field(default_factory=list)
    """Seat and code of every answer that stands."""

    def __post_init__(self) -> None:
        rules, seats = self.case.played.game, self.case.seats
        created = Created(
            rules.name,
            self.case.played.variants[self.case.variant],
            self.case.played.components,
            rules.rules_version,
            (CreatedSeat(SeatKind.OPEN),) * seats,
            "",
            bytes(32),
            SeedSource.SERVER,
            b"",
            Settings(allow_undo=True),
        )
        taken: list[Cause] = [SeatTaken(seat, "Someone", b"", bytes([seat]) * 32) for seat in range(seats)]
        for cause in (created, *taken, Started()):
            self._advance(cause)

    @property
    def table(self) -> Any:
        return self.game.running_table()

    @property
    def waiting(self) -> list[int]:
        """The seats that are asked."""
        return sorted(self.table.tickets) if not self.table.is_over() else []

    def _advance(self, cause: Cause) -> None:
        self.frames.append(self.game.advance(LogEntry(1, cause)).kept())

    def carry_out(self, plan: Plan[Any]) -> Any:
        """An operation, as a live game carries it out. Raises `Refusal`."""
        planned = plan(self.game)
        if not isinstance(planned, Write):
            return planned
        first = len(self.frames)
        for cause in planned.causes:
            self._advance(cause)
        return planned.result(self.frames[first:])

    def answer(self, seat: int, code: int) -> int:
        """``seat`` answers what it is asked; the decision's id."""
        ticket = self.table.tickets[seat]
        action = self.table.game.action(self.table.state, seat, code)
        self.carry_out(answer(seat, ticket.decision_id, Choice(action=action)))
        self.standing.append((seat, code))
        return int(ticket.decision_id)

    def answer_at_random(self, rng: Random) -> int:
        """One of the seats that are asked answers; the decision's id."""
        seat = rng.choice(self.waiting)
        return self.answer(seat, self.case.played.choose(self.table.state, seat, rng))

    def take_back(self, decision_id: int) -> list[int]:
        """The newest answer is taken back, all agreeing; who had to. Raises `Refusal` if it is not possible."""
        seat, _ = self.standing[-1]
        asked = self.carry_out(undo.ask(seat, decision_id))
        had_to_agree = list(self.request.missing) if self.request else []
        assert asked.undone == (not had_to_agree)
        for i, other in enumerate(had_to_agree):
            agreed = self.carry_out(undo.agree(other, decision_id))
            assert agreed.undone == (i == len(had_to_agree) - 1)
            assert agreed.revision == self.game.revision
        self.standing.pop()
        return had_to_agree

    @property
    def request(self) -> UndoRequested | None:
        """The request that stands."""
        return self.frames[-1].undo

    def told(self, viewer: int | None) -> list[Any]:
        """Every event of the game that ``viewer`` was told and that was not taken back."""
        undone = {
            entry.event.undone_revision
            for frame in self.frames
            for entry in frame.entries
            if isinstance(entry.event, Undone)
        }
        return [
            entry.event
            for frame in self.frames
            if frame.revision not in undone
            for entry in frame.entries
            if entry.is_for(viewer) and not isinstance(entry.event, HAPPENINGS)
        ]

    def everything(self) -> Any:
        """How the game stands, for everyone: all but revisions and the numbers of decisions."""
        state, viewers = self.table.state, [None, *range(self.case.seats)]
        return (
            self.case.played.everything(state),
            [state.view(viewer) for viewer in viewers],
            [self.told(viewer) for viewer in viewers],
            [(seat, self.table.tickets[seat].decision, state.legal_runs(seat)) for seat in self.waiting],
        )


def without_what_was_taken_back(played: Played) -> Played:
    """The same game, in which nobody ever answered what was taken back."""
    plain = Played(played.case)
    for seat, code in played.standing:
        plain.answer(seat, code)
    return plain


@settings(max_examples=40)
@given(st.sampled_from(CASES), st.integers(0, 2**32), st.integers(0, 80), st.floats(0, 1))
def test_a_game_in_which_answers_are_taken_back_is_the_game_without_them(
    case: Case, seed: int, answers: int, likely: float
) -> None:
    rng = Random(seed)
    played = Played(case)
    for _ in range(answers):
        if not played.waiting:
            break
        before = played.everything()
        decision_id = played.answer_at_random(rng)
        if rng.random() < likely and played.waiting:
            try_to_take_back(played, decision_id, before)
    plain = without_what_was_taken_back(played)
    assert plain.everything() == played.everything()
    ids = [answer.decision_id for answer in all_tickets(played)]
    assert len(ids) == len(set(ids))
    chance, same_chance = Random(seed), Random(seed)
    while played.waiting:  # what is still to come is the same, too
        played.answer_at_random(chance)
        plain.answer_at_random(same_chance)
    assert plain.everything() == played.everything()
    assert plain.game.outcome == played.game.outcome


def all_tickets(played: Played) -> list[Any]:
    """Every ticket that anybody ever held."""
    return list({id(ticket): ticket for frame in played.frames for ticket in frame.tickets}.values())


def try_to_take_back(played: Played, decision_id: int, before: Any) -> None:
    frame, open_before = played.frames[-1], set(played.frames[-2].tickets)
    step, (seat, _) = frame.step, played.standing[-1]
    assert step is not None
    why = why_not(played, step)
    if why is not None:
        with pytest.raises(Refusal) as caught:
            played.take_back(decision_id)
        assert (caught.value.reason, caught.value.details["why"]) == (Reason.UNDO_NOT_POSSIBLE, why)
        return
    had_to_agree = played.take_back(decision_id)
    assert had_to_agree == who_learnt(frame, step, seat, played.case.seats)
    assert played.everything() == before
    tickets = set(played.frames[-1].tickets)
    (asked_anew,) = tickets - open_before  # the others are asked by the tickets that they had
    assert asked_anew.seat == seat
    assert len(tickets) == len(open_before)


def why_not(played: Played, step: Step) -> str | None:
    if step.chance:
        return "CHANCE"
    return "REVEAL" if any(played.table.game.reveals(entry.event) for entry in step.entries) else None


def who_learnt(frame: Frame, step: Step, asker: int, seats: int) -> Sequence[int]:
    """The other seats that were told any event of the game, or were asked something new."""
    asked = {ticket.seat for ticket in step.opened}
    return [
        seat
        for seat in range(seats)
        if seat != asker and (seat in asked or any(entry.is_for(seat) for entry in step.entries))
    ]
