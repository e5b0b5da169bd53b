"""How much of a server one caller may take: games that are not over, open streams, submits in a time, and calls to the
sandbox."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from dragonhall.server.config import Limits
from dragonhall.server.identity.caller import ANYONE, Caller
from dragonhall.server.refusal import Reason, Refusal

SECOND_NS: Final = 1_000_000_000

MIN_SHARES_TO_SWEEP: Final = 1024
"""So many callers are remembered before those are forgotten that use nothing."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one caller may use at most."""

    games: int
    """Created by it and not over."""
    streams: int
    """Open at the same time."""
    submits_per_second: float
    """Answers to decisions in the long run, over all games."""
    submits_burst: int
    """Answers at once, after a while without any."""
    sandbox: int
    """Calls to the sandbox under way at the same time."""

    @staticmethod
    def of(limits: Limits) -> Allowance:
        """The one of callers of whom nothing else is said."""
        return Allowance(
            limits.max_games_per_caller,
            limits.max_streams_per_caller,
            limits.submits_per_second,
            limits.submits_burst,
            limits.max_sandbox_calls_per_caller,
        )


class Share:
    """What one caller uses now, over all its connections."""

    def __init__(self, caller: Caller, allowance: Allowance, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """``clock``: monotonic nanoseconds."""
        self._clock = clock
        self._streams = 0
        self._sandbox = 0
        self._paid_ns = 0
        """When the submits so far would have come at the allowed rate: as far ahead of now as a burst at most."""
        self._begun = self._ended = 0
        """Creations of games."""
        self._next_end = asyncio.Event()
        self.grant(caller, allowance)

    def grant(self, caller: Caller, allowance: Allowance) -> None:
        """What the caller may do and use from now on; what it uses stays counted."""
        self.caller, self.allowance = caller, allowance
        self._interval_ns = round(SECOND_NS / allowance.submits_per_second)
        self._burst_ns = self._interval_ns * allowance.submits_burst

    @property
    def is_unused(self) -> bool:
        """Whether a new share would be the same."""
        return not (self._streams or self._sandbox) and self._begun == self._ended and self._paid_ns <= self._clock()

    def spend_submit(self) -> None:
        """Counts an answer to a decision. Raises `Refusal` (QUOTA_EXCEEDED) with the time to wait."""
        now = self._clock()
        paid = max(self._paid_ns, now) + self._interval_ns
        if paid - now > self._burst_ns:
            wait = timedelta(microseconds=(paid - now - self._burst_ns) // 1000 + 1)
            rate = self.allowance.submits_per_second
            raise Refusal(
                Reason.QUOTA_EXCEEDED,
                f"you may submit {rate:g} answers a second, and {self.allowance.submits_burst} at once: wait as said",
                wait,
                quota="submits",
            )
        self._paid_ns = paid

    @contextmanager
    def stream(self) -> Iterator[None]:
        """Counts a stream while it is open. Raises `Refusal` (QUOTA_EXCEEDED)."""
        if self._streams >= self.allowance.streams:
            raise Refusal(
                Reason.QUOTA_EXCEEDED,
                f"you have {self._streams} streams open, and may have {self.allowance.streams}: end some, or use Play, "
                "which carries many games on one stream",
                quota="streams",
            )
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    @contextmanager
    def sandbox(self) -> Iterator[None]:
        """Counts a call to the sandbox while it is under way. Raises `Refusal` (QUOTA_EXCEEDED)."""
        if self._sandbox >= self.allowance.sandbox:
            raise Refusal(
                Reason.QUOTA_EXCEEDED,
                f"you have {self._sandbox} calls to the sandbox under way, and may have {self.allowance.sandbox}: wait "
                "for one to end, and ask for more in each",
                quota="sandbox",
            )
        self._sandbox += 1
        try:
            yield
        finally:
            self._sandbox -= 1

    @asynccontextmanager
    async def opening_game(self, count_owned: Callable[[str], Awaitable[int]]) -> AsyncIterator[None]:
        """Around the creation of a game. Raises `Refusal` (QUOTA_EXCEEDED), or what ``count_owned`` raises.

        ``count_owned``: how many games of an owner are not over.
        """
        await self._wait_for_room(count_owned)
        self._begun += 1
        try:
            yield
        finally:
            self._ended += 1
            self._next_end.set()
            self._next_end = asyncio.Event()

    async def _wait_for_room(self, count_owned: Callable[[str], Awaitable[int]]) -> None:
        """Games that are being created may be in the count already, or not yet: if it hangs on them, they are waited
        for, so that neither one too many is let in nor one too few."""
        while True:
            next_end, ended = self._next_end, self._ended
            count = await count_owned(self.caller.name)
            uncertain = self._begun - ended
            if count + uncertain < self.allowance.games:
                return
            if not uncertain:
                break
            await next_end.wait()
        raise Refusal(
            Reason.QUOTA_EXCEEDED,
            f"you have {count} games that are not over, and may have {self.allowance.games}: finish or abort some",
            quota="games",
        )


class Shares:
    """The shares of all callers that use anything."""

    def __init__(self) -> None:
        self._shares: dict[str, Share] = {}
        self._sweep_at = MIN_SHARES_TO_SWEEP

    def of(self, caller: Caller, allowance: Allowance) -> Share:
        """The share of the caller of that name, with what it may do now."""
        share = self._shares.get(caller.name)
        if share is None:
            self._forget_unused()
            share = self._shares[caller.name] = Share(caller, allowance)
        elif share.caller is not caller or share.allowance is not allowance:
            share.grant(caller, allowance)
        return share

    def _forget_unused(self) -> None:
        if len(self._shares) >= self._sweep_at:
            self._shares = {name: share for name, share in self._shares.items() if not share.is_unused}
            self._sweep_at = max(MIN_SHARES_TO_SWEEP, 2 * len(self._shares))


NO_LIMIT: Final = Allowance(
    games=1 << 62, streams=1 << 62, submits_per_second=float(SECOND_NS), submits_burst=1 << 30, sandbox=1 << 62
)

UNLIMITED: Final = Share(ANYONE, NO_LIMIT)
"""Of work that no call has asked for."""
