"""The real commands with bots that think long: what they leave behind, repeat, measure and explain."""

from __future__ import annotations

import json
import re
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import Running, dragonhall, running, server, wait_until_children, wait_until_ended


@pytest.fixture
def target(tmp_path: Path) -> Iterator[str]:
    with server(tmp_path / "hall.db") as (_, address):
        yield address


def _wait_for_line(bot: Running, pattern: str) -> str:
    """The first group of ``pattern`` in the bot's output, now or later."""
    assert bot.process.stdout is not None
    while not (found := re.search(pattern, bot.output)):
        line = bot.process.stdout.readline()
        assert line, bot.output
        bot.output += line
    return found[1]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_bot_leaves_no_process_behind(target: str, how: signal.Signals) -> None:
    with running(
        "bot", "mcts@600s", "--name", "deep", "--processes", "2", "--workers", "2", "--connect", target
    ) as bot:
        bot.wait_for("dragonhall-bot: ")
        with running("match", "dragons", "--seats", "deep,deep,deep", "--connect", target):
            workers = wait_until_children(bot.process.pid, 2)
            code = bot.end(how)
    wait_until_ended(workers)
    assert code == (-signal.SIGKILL if how is signal.SIGKILL else 0)
    assert "Traceback" not in bot.output


def test_a_match_of_searches_by_simulations_is_the_same_each_time(tmp_path: Path) -> None:
    records = []
    for number, processes in enumerate((1, 2)):
        record = tmp_path / f"{number}.json"
        line_up = ("--seats", "mcts@30,random,random", "--seed", "3")
        done = dragonhall("match", "dragons", *line_up, "--record", record, "--processes", str(processes))
        assert done.returncode == 0, done.stderr
        assert "mcts-30" in done.stdout
        records.append(re.sub(r'"(gameId|time|createTime|startTime|endTime)": "[^"]*"', "", record.read_text()))
    assert records[0] == records[1]


def test_a_bot_explains_itself_and_counts(target: str, tmp_path: Path) -> None:
    operator = f"unix:{tmp_path / 'operator.sock'}"
    shows = ("--operator", operator, "--metrics", "0")
    with (
        running("bot", "mcts@30", "--seed", "1", "--connect", target, *shows) as bot,
        running("bot", "random", "--seed", "1", "--connect", target) as other,
    ):
        metrics = _wait_for_line(bot, r"metrics are at (http://127\.0\.0\.1:\d+/metrics)")
        bot.wait_for("dragonhall-bot: ")
        other.wait_for("dragonhall-bot: ")
        line_up = ("--seats", "mcts@30,random,random", "--seed", "1")
        done = dragonhall("match", "dragons", *line_up, "--connect", target, "--json")
        (game,) = json.loads(done.stdout)["games"]
        told = json.loads(dragonhall("explain", "--operator", operator, "--json").stdout)
        words = dragonhall("explain", "--operator", operator, "--game", game["gameId"], "--seat", "0").stdout
        wrong = dragonhall("explain", "--operator", operator, "--seat", "1")
        assert (tmp_path / "operator.sock").stat().st_mode & 0o077 == 0, "it is its owner's alone"
        numbers = urllib.request.urlopen(metrics).read().decode()
    (seat,) = told["seats"]
    assert (seat["gameId"], seat["seats"]) == (game["gameId"], 3)
    made = int(told["bot"]["decisions"])
    assert made > 3
    assert f"mcts-30 (mcts@30): 0 seats, {made} decisions" in words
    assert seat["newest"]["decisionId"] in words
    assert f'dragonhall_bot_decisions_total{{game="dragons"}} {made}.0' in numbers
    assert 'dragonhall_bot_seats_ended_total{ending="finished",game="dragons"} 1.0' in numbers
    assert (wrong.returncode, wrong.stderr.strip()) == (
        1,
        "dragonhall: the bot has not played such a seat, or long ago",
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["bot", "random", "--operator", "0.0.0.0:0"], "could be reached from other machines"),
        (["bot", "random", "--operator", "games.example:7351"], "could be reached from other machines"),
        (["bot", "random", "--operator", "operator"], "is neither HOST:PORT, as 127.0.0.1:9464, nor PORT"),
        (["bot", "random", "--metrics", "127.0.0.1:99999"], "is neither HOST:PORT, as 127.0.0.1:9464, nor PORT"),
        (["explain", "--operator", "10.1.2.3:7351"], "could be reached from other machines"),
    ],
)
def test_a_bot_shows_itself_to_its_own_machine_alone(arguments: list[str], says: str) -> None:
    done = dragonhall(*arguments)
    assert done.returncode == 2
    assert says in done.stderr


def test_an_address_in_use_is_said_so(tmp_path: Path) -> None:
    with server(tmp_path / "hall.db") as (_, address):
        for option in ("--metrics", "--operator"):
            done = dragonhall("bot", "random", option, address)
            assert done.returncode == 2
            assert address in done.stderr


def test_nobody_at_an_operators_address_is_said_so(tmp_path: Path) -> None:
    done = dragonhall("explain", "--operator", f"unix:{tmp_path / 'none.sock'}")
    assert done.returncode == 3
    assert "no bot serves its operator at" in done.stderr
