"""kill -9 in mid-game: no accepted answer is lost or carried out twice, and every game is played to its end."""

from __future__ import annotations

import asyncio
from functools import partial
from random import Random

import pytest

from dragonhall.v1 import game_pb2, game_service_pb2, record_pb2
from dragonhall.wire.records import verify_record
from tests.faults.stubborn import StubbornPlayer, until_answered
from tests.processes import ServerProcess
from tests.service.harness import Client, connected, dragons
from tests.service.promises import check, check_atomic


async def test_games_survive_a_server_that_is_killed_again_and_again(process: ServerProcess) -> None:
    rng = Random(1)
    async with connected(process.port) as channel:
        client = Client(channel)
        games = [await client.seated(3 + i % 3, options=dragons(hidden_card=i % 2 == 0)) for i in range(12)]
        players = [
            StubbornPlayer(client, game, seat, Random(f"{i} {seat}"))
            for i, game in enumerate(games)
            for seat in range(len(game.tokens))
        ]
        playing = asyncio.gather(*(player.play() for player in players))
        kills = 0
        while not playing.done() and kills < 8:
            await asyncio.sleep(rng.uniform(0.005, 0.12))
            await process.kill()
            await process.start()
            kills += 1
        await asyncio.wait_for(playing, 90)
        assert kills >= 3
        assert sum(player.reconnects for player in players) > 0
        for game in games:
            assert (await client.game(game.game_id)).status == game_pb2.GAME_STATUS_FINISHED
            record = await client.record(game.game_id)
            assert verify_record(record).findings == ()
            for player in players:
                if player.game is game:
                    check(player.seen)
                    check_atomic(player.seen, record)
                    check_accepted(player, record)
    assert await process.stop() == 0


def check_accepted(player: StubbornPlayer, record: record_pb2.GameRecord) -> None:
    """What the server took from a player is in the record, once, where the server said; and nothing else of it."""
    recorded = [
        (step, decision) for step in record.steps for decision in step.decisions if decision.seat == player.seat
    ]
    for answer, (step, decision) in zip(player.accepted, recorded, strict=True):
        assert (answer.decision_id, answer.action) == (decision.decision_id, decision.action.SerializeToString())
        assert step.revision - len(step.decisions) < answer.revision <= step.revision


@pytest.mark.parametrize("moment", range(4))
async def test_a_request_that_got_no_reply_is_carried_out_once(process: ServerProcess, moment: int) -> None:
    """The server dies while seats are taken; the clients repeat what was not answered."""

    async def kill_and_start() -> None:
        await asyncio.sleep(0.002 * moment)
        await process.kill()
        await process.start()

    async with connected(process.port) as channel:
        client = Client(channel)
        killing = asyncio.create_task(kill_and_start())
        ids = [f"request {i} of the tests" for i in range(10)]
        created = await asyncio.gather(*(until_answered(partial(create, client, i)) for i in ids))
        game_ids = [response.game.game_id for response in created]
        taken = await asyncio.gather(*(until_answered(partial(take, client, i)) for i in game_ids))
        await killing
        for response, seat in zip(created, taken, strict=True):
            game = await client.game(response.game.game_id)
            assert [bool(s.taken) for s in game.seats] == [True, False, False]
            await client.watch_first(game.game_id, seat.seat_token)
            assert await create(client, game.title) == response
    assert await process.stop() == 0


async def create(client: Client, request_id: str) -> game_service_pb2.CreateGameResponse:
    return await client.create(3, request_id=request_id, title=request_id)


async def take(client: Client, game_id: str) -> game_service_pb2.TakeSeatResponse:
    return await client.take(game_id, request_id=f"a seat of {game_id}")
