"""GetPerspective: what a seat or a spectator knew at a revision is what its own stream said then, to the byte."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest

from dragonhall.v1 import game_pb2, games_pb2
from dragonhall.v1.play_service_pb2 import Snapshot
from dragonhall.v1.record_service_pb2 import GetPerspectiveRequest, GetPerspectiveResponse
from tests.service.harness import Running, Seated, dragonisles, dragons, dragons_interest, refused, running
from tests.service.lobbying import PRIVATE, abort, leave, settings
from tests.service.stopped import Clock, bank

GAMES = {
    "dragons": dragons(hidden_card=True),
    "dragons_interest": dragons_interest(),
    "dragonisles": dragonisles(draft=True),
}


async def ask(server: Running, game_id: str, token: str = "", **fields: Any) -> GetPerspectiveResponse:
    return await server.records.GetPerspective(GetPerspectiveRequest(game_id=game_id, token=token, **fields))


async def snapshot(server: Running, game: Seated, viewer: int | None) -> Snapshot:
    token = "" if viewer is None else game.tokens[viewer]
    return (await server.watch_first(game.game_id, token, viewer, include_history=True)).snapshot


async def answer_all(server: Running, game: Seated, viewers: Sequence[int | None]) -> dict[Any, bytes]:
    """Answers for everyone who is asked; then what each viewer's own stream says, with the revision."""
    seen: dict[Any, bytes] = {}
    for waiting in (await snapshot(server, game, 0)).waiting:
        decision = (await snapshot(server, game, waiting.seat)).decision
        await server.submit(game, waiting.seat, decision.decision_id, 0)
        for viewer in viewers:
            now = await snapshot(server, game, viewer)
            seen[viewer, now.game.revision] = now.SerializeToString(deterministic=True)
    return seen


@pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("control", [None, bank(600, 5)], ids=["untimed", "bank"])
async def test_a_perspective_is_to_the_byte_what_the_viewers_own_stream_said_then(
    tmp_path: Path, options: games_pb2.GameOptions, control: game_pb2.TimeControl | None
) -> None:
    clock, viewers = Clock(), (0, 1, 2, None)
    async with running(tmp_path / "games.db", now_us=clock) as server:
        game = await server.seated(3, options=options, settings=settings(time_control=control))
        seen: dict[Any, bytes] = {}
        for _ in range(4):
            clock.tick()
            seen |= await answer_all(server, game, viewers)
        clock.tick()
        for (viewer, revision), said in seen.items():
            token = "" if viewer is None else game.tokens[viewer]
            known = await ask(server, game.game_id, token, seat=viewer, revision=revision)
            assert known.revision == revision
            assert known.snapshot.SerializeToString(deterministic=True) == said
        assert len(seen) >= 16


async def test_the_newest_revision_is_the_default_and_later_ones_are_in_the_future(server: Running) -> None:
    game = await server.seated(3)
    newest = (await server.game(game.game_id)).revision
    assert (await ask(server, game.game_id)).revision == newest
    assert (await ask(server, game.game_id, revision=1)).snapshot.game.status == game_pb2.GAME_STATUS_WAITING
    refusal = await refusal_of(server, game.game_id, revision=newest + 1)
    assert (refusal.reason, refusal.metadata["revision"]) == ("REVISION_IN_FUTURE", str(newest))


async def test_while_a_game_runs_a_seat_is_shown_to_itself_alone(server: Running) -> None:
    game = await server.seated(3)
    for seat in range(3):
        for token in ("", game.host_token, *(other for i, other in enumerate(game.tokens) if i != seat)):
            refusal = await refusal_of(server, game.game_id, token, seat=seat)
            assert refusal.reason == ("NOT_YOUR_ROLE" if token else "TOKEN_INVALID")
        assert (await ask(server, game.game_id, game.tokens[seat], seat=seat)).snapshot.seat == seat
    for token in ("", game.host_token, *game.tokens):
        assert not (await ask(server, game.game_id, token)).snapshot.HasField("seat")
    assert (await refusal_of(server, game.game_id, "wrong")).reason == "TOKEN_INVALID"
    assert (await refusal_of(server, game.game_id, game.tokens[0], seat=3)).fields == ["seat"]
    assert (await refusal_of(server, "nonesuch")).reason == "GAME_NOT_FOUND"


async def test_a_seat_that_was_given_back_shows_nothing_any_more(server: Running) -> None:
    created = await server.create(3)
    taken = await server.take(created.game.game_id)
    await leave(server, created.game.game_id, taken.seat_token)
    assert (await refusal_of(server, created.game.game_id, taken.seat_token, seat=0)).reason == "TOKEN_INVALID"


async def test_once_a_game_is_over_every_seat_is_shown_to_everyone(server: Running) -> None:
    finished, aborted = await server.seated(3), await server.seated(3)
    await asyncio.gather(server.play_out(finished), abort(server, aborted.game_id, aborted.host_token))
    for game in (finished, aborted):
        assert [(await ask(server, game.game_id, seat=seat, revision=6)).snapshot.seat for seat in range(3)] == [
            0,
            1,
            2,
        ]


async def test_a_private_games_are_for_those_with_a_token(server: Running) -> None:
    created = await server.create(3, settings=PRIVATE)
    game = await server.fill(created)
    for token in (created.host_token, created.spectator_token, *game.tokens):
        assert not (await ask(server, game.game_id, token)).snapshot.HasField("seat")
    unknown = await refusal_of(server, "nonesuch")
    for fields in ({}, {"seat": 0}, {"seat": 99}, {"revision": 99}, {"token": "wrong"}):
        refusal = await refusal_of(server, game.game_id, **fields)
        assert (refusal.reason, refusal.message) == (unknown.reason, unknown.message)
    await server.play_out(game)
    assert (await refusal_of(server, game.game_id, seat=0)).reason == "GAME_NOT_FOUND"
    assert (await ask(server, game.game_id, game.tokens[2], seat=0)).snapshot.seat == 0


async def test_spectators_are_shown_no_more_than_a_delay_lets_them_see(server: Running) -> None:
    game = await server.seated(3, settings=settings(spectator_delay=2))
    start = (await server.game(game.game_id)).revision
    for _ in range(3):
        await answer_all(server, game, ())
    for token in ("", game.host_token, game.tokens[0]):
        assert (await ask(server, game.game_id, token)).revision == start + 1
        refusal = await refusal_of(server, game.game_id, token, revision=start + 2)
        assert (refusal.reason, refusal.metadata["revision"]) == ("REVISION_IN_FUTURE", str(start + 1))
    assert (await ask(server, game.game_id, game.tokens[0], seat=0)).revision == start + 3


async def refusal_of(server: Running, game_id: str, token: str = "", **fields: Any) -> Any:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await ask(server, game_id, token, **fields)
    return refused(error.value)
