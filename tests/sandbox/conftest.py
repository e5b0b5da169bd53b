"""Fixtures of the sandbox's tests: real servers, as the service's tests have them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dragonhall.cli.playouts import POLICIES
from dragonhall.sandbox import SandboxSettings
from tests.service.harness import Running, running


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    """A server with a store of its own, whose sandbox knows the bots, as ``dragonhall serve`` has it."""
    async with running(tmp_path / "games.db", sandbox=SandboxSettings(workers=1, policies=POLICIES)) as started:
        yield started
