"""The programs in the README run as they stand there."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dragonhall.cli.app import app
from dragonhall.client import Client, bot_seat
from dragonhall.dragons.v1 import dragons_pb2
from dragonhall.v1 import game_pb2, games_pb2
from tests.cli.commands import LIMIT, dragonhall, running

README = Path(__file__).resolve().parents[2] / "README.md"


def _program(name: str) -> str:
    found = re.search(rf"<!-- test: {name} -->\n```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found, f"the README has no program {name}"
    return found[1]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running("demo", "--folder", tmp_path_factory.mktemp("demo")) as demo:
        yield demo.wait_for("Serving on ").split()[0]
        demo.process.terminate()
        demo.wait()


@contextmanager
def _running(program: str, target: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen([sys.executable, "-c", program, target], stdout=subprocess.PIPE, text=True)
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_the_client_plays_a_game_against_the_demos_bots(target: str) -> None:
    with _running(_program("client"), target) as client:
        output, _ = client.communicate(timeout=LIMIT)
        assert client.returncode == 0
    assert re.fullmatch(r"(seat [012]: -?\d+ points, rank [123]\n){3}", output)


def test_the_bot_plays_matches(target: str) -> None:
    with _running(_program("bot"), target) as bot:
        line_up = ("--seats", "tortoise,greedy,random")
        done = dragonhall("match", "dragons", *line_up, "--games", "6", "--connect", target)
        assert done.returncode == 0, done.stderr
        assert bot.poll() is None
    assert re.search(r"^tortoise +6 ", done.stdout, re.MULTILINE)


async def test_the_bot_outlives_a_game_that_is_aborted_while_it_thinks(target: str) -> None:
    program = _program("bot")
    thoughtful = program.replace(
        "            choice = random", "            await asyncio.sleep(0.5)\n            choice = random"
    )
    assert thoughtful != program
    with _running(thoughtful, target) as bot:
        async with Client(target) as client:
            dragons = games_pb2.GameOptions(dragons=dragons_pb2.Options())
            games = [await client.create_game(dragons, [bot_seat("tortoise")] * 3) for _ in range(2)]
            for created in games:
                async with asyncio.timeout(LIMIT):
                    while (await client.get_game(created.game.game_id)).status != game_pb2.GAME_STATUS_RUNNING:  # noqa: ASYNC110
                        await asyncio.sleep(0.05)
                await client.abort_game(created.game.game_id, created.host_token)
                await asyncio.sleep(1.0)  # its answer has come too late meanwhile
                assert bot.poll() is None, "and it takes the other game's seats"


def test_every_file_that_the_readme_links_to_exists() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert [link for link in links if not (README.parent / link).exists()] == []


def test_every_command_in_the_readme_is_one() -> None:
    text = README.read_text(encoding="utf-8")
    commands = set(re.findall(r"dragonhall (demo|match|serve|bot|record|verify|version|health)\b", text))
    assert commands >= {"demo", "match", "serve", "bot", "verify", "version", "health"}
    for command in commands:
        used = set(re.findall(rf"dragonhall {command} [^\n`]*", text))
        known = CliRunner().invoke(app, [command, "--help"]).stdout
        for option in {option for line in used for option in re.findall(r"--[a-z-]+", line.split("#")[0])}:
            assert option in known, f"dragonhall {command} has no {option}"
