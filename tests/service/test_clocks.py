"""Clocks: what is charged, when an answer is due, and that no time gets lost or is counted twice."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragonhall.server.clocks import Clocks, Spent
from dragonhall.server.settings import Bank, PerDecision, SeatState, TimeControl

WAIT = 30
BANK = Bank(initial_us=100, increment_us=7)


def clocks(control: TimeControl | None = BANK, seats: int = 3) -> Clocks:
    return Clocks(control, seats, WAIT)


def test_a_limit_is_the_same_for_every_decision() -> None:
    clock = clocks(PerDecision(50))
    clock.ask([1], 1000)
    assert (clock.deadlines, clock.deadline_us(0), clock.banks) == ({1: 1050}, None, None)
    assert clock.answer(1, 1049) == Spent(1000, 1049, 49, None)
    clock.ask([1], 1100)
    assert clock.deadlines == {1: 1150}


def test_a_bank_is_used_up_and_filled_by_the_increment() -> None:
    clock = clocks()
    clock.ask([0], 1000)
    assert clock.answer(0, 1040) == Spent(1000, 1040, 40, 67)
    clock.ask([0], 1050)
    assert clock.deadlines == {0: 1117}
    assert clock.banks == {0: 67, 1: 100, 2: 100}


def test_a_bank_is_never_below_zero_and_the_next_decision_has_the_increment() -> None:
    clock = clocks()
    clock.ask([0], 1000)
    assert clock.answer(0, 1130) == Spent(1000, 1130, 130, 7)
    clock.ask([0], 1200)
    assert clock.deadlines == {0: 1207}


def test_seats_that_are_asked_at_once_have_the_latest_of_their_deadlines_for_good() -> None:
    clock = clocks()
    clock.ask([0], 0)
    clock.answer(0, 90)
    clock.ask([0, 1, 2], 1000)
    assert clock.deadlines == {0: 1100, 1: 1100, 2: 1100}
    clock.answer(1, 1001)
    clock.answer(2, 1002)
    assert clock.deadlines == {0: 1100}
    assert clock.answer(0, 1100).bank_us == 7  # it had 17, and is charged all of it


def test_a_substitute_has_a_bank_of_its_own_and_the_owners_is_kept() -> None:
    clock = clocks()
    clock.ask([0], 1000)
    clock.change(0, SeatState.VACANT, 1040)
    assert (clock.deadlines, clock.banks) == ({0: 1040 + WAIT}, {0: 60, 1: 100, 2: 100})
    clock.change(0, SeatState.SUBSTITUTED, 1050)
    assert (clock.deadlines, clock.banks) == ({0: 1150}, {0: 100, 1: 100, 2: 100})
    assert clock.answer(0, 1080) == Spent(1050, 1080, 30, 77)
    clock.change(0, SeatState.VACANT, 1085)
    clock.ask([0], 1086)
    clock.change(0, SeatState.SUBSTITUTED, 1090)
    assert clock.banks == {0: 100, 1: 100, 2: 100}
    clock.change(0, SeatState.PLAYING, 1095)
    assert clock.banks == {0: 60, 1: 100, 2: 100}


def test_whoever_takes_a_seat_back_has_a_tenth_at_least() -> None:
    clock = clocks()
    clock.ask([0], 1000)
    clock.change(0, SeatState.VACANT, 1100)
    clock.change(0, SeatState.PLAYING, 1105)
    assert (clock.deadlines, clock.banks) == ({0: 1115}, {0: 10, 1: 100, 2: 100})


def test_leaving_and_coming_back_does_not_renew_a_decisions_limit() -> None:
    clock = clocks(PerDecision(100))
    clock.ask([0], 1000)
    clock.change(0, SeatState.VACANT, 1070)
    clock.change(0, SeatState.PLAYING, 1080)
    assert clock.deadlines == {0: 1110}
    clock.answer(0, 1100)
    clock.ask([0], 1200)
    assert clock.deadlines == {0: 1300}


@pytest.mark.parametrize("control", [BANK, PerDecision(100)])
def test_leaving_and_coming_back_for_ever_is_not_time_without_end(control: TimeControl) -> None:
    clock = clocks(control)
    clock.ask([0], 1000)
    clock.change(0, SeatState.VACANT, 1099)
    for time_us in range(1100, 1110):
        clock.change(0, SeatState.PLAYING, time_us)
        assert clock.deadlines == {0: 1110}
        clock.change(0, SeatState.VACANT, time_us + 1)
        assert clock.deadlines == {0: 1099 + WAIT}
    clock.change(0, SeatState.PLAYING, 1200)
    assert clock.deadlines == {0: 1200}
    clock.change(0, SeatState.VACANT, 1200)
    assert clock.deadlines == {0: 1200}
    clock.answer(0, 1200)
    clock.change(0, SeatState.PLAYING, 1250)
    clock.ask([0], 1300)
    clock.change(0, SeatState.VACANT, 1500)
    assert clock.deadlines == {0: 1500 + WAIT}
    clock.change(0, SeatState.PLAYING, 1501)
    assert clock.deadlines == {0: 1511}


@pytest.mark.parametrize("control", [BANK, PerDecision(100)])
def test_substitutes_that_come_and_go_for_ever_are_not_time_without_end(control: TimeControl) -> None:
    clock = clocks(control)
    clock.ask([0], 1000)
    clock.change(0, SeatState.VACANT, 1000)
    clock.change(0, SeatState.SUBSTITUTED, 1010)
    assert clock.deadlines == {0: 1110}
    for time_us in range(1020, 1100, 10):
        clock.change(0, SeatState.VACANT, time_us)
        assert clock.deadlines == {0: max(time_us, 1000 + WAIT)}
        clock.change(0, SeatState.SUBSTITUTED, time_us)
        assert clock.deadlines == {0: 1110}
    clock.change(0, SeatState.PLAYING, 1100)
    clock.change(0, SeatState.VACANT, 1100)
    clock.change(0, SeatState.SUBSTITUTED, 1200)
    assert clock.deadlines == {0: 1210}
    clock.answer(0, 1205)
    clock.ask([0], 1300)
    clock.change(0, SeatState.VACANT, 1310)
    clock.change(0, SeatState.SUBSTITUTED, 1320)
    assert clock.deadlines == {0: 1420}


def test_a_vacant_seat_waits_for_its_substitute_also_in_a_game_without_limits() -> None:
    clock = clocks(None)
    clock.ask([0], 1000)
    assert clock.deadlines == {}
    clock.change(0, SeatState.VACANT, 1010)
    assert clock.deadlines == {0: 1010 + WAIT}
    clock.change(0, SeatState.SUBSTITUTED, 1020)
    assert clock.deadlines == {}


@pytest.mark.parametrize("state", [SeatState.AWAY, SeatState.FORFEITED])
def test_a_seat_that_nobody_plays_is_charged_nothing_and_has_no_deadline(state: SeatState) -> None:
    clock = clocks()
    clock.change(0, state, 900)
    clock.ask([0], 1000)
    assert clock.deadlines == {}
    assert clock.answer(0, 1040) == Spent(1000, 1040, 0, 100)


def test_an_outage_moves_deadlines_and_is_not_charged() -> None:
    clock = clocks()
    clock.ask([0], 1000)
    assert clock.note_outage(1030, 2030) == 1000
    assert clock.deadlines == {0: 2100}
    assert clock.answer(0, 2040) == Spent(1000, 2040, 40, 67)


def test_an_outage_does_not_bring_a_deadline_back_that_had_passed() -> None:
    clock = clocks()
    clock.ask([0], 1000)
    clock.note_outage(1100, 5000)
    assert clock.deadlines == {0: 1100}


def test_time_down_is_counted_once_however_often_it_is_noted() -> None:
    clock = clocks()
    clock.ask([0], 1000)
    assert [clock.note_outage(1010, 1020), clock.note_outage(1010, 1030), clock.note_outage(1015, 1025)] == [10, 10, 0]
    assert clock.deadlines == {0: 1120}
    assert clock.answer(0, 1050).charged_us == 30


@dataclass
class Timeline:
    """One decision, and the outages around it, in any order."""

    asked: int
    answered_after: int
    outages: list[tuple[int, int]] = field(default_factory=list)


@st.composite
def timelines(draw: st.DrawFn) -> Timeline:
    times = st.integers(0, 400)
    timeline = Timeline(draw(times), draw(times))
    for _ in range(draw(st.integers(0, 5))):
        begin = draw(times)
        timeline.outages.append((begin, begin + draw(st.integers(-5, 90))))
    return timeline


CONTROLS = st.one_of(
    st.builds(PerDecision, st.integers(1, 200)), st.builds(Bank, st.integers(1, 200), st.integers(0, 30))
)


@given(timelines(), CONTROLS)
def test_what_is_charged_and_what_is_not_is_the_time_that_passed(timeline: Timeline, control: TimeControl) -> None:
    clock = clocks(control)
    clock.ask([0], timeline.asked)
    for begin, end in timeline.outages:
        clock.note_outage(begin, end)
    arrived = timeline.asked + timeline.answered_after
    down = {us for begin, end in timeline.outages for us in range(begin, end)}
    spent = clock.answer(0, arrived)
    assert spent.charged_us + len(down & set(range(timeline.asked, arrived))) == arrived - timeline.asked


@example(Timeline(asked=0, answered_after=2, outages=[(1, 2)]), PerDecision(1))
@given(timelines(), CONTROLS)
def test_an_answer_is_in_time_as_long_as_its_bank_lasts(timeline: Timeline, control: TimeControl) -> None:
    clock = clocks(control)
    clock.ask([0], timeline.asked)
    left = clock.deadlines[0] - timeline.asked
    arrived = timeline.asked + timeline.answered_after
    for begin, end in timeline.outages:
        clock.note_outage(begin, min(end, arrived))
    deadline = clock.deadlines[0]
    charged = clock.answer(0, arrived).charged_us
    if arrived <= deadline:
        assert charged <= left
    else:  # all was used; and no more, if the server went down at the very moment of the deadline
        assert charged >= left


def test_an_answer_that_is_taken_back_gives_no_time_back() -> None:
    clock = Clocks(PerDecision(100), 2, WAIT)
    for _ in range(2):
        clock.ask([0, 1], 1000)
        clock.answer(0, 1030)
        clock.ask_again(0, 2000, clock.left_us(0))
        assert clock.deadlines == {0: 2070, 1: 1100}
        clock.answer(0, 2050)
        clock.ask_again(0, 3000, clock.left_us(0))
        assert clock.deadline_us(0) == 3020
        clock.answer(0, 3000)
        clock.answer(1, 1000)  # the next decision has the whole limit again


def test_an_increment_is_gone_with_its_answer_and_time_for_what_was_asked_since_is_charged() -> None:
    clock = Clocks(Bank(100, 7), 2, WAIT)
    clock.ask([0], 1000)
    clock.answer(0, 1040)
    left = clock.left_us(0)
    clock.ask([0], 1040)
    clock.ask_again(0, 1050, left)
    assert clock.banks == {0: 50, 1: 100}
    assert clock.deadlines == {0: 1100}
    clock.answer(0, 1100)
    assert clock.left_us(0) == 7
    clock.ask_again(0, 1100, 7)
    assert clock.deadlines == {0: 1100}


@pytest.mark.parametrize("control", [Bank(100, 7), PerDecision(100)])
def test_two_answers_that_are_taken_back_one_after_the_other_give_no_time_back(control: TimeControl) -> None:
    clock = Clocks(control, 2, WAIT)
    clock.ask([0], 1000)
    clock.answer(0, 1010)
    first = clock.left_us(0)
    clock.ask([0], 1010)
    clock.answer(0, 1060)
    clock.ask_again(0, 1100, clock.left_us(0))
    clock.ask_again(0, 1101, first)
    assert clock.deadlines == {0: 1101 + 100 - 10 - 50 - 1}
