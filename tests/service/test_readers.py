"""Streams for every kind of reader: heartbeats, views on request, history, slow ones, and many that come and go."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from dragonhall.server import published
from dragonhall.server.playthrough import replay
from dragonhall.server.services.reader import reader_of
from dragonhall.server.services.render import Renderer
from dragonhall.v1 import play_service_pb2
from tests.service.harness import ALWAYS, ON_SNAPSHOT, Running, Seated, dragonisles, dragons, running
from tests.service.promises import Recorded
from tests.service.streams import stream_of

WITH_DECISIONS = play_service_pb2.VIEW_DELIVERY_WITH_DECISIONS
SNAPSHOT = play_service_pb2.STREAM_CONTENT_SNAPSHOT
UPDATES = play_service_pb2.STREAM_CONTENT_UPDATES


async def test_a_quiet_stream_has_a_heartbeat(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", heartbeat=timedelta(milliseconds=50)) as server:
        game = await server.seated()
        stream = server.observe(game.game_id)
        messages = [await anext(stream) for _ in range(4)]
        assert messages[0].HasField("snapshot")
        assert [message.HasField("heartbeat") for message in messages[1:]] == [True] * 3
        assert {message.revision for message in messages} == {(await server.game(game.game_id)).revision}


async def test_a_busy_stream_has_none(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", heartbeat=timedelta(seconds=2)) as server:
        game = await server.seated(3)
        async with aclosing(server.observe(game.game_id)) as stream:
            await anext(stream)
            for _ in range(12):
                seat, prompt = await server.prompt(game)
                await asyncio.sleep(0.2)
                await server.submit(game, seat, prompt.decision_id, 0)
                assert (await anext(stream)).HasField("update")


async def test_a_stream_that_resumes_at_the_newest_revision_is_greeted_by_a_heartbeat(server: Running) -> None:
    game_id = (await server.create(3)).game.game_id
    message = await server.watch_first(game_id, from_revision=2)
    assert message.HasField("heartbeat")
    assert message.revision == 1
    assert not message.heartbeat.HasField("decision")


async def test_a_heartbeat_tells_a_seat_what_it_is_asked_and_nobody_else(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", heartbeat=timedelta(milliseconds=50)) as server:
        game = await server.seated()
        seat, prompt = await server.prompt(game)
        newest = (await server.game(game.game_id)).revision
        for viewer, token in [*enumerate(game.tokens), (None, ""), (None, game.host_token)]:
            async with aclosing(server.observe(game.game_id, token, viewer, from_revision=newest + 1)) as stream:
                for _ in range(2):  # the greeting, and one that comes because nothing else does
                    heartbeat = (await anext(stream)).heartbeat
                    assert heartbeat == play_service_pb2.Heartbeat(decision=prompt if viewer == seat else None)
        await server.submit(game, seat, prompt.decision_id, 0)
        message = await server.watch_first(game.game_id, game.tokens[seat], seat, from_revision=newest + 2)
        assert message.heartbeat.decision.decision_id != prompt.decision_id


async def test_a_host_watches_as_a_spectator(server: Running) -> None:
    game = await server.seated(3, options=dragons(hidden_card=True))
    as_host = await server.watch_first(game.game_id, game.host_token)
    assert as_host == await server.watch_first(game.game_id)
    assert not as_host.snapshot.HasField("seat")


async def test_a_finished_game_is_shown_once_and_the_stream_ends(server: Running) -> None:
    game = await server.seated(3)
    await server.play_out(game)
    newest = (await server.game(game.game_id)).revision
    whole = await server.watch_to_end(game.game_id)
    assert [message.HasField("snapshot") for message in whole.messages] == [True]
    assert whole.messages[0].snapshot.game.HasField("outcome")
    assert (await server.watch_to_end(game.game_id, from_revision=newest + 1)).messages == []


@pytest.mark.parametrize(
    ("delivery", "expected"),
    [(ON_SNAPSHOT, lambda asked: False), (WITH_DECISIONS, lambda asked: asked), (ALWAYS, lambda asked: True)],
)
async def test_updates_carry_the_view_as_asked_for(server: Running, delivery: Any, expected: Any) -> None:
    game = await server.seated(3)
    stream = asyncio.create_task(server.watch_to_end(game.game_id, game.tokens[1], 1, view_delivery=delivery))
    await server.play_out(game)
    updates = (await stream).updates
    asked = [bool(message.update.decision.decision_id) for message in updates]
    assert any(asked)
    assert [message.update.HasField("view") for message in updates] == [expected(a) for a in asked]


async def test_a_snapshot_alone_is_one_message_and_the_end(server: Running) -> None:
    game = await server.seated(3)
    live = await server.server.hub.game(game.game_id)
    for token, seat in [("", None), (game.tokens[1], 1)]:
        alone = await server.watch_to_end(game.game_id, token, seat, content=SNAPSHOT, include_history=True)
        assert alone.messages == [await server.watch_first(game.game_id, token, seat, include_history=True)]
    async with stream_of(server) as stream:
        await stream.send(stream.attach(game, 1, 7, content=SNAPSHOT))
        kinds = [message.WhichOneof("message") for message in await stream.receive_to_end()]
        assert kinds == ["observation", "closed"]
    await settled(live)


async def test_updates_alone_begin_with_a_heartbeat_and_are_never_a_snapshot(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", max_lag=5) as server:
        game = await server.seated(4)
        seat, prompt = await server.prompt(game)
        reader = Slow(server, game, seat, content=UPDATES)
        await reader.read_one()
        newest = (await server.game(game.game_id)).revision
        await server.play_out(game)
        recorded = await reader.read_on()
        assert recorded.messages[0].revision == newest
        assert recorded.messages[0].heartbeat.decision == prompt
        assert all(message.HasField("update") for message in recorded.messages[1:])
        assert [message.revision for message in recorded.updates] == [
            *range(newest + 1, (await server.game(game.game_id)).revision + 1)
        ]
        after_the_end = await server.watch_to_end(game.game_id, content=UPDATES)
        assert [message.WhichOneof("message") for message in after_the_end.messages] == ["heartbeat"]


async def test_a_snapshot_shows_what_the_seat_is_asked_and_everyone_that_it_is(server: Running) -> None:
    game = await server.seated(3, options=dragons(hidden_card=True))
    seat, prompt = await server.prompt(game)
    for viewer in (0, 1, 2, None):
        token = "" if viewer is None else game.tokens[viewer]
        snapshot = (await server.watch_first(game.game_id, token, viewer)).snapshot
        assert [(waiting.seat, waiting.decision_id) for waiting in snapshot.waiting] == [(seat, prompt.decision_id)]
        assert snapshot.decision == (prompt if viewer == seat else play_service_pb2.Decision())
        assert snapshot.HasField("seat") == (viewer is not None)
        assert snapshot.seat == (viewer or 0)
        assert snapshot.view.dragons.HasField("held") == (viewer is not None)


async def test_a_history_is_all_that_the_reader_was_told(server: Running) -> None:
    game = await server.seated(3, options=dragons(hidden_card=True))
    streams = [
        asyncio.create_task(server.watch_to_end(game.game_id, token, seat, from_revision=1))
        for seat, token in [*enumerate(game.tokens), (None, "")]
    ]
    await server.play_out(game)
    for stream in streams:
        whole = await stream
        told = [event.game for message in whole.updates for event in message.update.events if event.HasField("game")]
        token = "" if whole.seat is None else game.tokens[whole.seat]
        snapshot = (await server.watch_first(game.game_id, token, whole.seat, include_history=True)).snapshot
        assert list(snapshot.history) == told


async def test_all_who_ask_for_a_history_at_once_share_one_replay(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await server.seated(3)
    for _ in range(10):
        seat, prompt = await server.prompt(game)
        await server.submit(game, seat, prompt.decision_id, 0)
    replayed = Mock(side_effect=replay)
    monkeypatch.setattr(published, "replay", replayed)
    for token in (*game.tokens, ""):
        snapshot = (await server.watch_first(game.game_id, token, include_history=True)).snapshot
        assert len(snapshot.history) > 10
    assert replayed.call_count == 1


async def test_readers_that_resume_far_behind_read_the_log_once(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await server.seated(3, options=dragonisles())
    await server.play_out(game)
    newest = (await server.game(game.game_id)).revision
    assert newest > 64  # more than are read at a time
    replayed = Mock(side_effect=replay)
    monkeypatch.setattr(published, "replay", replayed)
    for number, first in enumerate((1, 3), 1):
        resumed = await server.watch_to_end(game.game_id, from_revision=first)
        assert [message.revision for message in resumed.updates] == [*range(first, newest + 1)]
        assert replayed.call_count == number
    left = server.observe(game.game_id, from_revision=1)
    await anext(left)
    await left.aclose()
    live = await server.server.hub.game(game.game_id)
    assert len(live._published._begun) <= published.MOST_BEGUN


async def test_a_reader_that_falls_far_behind_is_moved_on_by_a_snapshot(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", max_lag=5) as server:
        game = await server.seated(4)
        reader = Slow(server, game, 1)
        await reader.read_one()
        await server.play_out(game)
        recorded = await reader.read_on()
        snapshots = [message.snapshot for message in recorded.messages if message.HasField("snapshot")]
        assert [snapshot.caught_up for snapshot in snapshots] == [False, True]
        assert snapshots[-1].game.HasField("outcome")


async def test_a_slow_reader_within_the_limit_gets_every_update(server: Running) -> None:
    game = await server.seated(4)
    reader = Slow(server, game, 1)
    await reader.read_one()
    await server.play_out(game)
    recorded = await reader.read_on()
    assert len(recorded.updates) > 20
    assert recorded.updates[-1].update.events[-1].HasField("game_finished")


class Slow:
    """A reader inside the server that does not look for a while: sockets would buffer a whole game."""

    def __init__(self, server: Running, game: Seated, seat: int, **fields: Any) -> None:
        self._server = server
        live = server.server.hub._games[game.game_id]
        wish = play_service_pb2.ObserveRequest(game_id=game.game_id, seat_token=game.tokens[seat], **fields)
        self._reader = reader_of(live, wish, server.server.config.max_lag)
        self._recorded = Recorded(game.game_id, seat, token=wish.seat_token, content=wish.content)
        server.streams.append(self._recorded)

    async def read_one(self) -> None:
        self._record(self._reader.take())

    async def read_on(self) -> Recorded:
        while messages := self._reader.take():
            self._record(messages)
        assert self._reader.ended
        return self._recorded

    def _record(self, messages: list[bytes]) -> None:
        parsed = [play_service_pb2.ObserveResponse.FromString(message) for message in messages]
        self._recorded.messages.extend(parsed)


async def test_spectators_share_one_serialisation(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await server.seated(3)
    streams = [server.observe(game.game_id) for _ in range(30)]
    for stream in streams:
        await anext(stream)
    seat, prompt = await server.prompt(game)
    made = Mock(side_effect=Renderer._update, autospec=True)
    monkeypatch.setattr(Renderer, "_update", lambda *arguments: made(*arguments))
    await server.submit(game, seat, prompt.decision_id, 0)
    updates = [await anext(stream) for stream in streams]
    assert all(update == updates[0] for update in updates)
    assert made.call_count == 1
    for stream in streams:
        await stream.aclose()


async def settled(live: Any) -> None:
    """Until the server has noticed that nobody reads."""
    for _ in range(200):
        if not live.is_busy:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("readers that are gone are still subscribed")
