"""The keeper of time: answers for those whose time is up, and a note each second that the server is there.

The note is what makes clocks fair over a crash: the next run knows since when there was no server, and nobody is
charged for it. A server that stood still for some seconds (suspended, or its machine was) counts as one that was not
there.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from dragonhall.server.hub import Hub
from dragonhall.server.operations import absence
from dragonhall.server.refusal import Refusal
from dragonhall.server.store.base import StoreError
from dragonhall.server.wall_clock import now_us

logger = logging.getLogger("dragonhall.server")

NOTE_US: Final = 1_000_000
"""Between two notes."""

PATIENCE_US: Final = 50_000
"""An answer that arrived in time may still be on its way through the server."""

STOOD_STILL_US: Final = 3_000_000
"""Whoever looks at the clock so long after the last time has not been running, since there are `NOTE_US` at most."""

AT_ONCE: Final = 32
"""Games in which time is called together. Each may have to be loaded."""

RETRY_US: Final = 1_000_000
"""After so long a game is tried again if it could not be loaded or written."""


class Keeper:
    """Keeps the clocks of one hub's games."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._noted_us = 0
        self._looked()

    async def start(self) -> None:
        """The run begins: learns which games have clocks that run. None is loaded. Raises `StoreError`."""
        await self._hub.store.begin_run()
        for game_id, deadline_us in await self._hub.store.deadlines():
            self._hub.deadlines.set(game_id, deadline_us)

    async def run(self) -> None:
        """Keeps time until cancelled."""
        while True:
            await self._wait()
            try:
                await self._notice_standstill()
                await self.look()
            except Exception as fault:  # of one game: the others' clocks go on
                logger.error("event=fault", exc_info=fault)

    async def stop(self) -> None:
        """The last note: nobody is charged for the time until the next run."""
        with suppress(StoreError):
            if len(self._hub.deadlines):
                await self._hub.store.note_alive(self._hub.now_us())

    async def _wait(self) -> None:
        """Until the next deadline, but no longer than until the next note; if no clock runs, until one does."""
        earliest_us = self._hub.deadlines.earliest_us()
        if earliest_us is None:
            await self._hub.deadlines.wait(None)
            self._looked()
            return
        wait_us = min(earliest_us + PATIENCE_US - self._hub.now_us(), NOTE_US)
        if wait_us > 0:
            await self._hub.deadlines.wait(wait_us / 1e6)

    def _looked(self) -> None:
        self._looked_us = self._hub.now_us()
        self._looked_really_us = now_us()

    async def _notice_standstill(self) -> None:
        """The machine's own clock tells, also where the games have another."""
        before_us, waited_us = self._looked_us, now_us() - self._looked_really_us
        self._looked()
        if waited_us > STOOD_STILL_US:
            logger.warning("event=stood_still seconds=%.1f", waited_us / 1e6)
            await self.give_back(before_us, self._looked_us)

    async def give_back(self, from_us: int, to_us: int) -> None:
        """Nobody is charged for this time."""
        await self._hub.owe(from_us, to_us)
        with suppress(StoreError):
            await self._hub.store.note_outage(from_us, to_us)

    async def look(self) -> None:
        """Looks at the games' clock, and does what is due."""
        time_us = self._hub.now_us()
        if time_us - self._noted_us >= NOTE_US:
            self._noted_us = time_us
            with suppress(StoreError):
                await self._hub.store.note_alive(time_us)
        await self._call_time(time_us)

    async def _call_time(self, time_us: int) -> None:
        due = self._hub.deadlines.take_due(time_us - PATIENCE_US)
        for first in range(0, len(due), AT_ONCE):
            await asyncio.gather(*map(self._call_time_in, due[first : first + AT_ONCE]))

    async def _call_time_in(self, game_id: str) -> None:
        self._hub.deadlines.set(game_id, await self._expire(game_id))

    async def _expire(self, game_id: str) -> int | None:
        """Does what is due in one game; when to look at it again."""
        hub = self._hub
        try:
            game = await hub.game(game_id)
            await game.carry_out(absence.expire(hub.now_us()))
        except StoreError:  # whoever watches over the store tells of it
            return hub.now_us() + RETRY_US
        except Refusal as refusal:
            logger.error("event=clock_stopped game=%s reason=%s", game_id, refusal.reason.value)
            return None
        return game.deadline_us
