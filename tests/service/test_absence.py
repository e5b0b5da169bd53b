"""Seats that are late or whose player leaves: each policy, substitutes and coming back, forfeits, and late answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from dragonhall.rules import GAMES
from dragonhall.server.clocks import IN_CHARGE
from dragonhall.server.happenings import Finished, SeatAnswered, SeatChanged, ServerWasDown, TimeRanOut
from dragonhall.server.log import Answered, LogEntry, Outage, SeatVacated
from dragonhall.server.operations import undo
from dragonhall.server.playthrough import Frame, Status, replay
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.settings import (
    AbsenceCause,
    AbsencePolicy,
    AnsweredBy,
    Bank,
    PerDecision,
    SeatState,
    Settings,
    TimeControl,
)
from dragonhall.server.store.base import StoreError
from dragonhall.server.store.sqlite import SqliteStore
from tests.service.held import SECOND, START, Held, held

MINUTE = PerDecision(60 * SECOND)
BANK = Bank(100 * SECOND, 5 * SECOND)


def default(control: TimeControl | None = None) -> Settings:
    return Settings(control)


def substituted(control: TimeControl | None = None) -> Settings:
    return Settings(control, AbsencePolicy.SUBSTITUTE, "greedy")


def forfeited(control: TimeControl | None = None) -> Settings:
    return Settings(control, AbsencePolicy.FORFEIT)


async def refusal_of(attempt: Awaitable[Any]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await attempt
    return caught.value


# Time


async def test_without_a_time_control_nothing_is_ever_due(tmp_path: Path) -> None:
    async with held(tmp_path, default()) as the:
        assert the.left == {}
        the.passes(1e6)
        assert not await the.expire()
        assert the.game.line().deadline_us is None


async def test_time_that_ran_out_is_answered_by_the_default_action_and_the_seat_plays_on(tmp_path: Path) -> None:
    async with held(tmp_path, default(MINUTE)) as the:
        (seat,), revision = the.asked, the.head.revision
        ticket = the.head.tickets[0]
        assert the.left == {seat: 60}
        code = GAMES["dragons"].default_action(the.head.state, seat)
        the.passes(59.9)
        assert not await the.expire()
        the.passes(0.1)
        assert await the.expire()
        cause = the.answered()[0]
        assert (cause.seat, cause.code, cause.by) == (seat, code, AnsweredBy.TIME)
        assert the.events(revision)[0][0] == TimeRanOut(seat, ticket.decision_id)
        assert the.states == [SeatState.PLAYING] * 3
        assert list(the.left.values()) == [60]


async def test_a_late_answer_is_refused_and_calls_time_itself(tmp_path: Path) -> None:
    async with held(tmp_path, default(MINUTE)) as the:
        seat, decision_id = the.asked[0], the.head.tickets[0].decision_id
        the.passes(60.1)
        refusal = await refusal_of(the.answer(seat, index=1))
        assert (refusal.reason, refusal.details) == (Reason.TIME_RAN_OUT, {"decision_id": str(decision_id)})
        assert [answered.by for answered in the.answered()] == [AnsweredBy.TIME]
        for index in (0, 1):  # whatever it is, also what stands
            assert (await refusal_of(the.answer(seat, decision_id, index))).reason is Reason.TIME_RAN_OUT
        assert len(the.answered()) == 1


async def test_validating_a_late_answer_changes_nothing(tmp_path: Path) -> None:
    async with held(tmp_path, default(MINUTE)) as the:
        the.passes(61)
        refusal = await refusal_of(the.answer(the.asked[0], validate_only=True))
        assert refusal.reason is Reason.TIME_RAN_OUT
        assert the.answered() == []


async def test_what_counts_is_when_an_answer_arrived_not_when_it_was_accepted(tmp_path: Path) -> None:
    async with held(tmp_path, default(BANK)) as the:
        seat, arrived_us = the.asked[0], START + 20 * SECOND
        the.passes(500)
        await the.answer(seat, arrived_us=arrived_us)
        assert the.banks[seat] == 100 - 20 + 5
        assert the.head.spent is not None
        assert the.head.spent.charged_us == 20 * SECOND


async def test_an_empty_bank_leaves_the_increment_for_the_next_decision(tmp_path: Path) -> None:
    async with held(tmp_path, default(BANK)) as the:
        seat = the.asked[0]
        the.passes(100)
        await the.expire()
        assert the.banks[seat] == 5


async def test_a_deadline_is_known_to_the_keeper_and_to_the_store_never_too_late(tmp_path: Path) -> None:
    async with held(tmp_path, default(BANK)) as the:
        slow = the.asked[0]
        for _ in range(12):
            the.passes(20 if the.asked == [slow] else 0)
            await the.answer(the.asked[0])
            [(game_id, stored_us)] = await the.hub.store.deadlines()
            deadline_us = the.head.deadline_us
            assert (game_id, the.hub.deadlines.earliest_us()) == (the.game.game_id, deadline_us)
            assert deadline_us is not None
            assert deadline_us - 100 * SECOND < stored_us <= deadline_us
        await the.leave((the.asked[0] + 1) % 3)
        await the.leave((the.asked[0] + 2) % 3)
        await the.leave(the.asked[0])
        assert await the.hub.store.deadlines() == []


# Seats that are asked at once


def interest(folder: Path, settings: Settings) -> Any:
    return held(folder, settings, game="dragons_interest")


async def test_seats_that_are_asked_at_once_have_one_deadline_and_time_is_called_for_all_in_one(tmp_path: Path) -> None:
    async with interest(tmp_path, default(BANK)) as the:
        seats = await the.play_until(3)
        first, *late = seats
        deadline = the.head.deadlines[first]
        assert set(the.head.deadlines.values()) == {deadline}
        await the.answer(first)
        assert the.head.deadlines == dict.fromkeys(late, deadline)
        revision = the.head.revision
        the.now_us = deadline
        assert await the.expire()
        causes = the.causes(after=revision)
        assert [(type(cause), getattr(cause, "seat", None)) for cause in causes] == [(Answered, seat) for seat in late]


async def test_who_was_late_is_told_with_what_resolves_the_decision(tmp_path: Path) -> None:
    async with interest(tmp_path, default(MINUTE)) as the:
        seats = await the.play_until(3)
        ids = {ticket.seat: ticket.decision_id for ticket in the.head.tickets}
        revision = the.head.revision
        the.passes(60)
        await the.expire()
        told = the.events(revision)
        assert told[:2] == [[SeatAnswered(seats[0])], [SeatAnswered(seats[1])]]
        assert told[2][:4] == [SeatAnswered(seats[2]), *(TimeRanOut(seat, ids[seat]) for seat in seats)]


# Leaving and coming back


@pytest.mark.parametrize("control", [None, MINUTE])
async def test_a_seat_that_is_away_is_answered_for_at_once(tmp_path: Path, control: TimeControl | None) -> None:
    async with held(tmp_path, default(control)) as the:
        seat, revision = the.asked[0], the.head.revision
        assert await the.leave(seat) == revision + 1
        [changed], *_ = the.events(revision)
        assert isinstance(changed, SeatChanged)
        assert (changed.seat.state, changed.cause) == (SeatState.AWAY, AbsenceCause.LEFT)
        assert {answered.by for answered in the.answered()} == {AnsweredBy.ABSENCE}
        assert the.asked != [seat]
        while the.asked != [(seat - 1) % 3]:
            await the.answer(the.asked[0])
        await the.answer(the.asked[0])
        assert seat not in the.asked
        assert await the.leave(seat) == the.head.revision  # again: nothing changes


async def test_who_is_away_cannot_answer_but_repeat(tmp_path: Path) -> None:
    async with held(tmp_path, substituted()) as the:
        seat, decision_id = the.asked[0], the.head.tickets[0].decision_id
        first = await the.answer(seat)
        await the.leave(seat)
        again = await the.answer(seat, decision_id)
        assert (again.revision, again.repeated) == (first.revision, True)
        refusal = await refusal_of(the.answer(seat, 999))
        assert (refusal.reason, refusal.details) == (Reason.SEAT_AWAY, {"seat": str(seat)})


async def test_a_seat_that_was_taken_back_is_asked_again(tmp_path: Path) -> None:
    async with held(tmp_path, default(MINUTE)) as the:
        seat = the.asked[0]
        await the.leave(seat)
        revision = the.head.revision
        assert await the.take_back(seat) == revision + 1
        assert await the.take_back(seat) == revision + 1
        while the.asked != [seat]:
            await the.answer(the.asked[0])
        await the.answer(seat)
        assert the.answered()[-1].by is AnsweredBy.SEAT


async def test_a_game_that_nobody_attends_waits(tmp_path: Path) -> None:
    async with held(tmp_path, default(MINUTE)) as the:
        for seat in range(3):
            await the.leave(seat)
        revision, asked = the.head.revision, the.asked
        the.passes(3600)
        assert not await the.expire()
        assert (the.head.revision, the.left) == (revision, {})
        await the.take_back(asked[0])
        assert the.left == {asked[0]: 60}
        await the.answer(asked[0])


# Substitutes


async def test_a_vacant_seat_waits_for_its_substitute_and_then_is_answered_for_one_by_one(tmp_path: Path) -> None:
    async with held(tmp_path, substituted()) as the:
        seat = the.asked[0]
        await the.leave(seat)
        assert (the.states[seat], the.head.seats[seat].substitute) == (SeatState.VACANT, "greedy")
        assert (the.game.line().free_bots, the.left) == (("greedy",), {seat: 30})
        the.passes(30)
        assert await the.expire()
        assert the.answered()[-1].by is AnsweredBy.ABSENCE
        assert the.states[seat] is SeatState.VACANT


async def test_a_substitute_plays_until_the_seat_is_taken_back(tmp_path: Path) -> None:
    async with held(tmp_path, substituted(BANK)) as the:
        seat = the.asked[0]
        the.passes(40)
        await the.leave(seat)
        await the.substitute(seat)
        assert (the.states[seat], the.head.seats[seat].substitute) == (SeatState.SUBSTITUTED, "A bot")
        assert (the.left, the.banks[seat], the.game.line().free_bots) == ({seat: 100}, 100, ())
        assert (await refusal_of(the.answer(seat))).reason is Reason.SEAT_AWAY
        the.passes(10)
        await the.answer(seat, is_substitute=True)
        assert (the.answered()[-1].by, the.banks[seat]) == (AnsweredBy.SUBSTITUTE, 95)
        await the.take_back(seat)
        assert (the.states[seat], the.banks[seat]) == (SeatState.PLAYING, 60)
        assert the.head.seats[seat].substitute_taken is None
        assert (await refusal_of(the.answer(seat, 999, is_substitute=True))).reason is Reason.TOKEN_INVALID


async def test_a_seat_whose_time_ran_out_waits_for_its_substitute_with_the_decision(tmp_path: Path) -> None:
    async with held(tmp_path, substituted(MINUTE)) as the:
        seat, tickets = the.asked[0], the.head.tickets
        the.passes(60)
        assert await the.expire()
        assert the.causes()[-1] == SeatVacated(seat, AbsenceCause.TIME)
        assert (the.head.tickets, the.left) == (tickets, {seat: 30})
        assert (await refusal_of(the.answer(seat))).reason is Reason.SEAT_AWAY
        await the.take_back(seat)
        assert the.left == {seat: 6}


async def test_a_substitute_that_stalls_or_leaves_makes_the_seat_vacant_again(tmp_path: Path) -> None:
    async with held(tmp_path, substituted(MINUTE)) as the:
        seat = the.asked[0]
        await the.leave(seat)
        await the.substitute(seat)
        await the.leave(seat)  # the player again: nothing changes
        assert the.states[seat] is SeatState.SUBSTITUTED
        the.passes(60)
        await the.expire()
        assert the.states[seat] is SeatState.VACANT
        assert the.head.seats[seat].substitute_taken is None  # its token proves nothing any more
        await the.substitute(seat)
        await the.leave(seat, is_substitute=True)
        assert the.states[seat] is SeatState.VACANT
        refusal = await refusal_of(the.substitute((seat + 1) % 3))
        assert refusal.reason is Reason.SEAT_UNAVAILABLE


# Forfeits


async def test_a_forfeited_seat_is_answered_for_and_never_comes_back(tmp_path: Path) -> None:
    async with held(tmp_path, forfeited(MINUTE)) as the:
        seat = the.asked[0]
        the.passes(60)
        await the.expire()
        assert the.states[seat] is SeatState.FORFEITED
        assert the.answered()[-1].by is AnsweredBy.FORFEIT
        for attempt in (the.take_back(seat), the.answer(seat, 999)):
            assert (await refusal_of(attempt)).reason is Reason.SEAT_UNAVAILABLE


async def test_the_last_seat_that_has_not_forfeited_wins_at_once(tmp_path: Path) -> None:
    async with held(tmp_path, forfeited()) as the:
        await the.leave(1)
        await the.leave(0)
        assert the.head.status is Status.FINISHED
        assert the.left == {}
        assert the.asked == []
        finished = the.head.entries[-1].event
        assert isinstance(finished, Finished)
        assert {result.seat: result.rank for result in finished.outcome.results} == {2: 1, 0: 2, 1: 3}
        assert (await refusal_of(the.take_back(2))).reason is Reason.GAME_NOT_RUNNING


def final_ranks(the: Held) -> list[int]:
    finished = the.head.entries[-1].event
    assert isinstance(finished, Finished)
    return [result.rank for result in finished.outcome.results]


async def test_when_all_are_late_at_once_all_forfeit_and_nobody_is_better(tmp_path: Path) -> None:
    async with interest(tmp_path, forfeited(MINUTE)) as the:
        await the.play_until(3)
        the.passes(60)
        revision = the.head.revision
        await the.expire()
        assert (the.head.status, the.head.revision) == (Status.FINISHED, revision + 1)
        assert the.states == [SeatState.FORFEITED] * 3
        assert final_ranks(the) == [1, 1, 1]


@pytest.mark.parametrize("in_time", [0, 1, 2])
async def test_two_that_are_late_at_once_share_a_rank_behind_the_one_that_was_not(tmp_path: Path, in_time: int) -> None:
    async with interest(tmp_path, forfeited(MINUTE)) as the:
        await the.play_until(3)
        await the.answer(in_time)
        the.passes(60)
        await the.expire()
        assert the.head.status is Status.FINISHED
        assert final_ranks(the) == [1 if seat == in_time else 2 for seat in range(3)]


async def test_a_later_deadline_is_later_also_if_both_are_noticed_together(tmp_path: Path) -> None:
    async with interest(tmp_path, replace(forfeited(MINUTE), allow_undo=True)) as the:
        await the.play_until(3)
        given = the.head.ticket_of(0)
        assert given is not None
        await the.answer(0)
        the.passes(5)
        await the.game.carry_out(undo.ask(0, given.decision_id))
        assert the.left == {0: 60, 1: 55, 2: 55}
        the.passes(1000)
        await the.expire()
        assert final_ranks(the) == [1, 2, 2]
        assert the.states[0] is SeatState.PLAYING


# The log


async def anything(the: Held, rng: Random) -> None:
    """Something that players, substitutes, the keeper or the store might do now."""
    seat = rng.choice(the.asked + list(range(len(the.states))))
    state = the.states[seat]
    the.passes(rng.choice((0, 1, 5, 40)))
    if rng.random() < 0.05:
        the.game.owe(the.now_us - rng.randrange(20) * SECOND, the.now_us)
    if rng.random() < 0.1:
        await the.leave(seat, is_substitute=state is SeatState.SUBSTITUTED)
    elif state is SeatState.VACANT and rng.random() < 0.5:
        await the.substitute(seat)
    elif state not in (SeatState.PLAYING, SeatState.FORFEITED) and rng.random() < 0.5:
        await the.take_back(seat)
    elif seat in the.asked and state in IN_CHARGE and rng.random() < 0.8:
        with suppress(Refusal):  # too late
            await the.answer(seat, is_substitute=state is SeatState.SUBSTITUTED)
    else:
        await the.expire()


def check_clocks(log: Sequence[LogEntry]) -> None:
    """Who answers was in time, who is answered for was not, and no bank is below zero."""
    before: Frame | None = None
    for entry, (_, frame) in zip(log, replay(log), strict=True):
        cause = entry.cause
        if isinstance(cause, Answered) and before is not None:
            deadline = before.deadlines.get(cause.seat)
            if cause.by in (AnsweredBy.SEAT, AnsweredBy.SUBSTITUTE):
                assert deadline is None or cause.arrived_us <= deadline
            elif cause.by is AnsweredBy.TIME:
                assert deadline is not None
                assert deadline <= entry.time_us
            assert frame.spent is not None
            assert 0 <= frame.spent.charged_us <= entry.time_us - frame.spent.asked_us
        assert min((frame.banks or {0: 0}).values()) >= 0
        before = frame


@pytest.mark.parametrize("control", [None, MINUTE, BANK, Bank(30 * SECOND)])
@pytest.mark.parametrize("policy", [default, substituted, forfeited])
@pytest.mark.parametrize("game", ["dragons", "dragons_interest"])
async def test_whatever_happens_a_game_goes_on_and_comes_back_from_its_log(
    tmp_path: Path, control: TimeControl | None, policy: Callable[[TimeControl | None], Settings], game: str
) -> None:
    rng = Random(game + policy.__name__ + repr(control))
    async with held(tmp_path, policy(control), game=game) as the:
        for _ in range(150):
            if the.head.status.is_over:
                break
            await anything(the, rng)
        log = the.game.log()
        check_clocks(log)
        replayed = [(frame.revision, frame.deadlines, frame.banks, frame.seats) for _, frame in replay(log)]
        published = the.game.frames(len(log) - 7)
        assert replayed[-8:] == [(frame.revision, frame.deadlines, frame.banks, frame.seats) for frame in published]
        assert the.left == {} or the.head.status is Status.RUNNING


# Outages


async def test_time_in_which_nothing_could_be_written_is_not_charged(tmp_path: Path) -> None:
    async with held(tmp_path, default(MINUTE)) as the:
        seat = the.asked[0]
        the.passes(10)
        the.game.owe(the.now_us, the.now_us + 1000 * SECOND)
        the.passes(1010)
        revision = the.head.revision
        await the.answer(seat)
        assert the.events(revision)[0] == [ServerWasDown(1000 * SECOND)]
        assert the.head.spent is not None
        assert the.head.spent.charged_us == 20 * SECOND


async def test_an_outage_is_noted_once_and_only_where_time_counts(tmp_path: Path) -> None:
    async with held(tmp_path, default(MINUTE)) as the:
        for _ in range(2):
            the.game.owe(START, START + SECOND)
            the.game.owe(START + SECOND // 2, START + 2 * SECOND)
            the.passes(2)
            await the.game.settle()
        assert [cause for cause in the.causes() if isinstance(cause, Outage)] == [Outage(START, START + 2 * SECOND)]
        assert the.left == {the.asked[0]: 58}
    (tmp_path / "games.db").unlink()
    async with held(tmp_path, default()) as the:
        the.game.owe(START, START + SECOND)
        await the.game.settle()
        assert not any(isinstance(cause, Outage) for cause in the.causes())


async def test_a_deadline_that_passed_during_an_outage_comes_back(tmp_path: Path) -> None:
    async with held(tmp_path, default(MINUTE)) as the:
        seat = the.asked[0]
        the.passes(50)
        the.game.owe(the.now_us, the.now_us + 100 * SECOND)
        the.passes(100)
        assert not await the.expire()
        assert the.left == {seat: 10}
        the.passes(9)
        await the.answer(seat)
        assert the.answered()[-1].by is AnsweredBy.SEAT


@contextmanager
def read_only(the: Held) -> Iterator[None]:
    """The store takes no writes for a while."""
    connection = cast(SqliteStore, the.hub.store).writer_connection
    connection.execute("PRAGMA query_only = ON")
    yield
    connection.execute("PRAGMA query_only = OFF")


async def test_writes_that_failed_are_an_outage_from_the_first_of_them_to_the_one_that_is_done(tmp_path: Path) -> None:
    async with held(tmp_path, default(MINUTE)) as the:
        seat, decision_id = the.asked[0], the.head.tickets[0].decision_id
        the.passes(10)
        with read_only(the):
            for _ in range(2):
                with pytest.raises(StoreError):
                    await the.answer(seat)
                the.passes(100)
            assert the.left == {seat: -150}  # reads go on, as things stood
        await the.answer(seat, decision_id)
        outage, answered = the.causes()[-2:]
        assert outage == Outage(START + 10 * SECOND, START + 210 * SECOND)
        assert isinstance(answered, Answered)
        assert the.head.spent is not None
        assert the.head.spent.charged_us == 10 * SECOND
        the.passes(5)
        await the.answer(the.asked[0])
        assert the.head.spent.charged_us == 5 * SECOND


async def test_a_game_without_clocks_has_no_outages_in_its_log(tmp_path: Path) -> None:
    async with held(tmp_path, default()) as the:
        with read_only(the), pytest.raises(StoreError):
            await the.answer(the.asked[0])
        the.passes(100)
        await the.answer(the.asked[0])
        assert not any(isinstance(cause, Outage) for cause in the.causes())
