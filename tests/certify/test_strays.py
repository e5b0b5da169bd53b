"""What a bot has started ends with it, also in sessions of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dragonhall.cli.certify.strays import MARK_VARIABLE, end_strays, new_mark
from dragonhall.cli.certify.subject import Subject

if sys.platform != "linux":
    pytest.skip("only Linux shows the environment of processes", allow_module_level=True)

SLEEPER = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
BOT = f"""
import os, subprocess, time
child = subprocess.Popen({SLEEPER!r}, start_new_session=True)
grandchild = subprocess.Popen(["sh", "-c", "setsid sleep 600 & echo $!"], stdout=subprocess.PIPE)
print(child.pid, int(grandchild.stdout.readline()), flush=True)
"""
LIMIT = 20.0


def runs(process: int) -> bool:
    """Whether it does; who has ended and is not yet fetched by its parent does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not condition():  # noqa: ASYNC110 - the processes tell nobody
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("outlived", [True, False], ids=["bot has ended", "bot runs"])
async def test_a_bots_daemons_end_with_it(outlived: bool, tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    program = BOT if outlived else f"{BOT}\ntime.sleep(600)"
    bot = Subject([sys.executable, "-S", "-c", program], "127.0.0.1:1", "rex", log, lambda: None)
    await bot.start()
    await until(lambda: log.read_text().endswith("\n"))
    if outlived:
        await bot.ended()
    strays = [int(word) for word in log.read_text().split()]
    assert len(strays) == 2
    assert all(map(runs, strays)), "else this shows nothing"
    await bot.stop()
    await until(lambda: not any(map(runs, strays)))


def test_nobody_else_ends_with_it() -> None:
    environment = {**os.environ, MARK_VARIABLE: new_mark()}
    with subprocess.Popen(SLEEPER, env=environment) as other:
        end_strays(new_mark())
        assert other.poll() is None
        end_strays(environment[MARK_VARIABLE])
        assert other.wait(LIMIT) == -signal.SIGKILL
