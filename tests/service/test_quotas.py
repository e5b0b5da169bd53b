"""What one caller may take of a server: games, streams, answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest

from dragonhall.server import Limits
from dragonhall.server.identity.caller import Caller
from dragonhall.server.identity.keys import new_key, stanza
from dragonhall.server.identity.quotas import MIN_SHARES_TO_SWEEP, Allowance, Share, Shares
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.v1 import errors_pb2, game_service_pb2, play_service_pb2
from tests.service.harness import OPEN, Running, dragons, refused, running
from tests.service.test_callers import bearer, reason

ALLOWANCE = Allowance(games=3, streams=2, submits_per_second=10.0, submits_burst=5, sandbox=2)


class Clock:
    """Nanoseconds."""

    now = 10**18

    def __call__(self) -> int:
        return self.now

    def pass_ms(self, milliseconds: float) -> None:
        self.now += round(milliseconds * 1_000_000)


def share(**allowance: Any) -> tuple[Share, Clock]:
    clock = Clock()
    return Share(Caller("ann"), Allowance(**{**ALLOWED, **allowance}), clock), clock


ALLOWED: dict[str, Any] = {"games": 3, "streams": 2, "submits_per_second": 10.0, "submits_burst": 5, "sandbox": 2}


def submits(one: Share, most: int = 100) -> int:
    """How many are let through now."""
    for count in range(most):
        try:
            one.spend_submit()
        except Refusal:
            return count
    return most


def test_submits_come_at_once_up_to_the_burst_and_then_at_the_rate() -> None:
    one, clock = share()
    assert submits(one) == 5
    clock.pass_ms(99.9)
    assert submits(one) == 0
    clock.pass_ms(0.1)
    assert submits(one) == 1
    clock.pass_ms(250)
    assert submits(one) == 2
    clock.pass_ms(50)
    assert submits(one) == 1
    clock.pass_ms(3_600_000)
    assert submits(one) == 5


@pytest.mark.parametrize("rate", [0.01, 1 / 3, 7.0, 333.3, 5000.0, 1e9])
def test_who_waits_as_said_is_let_through_and_not_much_sooner(rate: float) -> None:
    one, clock = share(submits_per_second=rate, submits_burst=1)
    one.spend_submit()
    for _ in range(100):
        wait = submit_or_wait(one)
        assert wait <= timedelta(seconds=1 / rate) + timedelta(microseconds=2)
        clock.pass_ms(wait / timedelta(milliseconds=1))
        one.spend_submit()


def submit_or_wait(one: Share) -> timedelta:
    """How long to wait, which is nothing if it was let through."""
    try:
        one.spend_submit()
    except Refusal as refusal:
        return refusal.retry_after or timedelta.max
    return timedelta(0)


def test_a_stream_counts_while_it_is_open() -> None:
    one, _ = share()
    with one.stream(), one.stream(), pytest.raises(Refusal) as caught, one.stream():
        pass
    assert (caught.value.reason, caught.value.details) == (Reason.QUOTA_EXCEEDED, {"quota": "streams"})
    with pytest.raises(ZeroDivisionError), one.stream():
        raise ZeroDivisionError
    with one.stream(), one.stream():
        pass


async def test_games_that_are_being_created_count_once() -> None:
    """However the count and the creations fall: never one too many, never one too few."""
    one, _ = share(games=10)
    stored = 0

    async def count(_: str) -> int:
        await asyncio.sleep(0)
        now = stored
        await asyncio.sleep(0)
        return now

    async def create(pauses: int) -> bool:
        nonlocal stored
        try:
            async with one.opening_game(count):
                for _ in range(pauses):
                    await asyncio.sleep(0)
                stored += 1
                for _ in range(pauses % 3):
                    await asyncio.sleep(0)
        except Refusal:
            return False
        return True

    for pauses in range(6):
        stored = 0
        created = await asyncio.gather(*(create((pauses + i) % 6) for i in range(40)))
        assert sum(created) == stored == 10


async def test_a_creation_that_fails_takes_no_game() -> None:
    one, _ = share(games=1)

    async def none(_: str) -> int:
        return 0

    with pytest.raises(ZeroDivisionError):
        async with one.opening_game(none):
            raise ZeroDivisionError
    async with one.opening_game(none):
        pass


def test_callers_that_use_nothing_are_forgotten() -> None:
    shares = Shares()
    with shares.of(Caller("busy"), ALLOWANCE).stream():
        for i in range(3 * MIN_SHARES_TO_SWEEP):
            shares.of(Caller(f"anonymous:{i}"), ALLOWANCE)
        assert len(shares._shares) <= MIN_SHARES_TO_SWEEP
        assert "busy" in shares._shares


def test_a_new_allowance_holds_for_what_is_counted_already() -> None:
    shares = Shares()
    one = shares.of(Caller("ann"), ALLOWANCE)
    with one.stream():
        more = shares.of(Caller("ann", may_create=False), Allowance(3, 1, 10.0, 5, 2))
        assert more is one
        assert not one.caller.may_create
        with pytest.raises(Refusal), one.stream():
            pass


# Over the wire

ANN, BOB = new_key(), new_key()


@asynccontextmanager
async def limited(folder: Path, quotas: str) -> AsyncIterator[Running]:
    """A server on which Ann has these quotas, and everyone else has none of them."""
    path = folder / "auth.toml"
    path.write_text(stanza("ann", ANN) + quotas + "\n" + stanza("bob", BOB) + "[anonymous]\ncreate = true\n")
    async with running(folder / "games.db", auth=path) as server:
        yield server


async def test_games_count_for_whoever_made_them_until_they_are_over(tmp_path: Path) -> None:
    request = game_service_pb2.CreateGameRequest(options=dragons(), seats=[OPEN] * 3, request_id="the first of Ann's")
    another = game_service_pb2.CreateGameRequest(options=dragons(), seats=[OPEN] * 3)
    async with limited(tmp_path, "games = 2") as server:
        create = server.games.CreateGame
        first = await create(request, metadata=bearer(ANN))
        await create(another, metadata=bearer(ANN))
        assert await reason(create(another, metadata=bearer(ANN))) == ("QUOTA_EXCEEDED", {"quota": "games"})
        assert await create(request, metadata=bearer(ANN)) == first, "a repeated request is answered, not counted"
        await create(another, metadata=bearer(BOB))
        await create(another)
    async with limited(tmp_path, "games = 2") as server:  # counted over a restart, too
        create = server.games.CreateGame
        assert (await reason(create(another, metadata=bearer(ANN))))[0] == "QUOTA_EXCEEDED"
        abort = game_service_pb2.AbortGameRequest(game_id=first.game.game_id, host_token=first.host_token)
        await server.games.AbortGame(abort)
        await create(another, metadata=bearer(ANN))
        made = await asyncio.gather(*(create(another, metadata=bearer(ANN)) for _ in range(3)), return_exceptions=True)
        assert all(isinstance(each, grpc.aio.AioRpcError) for each in made)


async def test_streams_of_all_kinds_count_while_they_are_open(tmp_path: Path) -> None:
    async with limited(tmp_path, "streams = 3") as server:
        game_id = (await server.create()).game.game_id
        observe = play_service_pb2.ObserveRequest(game_id=game_id)
        calls: list[Any] = [
            server.play.Observe(observe, metadata=bearer(ANN)),
            server.games.WatchGames(game_service_pb2.WatchGamesRequest(), metadata=bearer(ANN)),
            server.play.Play(metadata=bearer(ANN)),
        ]
        attach = play_service_pb2.PlayCommand(channel=1, attach=play_service_pb2.AttachSeat(game_id=game_id))
        await calls[2].write(play_service_pb2.PlayRequest(commands=[attach]))
        for call in calls:
            await call.read()
        for refusal in (
            server.play.Observe(observe, metadata=bearer(ANN)).read(),
            server.play.Play(metadata=bearer(ANN)).read(),
        ):
            why, metadata = await reason(refusal)
            assert (why, metadata["quota"]) == ("QUOTA_EXCEEDED", "streams")
        assert await server.play.Observe(observe, metadata=bearer(BOB)).read()
        calls[0].cancel()
        async with asyncio.timeout(30):
            while True:
                again: Any = server.play.Observe(observe, metadata=bearer(ANN))
                try:
                    assert (await again.read()).HasField("snapshot")
                    break
                except grpc.aio.AioRpcError:
                    await asyncio.sleep(0.01)


async def test_who_submits_too_much_is_told_when_to_come_back(tmp_path: Path) -> None:
    async with limited(tmp_path, "submits_per_second = 0.5\nsubmits_burst = 3") as server:
        game = await server.seated()
        submit = play_service_pb2.SubmitRequest(game_id=game.game_id, seat_token=game.tokens[0], decision_id=999)
        for _ in range(3):
            assert (await reason(server.play.Submit(submit, metadata=bearer(ANN))))[0] != "QUOTA_EXCEEDED"
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.play.Submit(submit, metadata=bearer(ANN))
        refusal = refused(caught.value)
        assert (refusal.reason, refusal.code) == ("QUOTA_EXCEEDED", grpc.StatusCode.RESOURCE_EXHAUSTED)
        assert refusal.metadata["quota"] == "submits"
        assert 0 < refusal.retry_after <= 2
        assert abs(int(refusal.metadata["retry_after_ms"]) - 1000 * refusal.retry_after) < 1.001
        assert (await reason(server.play.Submit(submit, metadata=bearer(BOB))))[0] != "QUOTA_EXCEEDED"
        await asyncio.sleep(refusal.retry_after)
        assert (await reason(server.play.Submit(submit, metadata=bearer(ANN))))[0] != "QUOTA_EXCEEDED"


async def test_on_a_play_stream_only_the_answers_beyond_the_quota_are_refused(tmp_path: Path) -> None:
    async with limited(tmp_path, "submits_per_second = 0.001\nsubmits_burst = 2") as server:
        game = await server.seated()
        seat, prompt = await server.prompt(game)
        attach = play_service_pb2.AttachSeat(game_id=game.game_id, seat_token=game.tokens[seat])
        answer = play_service_pb2.PlayAnswer(decision_id=prompt.decision_id, action_index=0)
        commands = [
            play_service_pb2.PlayCommand(channel=1, command_id=1, attach=attach),
            *(play_service_pb2.PlayCommand(channel=1, command_id=i, answer=answer) for i in (2, 3, 4, 5)),
            play_service_pb2.PlayCommand(channel=1, command_id=6, detach=play_service_pb2.DetachSeat()),
        ]
        call: Any = server.play.Play(metadata=bearer(ANN))
        await call.write(play_service_pb2.PlayRequest(commands=commands))
        await call.done_writing()
        messages = {m.command_id: m async for response in call for m in response.messages}
        assert await call.code() == grpc.StatusCode.OK
        assert [messages[i].WhichOneof("message") for i in (1, 2, 3, 4, 5, 6)] == [
            *("observation", "result", "result", "error", "error", "closed")
        ]
        error = messages[4].error
        assert error.reason == errors_pb2.ERROR_REASON_QUOTA_EXCEEDED
        assert (error.metadata["quota"], error.metadata["game_id"]) == ("submits", game.game_id)
        assert int(error.metadata["retry_after_ms"]) > 100_000


async def test_the_servers_own_limits_hold_for_whom_nothing_else_is_said(tmp_path: Path) -> None:
    limits = Limits(max_games_per_caller=1, max_streams_per_caller=1, submits_per_second=0.001, submits_burst=1)
    async with running(tmp_path / "games.db", limits=limits) as server:
        game = await server.seated()
        assert (await reason(server.create()))[1] == {"quota": "games"}
        assert (await reason(server.submit(game, 0, 999, 0)))[0] == "DECISION_UNKNOWN"
        assert (await reason(server.submit(game, 0, 999, 0)))[1]["quota"] == "submits"
