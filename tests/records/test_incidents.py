"""Records of games with clocks, absent players and answers taken back: good as they are, and nothing else is."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dragonhall.server.services.recording import record_of
from dragonhall.server.settings import AbsencePolicy, Bank, PerDecision, Settings
from dragonhall.v1 import game_pb2, record_pb2
from dragonhall.wire.records import UnsupportedRecord, read_record, replay, to_binary, to_data, to_json, verify_record
from tests.records.games import written
from tests.records.held_games import SETTINGS, busy_record, record_cut_short
from tests.records.mutations import mutations
from tests.records.test_foreign_reader import REBUILD
from tests.service.held import SECOND, held

GAMES = ("dragons", "dragons_interest", "dragonisles")
NEW = ("settings", "rematch_of", "steps.revision", "steps.incidents", "steps.decisions.by", "steps.decisions.time")
"""The parts that other records have not got; changes of all others are tried in `test_verify`."""
UNGUARDED = {
    "rematch_of",
    *("steps.incidents.time.seconds", "steps.incidents.time.nanos", "steps.incidents.revision"),
    *("steps.incidents.server_was_down.seconds", "steps.incidents.server_was_down.nanos"),
    *("steps.decisions.time.queue.seconds", "steps.decisions.time.queue.nanos"),  # where the server was down meanwhile
    "steps.incidents.seat.substitute",
}
"""What record.proto says that nothing guards, as far as it still fits what is beside it."""
UNGUARDED_UNDO = {"steps.revision", "steps.incidents", "steps.incidents.undone"}
"""Besides, where answers may be taken back: what was, and with it how many revisions there were."""


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("game", GAMES[:2])
async def test_records_of_games_in_which_everything_happens_are_good(tmp_path: Path, name: str, game: str) -> None:
    record = await busy_record(tmp_path, SETTINGS[name], game)
    assert verify_record(record).findings == ()
    assert read_record(to_json(record).encode()) == read_record(to_binary(record)) == record
    assert sum(1 for _ in replay(record)) == 1 + sum(len(step.decisions) for step in record.steps)


def test_everything_does_happen(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Else what is tried above would be tried of ordinary games."""
    found: Counter[str] = Counter()
    for settings in SETTINGS.values():
        record = asyncio.run(busy_record(tmp_path_factory.mktemp("game"), settings, "dragons_interest", luck=3))
        decisions = [decision for step in record.steps for decision in step.decisions]
        found.update(record_pb2.AnsweredBy.Name(decision.by) for decision in decisions)
        for step in record.steps:
            found.update(str(incident.WhichOneof("incident")) for incident in step.incidents)
            found.update(game_pb2.SeatState.Name(incident.seat.state) for incident in step.incidents)
    assert found.keys() > {f"ANSWERED_BY_{by}" for by in ("SEAT", "SUBSTITUTE", "TIME", "ABSENCE", "FORFEIT")}
    assert found.keys() > {"seat", "server_was_down", "undone"}
    states = ("PLAYING", "AWAY", "VACANT", "SUBSTITUTED", "FORFEITED")
    assert found.keys() > {f"SEAT_STATE_{state}" for state in states}


async def test_a_game_that_ended_by_forfeit_has_one_more_step(tmp_path: Path) -> None:
    record = await _forfeited(tmp_path)
    last = record.steps[-1]
    assert (len(last.decisions), len(last.events), last.time) == (0, 0, record.end_time)
    assert [incident.seat.seat for incident in last.incidents] == [2]
    assert [(result.rank, result.forfeited) for result in record.outcome.results] == [(3, True), (1, False), (2, True)]
    assert verify_record(record).findings == ()


async def _forfeited(folder: Path) -> record_pb2.GameRecord:
    async with held(folder, Settings(Bank(60 * SECOND), AbsencePolicy.FORFEIT), first_seat=1) as the:
        await the.answer(1)
        await the.leave(0)
        await the.answer(1)
        await the.leave(2)
        return record_of(the.game.game_id, the.game.log())


@pytest.mark.parametrize("in_time", [None, 0, 2])
async def test_seats_that_were_late_at_one_deadline_have_one_revision_and_one_rank(
    tmp_path: Path, in_time: int | None
) -> None:
    record = await _late_at_once(tmp_path, in_time)
    late = [seat for seat in range(3) if seat != in_time]
    last = record.steps[-1]
    assert [(one.seat.seat, one.revision) for one in last.incidents] == [(seat, last.revision) for seat in late]
    assert len({result.rank for result in record.outcome.results if result.seat in late}) == 1
    assert verify_record(record).findings == ()
    assert REBUILD["dragons_interest"](to_data(record)) == written(to_data(record))


async def _late_at_once(folder: Path, in_time: int | None = None) -> record_pb2.GameRecord:
    settings = Settings(PerDecision(60 * SECOND), AbsencePolicy.FORFEIT)
    async with held(folder, settings, game="dragons_interest") as the:
        await the.play_until(3)
        if in_time is not None:
            await the.answer(in_time)
        the.passes(60)
        await the.expire()
        return record_of(the.game.game_id, the.game.log())


def _left(record: record_pb2.GameRecord) -> None:
    for incident in record.steps[-1].incidents:
        incident.seat.cause = game_pb2.ABSENCE_CAUSE_LEFT


def _not_at_once(record: record_pb2.GameRecord) -> None:
    record.steps[-1].incidents[0].time.nanos += 1000
    record.steps[-1].incidents[1].time.nanos += 2000
    record.steps[-1].time.nanos += 2000
    record.end_time.nanos += 2000


def _one_after_another(record: record_pb2.GameRecord) -> None:
    record.steps[-1].revision += 1
    record.steps[-1].incidents[1].revision += 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_left, "incident 2, revision: 7 is not between its neighbours'"),
        (_not_at_once, "incident 2, revision: 7 is not between its neighbours'"),
        (_one_after_another, "result of seat 1, rank: 2 in the record, 3 by the replay"),
    ],
)
async def test_only_seats_that_were_late_at_one_deadline_share_a_revision(
    tmp_path: Path, change: Callable[[record_pb2.GameRecord], None], said: str
) -> None:
    record = await _late_at_once(tmp_path, in_time=0)
    change(record)
    found = [str(finding) for finding in verify_record(record).findings]
    assert any(said in finding for finding in found), found


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("game", GAMES[:2])
async def test_a_foreign_reader_reads_what_was_played_and_not_what_was_taken_back(
    tmp_path: Path, name: str, game: str
) -> None:
    record = to_data(await busy_record(tmp_path, SETTINGS[name], game, luck=2))
    assert REBUILD[game](record) == written(record)


@pytest.mark.parametrize("answers", range(0, 60, 3))
@pytest.mark.parametrize("game", GAMES)
async def test_a_foreign_reader_scores_a_game_that_ended_by_forfeit(tmp_path: Path, game: str, answers: int) -> None:
    options = {"hidden_card": True} if game == "dragons" and answers % 2 else {}
    record = to_data(await record_cut_short(tmp_path, game, answers, **options))
    assert REBUILD[game](record) == written(record)


# -- what is said of one change ---------------------------------------------------------------------------------------


def _last_rank(record: record_pb2.GameRecord) -> None:
    record.outcome.results[0].rank, record.outcome.results[2].rank = 2, 3


def _is_not_forfeited(record: record_pb2.GameRecord) -> None:
    record.outcome.results[0].forfeited = False


def _never_left(record: record_pb2.GameRecord) -> None:
    del record.steps[-1].incidents[:]


def _came_back(record: record_pb2.GameRecord) -> None:
    incident = record.steps[-1].incidents.add()
    incident.CopyFrom(record.steps[-1].incidents[0])
    incident.seat.state, incident.seat.cause = game_pb2.SEAT_STATE_PLAYING, game_pb2.ABSENCE_CAUSE_UNSPECIFIED


def _only_away(record: record_pb2.GameRecord) -> None:
    record.steps[-1].incidents[0].seat.state = game_pb2.SEAT_STATE_AWAY


def _in_time(record: record_pb2.GameRecord) -> None:
    record.steps[1].decisions[0].time.charged.seconds = 61


def _richer(record: record_pb2.GameRecord) -> None:
    record.steps[1].decisions[0].time.bank.seconds += 1


def _by_nobody(record: record_pb2.GameRecord) -> None:
    record.steps[1].decisions[0].by = record_pb2.ANSWERED_BY_ABSENCE


def _later(record: record_pb2.GameRecord) -> None:
    record.steps[1].decisions[0].time.queue.seconds = 5


CHANGES: dict[Callable[[record_pb2.GameRecord], None], str] = {
    _last_rank: "result of seat 0, rank: 2 in the record, 3 by the replay",
    _is_not_forfeited: "result of seat 0, forfeited: false in the record, true by the replay",
    _never_left: "has no decision",
    _came_back: "seat 2 cannot be playing after it was forfeited, by the game's settings",
    _only_away: "seat 2 cannot be away after it was playing, by the game's settings",
    _in_time: "decision 1 of seat 1, time, charged: is more than there was: the answer was late",
    _richer: "decision 1 of seat 1, time, bank: 61 s in the record, 60 s by the time control",
    _by_nobody: "decision 1 of seat 1, by: absence in the record, the seat is playing by the incidents",
    _later: "decision 1 of seat 1, time, asked + charged + queue: is 5 s off the step's time",
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
async def test_a_change_is_named(tmp_path: Path, change: Callable[[record_pb2.GameRecord], None]) -> None:
    record = await _forfeited(tmp_path)
    change(record)
    found = [str(finding) for finding in verify_record(record).findings]
    assert any(CHANGES[change] in finding for finding in found), found


async def test_another_action_than_the_default_is_named(tmp_path: Path) -> None:
    record = await busy_record(tmp_path, SETTINGS["default_action, per decision"], "dragons_interest")
    for step in record.steps:
        for decision in step.decisions:
            if decision.by == record_pb2.ANSWERED_BY_SEAT:
                decision.by = record_pb2.ANSWERED_BY_TIME
    found = [str(finding) for finding in verify_record(record).findings]
    assert any("default action: " in finding and " in the record, " in finding for finding in found), found
    assert any("time had not run out" in finding for finding in found), found


@pytest.mark.parametrize(("allow_undo", "luck"), [(False, 38), (True, 73)])
async def test_every_single_change_is_found_but_those_that_nothing_guards(
    tmp_path: Path, allow_undo: bool, luck: int
) -> None:
    settings = replace(SETTINGS["default_action, bank"], allow_undo=allow_undo)
    record = await busy_record(tmp_path, settings, "dragons", luck)
    happened = {incident.WhichOneof("incident") for step in record.steps for incident in step.incidents}
    assert happened == {"seat", "server_was_down", "undone"} - (set() if allow_undo else {"undone"})
    tried = [mutation for mutation in mutations(record) if mutation.name.startswith(NEW)]
    accepted = {mutation.name for mutation in tried if _accepted(mutation.of(record))}
    accepted = {name for name in accepted if not name.startswith("steps.incidents.undone.")}
    assert accepted <= (UNGUARDED | UNGUARDED_UNDO if allow_undo else UNGUARDED)


def _accepted(record: record_pb2.GameRecord) -> bool:
    try:
        return verify_record(record).ok
    except UnsupportedRecord:
        return False
