from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dragonhall.client import Client
from tests.processes import ServerProcess


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    async with ServerProcess(tmp_path) as running:
        yield running


@pytest.fixture
async def client(server: ServerProcess) -> AsyncIterator[Client]:
    async with Client(server.target) as connected:
        yield connected
