"""Spectators of a game with a delay are told of an answer when so many more have been given; at the end, of all."""

from __future__ import annotations

import asyncio
import gc
from contextlib import aclosing
from pathlib import Path
from unittest.mock import Mock

import grpc
import pytest

from dragonhall.server import published
from dragonhall.server.playthrough import Playthrough, replay
from dragonhall.v1 import game_pb2, play_service_pb2
from dragonhall.v1.play_service_pb2 import ObserveResponse
from tests.service.harness import ALWAYS, Running, Seated, dragons_interest, refused, running
from tests.service.lobbying import abort, settings
from tests.service.streams import stream_of

SNAPSHOT = play_service_pb2.STREAM_CONTENT_SNAPSHOT


async def answer_first(server: Running, game: Seated, times: int) -> list[int]:
    """Takes the first action for whoever is asked, so often; the revisions of the answers."""
    revisions = []
    for _ in range(times):
        seat = (await server.watch_first(game.game_id, game.tokens[0], 0)).snapshot.waiting[0].seat
        decision = (await server.watch_first(game.game_id, game.tokens[seat], seat)).snapshot.decision
        revisions.append((await server.submit(game, seat, decision.decision_id, 0)).revision)
    return revisions


async def seen_by_spectators(server: Running, game: Seated, token: str = "") -> ObserveResponse:
    return await server.watch_first(game.game_id, token, content=SNAPSHOT, include_history=True)


@pytest.mark.parametrize("delay", [1, 3])
async def test_spectators_see_the_game_as_of_so_many_answers_ago(server: Running, delay: int) -> None:
    delayed = await server.seated(3, seed=bytes(32), settings=settings(spectator_delay=delay))
    prompt = await server.seated(3, seed=bytes(32))
    assert (await server.game(delayed.game_id)).settings.spectator_delay == delay
    start = (await server.game(delayed.game_id)).revision
    for given in range(6):
        for token in ("", delayed.host_token):
            seen = await seen_by_spectators(server, delayed, token)
            assert seen.revision == start + max(0, given - delay)
        if given >= delay:
            # What they see is what spectators of the same game without a delay saw then.
            as_of_then = await seen_by_spectators(server, prompt)
            assert (seen.snapshot.view, list(seen.snapshot.waiting), list(seen.snapshot.history)) == (
                as_of_then.snapshot.view,
                list(as_of_then.snapshot.waiting),
                list(as_of_then.snapshot.history),
            )
            await answer_first(server, prompt, 1)
        seat = await server.watch_first(delayed.game_id, delayed.tokens[0], 0)
        assert seat.revision == start + given
        await answer_first(server, delayed, 1)


async def test_a_delayed_stream_brings_every_update_when_it_is_due_and_all_at_the_end(server: Running) -> None:
    game = await server.seated(3, settings=settings(spectator_delay=5))
    start = (await server.game(game.game_id)).revision
    async with aclosing(server.observe(game.game_id, view_delivery=ALWAYS)) as watching:
        await anext(watching)
        answers = await answer_first(server, game, 8)
        for revision in answers[:3]:
            assert (await anext(watching)).revision == revision
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await anext(watching)
    whole = asyncio.create_task(server.watch_to_end(game.game_id, from_revision=1))
    await server.play_out(game)
    told = await whole
    assert [message.revision for message in told.updates] == [*range(1, (await server.game(game.game_id)).revision + 1)]
    assert told.updates[-1].update.events[-1].HasField("game_finished")
    assert start < answers[-1]


async def test_more_than_a_reader_may_lag_is_told_at_the_end_all_the_same(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", max_lag=3) as server:
        game = await server.seated(3, settings=settings(spectator_delay=1000))
        whole = asyncio.create_task(server.watch_to_end(game.game_id))
        await asyncio.sleep(0)
        await server.play_out(game)
        told = await whole
        assert [message.HasField("snapshot") for message in told.messages] == [True] + [False] * len(told.updates)
        assert told.updates[-1].revision == (await server.game(game.game_id)).revision


async def test_an_aborted_game_is_told_to_its_end(server: Running) -> None:
    game = await server.seated(3, settings=settings(spectator_delay=9))
    answers = await answer_first(server, game, 4)
    newest = (await abort(server, game.game_id, game.host_token)).revision
    told = await server.watch_to_end(game.game_id, from_revision=answers[0])
    assert [message.revision for message in told.updates] == [*answers, newest]


async def test_revisions_that_are_held_back_are_in_the_future_to_spectators(server: Running) -> None:
    game = await server.seated(3, settings=settings(spectator_delay=2))
    answers = await answer_first(server, game, 4)
    for token in ("", game.host_token):
        resumed = await server.watch_first(game.game_id, token, from_revision=answers[1] + 1)
        assert resumed.HasField("heartbeat")
        assert resumed.revision == answers[1]
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await server.watch_first(game.game_id, token, from_revision=answers[3])
        refusal = refused(error.value)
        assert (refusal.reason, refusal.metadata["revision"]) == ("REVISION_IN_FUTURE", str(answers[1]))
    assert (await server.watch_first(game.game_id, game.tokens[0], 0, from_revision=answers[3])).HasField("update")


async def test_a_channel_that_watches_is_delayed_as_well(server: Running) -> None:
    game = await server.seated(3, settings=settings(spectator_delay=3))
    answers = await answer_first(server, game, 4)
    async with stream_of(server) as stream:
        await stream.send(stream.attach(game, None, 1), stream.attach(game, 0, 2))
        messages = await stream.receive()
        assert {message.channel: message.observation.revision for message in messages} == {1: answers[0], 2: answers[3]}


async def test_answers_of_one_simultaneous_decision_count_one_by_one(server: Running) -> None:
    game = await server.seated(3, options=dragons_interest(), settings=settings(spectator_delay=1))
    waiting = (await server.watch_first(game.game_id, game.tokens[0], 0)).snapshot.waiting
    assert len(waiting) == 3
    revisions = []
    for asked in waiting[:2]:
        decision = (await server.watch_first(game.game_id, game.tokens[asked.seat], asked.seat)).snapshot.decision
        revisions.append((await server.submit(game, asked.seat, decision.decision_id, 0)).revision)
    assert (await seen_by_spectators(server, game)).revision == revisions[0]


async def test_what_is_held_back_is_not_replayed_again_and_again_and_is_kept_once(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await server.seated(3, settings=settings(spectator_delay=20))
    live = await server.server.hub.game(game.game_id)
    replayed, advanced = Mock(side_effect=replay), Mock(side_effect=Playthrough.advance, autospec=True)
    streams = [server.observe(game.game_id) for _ in range(4)]
    for stream in streams:
        await anext(stream)
    assert live.delayed() is live.delayed()
    monkeypatch.setattr(published, "replay", replayed)
    monkeypatch.setattr(Playthrough, "advance", lambda *arguments: advanced(*arguments))
    for _ in range(30):
        seat = live.head.tickets[0].seat
        decision = live.head.tickets[0].decision_id
        await server.submit(game, seat, decision, 0)
    for stream in streams:
        for _ in range(10):
            await anext(stream)
    assert replayed.call_count == 0
    assert advanced.call_count == 30 + 10  # the game's own, and those that spectators were told of
    for stream in streams:
        await stream.aclose()
    for _ in range(500):
        if not live.is_busy:
            break
        await asyncio.sleep(0.02)
    gc.collect()
    assert live._delayed is not None
    assert live._delayed() is None


async def test_the_lobby_tells_who_plays_and_whether_it_is_over_and_nothing_of_what_was_played(server: Running) -> None:
    game = await server.seated(3, settings=settings(spectator_delay=1000))
    before = await server.game(game.game_id)
    answers = await answer_first(server, game, 5)
    after = await server.game(game.game_id)
    assert after.revision == answers[-1]
    after.revision = before.revision
    assert after == before
    assert after.status == game_pb2.GAME_STATUS_RUNNING
