"""Taking back among seats that are late or gone: who is not there is not asked; whoever leaves ends or settles it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dragonhall.server.happenings import SeatChanged, Undone
from dragonhall.server.log import Answered, AnswerUndone, Cause, SeatVacated, UndoAsked, UndoEnded
from dragonhall.server.operations import undo
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.settings import AbsencePolicy, AnsweredBy, PerDecision, Settings
from tests.service.held import SECOND, Held, held

UNDO = Settings(allow_undo=True)
TIMED = replace(UNDO, time_control=PerDecision(60 * SECOND))


async def until_asked(the: Held) -> tuple[int, int, list[int]]:
    """Everyone answers by the first action until a seat has asked to take one back: who, which, and the others."""
    while True:
        (seat,), before = the.asked, the.head.tickets
        await the.answer(seat)
        try:
            asked = await the.game.carry_out(undo.ask(seat, before[0].decision_id))
        except Refusal as refusal:
            if refusal.reason is not Reason.UNDO_NOT_POSSIBLE:
                raise
        else:
            assert not asked.undone
            return seat, before[0].decision_id, [other for other in range(3) if other != seat]


def newest(the: Held, count: int) -> list[type[Cause]]:
    """What the newest causes are."""
    return [type(cause) for cause in the.causes()[-count:]]


async def test_of_a_seat_that_is_away_nobody_is_asked(tmp_path: Path) -> None:
    async with held(tmp_path, UNDO, game="dragonisles") as the:
        await until_asked(the)
        _, _, others = await restarted_with_one_away(the)
        request = the.head.undo
        assert request is not None
        assert list(request.missing) == others


async def restarted_with_one_away(the: Held) -> tuple[int, int, list[int]]:
    """The request is refused; another seat leaves; another request is made: who, which, and who is asked."""
    request = the.head.undo
    assert request is not None
    away, other = request.missing
    await the.game.carry_out(undo.refuse(other, request.decision_id))
    if away in the.asked:
        away, other = other, away
    await the.leave(away)
    await the.game.carry_out(undo.ask(request.seat, request.decision_id))
    return request.seat, request.decision_id, [other]


async def test_when_the_last_one_who_was_to_agree_leaves_it_is_done(tmp_path: Path) -> None:
    async with held(tmp_path, UNDO, game="dragonisles") as the:
        seat, decision_id, others = await until_asked(the)
        others.sort(key=lambda other: other in the.asked)
        leaves, agrees = others
        await the.game.carry_out(undo.agree(agrees, decision_id))
        before = the.head.revision
        await the.leave(leaves)
        assert newest(the, 2) == [SeatVacated, AnswerUndone]
        changed, undone = the.events(before)[:2]
        assert isinstance(changed[0], SeatChanged)
        assert undone == [Undone(seat, decision_id, before - 2)]
        assert the.asked == [seat]


async def test_when_who_asked_leaves_the_request_is_at_an_end(tmp_path: Path) -> None:
    async with held(tmp_path, UNDO, game="dragonisles") as the:
        seat, decision_id, others = await until_asked(the)
        await the.leave(seat)
        causes = the.causes()
        vacated = max(i for i, cause in enumerate(causes) if isinstance(cause, SeatVacated))
        assert causes[vacated + 1] == UndoEnded(seat)
        with pytest.raises(Refusal) as caught:
            await the.game.carry_out(undo.agree(others[0], decision_id))
        assert caught.value.details["why"] == "NOT_ASKED"
        with pytest.raises(Refusal) as caught:
            await the.game.carry_out(undo.ask(seat, decision_id))
        assert caught.value.reason is Reason.SEAT_AWAY


async def test_what_was_answered_for_a_seat_is_not_taken_back(tmp_path: Path) -> None:
    async with held(tmp_path, TIMED, game="dragonisles") as the:
        seat, decision_id = the.asked[0], the.head.tickets[0].decision_id
        the.passes(61)
        assert await the.expire()
        assert the.answered()[-1].by is AnsweredBy.TIME
        with pytest.raises(Refusal) as caught:
            await the.game.carry_out(undo.ask(seat, decision_id))
        assert caught.value.details["why"] == "NOT_YOURS"


async def test_a_substitute_has_a_say_and_takes_nothing_back(tmp_path: Path) -> None:
    settings = replace(UNDO, absence=AbsencePolicy.SUBSTITUTE, substitute_bot="greedy")
    async with held(tmp_path, settings, game="dragonisles") as the:
        seat, decision_id, others = await until_asked(the)
        bot, other = others
        await the.leave(bot)
        await the.substitute(bot)
        request = the.head.undo
        assert request is not None
        assert sorted(request.missing) == others
        await the.game.carry_out(undo.agree(other, decision_id))
        done = await the.game.carry_out(undo.agree(bot, decision_id, is_substitute=True))
        assert done.undone
        await the.leave(seat)
        await the.substitute(seat)
        ticket = the.head.tickets[0]
        await the.answer(seat, is_substitute=True)
        with pytest.raises(Refusal) as caught:
            await the.game.carry_out(undo.ask(seat, ticket.decision_id, is_substitute=True))
        assert caught.value.details["why"] == "NOT_YOURS"


async def test_a_deadline_that_passes_ends_the_request(tmp_path: Path) -> None:
    async with held(tmp_path, TIMED, game="dragonisles") as the:
        await until_asked(the)
        late = the.asked[0]
        the.passes(61)
        await the.expire()
        ended, answered = the.causes()[-2:]
        assert ended == UndoEnded(late)
        assert isinstance(answered, Answered)
        assert the.head.undo is None


async def test_a_decision_that_is_asked_anew_has_the_time_that_was_left(tmp_path: Path) -> None:
    async with held(tmp_path, TIMED, game="dragons_interest") as the:
        ticket = the.head.ticket_of(0)
        assert ticket is not None
        the.passes(20)
        await the.answer(0)
        the.passes(5)
        assert (await the.game.carry_out(undo.ask(0, ticket.decision_id))).undone
        assert the.left == {0: 40, 1: 35, 2: 35}
        assert newest(the, 2) == [Answered, AnswerUndone]
        assert UndoAsked not in newest(the, 3)
