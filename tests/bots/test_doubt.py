"""Seats that a bot was refused, or could not play on, and that are its own nevertheless."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from dragonhall.bots import run_bot
from dragonhall.bots.deciding import Decider
from dragonhall.bots.player import SeatPlayer
from dragonhall.client import Client, DragonhallError, bot_seat
from dragonhall.v1 import game_pb2
from tests.bots.serving import served
from tests.client.games import DRAGONS

LIMIT = 30.0

UNAVAILABLE = DragonhallError(
    grpc.StatusCode.FAILED_PRECONDITION, "SEAT_UNAVAILABLE", "seat 0 is taken", {"status": "WAITING"}
)
FAULT = DragonhallError(grpc.StatusCode.INTERNAL, "INTERNAL", "the server has a fault", {})

TakeSeat = Callable[..., Awaitable[Any]]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragonhall.bots.session._ASK_AGAIN_AFTER", (0.05, 0.1))


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with served(tmp_path) as connected:
        yield connected


@asynccontextmanager
async def _bot(target: str, name: str = "rex") -> AsyncIterator[None]:
    stop = asyncio.Event()
    running = asyncio.create_task(run_bot(name, "random", target, stop=stop))
    try:
        yield
    finally:
        stop.set()
        await running


async def _game(client: Client, names: Sequence[str] = ("rex",) * 3) -> tuple[str, str]:
    """A game's id and its host's token."""
    created = await client.create_game(DRAGONS, [bot_seat(name) for name in names])
    return created.game.game_id, created.host_token


async def _end(client: Client, game_id: str) -> game_pb2.Game:
    async with asyncio.timeout(LIMIT):
        async for _ in client.observe(game_id):
            pass
    return await client.get_game(game_id)


class Refusing:
    """Sends every request to take a seat to the server; the first ``times`` of each seat are answered by ``error``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, error: DragonhallError, times: int, *, carried_out: bool):
        self.asked: dict[int, int] = {}
        self._under_way: set[int] = set()
        self._answered = asyncio.Event()
        take_seat: TakeSeat = Client.take_seat

        async def refusing(client: Client, game_id: str, player_name: str, *, seat: int, **more: Any) -> Any:
            assert seat not in self._under_way, "asked for twice at a time, it would be played twice"
            self.asked[seat] = self.asked.get(seat, 0) + 1
            refused = self.asked[seat] <= times
            self._answered.set()
            if refused and not carried_out:
                raise error
            self._under_way.add(seat)
            await asyncio.sleep(0.02)
            answer = await take_seat(client, game_id, player_name, seat=seat, **more)
            self._under_way.discard(seat)
            self._answered.set()
            if refused:
                raise error
            return answer

        monkeypatch.setattr(Client, "take_seat", refusing)

    async def settled(self, times: int) -> None:
        """Returns when each of three seats was asked for ``times`` times and no more.

        That may be after the game's end: a random claim can end it before the last seat is asked anything.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(LIMIT):
                while min(self.asked.get(seat, 0) for seat in range(3)) < times or self._under_way:
                    self._answered.clear()
                    await self._answered.wait()
        await asyncio.sleep(0.3)
        assert self.asked == dict.fromkeys(range(3), times)


@pytest.mark.parametrize("times", [1, 2])
async def test_a_seat_that_was_taken_and_whose_answer_was_lost_is_played(
    client: Client, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    refusing = Refusing(monkeypatch, UNAVAILABLE, times, carried_out=True)
    async with _bot(client.target):
        game_id, _ = await _game(client)
        assert (await _end(client, game_id)).status == game_pb2.GAME_STATUS_FINISHED
        await refusing.settled(times + 1)


@pytest.mark.parametrize("carried_out", [False, True])
async def test_a_seat_is_asked_for_until_a_fault_of_the_server_is_over(
    client: Client, monkeypatch: pytest.MonkeyPatch, carried_out: bool
) -> None:
    refusing = Refusing(monkeypatch, FAULT, 5, carried_out=carried_out)
    async with _bot(client.target):
        game_id, _ = await _game(client)
        assert (await _end(client, game_id)).status == game_pb2.GAME_STATUS_FINISHED
        await refusing.settled(6)


async def test_a_seat_that_is_anothers_is_asked_for_a_few_times_and_left(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = Refusing(monkeypatch, UNAVAILABLE, 1000, carried_out=False)
    async with _bot(client.target):
        await _game(client)
        await refusing.settled(3)


async def test_a_seat_on_which_the_server_failed_is_taken_up_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = set()
    play = SeatPlayer.play

    async def failing(player: SeatPlayer) -> None:
        seat = player._attached.seat.number
        if seat not in failed:
            failed.add(seat)
            raise FAULT
        await play(player)

    monkeypatch.setattr(SeatPlayer, "play", failing)
    async with _bot(client.target):
        game_id, _ = await _game(client)
        assert (await _end(client, game_id)).status == game_pb2.GAME_STATUS_FINISHED
    assert failed == {0, 1, 2}


async def test_a_game_that_is_aborted_under_a_bot_is_no_error(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="dragonhall.bots")
    async with _bot(client.target):
        for moment in range(30):
            game_id, host_token = await _game(client)
            await asyncio.sleep(moment * 0.003)
            with suppress(DragonhallError):  # it has ended by itself
                await client.abort_game(game_id, host_token)
            await _end(client, game_id)
    said = [record for record in caplog.records if record.name == "dragonhall.bots"]
    assert any("was aborted by its host" in record.getMessage() for record in said)
    assert [record.getMessage() for record in said if record.levelno >= logging.WARNING] == []


async def test_an_answer_that_comes_after_the_abort_ends_the_seat_in_peace(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The host aborts the game while the answer is on its way."""
    caplog.set_level(logging.INFO, logger="dragonhall.bots")
    host: dict[str, str] = {}
    answer = Decider._answer

    async def slow(decider: Decider, decision_id: int, position: int) -> None:
        aborted = decider._attached.seat.game_id
        await client.abort_game(aborted, host[aborted])
        await answer(decider, decision_id, position)

    monkeypatch.setattr(Decider, "_answer", slow)
    game_id, host[game_id] = await _game(client)
    async with _bot(client.target):
        assert (await _end(client, game_id)).status == game_pb2.GAME_STATUS_ABORTED
        await asyncio.sleep(0.5)
    assert "was aborted by its host" in caplog.text
    said = [record for record in caplog.records if record.name == "dragonhall.bots"]
    assert [record.getMessage() for record in said if record.levelno >= logging.WARNING] == []
