"""What each seat knew: as the record itself says who was told what, and as the table showed it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dragonhall.review import moments
from dragonhall.v1 import record_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.codec import Codec
from dragonhall.wire.records import BadRecord
from tests.records.games import Played, dragonisles_set, moments_of, record_of
from tests.records.held_games import SETTINGS, busy_record, record_cut_short

PLAYED = [
    Played(options={"hidden_card": True}),
    Played(game="dragons_interest", draws=0.2),
    Played(game="dragonisles", components=dragonisles_set(), choices=3),
]
by_game = pytest.mark.parametrize("played", PLAYED, ids=lambda played: played.game)


def told(record: record_pb2.GameRecord, codec: Codec, seat: int) -> list[list[Any]]:
    """For each step: all events that the record says the seat was told before it."""
    before: list[list[Any]] = []
    events: list[Any] = []
    for step in record.steps:
        before.append(list(events))
        events += [
            codec.event_from_proto(event.event) for event in step.events if event.everyone or seat in event.seats
        ]
    return before


@by_game
def test_a_seat_knows_what_the_record_says_it_was_told(played: Played) -> None:
    record = record_of(played)
    heard = [told(record, CODECS[played.game], seat) for seat in range(played.seats)]
    step_of = {decision.decision_id: n for n, step in enumerate(record.steps) for decision in step.decisions}
    found = list(moments(record))
    assert [moment.decision_id for moment in found] == list(range(1, len(step_of) + 1))
    for moment in found:
        assert list(moment.knowledge.events) == heard[moment.seat][step_of[moment.decision_id]]
        assert moment.knowledge.viewer == moment.seat


@by_game
def test_the_view_is_that_of_the_moment_at_which_all_were_asked(played: Played) -> None:
    """Also where several seats are asked at once: what another one has answered meanwhile is not in it."""
    views: dict[tuple[int, int], Any] = {}
    for table in moments_of(played):
        if not any((ticket.decision_id, seat) in views for seat, ticket in table.tickets.items()):
            views |= {(ticket.decision_id, seat): table.state.view(seat) for seat, ticket in table.tickets.items()}
    found = {(moment.decision_id, moment.seat): moment.knowledge.view for moment in moments(record_of(played))}
    assert found == views


@by_game
def test_what_was_played_is_among_what_was_legal(played: Played) -> None:
    for moment in moments(record_of(played)):
        assert moment.words(moment.played)
        assert moment.actions[0] is not None
        assert sum(run.size for run in moment.runs) == len(moment.actions)


def test_words_tell_actions_apart() -> None:
    found = [moment for moment in moments(record_of(PLAYED[2])) if 2 < len(moment.actions) < 200]
    for moment in found[:40]:
        codes = [run.first for run in moment.runs]
        assert len({moment.words(code) for code in codes}) == len(codes)


@pytest.mark.parametrize("name", ["substitute, bank", "forfeit, per decision", "default_action, per decision"])
async def test_it_is_known_who_answered_and_what_was_taken_back(tmp_path: Path, name: str) -> None:
    record = await busy_record(tmp_path, SETTINGS[name], "dragons_interest")
    found = list(moments(record))
    decisions = [decision for step in record.steps for decision in step.decisions]
    undone = [incident for step in record.steps for incident in step.incidents if incident.HasField("undone")]
    assert [moment.by for moment in found] == [decision.by for decision in decisions]
    assert len({moment.by for moment in found}) > 1
    assert undone, "else this shows nothing"
    assert sum(len(moment.taken_back) for moment in found) == len(undone)


async def test_a_game_that_ended_because_all_others_forfeited_is_over(tmp_path: Path) -> None:
    record = await record_cut_short(tmp_path, "dragons", answers=9)
    assert len(list(moments(record))) == sum(len(step.decisions) for step in record.steps)


@by_game
def test_a_record_that_ends_too_early_is_refused(played: Played) -> None:
    record = record_of(played)
    del record.steps[-2:]
    with pytest.raises(BadRecord, match="ends before its game does: only a finished game can be reviewed"):
        list(moments(record))


def test_an_answer_that_was_not_legal_is_refused() -> None:
    record = record_of(PLAYED[0])
    record.steps[1].decisions[0].action.dragons.claim.pile = 17
    with pytest.raises(BadRecord):
        list(moments(record))
