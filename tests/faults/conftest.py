"""A server that a test may kill, and that no failing test leaves behind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.processes import ServerProcess


@pytest.fixture
async def process(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server in a process of its own."""
    server = ServerProcess(tmp_path)
    await server.start()
    try:
        yield server
    finally:
        await server.kill()
