"""Fifty people play at once: nothing fails, and games come to their end."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from importlib.util import find_spec  # importing locust would patch this process for gevent
from pathlib import Path

import pytest

from tests.processes import ServerProcess

PLAYERS = 50
SECONDS = 15
LOCUSTFILE = Path(__file__).with_name("locustfile.py")


@pytest.mark.skipif(find_spec("locust") is None, reason="locust is not installed: pip install -e '.[load]'")
@pytest.mark.load
@pytest.mark.slow
async def test_fifty_players_play_whole_games_without_a_failure(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as server:
        command = [
            *(sys.executable, "-m", "locust", "--locustfile", str(LOCUSTFILE), "--headless", "--processes", "2"),
            *("--users", str(PLAYERS), "--spawn-rate", str(PLAYERS), "--run-time", f"{SECONDS}s"),
            *("--host", server.target, "--json", "--loglevel", "WARNING"),
        ]
        locust = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=120)
    assert locust.returncode == 0, locust.stderr
    requests = statistics(locust.stdout)
    assert {name: row["num_failures"] for name, row in requests.items() if row["num_failures"]} == {}
    assert requests["take seat"]["num_requests"] >= PLAYERS
    assert requests["whole game"]["num_requests"] > 0


def statistics(printed: str) -> dict[str, dict[str, int]]:
    """What locust counted, by request: every process prints a list, and only the master's is not empty."""
    decoder = json.JSONDecoder()
    rows = []
    while printed := printed.strip():
        more, end = decoder.raw_decode(printed)
        rows += more
        printed = printed[end:]
    return {row["name"]: row for row in rows}
