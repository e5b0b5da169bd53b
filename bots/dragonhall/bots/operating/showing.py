"""Everything that a bot shows of itself, as long as it runs."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

from dragonhall.bots.operating.watcher import Watchers

_log: Final = logging.getLogger("dragonhall.bots")


@dataclass(frozen=True)
class About:
    """What a bot is."""

    name: str
    kind: str
    processes: int
    """In which it thinks, at most; 0: its own."""
    workers: int
    """How many of them think about one decision together."""


@asynccontextmanager
async def shown(watchers: Watchers, about: About, metrics: str | None, operator: str | None) -> AsyncIterator[None]:
    """Serves ``metrics`` and the ``operator`` meanwhile, at these addresses, from what ``watchers`` are told.

    Raises `CannotListen`.
    """
    async with AsyncExitStack() as stack:
        if metrics is not None:
            from dragonhall.bots.operating.metrics import metrics_served

            listener, address = stack.enter_context(metrics_served(metrics))
            watchers.add(listener)
            _log.info("metrics are at http://%s/metrics", address)
        if operator is not None:
            from dragonhall.bots.operating.ledger import Ledger
            from dragonhall.bots.operating.service import operator_served

            ledger = Ledger()
            watchers.add(ledger)
            address = await stack.enter_async_context(operator_served(operator, about, ledger))
            _log.info("what it thinks is told at %s: dragonhall explain --operator %s", address, address)
        yield
