"""Records that are brought in from elsewhere are games like those played here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dragonhall.v1 import game_pb2, game_service_pb2, record_pb2, record_service_pb2
from dragonhall.wire.records import facts_digest, read_record, verify_record
from tests.records.held_games import SETTINGS, busy_record
from tests.records.vectors import RECORD
from tests.service.harness import Running, running


@pytest.fixture
async def elsewhere(tmp_path: Path) -> AsyncIterator[Running]:
    """Another server, which takes records."""
    async with running(tmp_path / "elsewhere.db", allow_imports=True) as server:
        yield server


async def bring(server: Running, record: record_pb2.GameRecord) -> game_pb2.Game:
    return (await server.records.ImportRecord(record_service_pb2.ImportRecordRequest(record=record))).game


def without_revisions(record: record_pb2.GameRecord) -> record_pb2.GameRecord:
    copy = record_pb2.GameRecord()
    copy.CopyFrom(record)
    for step in copy.steps:
        step.ClearField("revision")
        for incident in step.incidents:
            incident.ClearField("revision")
    return copy


async def test_a_game_is_the_same_on_the_server_to_which_it_goes(server: Running, elsewhere: Running) -> None:
    played = await server.seated(title="A game that travels")
    await server.play_out(played)
    record, game = await server.record(played.game_id), await server.game(played.game_id)
    brought = await bring(elsewhere, record)
    assert brought == await elsewhere.game(played.game_id)
    game.imported, game.revision = True, brought.revision
    assert brought == game
    again = await elsewhere.record(played.game_id)
    assert verify_record(again).findings == ()
    assert without_revisions(again) == without_revisions(record)
    listed = (await elsewhere.games.ListGames(game_service_pb2.ListGamesRequest())).games
    assert list(listed) == [brought]


async def test_it_can_be_read_there_like_one_that_was_played_there(server: Running, elsewhere: Running) -> None:
    played = await server.seated()
    await server.play_out(played)
    await bring(elsewhere, await server.record(played.game_id))
    whole = await elsewhere.watch_to_end(played.game_id, from_revision=1)
    assert whole.messages[-1].update.events[-1].HasField("game_finished")
    request = record_service_pb2.GetPerspectiveRequest(game_id=played.game_id, seat=1, revision=6)
    assert (await elsewhere.records.GetPerspective(request)).snapshot.seat == 1


@pytest.mark.parametrize("name", [name for name in SETTINGS if "no limit" not in name])
async def test_clocks_absences_and_undone_answers_travel_too(tmp_path: Path, elsewhere: Running, name: str) -> None:
    for luck in range(2):
        record = await busy_record(tmp_path, SETTINGS[name], "dragons_interest", luck)
        await bring(elsewhere, record)
        again = await elsewhere.record(record.game_id)
        assert verify_record(again).findings == ()
        assert without_revisions(again) == without_revisions(record)


async def test_the_same_record_again_is_answered_alike(server: Running, elsewhere: Running) -> None:
    played = await server.seated()
    await server.play_out(played)
    record = await server.record(played.game_id)
    first, second = await asyncio.gather(bring(elsewhere, record), bring(elsewhere, record))
    assert first == second == await bring(elsewhere, await elsewhere.record(played.game_id))


async def test_it_is_there_after_a_restart(tmp_path: Path, server: Running) -> None:
    played = await server.seated()
    await server.play_out(played)
    record = await server.record(played.game_id)
    async with running(tmp_path / "there.db", allow_imports=True) as there:
        brought = await bring(there, record)
    async with running(tmp_path / "there.db") as there:
        assert await there.game(played.game_id) == brought


async def test_an_older_record_comes_in_with_the_settings_of_its_time(elsewhere: Running) -> None:
    older = read_record(RECORD.read_bytes())
    assert not older.HasField("settings")
    brought = await bring(elsewhere, older)
    assert brought == await bring(elsewhere, older)
    newer = await elsewhere.record(older.game_id)
    assert verify_record(newer).findings == ()
    assert newer.settings.absence == game_pb2.ABSENCE_POLICY_DEFAULT_ACTION
    assert [result.score for result in newer.outcome.results] == [result.score for result in older.outcome.results]


async def test_a_private_game_is_in_no_list_and_shown_to_who_knows_its_id(tmp_path: Path, elsewhere: Running) -> None:
    record = await busy_record(tmp_path, SETTINGS["forfeit, no limit"])
    record.settings.visibility = game_pb2.VISIBILITY_PRIVATE
    record.facts_digest = facts_digest(record)
    await bring(elsewhere, record)
    assert not (await elsewhere.games.ListGames(game_service_pb2.ListGamesRequest())).games
    assert (await elsewhere.record(record.game_id)).settings == record.settings
