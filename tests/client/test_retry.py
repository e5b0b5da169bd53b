"""When the client asks again, how long it waits, and what it makes of the second answer."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import grpc
import pytest
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc import aio

from dragonhall.client import FOR_EVER, Client, DragonhallError, Patience, ServerUnavailable, TooLate
from dragonhall.client.errors import NOT_TRUSTED, from_message, from_rpc_error, plain_cause
from dragonhall.client.observing import read
from dragonhall.client.retry import Backoff, repeat, repeat_change, setback_of
from dragonhall.client.settings import duration
from dragonhall.v1 import errors_pb2

AT_ONCE = Patience(give_up_after=timedelta(seconds=1), first_delay=timedelta(), longest_delay=timedelta())


def refusal(
    code: grpc.StatusCode, reason: str, retry_after: timedelta | None = None, **metadata: str
) -> aio.AioRpcError:
    """As a Dragonhall server refuses."""
    details = [any_pb2.Any()]
    details[0].Pack(error_details_pb2.ErrorInfo(domain="dragonhall", reason=reason, metadata=metadata))
    if retry_after is not None:
        details.append(any_pb2.Any())
        details[1].Pack(error_details_pb2.RetryInfo(retry_delay=duration(retry_after)))
    status = status_pb2.Status(code=code.value[0], message="because", details=details)
    trailing = aio.Metadata(("grpc-status-details-bin", status.SerializeToString()))
    return aio.AioRpcError(code, aio.Metadata(), trailing, details="because")


def broken(code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE, details: str = "gone") -> aio.AioRpcError:
    """As gRPC tells of a connection that broke."""
    return aio.AioRpcError(code, aio.Metadata(), aio.Metadata(), details=details)


class Server:
    """Answers calls with what it was given, in that order."""

    def __init__(self, *answers: str | aio.AioRpcError) -> None:
        self._answers: Iterator[str | aio.AioRpcError] = iter(answers)
        self.calls = 0

    async def call(self, limit: float) -> str:
        self.calls += 1
        answer = next(self._answers)
        if isinstance(answer, aio.AioRpcError):
            raise answer
        return answer


@pytest.mark.parametrize(
    "failure",
    [
        broken(),
        broken(grpc.StatusCode.DEADLINE_EXCEEDED),
        broken(grpc.StatusCode.CANCELLED),
        broken(grpc.StatusCode.INTERNAL, "Received RST_STREAM with error code 2"),
        broken(grpc.StatusCode.INTERNAL, "Internal error from Core"),
        broken(grpc.StatusCode.UNKNOWN, "Stream removed"),
        refusal(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN"),
        refusal(grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE"),
        refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", retry_after=timedelta(seconds=0.01)),
        refusal(grpc.StatusCode.UNAUTHENTICATED, "CREDENTIALS_INVALID", retry_after=timedelta(seconds=0.01)),
    ],
)
async def test_what_says_not_now_is_asked_again(failure: aio.AioRpcError) -> None:
    server = Server(failure, failure, "done")
    assert await repeat("here", AT_ONCE, server.call) == "done"


@pytest.mark.parametrize(
    "failure",
    [
        broken(grpc.StatusCode.UNIMPLEMENTED),
        refusal(grpc.StatusCode.INTERNAL, "INTERNAL"),
        refusal(grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND"),
        refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", quota="games"),
        refusal(grpc.StatusCode.UNAUTHENTICATED, "CREDENTIALS_INVALID"),
    ],
)
async def test_what_says_no_is_not_asked_again(failure: aio.AioRpcError) -> None:
    server = Server(failure, "done")
    with pytest.raises(DragonhallError) as refused:
        await repeat("here", AT_ONCE, server.call)
    assert (server.calls, refused.value.code) == (1, failure.code())


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED"),
    ],
)
async def test_nobody_asks_again_sooner_than_the_server_says(code: grpc.StatusCode, reason: str) -> None:
    server = Server(refusal(code, reason, retry_after=timedelta(seconds=0.3)), "done")
    began = time.monotonic()
    assert await repeat("here", AT_ONCE, server.call) == "done"
    assert 0.3 <= time.monotonic() - began < 5.0


def test_on_a_play_stream_the_delay_is_metadata() -> None:
    number = errors_pb2.ERROR_REASON_QUOTA_EXCEEDED
    error = from_message(
        errors_pb2.Error(code=8, reason=number, metadata={"quota": "submits", "retry_after_ms": "250"})
    )
    assert (error.retriable, error.retry_after) == (True, timedelta(seconds=0.25))


async def test_a_delay_beyond_patience_is_not_waited_for() -> None:
    server = Server(refusal(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN", retry_after=timedelta(minutes=1)))
    began = time.monotonic()
    with pytest.raises(ServerUnavailable):
        await repeat("here", AT_ONCE, server.call)
    assert time.monotonic() - began < 5.0


@pytest.mark.parametrize("reason", ["TIME_RAN_OUT", "DECISION_ANSWERED"])
def test_an_answer_that_came_too_late_has_a_type_of_its_own(reason: str) -> None:
    failure = refusal(grpc.StatusCode.FAILED_PRECONDITION, reason, decision_id="7", revision="19")
    error = from_rpc_error(failure)
    assert isinstance(error, TooLate)
    assert (error.decision_id, error.revision) == (7, 19)
    number = errors_pb2.ErrorReason.Value(f"ERROR_REASON_{reason}")
    assert isinstance(from_message(errors_pb2.Error(code=9, reason=number)), TooLate)


def test_what_an_error_tells_has_a_type() -> None:
    metadata = {"why": "REVEAL", "quota": "games", "seats": "1,3", "status": "ABORTED", "where": "steps[3]"}
    error = from_rpc_error(refusal(grpc.StatusCode.FAILED_PRECONDITION, "ANY", timedelta(seconds=3), **metadata))
    assert error is not None
    assert not isinstance(error, TooLate)
    assert (error.why, error.quota, error.seats, error.status) == ("REVEAL", "games", (1, 3), "ABORTED")
    assert (error.where, error.retry_after) == ("steps[3]", timedelta(seconds=3))
    assert (error.permission, error.decision_id, error.rule, error.field) == (None, None, None, None)


async def test_patience_is_counted_from_the_first_failure() -> None:
    patience = Patience(give_up_after=timedelta(seconds=0.3), first_delay=timedelta(seconds=0.1))
    server = Server(*[broken()] * 10)
    with pytest.raises(ServerUnavailable, match="gone"):
        await repeat("here", patience, server.call)
    assert 2 <= server.calls <= 4


@pytest.mark.parametrize("attempt_limit", [0.05, 10.0])
async def test_an_attempt_may_take_what_is_left_of_patience_and_no_more(attempt_limit: float) -> None:
    patience = Patience(give_up_after=timedelta(seconds=0.4), attempt_limit=timedelta(seconds=attempt_limit))
    limits = []

    async def silent(limit: float) -> str:
        limits.append(limit)
        await asyncio.sleep(limit)
        raise broken(grpc.StatusCode.DEADLINE_EXCEEDED)

    began = time.monotonic()
    with pytest.raises(ServerUnavailable) as given_up:
        await repeat("here", patience, silent)
    assert time.monotonic() - began < 5.0
    assert given_up.value.tried_for <= timedelta(seconds=5)
    assert max(limits) <= min(attempt_limit, 0.4)
    assert limits[-1] <= limits[0]


async def test_without_an_end_to_patience_an_attempt_has_its_own_limit() -> None:
    limits = []

    async def noted(limit: float) -> str:
        limits.append(limit)
        return "done"

    await repeat("here", Patience(give_up_after=None, attempt_limit=timedelta(seconds=7)), noted)
    assert limits == [7.0]


async def test_a_server_that_accepts_and_says_nothing_is_given_up_in_time() -> None:
    """gRPC itself waits 20 s for such a one."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        target = f"127.0.0.1:{silent.getsockname()[1]}"
        async with Client(target, patience=Patience(give_up_after=timedelta(seconds=1))) as client:
            for call in (client.is_serving, client.list_rules):
                began = time.monotonic()
                with pytest.raises(ServerUnavailable, match=r"could not be reached for (0\.9|[1-4]\.\d) s"):
                    await call()
                assert time.monotonic() - began < 5.0


class Breaking:
    """A call whose connection breaks at the moment at which its task is cancelled: gRPC then tells of the former."""

    def __init__(self) -> None:
        self.reads = 0

    async def read(self) -> object:
        self.reads += 1
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise broken() from None
        return None

    async def attempt(self, limit: float) -> object:
        return await self.read()


async def test_a_task_that_is_cancelled_as_its_call_breaks_ends() -> None:
    breaking = Breaking()
    for work in (repeat("here", FOR_EVER, breaking.attempt), read(breaking)):  # type: ignore[arg-type]
        task = asyncio.create_task(work)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 10.0)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await repeat("here", FOR_EVER, breaking.attempt)
    with pytest.raises(TimeoutError):
        await read(breaking, 0.05)  # type: ignore[arg-type]
    assert breaking.reads == 4


async def test_what_is_asked_for_while_a_task_ends_is_repeated_as_ever() -> None:
    server = Server(broken(), "done")

    async def clean_up() -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return await repeat("here", AT_ONCE, server.call)
        raise AssertionError("it was cancelled")

    task = asyncio.create_task(clean_up())
    await asyncio.sleep(0)
    task.cancel()
    assert await task == "done"


def test_delays_double_up_to_the_longest_and_are_jittered() -> None:
    rows = []
    for _ in range(50):
        backoff = Backoff("here", Patience(first_delay=timedelta(seconds=1), longest_delay=timedelta(seconds=6)))
        rows.append([backoff.next_delay() for _ in range(5)])
    for span, delays in zip([1, 2, 4, 6, 6], zip(*rows, strict=True), strict=True):
        assert all(span / 2 <= delay <= span for delay in delays)
        assert max(delays) - min(delays) > span / 4


@pytest.mark.parametrize(("done_before", "expected"), [("done before", "done before"), (None, None)])
async def test_refusal_of_a_repeated_change_may_mean_that_it_was_carried_out(
    done_before: str | None, expected: str | None
) -> None:
    async def find_out(error: DragonhallError) -> str | None:
        return done_before

    lost_reply = Server(broken(), refusal(grpc.StatusCode.FAILED_PRECONDITION, "GAME_NOT_RUNNING"))
    if expected is None:
        with pytest.raises(DragonhallError, match="GAME_NOT_RUNNING"):
            await repeat_change("here", AT_ONCE, lost_reply.call, find_out)
    else:
        assert await repeat_change("here", AT_ONCE, lost_reply.call, find_out) == expected


async def test_refusal_of_a_change_asked_for_once_stands() -> None:
    async def find_out(error: DragonhallError) -> str | None:
        raise AssertionError("there was no earlier attempt")

    server = Server(refusal(grpc.StatusCode.FAILED_PRECONDITION, "GAME_NOT_RUNNING"))
    with pytest.raises(DragonhallError, match="GAME_NOT_RUNNING"):
        await repeat_change("here", AT_ONCE, server.call, find_out)


@pytest.mark.parametrize(
    ("details", "cause"),
    [
        (
            "failed to connect to all addresses; last error: UNKNOWN: ipv6:%5B::1%5D:7350: Failed to connect to remote"
            " host: Connection refused",
            "connection refused",
        ),
        (
            "failed to connect to all addresses; last error: INTERNAL: ipv4:127.0.0.1:80: Failed parsing HTTP/2"
            " (Expected SETTINGS frame) (Trying to connect an http1.x server (HTTP status 400))",
            "it speaks HTTP/1, not gRPC",
        ),
        (
            "errors resolving nowhere.invalid:7350: [field:hostname lookup error:address lookup failed for"
            " nowhere.invalid:7350: Domain name not found]",
            "domain name not found",
        ),
        ("keepalive watchdog timeout", "keepalive watchdog timeout"),
        ("", ""),
    ],
)
def test_causes_are_told_in_few_words(details: str, cause: str) -> None:
    assert plain_cause(details) == cause


def unconnected(address: str, why: str) -> aio.AioRpcError:
    """As gRPC tells of the last of all addresses of a name."""
    return broken(details=f"failed to connect to all addresses; last error: UNKNOWN: {address}: {why}")


REFUSED = "Failed to connect to remote host: Connection refused"
V4, V6 = "ipv4:127.0.0.1:7350", "ipv6:%5B::1%5D:7350"
UNTRUSTED = unconnected(V4, "Tls handshake failed: CERTIFICATE_VERIFY_FAILED: unable to get local issuer certificate")
CLOSED, NOT_THERE, NOBODY_BESIDE = unconnected(V4, "Socket closed"), unconnected(V4, REFUSED), unconnected(V6, REFUSED)
LATE = broken(grpc.StatusCode.DEADLINE_EXCEEDED)


@pytest.mark.parametrize(
    ("failures", "causes"),
    [
        ([NOBODY_BESIDE, CLOSED, NOBODY_BESIDE, LATE], ["connection refused", *["socket closed"] * 3]),
        ([UNTRUSTED, NOBODY_BESIDE], [NOT_TRUSTED] * 2),
        # One that has gone since is as if it had never been there.
        ([CLOSED, NOT_THERE, NOBODY_BESIDE], ["socket closed", "connection refused", "connection refused"]),
        # A connection that came about, and broke, says nothing about the next one.
        ([broken(details="Socket closed"), NOBODY_BESIDE], ["socket closed", "connection refused"]),
        ([CLOSED, broken(details="keepalive watchdog timeout")], ["socket closed", "keepalive watchdog timeout"]),
        ([NOT_THERE, LATE], ["connection refused", "no answer"]),
    ],
)
async def test_whoever_is_there_is_told_of_before_an_address_where_nobody_is(
    failures: list[aio.AioRpcError], causes: list[str]
) -> None:
    told: list[str] = []
    patience = replace(AT_ONCE, give_up_after=None, on_failure=lambda _, cause: told.append(cause))
    assert await repeat("here", patience, Server(*failures, "done").call) == "done"
    assert told == causes


async def test_what_was_told_before_it_worked_is_told_no_more() -> None:
    told: list[str] = []
    backoff = Backoff("here", replace(AT_ONCE, on_failure=lambda _, cause: told.append(cause)))
    await backoff.wait(setback_of(CLOSED))
    backoff.reset()
    await backoff.wait(setback_of(NOBODY_BESIDE))
    assert told == ["socket closed", "connection refused"]


async def test_whoever_gives_up_is_told_of_it_as_well() -> None:
    patience = Patience(give_up_after=timedelta(seconds=0.3), first_delay=timedelta(seconds=0.1))
    with pytest.raises(ServerUnavailable, match="socket closed"):
        await repeat("here", patience, Server(CLOSED, *[NOBODY_BESIDE] * 9).call)


async def test_a_server_that_is_not_there_refuses_the_connection() -> None:
    failures: list[tuple[timedelta, str]] = []
    patience = Patience(give_up_after=timedelta(seconds=1), on_failure=lambda *failure: failures.append(failure))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        target = f"127.0.0.1:{taken.getsockname()[1]}"
        async with Client(target, patience=patience) as client:
            with pytest.raises(ServerUnavailable, match=r"^127\.0\.0\.1:.* s: connection refused$"):
                await client.list_rules()
    assert failures
    assert {cause for _, cause in failures} == {"connection refused"}
    assert [tried_for for tried_for, _ in failures] == sorted(tried_for for tried_for, _ in failures)
