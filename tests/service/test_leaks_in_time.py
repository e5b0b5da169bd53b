"""Deadlines and delays tell nothing that is secret: games that differ only in that send the same bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest

from dragonhall.v1.play_service_pb2 import ObserveRequest, ObserveResponse
from dragonhall.v1.record_service_pb2 import GetPerspectiveRequest
from tests.service.harness import ALWAYS, Running, Seated, dragonisles, dragons, dragons_interest, running
from tests.service.lobbying import settings
from tests.service.stopped import START_US, Clock, bank

SEATS = 4


class Timed:
    """Games that are all dealt alike and begin at the same time."""

    def __init__(self, server: Running, clock: Clock) -> None:
        self.server = server
        self.clock = clock

    async def begin(self, **fields: Any) -> Seated:
        self.clock.time_us = START_US
        return await self.server.seated(SEATS, seed=bytes(32), **fields)

    async def answer(self, game: Seated, seat: int, place: float) -> None:
        """An answer a second after the one before; ``place`` of all legal actions, 0 to 1."""
        self.clock.tick()
        message = await self.server.watch_first(game.game_id, game.tokens[seat], seat)
        decision = message.snapshot.decision
        last = decision.legal_actions[-1]
        index = round(place * (last.index + last.amounts.max - last.amounts.min))
        await self.server.submit(game, seat, decision.decision_id, index)

    async def asked(self, game: Seated) -> list[int]:
        snapshot = (await self.server.watch_first(game.game_id, game.tokens[0], 0)).snapshot
        return [waiting.seat for waiting in snapshot.waiting]

    async def updates(self, game: Seated, viewer: int | None, first: int, count: int) -> list[bytes]:
        """What the socket brings."""
        token = "" if viewer is None else game.tokens[viewer]
        request = ObserveRequest(game_id=game.game_id, seat_token=token, from_revision=first, view_delivery=ALWAYS)
        observe: Any = self.server.channel.unary_stream("/dragonhall.v1.PlayService/Observe")
        call = observe(request.SerializeToString())
        async with asyncio.timeout(10):
            messages = [bytes(await call.read()) for _ in range(count)]
        call.cancel()
        return messages


@pytest.fixture
async def timed(tmp_path: Path) -> Any:
    clock = Clock()
    async with running(tmp_path / "games.db", now_us=clock) as server:
        yield Timed(server, clock)


async def test_a_deadline_tells_neither_what_was_answered_nor_who_is_late_before_it_is_resolved(timed: Timed) -> None:
    seen: list[dict[int | None, list[bytes]]] = []
    for place in (0.0, 1.0):
        game = await timed.begin(options=dragons_interest(), settings=settings(time_control=bank(600, 2)))
        start = (await timed.server.game(game.game_id)).revision
        assert await timed.asked(game) == [*range(SEATS)]
        reading = {
            viewer: asyncio.create_task(timed.updates(game, viewer, start, 1 + SEATS)) for viewer in (1, 2, None)
        }
        await timed.answer(game, 0, place)
        timed.clock.tick(600)
        seen.append({viewer: await updates for viewer, updates in reading.items()})
    for viewer, messages in seen[0].items():
        *before, resolving = messages
        assert before == seen[1][viewer][:-1]
        assert [late(message) for message in before] == [[]] * SEATS
        assert late(resolving) == late(seen[1][viewer][-1]) == [1, 2, 3]


def late(message: bytes) -> list[int]:
    """The seats whose time ran out, as an update tells."""
    events = ObserveResponse.FromString(message).update.events
    return [event.time_ran_out.seat for event in events if event.HasField("time_ran_out")]


async def test_who_answers_sooner_moves_nobodys_deadline(timed: Timed) -> None:
    game = await timed.begin(options=dragons_interest(), settings=settings(time_control=bank(600, 2)))
    due = set()
    for seat in range(SEATS - 1):
        await timed.answer(game, seat, 0.5)
        snapshot = (await timed.server.watch_first(game.game_id, game.tokens[seat], seat)).snapshot
        due |= {waiting.deadline.ToMicroseconds() for waiting in snapshot.waiting}
    assert due == {START_US + 600_000_000}


GAMES = {
    "dragons": dragons(hidden_card=True),
    "dragons_interest": dragons_interest(),
    "dragonisles": dragonisles(draft=True),
}


@pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
async def test_what_is_held_back_changes_nothing_that_spectators_are_sent(timed: Timed, options: Any) -> None:
    """Neither on a stream, nor in a snapshot, nor by asking for what comes later."""
    seen = []
    for place in (0.0, 1.0):
        fields = {"spectator_delay": 3, "time_control": bank(600, 2)}
        game = await timed.begin(options=options, settings=settings(**fields))
        start = (await timed.server.game(game.game_id)).revision
        reading = asyncio.create_task(timed.updates(game, None, start, 5))
        await answer_all(timed, game, [0.5] * 4 + [place] * 3)
        seen.append([*await reading, *await everything_that_a_spectator_can_ask(timed, game, start + 4)])
    assert seen[0] == seen[1]


async def test_the_seats_are_sent_what_spectators_have_to_wait_for(timed: Timed) -> None:
    """The games above do differ."""
    seen = []
    for place in (0.0, 1.0):
        game = await timed.begin(options=GAMES["dragonisles"], settings=settings(spectator_delay=3))
        start = (await timed.server.game(game.game_id)).revision
        await answer_all(timed, game, [0.5] * 4 + [place] * 3)
        seen.append(await timed.updates(game, 0, start, 8))
    assert seen[0][:5] == seen[1][:5]
    assert seen[0][5:] != seen[1][5:]


async def answer_all(timed: Timed, game: Seated, places: Sequence[float]) -> None:
    for place in places:
        await timed.answer(game, (await timed.asked(game))[0], place)


async def everything_that_a_spectator_can_ask(timed: Timed, game: Seated, newest: int) -> list[bytes]:
    """All answers, refusals too, without the game's id."""
    server = timed.server
    snapshot = await server.watch_first(game.game_id, include_history=True)
    perspective = await server.records.GetPerspective(GetPerspectiveRequest(game_id=game.game_id))
    told = [snapshot.SerializeToString(deterministic=True), perspective.SerializeToString(deterministic=True)]
    assert snapshot.revision == perspective.revision == newest
    for ahead in range(1, 5):
        request = GetPerspectiveRequest(game_id=game.game_id, revision=newest + ahead)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await server.records.GetPerspective(request)
        told.append(dict(iter(refused.value.trailing_metadata() or ()))["grpc-status-details-bin"])
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await server.watch_first(game.game_id, from_revision=newest + 2)
    told.append(dict(iter(refused.value.trailing_metadata() or ()))["grpc-status-details-bin"])
    told.append((await server.game(game.game_id)).SerializeToString(deterministic=True))
    return [bytes(answer).replace(game.game_id.encode(), b"the game") for answer in told]
