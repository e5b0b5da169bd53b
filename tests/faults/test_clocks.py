"""Clocks over outages of a real server: nobody is charged for them, and what was due is done."""

from __future__ import annotations

import asyncio
import os
import signal
import time

from dragonhall.v1 import game_pb2
from dragonhall.v1.play_service_pb2 import Decision, ObserveResponse
from tests.faults.stubborn import until_answered
from tests.faults.torture import bank, each
from tests.processes import ServerProcess
from tests.service.harness import Client, Seated, connected
from tests.service.promises import prompt_in

DOWN: float = 5.0
"""Seconds without a server: longer than the limits of these games."""


async def asked(client: Client, game: Seated) -> tuple[int, Decision]:
    """The seat that is asked, and its prompt, as soon as there is a server."""
    return await until_answered(lambda: client.prompt(game))


def seconds_left(prompt: Decision) -> float:
    """By this machine's clock."""
    return prompt.deadline.ToNanoseconds() / 1e9 - time.time()


async def pause(process: ServerProcess) -> None:
    """kill -9, and after some seconds another server."""
    await process.kill()
    await asyncio.sleep(DOWN)
    await process.start()


async def test_a_deadline_that_fell_into_the_time_without_a_server_has_moved(process: ServerProcess) -> None:
    async with connected(process.port) as channel:
        client = Client(channel)
        settings = game_pb2.GameSettings(time_control=each(DOWN))
        game = await client.seated(3, settings=settings)
        seat, before = await asked(client, game)
        await asyncio.sleep(1.2)  # so that a note of the server's life is younger than the decision
        left = seconds_left(before)
        await pause(process)
        assert seconds_left(before) < 0
        seat_now, after = await asked(client, game)
        assert (seat_now, after.decision_id) == (seat, before.decision_id)
        assert left - 1.5 < seconds_left(after) <= DOWN
        assert abs(after.remaining.ToNanoseconds() / 1e9 - seconds_left(after)) < 1
        result = await client.submit(game, seat, after.decision_id, 0)
        assert not result.repeated
    assert await process.stop() == 0


async def test_everyone_who_watches_is_told_that_the_server_was_down(process: ServerProcess) -> None:
    async with connected(process.port) as channel:
        client = Client(channel)
        game = await client.seated(3, settings=game_pb2.GameSettings(time_control=bank(60, 0)))
        revision = (await client.watch_first(game.game_id)).revision
        await asyncio.sleep(1.2)
        began = time.time()
        await pause(process)
        down = time.time() - began

        async def first_update() -> ObserveResponse:
            return await client.watch_first(game.game_id, from_revision=revision + 1)

        told = (await until_answered(first_update)).update.events[0].server_was_down
        assert DOWN <= told.duration.ToNanoseconds() / 1e9 <= down + 1.5
    assert await process.stop() == 0


async def test_no_bank_is_charged_for_the_time_without_a_server(process: ServerProcess) -> None:
    async with connected(process.port) as channel:
        client = Client(channel)
        game = await client.seated(3, settings=game_pb2.GameSettings(time_control=bank(30, 0)))
        seat, prompt = await asked(client, game)
        await pause(process)
        await until_answered(lambda: client.submit(game, seat, prompt.decision_id, 0))
        clocks = {clock.seat: clock.bank for clock in (await client.watch_first(game.game_id)).snapshot.clocks}
        assert 30 - DOWN < clocks[seat].ToNanoseconds() / 1e9 <= 30
    assert await process.stop() == 0


async def test_what_was_due_before_the_server_died_is_done_by_the_next_one(process: ServerProcess) -> None:
    """Time runs out just before the server dies, or just as it dies, or is up soon after it is back."""
    async with connected(process.port) as channel:
        client = Client(channel)
        limits = (0.1, 0.3, 0.5, 0.7, 0.9)
        games = [await client.seated(3, settings=game_pb2.GameSettings(time_control=each(limit))) for limit in limits]
        await process.kill()
        await process.start()
        for game in games:
            stream = client.observe(game.game_id, from_revision=1)
            async for message in stream:
                if any(event.HasField("time_ran_out") for event in message.update.events):
                    break
            await stream.aclose()
    assert await process.stop() == 0


async def test_a_server_that_was_suspended_charges_nobody_for_it(process: ServerProcess) -> None:
    async with connected(process.port) as channel:
        client = Client(channel)
        game = await client.seated(3, settings=game_pb2.GameSettings(time_control=each(4)))
        seat, before = await asked(client, game)
        os.kill(process.pid, signal.SIGSTOP)
        await asyncio.sleep(5)
        os.kill(process.pid, signal.SIGCONT)
        async for message in client.observe(game.game_id, game.tokens[seat], seat):
            prompt = prompt_in(message)
            assert prompt.decision_id == before.decision_id
            if prompt.deadline != before.deadline:
                assert 0 < seconds_left(prompt) <= 4
                break
        assert "event=stood_still" in process.log.read_text()
    assert await process.stop() == 0
