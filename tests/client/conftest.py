from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from dragonhall.client import Client
from tests.processes import READY, Process, ServerProcess, serve_arguments


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that all tests share which do not kill it."""
    folder = tmp_path_factory.mktemp("shared-server")
    process = Process(serve_arguments("127.0.0.1:0", folder / "games.db"), folder / "server.log")
    try:
        yield process.start(READY)
    finally:
        process.stop()


@pytest.fixture
async def client(target: str) -> AsyncIterator[Client]:
    """Connected to the shared server."""
    async with Client(target) as connected:
        yield connected


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server of the test's own, to be killed."""
    async with ServerProcess(tmp_path) as running:
        yield running
