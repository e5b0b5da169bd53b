"""What a bot says of itself in its log."""

from __future__ import annotations

import json
import re
import signal
import socket
from datetime import timedelta
from pathlib import Path

import pytest

from dragonhall.bots.outage import Outage
from tests.cli.commands import running, server


def test_a_server_that_is_away_is_mentioned_ever_more_seldom(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "dragonhall.bots")
    outage = Outage("here:1")
    for seconds in (*range(0, 100, 3), *range(0, 15, 3)):
        if seconds == 0:
            outage.ended()
        for _ in range(2):  # two streams, which fail side by side
            outage.failed(timedelta(seconds=seconds), "connection refused")
    assert [record.getMessage() for record in caplog.records] == [
        "no server at here:1 for 12 s, still trying: connection refused",
        "no server at here:1 for 21 s, still trying: connection refused",
        "no server at here:1 for 42 s, still trying: connection refused",
        "no server at here:1 for 81 s, still trying: connection refused",
        "the server at here:1 is there",
        "no server at here:1 for 12 s, still trying: connection refused",
    ]


def test_a_bot_without_a_server_says_so_again() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        target = f"127.0.0.1:{taken.getsockname()[1]}"
        with running("bot", "random", "--connect", target, "--log-format", "json") as bot:
            looking, missing = (json.loads("{" + bot.wait_for("{")) for _ in range(2))
            bot.end(signal.SIGTERM)
    assert looking["message"] == f"looking for a server at {target}; it may come later"
    assert re.fullmatch(rf"no server at {target} for \d+ s, still trying: connection refused", missing["message"])
    assert (looking["level"], missing["level"]) == ("info", "warning")


def test_a_bot_that_is_told_to_stop_says_so_in_lines_as_the_servers(tmp_path: Path) -> None:
    with server(tmp_path / "hall.db") as (_, target), running("bot", "random", "--connect", target) as bot:
        bot.wait_for("dragonhall-bot: ")
        assert bot.end(signal.SIGTERM) == 0
    stopping, stopped = bot.output.splitlines()[-2:]
    assert re.fullmatch(r"time=20\S+Z level=info message='stopping: .*'", stopping)
    assert stopped.endswith("level=info message='stopped'")


def test_a_quiet_bot_says_no_more_than_was_asked_for(tmp_path: Path) -> None:
    arguments = ("--connect", "127.0.0.1:1", "--log-level", "error")
    with server(tmp_path / "hall.db") as (_, target), running("bot", "random", *arguments, "--connect", target) as bot:
        bot.wait_for("dragonhall-bot: ")
        bot.end(signal.SIGTERM)
    assert bot.output == f"dragonhall-bot: random (random) watching {target}\n"
