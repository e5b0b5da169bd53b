"""Fixtures of the service's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.service.harness import Running, running


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    """A server with a store of its own; every stream that the test observes has to keep its promises."""
    async with running(tmp_path / "games.db") as started:
        yield started
