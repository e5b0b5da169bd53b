"""A server that a test may kill, and that no failing test leaves behind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.processes import ServerProcess
from tests.service.recording import check_all


@pytest.fixture(autouse=True)
def streams_keep_their_promises() -> Iterator[None]:
    """Every stream that a test opens has to keep its promises."""
    yield
    check_all()


@pytest.fixture
async def process(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server in a process of its own."""
    server = ServerProcess(tmp_path)
    await server.start()
    try:
        yield server
    finally:
        await server.kill()
