"""Patience: how long the client waits between attempts, and when it gives up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeVar

import grpc
from grpc import aio

from dragonhall.client.errors import DragonhallError, ServerUnavailable, from_rpc_error, plain_cause, unconnected

_Response = TypeVar("_Response")


@dataclass(frozen=True)
class Patience:
    """How stubborn a client is when the server cannot be reached."""

    give_up_after: timedelta | None = timedelta(seconds=30)
    """Since a call was made, the time it waits for an answer included; ``None``: never.

    A stream counts from the first failure in a row, and anew when it comes back."""
    first_delay: timedelta = timedelta(milliseconds=100)
    """About how long to wait after the first failure; twice as long after each further one."""
    longest_delay: timedelta = timedelta(seconds=5)
    attempt_limit: timedelta = timedelta(seconds=20)
    """How long one attempt of a call that is answered once may take, if it is to be waited for that long at all."""
    first_word_limit: timedelta = timedelta(seconds=4)
    """How long a stream may be silent at its beginning, where every server has something to say at once; twice as long
    after each failure in a row, up to ``attempt_limit``. Later on, gRPC's own keepalive watches over it."""
    on_failure: Callable[[timedelta, str], None] | None = None
    """Is told of each failure after which the client goes on trying: for how long it has been, and why it failed."""


FOR_EVER = Patience(give_up_after=None)
"""For processes that outlive their server, such as bots."""


@dataclass(frozen=True)
class Setback:
    """Why an attempt failed after which another one may succeed."""

    cause: str
    """In words."""
    retry_after: timedelta | None = None
    """How long the server says to wait."""
    address: str = ""
    """Where no connection came about, as gRPC writes it; empty: it was not for want of one that the attempt failed."""
    nobody: bool = False
    """Nothing was heard of a server."""

    def outweighs(self, newer: Setback) -> bool:
        """Whether it is more worth telling than a later one: somebody is there who cannot be talked to.

        gRPC tries all addresses of a name, such as ``::1`` and ``127.0.0.1``, and tells of the last one that failed;
        that nobody listens there says nothing about the other.
        """
        return bool(self.address) and not self.nobody and newer.nobody and newer.address != self.address


NO_ANSWER: Final = Setback("no answer", nobody=True)


class Backoff:
    """Jittered exponential delays of one row of failures: half to all of a doubling span, so that clients spread."""

    def __init__(self, target: str, patience: Patience) -> None:
        self._target = target
        self._patience = patience
        self._failures = 0
        self._since: float | None = None
        self._told: Setback | None = None

    def reset(self) -> None:
        """It works again: the next failure begins a new row."""
        self._failures = 0
        self._since = None
        self._told = None

    def begin(self) -> None:
        """Patience runs from now, before anything has failed."""
        self._since = self._now()

    def attempt_limit(self) -> float:
        """Seconds that the next attempt may take: no more than what is left of patience."""
        return self._at_most(self._patience.attempt_limit.total_seconds())

    def first_word_limit(self) -> float:
        """Seconds until the next stream has to have said something."""
        limit = self._patience.first_word_limit.total_seconds() * 2.0 ** min(self._failures, 30)
        return self._at_most(min(limit, self._patience.attempt_limit.total_seconds()))

    def _at_most(self, limit: float) -> float:
        most = self._patience.give_up_after
        return limit if most is None else max(0.0, min(limit, most.total_seconds() - self._tried_for()))

    async def wait(self, setback: Setback) -> None:
        """Sleeps until the next attempt is due. Raises `ServerUnavailable` when it is time to give up."""
        if self._since is None:
            self.begin()
        if self._told is None or not self._told.outweighs(setback):
            self._told = setback
        delay, tried_for = self._next_delay_after(setback), self._tried_for()
        limit = self._patience.give_up_after
        if limit is not None and tried_for + delay > limit.total_seconds():
            raise ServerUnavailable(self._target, timedelta(seconds=tried_for), self._told.cause)
        if self._patience.on_failure is not None:
            self._patience.on_failure(timedelta(seconds=tried_for), self._told.cause)
        await asyncio.sleep(delay)

    def _next_delay_after(self, setback: Setback) -> float:
        """No sooner than the server said, and not all clients at once."""
        delay = self.next_delay()
        if setback.retry_after is None:
            return delay
        return max(delay, setback.retry_after.total_seconds() * random.uniform(1.0, 1.25))

    def _tried_for(self) -> float:
        return 0.0 if self._since is None else self._now() - self._since

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def next_delay(self) -> float:
        """Seconds to wait after one more failure."""
        first, longest = self._patience.first_delay.total_seconds(), self._patience.longest_delay.total_seconds()
        span = min(longest, first * 2.0 ** min(self._failures, 30))
        self._failures += 1
        return span * random.uniform(0.5, 1.0)


async def repeat(target: str, patience: Patience, attempt: Callable[[float], Awaitable[_Response]]) -> _Response:
    """Calls ``attempt(limit in seconds)`` until it answers. Only for requests that are safe to send twice.

    Raises `DragonhallError` for a refusal and `ServerUnavailable` when patience ends.
    """
    backoff = Backoff(target, patience)
    backoff.begin()
    while True:
        cancelled = cancellations()
        try:
            return await attempt(backoff.attempt_limit())
        except aio.AioRpcError as failure:
            raise_if_cancelled_since(cancelled)
            await backoff.wait(setback_of(failure))


async def repeat_change(
    target: str,
    patience: Patience,
    attempt: Callable[[float], Awaitable[_Response]],
    done_before: Callable[[DragonhallError], Awaitable[_Response | None]],
) -> _Response:
    """As `repeat`, for a change that is refused the second time it is asked for.

    A refusal of a later attempt may only mean that an earlier one was carried out and its answer lost: ``done_before``
    finds out, and returns the answer if it was.
    """
    attempts = 0

    async def counted(limit: float) -> _Response:
        nonlocal attempts
        attempts += 1
        return await attempt(limit)

    try:
        return await repeat(target, patience, counted)
    except DragonhallError as error:
        answer = await done_before(error) if attempts > 1 else None
        if answer is None:
            raise
        return answer


def cancellations() -> int:
    """How often the running task was asked to end."""
    task = asyncio.current_task()
    return task.cancelling() if task is not None else 0


def raise_if_cancelled_since(cancelled: int) -> None:
    """Raises `asyncio.CancelledError` if the task was asked to end since `cancellations` was ``cancelled``.

    A call that breaks at the moment at which its task is cancelled fails as if only the former had happened.
    """
    if cancellations() > cancelled:
        raise asyncio.CancelledError from None


def setback_of(failure: aio.AioRpcError) -> Setback:
    """Why a call failed, if trying again may help; raises the refusal as a `DragonhallError` otherwise."""
    error = from_rpc_error(failure)
    if error is not None and not error.retriable:
        raise error from None
    if failure.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
        return NO_ANSWER
    details = failure.details() or failure.code().name
    return Setback(plain_cause(details), error.retry_after if error else None, *unconnected(details))
