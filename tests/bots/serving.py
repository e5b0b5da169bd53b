"""A server in the test's own process, on a real port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from dragonhall.client import Client
from dragonhall.server import Server, ServerConfig
from tests.cli.commands import LIMIT


@asynccontextmanager
async def served(folder: Path, *chances: Any) -> AsyncIterator[Client]:
    """A client of it, for `LIMIT` seconds at most. ``chances``: as `Server` has them, if tiles and cards are known."""
    server = Server(ServerConfig(listen="127.0.0.1:0", store=folder / "hall.db"), *chances)
    port = await server.start()
    try:
        async with Client(f"127.0.0.1:{port}") as connected, asyncio.timeout(LIMIT):
            yield connected
    finally:
        await server.stop()
