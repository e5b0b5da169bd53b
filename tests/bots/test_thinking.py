"""Bots that think long, in worker processes: what they do meanwhile, and what becomes of thoughts nobody needs."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from dragonhall.bots import SeatGivenUp, run_bot
from dragonhall.bots.policy import PolicyFactory
from dragonhall.client import Client, Seat, asked, bank, bot_seat, open_seat, per_decision
from dragonhall.dragons.v1 import dragons_pb2
from dragonhall.v1 import game_pb2, games_pb2
from tests.bots.serving import served
from tests.bots.slow_policies import PATIENCE, Patient, Punctual, RaisingInSeat1, Remembering, Slow, Tardy
from tests.bots.workers import worker_processes
from tests.client.games import DRAGONS

CARELESS = game_pb2.GameSettings(allow_undo=True)


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with served(tmp_path) as connected:
        yield connected


@asynccontextmanager
async def bot(client: Client, kind: PolicyFactory, name: str = "slow", processes: int = 1) -> AsyncIterator[None]:
    stop = asyncio.Event()
    running = asyncio.create_task(run_bot(name, kind, client.target, seed="slow", stop=stop, processes=processes))
    try:
        yield
    finally:
        stop.set()
        await running


async def game_of(
    client: Client, names: Sequence[str], settings: game_pb2.GameSettings | None = None, first_seat: int | None = None
) -> str:
    """A game with these bots, and open seats where there is no name.

    ``first_seat``: who begins; ``None``: whoever is drawn. Any other may never be asked: a year ends early whose first
    piles are claimed at once.
    """
    seats = [bot_seat(name) if name else open_seat() for name in names]
    options = games_pb2.GameOptions(dragons=dragons_pb2.Options(first_seat=first_seat))
    return (await client.create_game(options, seats, settings=settings)).game.game_id


async def outcome(client: Client, game_id: str) -> game_pb2.Game:
    async for _ in client.observe(game_id):
        pass
    return await client.get_game(game_id)


async def out_of_time(client: Client, game_id: str) -> list[int]:
    """The decisions of a game that is over whose time ran out, in order."""
    late: list[int] = []
    async for observation in client.observe(game_id, from_revision=1):
        happened = observation.update.events
        late += [event.time_ran_out.decision_id for event in happened if event.HasField("time_ran_out")]
    return late


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Of the bots: the server, which is in this process, may say that it got nothing of the processor for a while."""
    said = [record for record in caplog.records if record.name.startswith("dragonhall.bots")]
    return [record.getMessage() for record in said if record.levelno >= logging.WARNING]


async def until(true: Callable[[], bool]) -> None:
    """Returns once it is."""
    while True:
        if true():
            return
        await asyncio.sleep(0.01)


async def answered_before(seats: Sequence[Seat], number: int) -> tuple[Seat, int]:
    """Plays the seats (all but ``number``) until that one is asked after them; returns who answered what last."""
    last: tuple[Seat, int] | None = None
    while True:
        for seat in seats:
            observation = await anext(seat.observe())
            decision = asked(observation)
            if decision is not None:
                last = seat, decision.decision_id
                await seat.submit(decision.decision_id, action_index=0)
            elif last is not None and number in {waiting.seat for waiting in observation.snapshot.waiting}:
                return last
        await asyncio.sleep(0.01)


async def test_a_bot_refuses_an_undo_while_it_thinks(client: Client) -> None:
    game_id = await game_of(client, ["", "slow", ""], CARELESS, first_seat=0)
    seats = [await client.take_seat(game_id, name) for name in ("Ann", "Bob")]
    async with bot(client, Patient):
        asker, placed = await answered_before(seats, 1)
        begin = time.monotonic()
        await asker.ask_undo(placed)
        async for observation in asker.observe(from_revision=1):
            ended = [event.undo_ended for event in observation.update.events if event.HasField("undo_ended")]
            if ended:
                break
        assert [end.seat for end in ended] == [1]
        assert time.monotonic() - begin < PATIENCE / 2


async def test_a_game_that_is_aborted_is_not_thought_about(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "dragonhall.bots")
    created = await client.create_game(DRAGONS, [bot_seat("slow")] * 3)
    async with bot(client, Patient):
        async for observation in client.observe(created.game.game_id):
            if any(event.HasField("game_started") for event in observation.update.events):
                break
        begin = time.monotonic()
        await client.abort_game(created.game.game_id, created.host_token)
        await until(lambda: caplog.text.count("was aborted by its host") == 3)
        assert time.monotonic() - begin < PATIENCE / 2
    assert complaints(caplog) == []


async def test_a_default_action_ends_a_thought(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "dragonhall.bots")
    settings = game_pb2.GameSettings(time_control=per_decision(timedelta(seconds=1)))
    async with bot(client, Tardy):
        game_id = await game_of(client, ["slow"] * 3, settings)
        assert (await outcome(client, game_id)).status == game_pb2.GAME_STATUS_FINISHED
    late = await out_of_time(client, game_id)  # others may be, too: of seats whose worker was busy with the thought
    assert f"the answer to decision {late[0]} came too late" not in caplog.text, "it was dropped before"
    assert complaints(caplog) == []


@pytest.mark.parametrize("control", [per_decision(timedelta(seconds=1.2)), bank(timedelta(seconds=4))])
async def test_a_policy_that_uses_all_its_time_is_never_late(
    client: Client, control: game_pb2.TimeControl, caplog: pytest.LogCaptureFixture
) -> None:
    settings = game_pb2.GameSettings(time_control=control)
    async with bot(client, Punctual), bot(client, Remembering, "quick", processes=0):
        game_id = await game_of(client, ["slow", "quick", "quick"], settings)
        await outcome(client, game_id)
    assert await out_of_time(client, game_id) == []
    assert complaints(caplog) == []


async def test_a_seat_taken_back_is_not_thought_about_for_a_stand_in(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dragonhall.bots")
    settings = game_pb2.GameSettings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="slow")
    game_id = await game_of(client, [""] * 3, settings)
    seats = [await client.take_seat(game_id, name) for name in ("Ann", "Bob", "Cid")]
    async with bot(client, Patient):
        for seat in seats:
            await seat.leave()
        await until(lambda: "goes on in seat" in caplog.text)
        begin = time.monotonic()
        for seat in seats:
            await seat.take_back()
        await until(lambda: "goes on with its own player" in caplog.text)
        assert time.monotonic() - begin < PATIENCE / 2
    assert complaints(caplog) == []


async def test_games_go_on_when_a_worker_is_killed(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    async with bot(client, Slow):
        game_id = await game_of(client, ["slow"] * 3)
        async for observation in client.observe(game_id):
            if observation.revision >= 10:
                break
        (worker,) = worker_processes()
        os.kill(worker, signal.SIGKILL)
        assert (await outcome(client, game_id)).status == game_pb2.GAME_STATUS_FINISHED
    assert "it is started again" in caplog.text


async def test_a_policy_that_fails_gives_up_its_seat_alone(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    async with bot(client, RaisingInSeat1), bot(client, Remembering, "quick", processes=0):
        await game_of(client, ["slow"] * 3, first_seat=1)
        good = [await game_of(client, ["slow", "quick", "quick"]) for _ in range(2)]
        games = [await outcome(client, game_id) for game_id in good]
    assert {game.status for game in games} == {game_pb2.GAME_STATUS_FINISHED}
    assert "seat 1 is given up for a fault of the bot" in caplog.text
    assert 'raise ValueError("a question too many")' in caplog.text


async def test_a_bot_that_is_to_end_on_a_fault_does(client: Client) -> None:
    await game_of(client, ["slow"] * 3, first_seat=1)
    with pytest.raises(SeatGivenUp, match="seat 1 of game"):
        await run_bot("slow", RaisingInSeat1, client.target, end_on_fault=True)
    assert worker_processes() == []


async def test_a_seat_plays_alike_wherever_it_thinks(client: Client) -> None:
    seed = bytes(31) + b"\x07"
    moves = []
    for processes in (0, 1, 2):
        async with bot(client, Remembering, processes=processes):
            created = await client.create_game(DRAGONS, [bot_seat("slow")] * 3, seed=seed)
            await outcome(client, created.game.game_id)
        record = await client.record(created.game.game_id)
        moves.append([decision.action for step in record.steps for decision in step.decisions])
    assert moves[0] == moves[1] == moves[2]
