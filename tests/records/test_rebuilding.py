"""From a record back to a log: the parts of it that a record has not got are laid out so that they fit."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from dragonhall.rules.dragons.moves import FIRST_CLAIM
from dragonhall.server.log import Answered, AnswerUndone, Outage
from dragonhall.server.operations import undo
from dragonhall.server.rebuilding import CannotBeRebuilt, log_of
from dragonhall.server.services.recording import record_of
from dragonhall.server.settings import AbsencePolicy, PerDecision, Settings
from dragonhall.v1 import record_pb2
from dragonhall.wire.records import verify_record
from tests.records.held_games import record_cut_short
from tests.service.held import SECOND, Held, held

UNDONE = Settings(absence=AbsencePolicy.FORFEIT, allow_undo=True)


async def _undo_newest(the: Held) -> None:
    assert the.game.playthrough.undoing is not None
    given = the.game.playthrough.undoing.newest
    assert given is not None
    asked = await the.game.carry_out(undo.ask(given.seat, given.decision_id))
    for seat in range(5):
        if not asked.undone and seat != given.seat:
            asked = await the.game.carry_out(undo.agree(seat, given.decision_id))
    assert asked.undone


async def _end(the: Held) -> record_pb2.GameRecord:
    for seat in (4, 3, 2, 1):
        await the.leave(seat)
    return record_of(the.game.game_id, the.game.log())


async def _undone_in_chains(folder: Path) -> record_pb2.GameRecord:
    """Three seats claim one after another, and all take it back; two claim again, and take it back; one claims."""
    async with held(folder, UNDONE, seats=5, first_seat=0) as the:
        for claims in (3, 2, 1):
            for pile in range(claims):
                await the.answer(the.asked[0], index=FIRST_CLAIM + pile)
            for _ in range(claims if claims > 1 else 0):
                await _undo_newest(the)
        return await _end(the)


async def test_what_had_been_given_after_an_answer_was_taken_back_before_it(tmp_path: Path) -> None:
    record = await _undone_in_chains(tmp_path)
    seats = [incident.undone.seat for incident in record.steps[1].incidents]
    assert seats == [2, 1, 0, 1, 0]
    log = log_of(record)
    kinds = [type(entry.cause) for entry in log if isinstance(entry.cause, (Answered, AnswerUndone))]
    assert kinds == [*[Answered] * 3, *[AnswerUndone] * 3, *[Answered] * 2, *[AnswerUndone] * 2, Answered]
    again = record_of(record.game_id, log)
    assert verify_record(again).findings == ()
    assert [list(step.decisions) for step in again.steps] == [list(step.decisions) for step in record.steps]
    taken_back = [[incident.undone for incident in step.incidents] for step in record.steps]
    assert [[incident.undone for incident in step.incidents] for step in again.steps] == taken_back


async def test_an_answer_that_nobody_can_have_given_is_named(tmp_path: Path) -> None:
    record = await _undone_in_chains(tmp_path)
    del record.steps[1].incidents[2:]
    with pytest.raises(CannotBeRebuilt, match="step 1, incident 1: no seat can have given this answer here"):
        log_of(record)


async def test_what_was_given_before_is_not_looked_for_without_end(tmp_path: Path) -> None:
    record = await _undone_in_chains(tmp_path)
    incidents = record.steps[1].incidents
    impossible, second, first = incidents[0], incidents[1], incidents[2]
    several = [impossible, *[second] * 400, *[first] * 400]
    impossible.undone.action.dragons.claim.pile = 99
    made = [record_pb2.RecordIncident.FromString(incident.SerializeToString()) for incident in several]
    del incidents[:]
    incidents.extend(made)
    began = time.monotonic()
    with pytest.raises(CannotBeRebuilt, match="step 1, incident 1: no seat"):
        log_of(record)
    assert time.monotonic() - began < 10


async def test_outages_that_were_noted_together_follow_one_another(tmp_path: Path) -> None:
    async with held(tmp_path, Settings(PerDecision(60 * SECOND), AbsencePolicy.FORFEIT), seats=5) as the:
        begun = the.now_us
        the.passes(20)
        the.game.owe(begun + SECOND, begun + 5 * SECOND)
        the.game.owe(begun + 9 * SECOND, begun + 15 * SECOND)
        await the.game.settle()
        record = await _end(the)
    assert _seconds_down(record) == [4, 6]
    log = log_of(record)
    outages = [entry.cause for entry in log if isinstance(entry.cause, Outage)]
    assert [outage.to_us - outage.from_us for outage in outages] == [4 * SECOND, 6 * SECOND]
    assert outages[0].to_us <= outages[1].from_us
    assert _seconds_down(record_of(record.game_id, log)) == [4, 6]


def _seconds_down(record: record_pb2.GameRecord) -> list[int]:
    incidents = [incident for step in record.steps for incident in step.incidents]
    return [one.server_was_down.seconds for one in incidents if one.HasField("server_was_down")]


async def test_seats_that_forfeited_at_once_do_so_again(tmp_path: Path) -> None:
    settings = Settings(PerDecision(60 * SECOND), AbsencePolicy.FORFEIT)
    async with held(tmp_path, settings, seats=4, game="dragons_interest") as the:
        await the.leave(3)
        await the.play_until(3)
        await the.answer(1)
        the.passes(60)
        await the.expire()
        record = record_of(the.game.game_id, the.game.log())
    assert [result.rank for result in record.outcome.results] == [2, 1, 2, 4]
    again = record_of(record.game_id, log_of(record))
    assert again.steps[-1].incidents[-1].revision == again.steps[-1].incidents[-2].revision
    assert again.outcome == record.outcome


async def test_a_log_without_incidents_is_the_same_log(tmp_path: Path) -> None:
    record = await record_cut_short(tmp_path, "dragons_interest", answers=20)
    assert record_of(record.game_id, log_of(record)) == record
