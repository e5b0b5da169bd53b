"""``serve``, ``health``, ``record`` and ``version``."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragonhall.arena import Pairing
from dragonhall.cli.progress import GamesProgress
from dragonhall.client import Client
from dragonhall.rules import GAMES
from dragonhall.v1 import game_pb2
from dragonhall.wire.records import read_record
from tests.cli.commands import dragonhall, running, server


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(tmp_path_factory.mktemp("store") / "hall.db") as (_, address):
        yield address


@pytest.fixture(scope="module")
def game_id(target: str) -> str:
    arguments = ("--seats", "random,random,random", "--connect", target, "--start-bots", "--json")
    done = dragonhall("match", "dragons", *arguments)
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout)["games"][0]["gameId"])


def test_a_server_that_is_told_to_end_ends_well(tmp_path: Path) -> None:
    with server(tmp_path / "hall.db") as (command, target):
        assert dragonhall("health", "--connect", target).stdout == f"{target} is serving\n"
        assert command.end(signal.SIGTERM) == 0
    done = dragonhall("health", "--connect", target, "--timeout", "0.5")
    assert done.returncode == 3
    assert f"dragonhall: {target} could not be reached" in done.stderr


@pytest.mark.parametrize("command", [("health",), ("record", "game")], ids=["health", "record"])
def test_a_timeout_is_kept_by_a_server_that_says_nothing(command: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        done = dragonhall(*command, "--connect", f"127.0.0.1:{silent.getsockname()[1]}", "--timeout", "1")
    assert done.returncode == 3
    assert re.search(r"could not be reached for (0\.9|[1-4]\.\d) s", done.stderr)
    assert time.monotonic() - began < 19.0, "gRPC's own limit is 20 s"


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path, target: str) -> None:
    done = dragonhall("serve", "--listen", target, "--store", tmp_path / "other.db")
    assert done.returncode == 2
    assert "the port is in use" in done.stderr.splitlines()[-1]


def test_a_record_comes_as_json_and_binary(target: str, game_id: str, tmp_path: Path) -> None:
    text = dragonhall("record", game_id, "--connect", target)
    assert text.returncode == 0
    binary = tmp_path / "game.bin"
    done = dragonhall("record", game_id, "--connect", target, "--format", "binary", "--output", binary)
    assert done.returncode == 0
    assert read_record(text.stdout.encode()) == read_record(binary.read_bytes())
    assert dragonhall("verify", binary).returncode == 0


def test_a_game_is_brought_to_a_server_that_allows_it(target: str, game_id: str, tmp_path: Path) -> None:
    file, again = tmp_path / "game.json", tmp_path / "again.json"
    assert dragonhall("record", game_id, "--connect", target, "--output", file).returncode == 0
    with server(tmp_path / "there.db", "--allow-imports") as (_, there):
        done = dragonhall("import", file, "--connect", there)
        assert (done.returncode, done.stdout) == (0, f"imported {game_id}\n"), done.stderr
        assert dragonhall("record", game_id, "--connect", there, "--output", again).returncode == 0
    assert dragonhall("verify", again).returncode == 0
    refused = dragonhall("import", file, "--connect", target)
    assert (refused.returncode, "NOT_ALLOWED" in refused.stderr) == (1, True)


def test_a_file_that_is_no_record_is_not_brought_anywhere(target: str, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("{", encoding="utf-8")
    for file in ("game.json", "nothing.json"):
        done = dragonhall("import", tmp_path / file, "--connect", target)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_a_game_that_does_not_exist_is_no(target: str) -> None:
    done = dragonhall("record", "0" * 20, "--connect", target)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("dragonhall: GAME_NOT_FOUND: ")


def test_a_match_whose_bots_do_not_come_says_once_whom_it_waits_for_and_gives_up(target: str) -> None:
    arguments = ("--seats", "absent,absent,absent", "--games", "3", "--connect", target, "--timeout", "6.5")
    done = dragonhall("match", "dragons", *arguments)
    waits, gives_up = done.stderr.splitlines()
    assert waits.endswith(" waits for 'absent': is such a bot running? (dragonhall bot KIND --name absent)")
    assert re.fullmatch(r"dragonhall: game \w+ was given up: it waited for 'absent' for 6.5 s", gives_up)
    assert (done.returncode, done.stdout) == (1, "")
    assert asyncio.run(_statuses(target, "absent")) == {game_pb2.GAME_STATUS_ABORTED}


async def _statuses(target: str, bot: str) -> set[game_pb2.GameStatus.ValueType]:
    """Of all games with a seat for that bot."""
    async with Client(target) as client:
        return {game.status async for game in client.list_games() if game.seats[0].bot_name == bot}


def test_without_a_limit_a_match_waits_until_it_is_stopped(target: str) -> None:
    with running("match", "dragons", "--seats", "nobody,nobody,nobody", "--connect", target) as match:
        match.wait_for("game 1 waits for 'nobody': ")
        assert match.end(signal.SIGINT) == 130


def test_a_bot_that_stays_away_is_mentioned_ever_more_seldom(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr("dragonhall.cli.progress.time.monotonic", lambda: now)
    progress, said = GamesProgress(2, "Dragons"), []
    for now in range(100, 300, 5):
        for number in (0, 1):
            progress.waiting(Pairing(number, 0, 0, ("a", "b", "b"), b""), ["a", "b"] if now > 200 else ["b"])
        if "waits for" in (text := capsys.readouterr().err):
            said.append((now, text.partition(":")[0], text.count("\n")))
    whom = [(now, text.partition("waits for ")[2], lines) for now, text, lines in said]
    assert whom == [
        (100, "'b'", 1),
        (110, "'b'", 1),
        (130, "'b'", 1),
        (170, "'b'", 1),
        (205, "'a'", 1),
        (215, "'a'", 1),
        (235, "'a'", 1),
        (250, "'b'", 1),
        (275, "'a'", 1),
    ]


@pytest.mark.parametrize(
    ("left_at", "said"),
    [
        ("on 127.0.0.1:7350", ["game 1 (abc) could not be aborted and is still on 127.0.0.1:7350: a full disk"] * 2),
        (None, ["games that could not be aborted are gone with the server of this match: a full disk"]),
    ],
)
def test_of_a_game_that_could_not_be_aborted_it_is_said_where_it_is(
    capsys: pytest.CaptureFixture[str], left_at: str | None, said: list[str]
) -> None:
    progress = GamesProgress(2, "Dragons", left_at)
    for _ in range(2):
        progress.left(Pairing(0, 0, 0, ("a", "b", "b"), b""), "abc", "a full disk")
    assert capsys.readouterr().err.splitlines() == said


def test_a_server_that_cannot_go_on_is_mentioned_and_not_its_bots(capsys: pytest.CaptureFixture[str]) -> None:
    progress = GamesProgress(2, "Dragons")
    for number in (0, 1):
        progress.troubled(Pairing(number, 0, 0, ("a", "b", "b"), b""), "the server cannot write")
    assert capsys.readouterr().err.splitlines() == ["game 1 waits: the server cannot write"]


def test_a_server_that_gives_no_seeds_refuses_a_match_that_needs_them(tmp_path: Path) -> None:
    arguments = ("serve", "--no-host-seeds", "--listen", "127.0.0.1:0", "--store", tmp_path / "hall.db")
    with running(*arguments) as command:
        address = command.wait_for("dragonhall: serving on ")
        done = dragonhall("match", "dragons", "--seats", "a,b,c", "--seed", "1", "--connect", address)
        assert done.returncode == 1
        assert "SEED_NOT_ALLOWED" in done.stderr


def test_version_says_which_rules_records_can_be_checked_for() -> None:
    about = json.loads(dragonhall("version", "--json").stdout)
    assert about["games"] == {game.name: game.rules_version for game in GAMES.values()}
    assert about["rules"] in ("compiled", "interpreted")
    said = dragonhall("version").stdout
    assert said.startswith(f"dragonhall {about['version']}, rules {about['rules']}")
    assert ("DRAGONHALL_COMPILE=require" in said) == (about["rules"] == "interpreted")
