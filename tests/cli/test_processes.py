"""What commands start they end, however they end themselves."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.commands import LIMIT, Running, dragonhall, running, wait_until_children, wait_until_ended

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds child processes in /proc")

LONG_MATCH = ("match", "dragons", "--seats", "greedy,random,random", "--games", "30000")
"""Goes on until it is stopped, with a server and two bots."""


def _children(command: Running) -> list[int]:
    return wait_until_children(command.process.pid, 3)


@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_match_that_is_stopped_leaves_no_process_behind(how: signal.Signals, code: int) -> None:
    with running(*LONG_MATCH) as match:
        children = _children(match)
        assert match.end(how) == code
        wait_until_ended(children)
        assert "Traceback" not in match.output


def test_a_match_that_is_killed_leaves_no_process_behind() -> None:
    with running(*LONG_MATCH) as match:
        children = _children(match)
        match.end(signal.SIGKILL)
        wait_until_ended(children)


def test_a_match_whose_bot_dies_says_so_and_fails() -> None:
    with running(*LONG_MATCH) as match:
        children = _children(match)
        os.kill(max(children), signal.SIGKILL)  # the server was started first
        assert match.wait() == 4
        assert re.search(r"dragonhall: the bot (greedy|random) ended with exit code -9", match.output)
        wait_until_ended(children)


def test_the_demo_plays_every_game_and_ends(tmp_path: Path) -> None:
    done = dragonhall("demo", "--once", "--folder", tmp_path)
    assert done.returncode == 0, done.stderr
    [record] = (tmp_path / "records").glob("dragons-*.json")
    assert f"record: {record} (checked: " in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert dragonhall("verify", record).returncode == 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("options", [(), ("--once",)], ids=["demo", "demo --once"])
@pytest.mark.parametrize("children", [1, 3])
def test_a_demo_that_is_stopped_at_any_time_leaves_no_process_behind(
    tmp_path: Path, how: signal.Signals, options: tuple[str, ...], children: int
) -> None:
    with running("demo", *options, "--folder", tmp_path) as demo:
        started = wait_until_children(demo.process.pid, children)
        code = demo.end(how)
        wait_until_ended(started)
        if how in (signal.SIGINT, signal.SIGTERM):
            assert code == 128 + how
            assert "Traceback" not in demo.output


def test_a_child_that_does_not_end_when_asked_to_ends_nevertheless() -> None:
    """Its parent is gone: nobody else is there to end it."""
    stubborn = (
        "import signal, time\n"
        "from dragonhall.cli import children\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "children._GRACE = 0.5\n"
        "children.end_with_parent()\n"
        "time.sleep(600)\n"
    )
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-P", "-c", stubborn], stdin=subprocess.DEVNULL, timeout=LIMIT)
    assert done.returncode == 4
    assert time.monotonic() - began < LIMIT / 2


def test_the_demo_goes_on_serving_until_it_is_stopped(tmp_path: Path) -> None:
    with running("demo", "--folder", tmp_path) as demo:
        target = demo.wait_for("Serving on ").split()[0]
        children = _children(demo)
        assert dragonhall("health", "--connect", target).returncode == 0
        match = dragonhall("match", "dragons", "--seats", "greedy,random,random", "--connect", target)
        assert match.returncode == 0
        assert demo.end(signal.SIGINT) == 130
        wait_until_ended(children)
        assert dragonhall("health", "--connect", target, "--timeout", "0.5").returncode == 3
