"""Fixtures of the service's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.service.harness import Running, running
from tests.service.recording import check_all


@pytest.fixture(autouse=True)
def streams_keep_their_promises() -> Iterator[None]:
    """Every stream that a test opens has to keep its promises."""
    yield
    check_all()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    """A server with a store of its own."""
    async with running(tmp_path / "games.db") as started:
        yield started
