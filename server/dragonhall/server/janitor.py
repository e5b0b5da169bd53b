"""The janitor: ends games that everybody has left, and removes those that are over and no longer kept."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from dragonhall.server.config import ServerConfig
from dragonhall.server.hub import Hub
from dragonhall.server.operations.games import expire_game
from dragonhall.server.playthrough import Status
from dragonhall.server.refusal import Refusal
from dragonhall.server.store.base import StoreError

logger = logging.getLogger("dragonhall.server")

ROUND_SECONDS: Final = 60.0

MOST: Final = 200
"""Games of each kind in one round, at most: other work goes on meanwhile, and there is always another round."""


class Janitor:
    """Goes its rounds through one hub's games."""

    def __init__(self, hub: Hub, config: ServerConfig) -> None:
        self._hub = hub
        self._config = config
        self._hopeless: set[str] = set()
        """Games that cannot be ended here, as those of other rules versions."""

    async def run(self) -> None:
        """Goes its rounds until cancelled."""
        while True:
            try:
                await self.round()
            except StoreError as error:
                logger.warning("event=round_failed error=%r", str(error))
            await asyncio.sleep(ROUND_SECONDS)

    async def round(self) -> None:
        """Looks at every kind of game once. Raises `StoreError`."""
        config = self._config
        await self._each((Status.WAITING,), config.waiting_expiry, self._end)
        await self._each((Status.RUNNING,), config.running_expiry, self._end)
        await self._each((Status.FINISHED, Status.ABORTED), config.finished_retention, self._remove)

    async def _each(
        self, statuses: tuple[Status, ...], kept: timedelta | None, do: Callable[[str, int], Awaitable[None]]
    ) -> None:
        """Does it with games in which nothing has happened for longer than they are ``kept``."""
        if kept is None:
            return
        before_us = self._hub.now_us() - kept // timedelta(microseconds=1)
        for game_id in await self._hub.store.stale(statuses, before_us, MOST + len(self._hopeless)):
            if game_id not in self._hopeless:
                await do(game_id, before_us)

    async def _end(self, game_id: str, before_us: int) -> None:
        try:
            game = await self._hub.game(game_id)
            await game.carry_out(expire_game(before_us))
        except Refusal as refusal:
            logger.warning("event=not_ended game=%s reason=%s", game_id, refusal.reason.value)
            self._hopeless.add(game_id)

    async def _remove(self, game_id: str, _: int) -> None:
        await self._hub.remove(game_id)
