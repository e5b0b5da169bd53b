"""Decision tickets and request ids: a repeat is answered alike, what differs is refused; also after a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from dragonhall.server.store.base import Append
from dragonhall.v1 import game_service_pb2
from tests.service.harness import OPEN, Running, dragons, invited, refused, running
from tests.service.lobbying import find, leave

REQUEST = "a-request-id-of-the-tests"


async def test_the_same_answer_again_returns_the_first_result(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    first = await server.submit(game, seat, prompt.decision_id, 0)
    assert not first.repeated
    by_index = await server.submit(game, seat, prompt.decision_id, 0)
    spelled_out = await server.submit(game, seat, prompt.decision_id, action=first.action)
    assert by_index.repeated
    assert spelled_out == by_index
    assert (by_index.revision, by_index.action) == (first.revision, first.action)
    assert (await server.game(game.game_id)).revision == first.revision


async def test_another_answer_is_refused_and_the_first_stands(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    first = await server.submit(game, seat, prompt.decision_id, 0)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await server.submit(game, seat, prompt.decision_id, 1)
    refusal = refused(caught.value)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "DECISION_ANSWERED")
    assert refusal.metadata["decision_id"] == str(prompt.decision_id)
    assert (await server.game(game.game_id)).revision == first.revision


async def test_the_same_answer_many_times_at_once_is_carried_out_once(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    results = await asyncio.gather(*(server.submit(game, seat, prompt.decision_id, 0) for _ in range(20)))
    assert sorted(result.repeated for result in results) == [False] + [True] * 19
    assert len({result.revision for result in results}) == 1


async def test_tickets_stay_answered_after_the_game_and_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        game = await server.seated()
        seat, prompt = await server.prompt(game)
        first = await server.submit(game, seat, prompt.decision_id, 0)
    async with running(tmp_path / "games.db") as server:
        again = await server.submit(game, seat, prompt.decision_id, 0)
        assert again.repeated
        assert (again.revision, again.action) == (first.revision, first.action)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.submit(game, seat, prompt.decision_id, 1)
        assert refused(caught.value).reason == "DECISION_ANSWERED"
        await server.play_out(game)
        assert (await server.submit(game, seat, prompt.decision_id, 0)).revision == first.revision


async def test_a_repeated_creation_returns_the_same_game_and_tokens_also_after_a_restart(tmp_path: Path) -> None:
    specs = [OPEN, invited(), invited()]
    async with running(tmp_path / "games.db") as server:
        first = await server.create(specs, request_id=REQUEST)
        again = await server.create(specs, request_id=REQUEST)
        assert again == first
        await server.take(first.game.game_id, seat=0)
        assert await server.create(specs, request_id=REQUEST) == first
    async with running(tmp_path / "games.db") as server:
        assert await server.create(specs, request_id=REQUEST) == first
        listed = await server.games.ListGames(game_service_pb2.ListGamesRequest())
        assert len(listed.games) == 1
        await server.games.AbortGame(
            game_service_pb2.AbortGameRequest(game_id=first.game.game_id, host_token=first.host_token)
        )


async def test_a_repeated_seat_returns_the_same_seat_and_token_also_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        game_id = (await server.create(3)).game.game_id
        first = await server.take(game_id, request_id=REQUEST)
        assert await server.take(game_id, request_id=REQUEST) == first
        await server.take(game_id)
        assert await server.take(game_id, request_id=REQUEST) == first
    async with running(tmp_path / "games.db") as server:
        assert await server.take(game_id, request_id=REQUEST) == first
        assert [seat.taken for seat in (await server.game(game_id)).seats] == [True, True, False]
        await server.watch_first(game_id, first.seat_token)


async def test_a_seat_whose_taking_started_the_game_is_answered_alike(server: Running) -> None:
    game_id = (await server.create(3)).game.game_id
    await server.take(game_id)
    await server.take(game_id)
    last = await server.take(game_id, request_id=REQUEST)
    assert last.game.HasField("start_time")
    assert await server.take(game_id, request_id=REQUEST) == last


async def test_the_same_request_many_times_at_once_is_carried_out_once(server: Running) -> None:
    created = await asyncio.gather(*(server.create(3, request_id=REQUEST) for _ in range(10)))
    assert all(response == created[0] for response in created)
    game_id = created[0].game.game_id
    taken = await asyncio.gather(*(server.take(game_id, request_id=REQUEST + "2") for _ in range(10)))
    assert all(response == taken[0] for response in taken)
    assert sum(seat.taken for seat in (await server.game(game_id)).seats) == 1


@pytest.mark.parametrize("free", [1, 3])
async def test_a_request_repeated_while_it_is_being_written_gets_the_same_answer(
    server: Running, monkeypatch: pytest.MonkeyPatch, free: int
) -> None:
    """As a client does whose deadline passes while the disk is slow; also if the seat is the game's last."""
    game_id = (await server.create(3)).game.game_id
    for _ in range(3 - free):
        await server.take(game_id)
    append, written = server.server.store.append, asyncio.Event()

    async def append_slowly(write: Append) -> None:
        await written.wait()
        await append(write)

    monkeypatch.setattr(server.server.store, "append", append_slowly)
    under_way = [asyncio.create_task(server.take(game_id, seat=2, request_id=REQUEST)) for _ in range(5)]
    await asyncio.sleep(0.2)
    written.set()
    taken = await asyncio.gather(*under_way)
    assert all(response == taken[0] for response in taken)


async def test_a_request_id_is_not_good_for_another_request(server: Running) -> None:
    created = await server.create(3, request_id=REQUEST)
    for attempt in (
        server.create(4, request_id=REQUEST),
        server.create(3, request_id=REQUEST, options=dragons(open_piles=True)),
        server.take(created.game.game_id, request_id=REQUEST),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await attempt
        refusal = refused(caught.value)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")


@pytest.mark.parametrize("by", ["TakeSeat", "FindGame"])
async def test_a_seat_that_was_given_back_is_not_handed_out_again_under_its_old_request_id(
    server: Running, by: str
) -> None:
    """Its token is worth nothing: to hand it out silently would be to lie."""
    game_id = (await find(server)).game.game_id

    async def sit_down(request_id: str) -> tuple[int, str]:
        response: Any
        if by == "TakeSeat":
            response = await server.take(game_id, request_id=request_id)
        else:
            response = await find(server, request_id=request_id)
        return response.seat, response.seat_token

    seat, token = await sit_down(REQUEST)
    assert await sit_down(REQUEST) == (seat, token)
    await leave(server, game_id, token)
    for _ in range(2):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await sit_down(REQUEST)
        refusal = refused(caught.value)
        assert (refusal.reason, refusal.fields) == ("REQUEST_ID_REUSED", ["request_id"])
        assert "given back" in refusal.message
    again, new_token = await sit_down(REQUEST + "-2")
    assert again == seat
    assert new_token != token


async def test_without_a_request_id_each_request_is_carried_out(server: Running) -> None:
    one, other = await server.create(3), await server.create(3)
    assert one.game.game_id != other.game.game_id
    assert one.host_token != other.host_token


async def test_the_store_holds_no_token(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        created = await server.create([OPEN, OPEN, invited()], request_id=REQUEST, title="A title to be found")
        seat = await server.take(created.game.game_id, request_id=REQUEST + "2")
    stored = everything_in(tmp_path)
    assert b"A title to be found" in stored
    for secret in (created.host_token, created.invitations[0].code, seat.seat_token, REQUEST):
        assert secret.encode() not in stored


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())
