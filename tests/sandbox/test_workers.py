"""The processes that compute: whatever becomes of them or of who waits for them, the next call is served."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from dragonhall.sandbox import PolicyMaker, Pool, SandboxLimits, SandboxSettings
from dragonhall.server import Limits
from dragonhall.v1.sandbox_service_pb2 import (
    POSITION_VIEWS_ALL,
    ExploreRequest,
    GetSandboxRequest,
    Knowledge,
    RollOutRequest,
)
from tests.sandbox.asking import explore, known, line, roll_out
from tests.sandbox.policies import Deadly, Faulty, First, Greedy, Slow, Talkative
from tests.sandbox.situations import played
from tests.sandbox.test_hostile import refusal
from tests.service.harness import Running, refused, running

REPOSITORY = Path(__file__).resolve().parents[2]
CODE = grpc.StatusCode
FIRST = First()


@asynccontextmanager
async def sandbox(folder: Path, policy: PolicyMaker = FIRST, **settings: Any) -> AsyncIterator[Running]:
    """A server whose sandbox has a policy called "it", and one worker."""
    policies: Mapping[str, Mapping[str, PolicyMaker]] = {"dragons": {"it": policy}}
    limits = settings.pop("of_server", Limits())
    chosen = SandboxSettings(**{"workers": 1, "policies": policies, **settings})
    async with running(folder / "games.db", sandbox=chosen, limits=limits) as server:
        yield server


@pytest.fixture(autouse=True)
def policies_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the workers, too."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(REPOSITORY), os.environ.get("PYTHONPATH", "")]).strip(":"))


async def some_knowledge(server: Running) -> Knowledge:
    return await known(server, await played(server, "dragons", 3), 0)


def pool_of(server: Running) -> Pool:
    return server.server.sandbox


def pid_of(server: Running) -> int:
    (pid,) = pool_of(server).pids
    return pid


async def by_it(server: Running, knowledge: Knowledge, **fields: Any) -> Any:
    return server.sandbox.RollOut(RollOutRequest(knowledge=knowledge, lines=[line(count=9)], policy="it", **fields))


async def test_a_worker_starts_when_it_is_needed_and_ends_when_it_is_not(tmp_path: Path) -> None:
    async with sandbox(tmp_path, idle=timedelta(seconds=0.3)) as server:
        knowledge = await some_knowledge(server)
        assert not pool_of(server).pids
        first = await explore(server, knowledge, [line()])
        pid = pid_of(server)
        await until(lambda: not pool_of(server).pids)
        await until_gone(pid)
        assert await explore(server, knowledge, [line()]) == first


async def until(holds: Callable[[], bool]) -> None:
    """Waits for something that nobody tells of."""
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - another process's doing
            await asyncio.sleep(0.02)


async def until_gone(pid: int) -> None:
    """Waits for a process's end."""
    await until(lambda: not Path(f"/proc/{pid}").exists())


async def test_a_worker_that_is_killed_is_replaced_and_nobody_is_told(tmp_path: Path) -> None:
    """Whether it was idle or busy: what it was to compute is computed once more."""
    async with sandbox(tmp_path) as server:
        knowledge = await some_knowledge(server)
        expected = await roll_out(server, knowledge, [line(count=3000)])
        os.kill(pid_of(server), signal.SIGKILL)
        call: Any = server.sandbox.RollOut(RollOutRequest(knowledge=knowledge, lines=[line(count=3000)]))
        totals = list((await call.read()).totals)
        os.kill(pid_of(server), signal.SIGKILL)
        async for response in rest_of(call):
            totals += response.totals
        assert totals == expected


async def test_a_worker_that_dies_of_its_work_dies_twice_and_is_a_fault(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with sandbox(tmp_path, Deadly(tmp_path / "deaths", times=1)) as server:
        knowledge = await some_knowledge(server)
        assert (await (await by_it(server, knowledge)).read()).totals, "one death may be anybody's"
    (tmp_path / "deaths").unlink()
    async with sandbox(tmp_path, Deadly(tmp_path / "deaths", times=2)) as server:
        why = await refusal(await by_it(server, knowledge))
        assert (why.reason, why.code) == ("INTERNAL", CODE.INTERNAL)
        assert "worker" in caplog.text
        assert await explore(server, knowledge, [line()])
        server.faults.messages.clear()


async def test_a_policy_that_fails_is_a_fault_whose_traceback_is_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with sandbox(tmp_path, Faulty()) as server:
        knowledge = await some_knowledge(server)
        why = await refusal(await by_it(server, knowledge))
        assert (why.reason, why.code) == ("INTERNAL", CODE.INTERNAL)
        assert "ZeroDivisionError" in caplog.text
        assert "ZeroDivisionError" not in why.message
        assert await explore(server, knowledge, [line()])
        server.faults.messages.clear()


async def test_what_a_policy_prints_is_no_answer(tmp_path: Path) -> None:
    async with sandbox(tmp_path, Talkative()) as server:
        assert (await (await by_it(server, await some_knowledge(server))).read()).totals[0].playouts == 2


async def test_memory_is_limited(tmp_path: Path) -> None:
    async with sandbox(tmp_path, Greedy()) as server:
        why = await refusal(await by_it(server, await some_knowledge(server)))
    assert (why.reason, "memory" in why.message) == ("LIMIT_EXCEEDED", True)


async def test_who_takes_too_long_with_one_part_is_ended(tmp_path: Path) -> None:
    async with sandbox(tmp_path, Slow(60.0), slice_timeout=timedelta(seconds=1)) as server:
        knowledge = await some_knowledge(server)
        began = monotonic()
        why = await refusal(await by_it(server, knowledge))
        assert (why.reason, why.code) == ("LIMIT_EXCEEDED", CODE.RESOURCE_EXHAUSTED)
        assert "more than 1 s" in why.message
        assert await explore(server, knowledge, [line()])
        assert monotonic() - began < 20


async def test_a_call_has_its_seconds_and_what_it_has_brought_until_then_stands(tmp_path: Path) -> None:
    settings = {"limits": SandboxLimits(seconds=2)}
    async with sandbox(tmp_path, Slow(0.05), **settings) as server:
        knowledge = await some_knowledge(server)
        call = server.sandbox.RollOut(
            RollOutRequest(knowledge=knowledge, lines=[line(count=1000)], policy="it", max_decisions=2)
        )
        read: list[Any] = []
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await drained(call, read)
        assert (refused(caught.value).reason, caught.value.code()) == ("LIMIT_EXCEEDED", CODE.RESOURCE_EXHAUSTED)
        # Of what takes 0.1 s each, on a machine that may have other things to do.
        assert 1 <= sum(totals.playouts for response in read for totals in response.totals) <= 24


async def test_a_call_that_is_cancelled_frees_its_worker(tmp_path: Path) -> None:
    """Also one that would go on for minutes; and a client that goes away is no fault."""
    async with sandbox(tmp_path, Slow(60.0), slice_timeout=timedelta(minutes=5)) as server:
        knowledge = await some_knowledge(server)
        await explore(server, knowledge, [line()])
        for _ in range(3):
            call = await by_it(server, knowledge)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(call.read(), 0.3)
            call.cancel()
            began = monotonic()
            assert await explore(server, knowledge, [line()])
            assert monotonic() - began < 10


async def test_a_call_that_is_cancelled_asks_for_nothing_more(tmp_path: Path) -> None:
    """A huge call whose client is satisfied with the first answer leaves the worker idle at once."""
    async with sandbox(tmp_path) as server:
        knowledge = await some_knowledge(server)
        call: Any = server.sandbox.RollOut(RollOutRequest(knowledge=knowledge, lines=[line(count=1_000_000)]))
        await call.read()
        call.cancel()
        await until_idle(pid_of(server))


async def until_idle(pid: int) -> None:
    """Waits until a process does nothing: soon, though it was asked for minutes of work."""
    async with asyncio.timeout(30):
        while not await is_idle(pid):
            pass


async def is_idle(pid: int) -> bool:
    """Whether a process does nothing for half a second."""
    before = cpu_ticks(pid)
    await asyncio.sleep(0.5)
    return cpu_ticks(pid) - before <= 2


def cpu_ticks(pid: int) -> int:
    """Of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@pytest.mark.slow
async def test_a_client_that_does_not_read_is_not_computed_for(tmp_path: Path) -> None:
    async with sandbox(tmp_path) as server:
        knowledge = await known(server, await played(server, "dragonisles", 0), 0)
        lines = [line(count=4000)]
        request = ExploreRequest(knowledge=knowledge, lines=lines, views=POSITION_VIEWS_ALL, legal_actions=True)
        call: Any = server.sandbox.Explore(request)
        await call.read()
        pid = pid_of(server)
        await until_idle(pid)
        before = cpu_ticks(pid)
        read: list[Any] = []
        await drained(call, read)
        assert len(read) + 1 == 4000 / 8
        assert cpu_ticks(pid) - before > 10, "what is computed waited for what was read"


async def test_calls_take_turns(tmp_path: Path) -> None:
    """A small question is answered while a large one goes on."""
    async with sandbox(tmp_path) as server:
        knowledge = await some_knowledge(server)
        large: Any = server.sandbox.RollOut(RollOutRequest(knowledge=knowledge, lines=[line(count=500_000)]))
        reading = asyncio.create_task(drained(large))
        for _ in range(5):
            began = monotonic()
            assert await explore(server, knowledge, [line()])
            assert monotonic() - began < 10
        assert not reading.done()
        large.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def rest_of(call: Any) -> AsyncIterator[Any]:
    """What a stream brings that was read from before."""
    while (response := await call.read()) is not grpc.aio.EOF:
        yield response


async def drained(call: Any, read: list[Any] | None = None) -> None:
    """Reads to the end. ``read``: gets what comes."""
    async for response in rest_of(call):
        if read is not None:
            read.append(response)


async def test_calls_of_one_caller_are_counted(tmp_path: Path) -> None:
    few = Limits(max_sandbox_calls_per_caller=2)
    async with sandbox(tmp_path, of_server=few) as server:
        knowledge = await some_knowledge(server)
        calls = [await under_way(server, knowledge) for _ in range(2)]
        why = await refusal(await by_it(server, knowledge))
        assert (why.reason, why.metadata) == ("QUOTA_EXCEEDED", {"quota": "sandbox"})
        assert (await server.sandbox.GetSandbox(GetSandboxRequest())).limits.calls == 2
        for call in calls:
            call.cancel()
        await until_answered(server, knowledge, "QUOTA_EXCEEDED")


async def test_calls_of_all_callers_are_counted(tmp_path: Path) -> None:
    async with sandbox(tmp_path, calls=1) as server:
        knowledge = await some_knowledge(server)
        call = await under_way(server, knowledge)
        why = await refusal(await by_it(server, knowledge))
        assert (why.reason, "come later" in why.message) == ("LIMIT_EXCEEDED", True)
        call.cancel()
        await until_answered(server, knowledge, "LIMIT_EXCEEDED")


async def under_way(server: Running, knowledge: Knowledge) -> Any:
    """A huge call of which something is answered."""
    call = server.sandbox.RollOut(RollOutRequest(knowledge=knowledge, lines=[line(count=1_000_000)]))
    await call.read()
    return call


async def until_answered(server: Running, knowledge: Knowledge, reason: str) -> None:
    """Asks until the server has noticed that calls which were cancelled are over; up to then it says ``reason``."""
    async with asyncio.timeout(30):
        while True:
            try:
                assert await explore(server, knowledge, [line()])
                return
            except grpc.aio.AioRpcError as error:
                if refused(error).reason != reason:
                    raise
                await asyncio.sleep(0.02)


async def test_a_server_that_stops_ends_calls_with_a_time_to_come_back(tmp_path: Path) -> None:
    async with sandbox(tmp_path) as server:
        knowledge = await some_knowledge(server)
        call: Any = server.sandbox.RollOut(RollOutRequest(knowledge=knowledge, lines=[line(count=1_000_000)]))
        await call.read()
        pid = pid_of(server)
        stopping = asyncio.create_task(server.server.stop())
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await drained(call)
        await stopping
        why = refused(caught.value)
        assert (why.reason, why.code) == ("SHUTTING_DOWN", CODE.UNAVAILABLE)
        assert why.retry_after > 0
        await until_gone(pid)


async def test_a_server_may_have_no_sandbox(tmp_path: Path) -> None:
    async with sandbox(tmp_path, workers=0) as server:
        knowledge = await some_knowledge(server)
        why = await refusal(server.sandbox.Explore(ExploreRequest(knowledge=knowledge, lines=[line()])))
        assert (why.reason, why.code, why.metadata) == (
            *("NOT_ALLOWED", CODE.PERMISSION_DENIED),
            {"permission": "sandbox"},
        )
        with pytest.raises(grpc.aio.AioRpcError):
            await server.sandbox.GetSandbox(GetSandboxRequest())
        assert await health(server) == health_pb2.HealthCheckResponse.NOT_SERVING
    async with sandbox(tmp_path) as server:
        assert await health(server) == health_pb2.HealthCheckResponse.SERVING


async def health(server: Running) -> int:
    """What the server's health says of the sandbox."""
    stub = health_pb2_grpc.HealthStub(server.channel.plain)
    asked = health_pb2.HealthCheckRequest(service="dragonhall.v1.SandboxService")
    return int((await stub.Check(asked)).status)


async def test_who_asks_and_what_for_is_not_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Somebody's view, or a part of it, has no business in the log of the server."""
    with caplog.at_level(logging.INFO):
        async with sandbox(tmp_path) as server:
            await roll_out(server, await some_knowledge(server), [line()])
    assert "RollOut" not in caplog.text
