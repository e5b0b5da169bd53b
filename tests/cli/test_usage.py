"""Wrong arguments: each is told what there is instead, with exit code 2."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import get_type_hints

import pytest
import typer
from typer.testing import CliRunner

from dragonhall.arena import GamePlan
from dragonhall.cli.app import app
from dragonhall.cli.arguments import check_number
from dragonhall.cli.matches import MAX_GAMES, Match, Prepared
from dragonhall.rules import GAMES
from dragonhall.wire import CODECS

THREE = ("--seats", "greedy,random,random")
RANDOM = ("--seats", "random,random,random")


def _said(output: str) -> str:
    """What was printed, without the frame around it and its line breaks."""
    return " ".join(output.replace("│", " ").split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["match", "chess", *THREE], "there is no game 'chess'; there are: dragons"),
        (
            ["match", "dragons", "--seats", "greedy,deep,random"],
            "'deep' is no kind of bot that plays dragons; there are:",
        ),
        (["match", "dragons", "--seats", "greedy,,random"], "'' is no kind of bot that plays dragons; there are:"),
        (["match", "dragons", "--seats", "greedy,random"], "dragons is played with 3 to 6 seats, not 2"),
        (
            ["match", "dragons_interest", "--seats", "random,random"],
            "dragons_interest is played with 3 to 5 seats, not 2",
        ),
        (
            ["match", "dragons_interest", *RANDOM, "-o", "start_player=sometimes"],
            "start_player: must be one of: rotates, fixed",
        ),
        (["match", "dragonisles", "--seats", "random"], "dragonisles is played with 2 to 5 seats, not 1"),
        (
            ["match", "dragonisles", *RANDOM, "-o", "characters=monk"],
            "characters: must name one for each of the 3 seats",
        ),
        (
            ["match", "dragonisles", *RANDOM, "-o", "characters=monk,monk,pirate"],
            "characters: must name each at most once",
        ),
        (
            ["match", "dragonisles", *RANDOM, "-o", "draft=true", "-o", "characters=monk,trader,pirate"],
            "draft: seats cannot choose characters that are given",
        ),
        (["match", "dragons_interest", *RANDOM, "-o", "first_seat=3"], "first_seat: must be a seat, 0 to 2, or absent"),
        (["match", "dragons", *THREE, "-o", "fast=1"], "it has: extra_year, first_seat, hidden_card, open_piles"),
        (["match", "dragons", *THREE, "-o", "open_piles=maybe"], "open_piles: 'maybe' is neither true nor false"),
        (["match", "dragons", *THREE, "-o", "first_seat=3"], "first_seat: must be a seat, 0 to 2, or absent"),
        (["match", "dragons", *THREE, "-o", "open_piles", "-o", "open_piles"], "open_piles is given twice"),
        (["match", "dragons", *THREE, "--seed", "xyz"], "'xyz' is not a seed: 1 to 64 hexadecimal digits"),
        (["match", "dragons", *THREE, "--seed", "0" * 65], "zeros are put before fewer than 64"),
        (["match", "dragons", *THREE, "--games", "0"], "greater than or equal to 1"),
        (["match", "dragons", *THREE, "--components", "missing.toml"], "missing.toml: No such file or directory"),
        (["match", "dragons", *THREE, "--component-set", "mine"], "give the file with --components"),
        (["match", "dragons", *THREE, "-c", "h:1", "--components", "a.toml"], "choose one with --component-set"),
        (["match", "dragons"], "Missing option '--seats'"),
        (["bot", "deep"], "there is no kind of bot called 'deep'; there are: greedy, "),
        (["explain"], "Missing option '--operator'"),
        (["bot", "mcts@fast"], "'fast' is no budget: write simulations as 2000, or seconds as 0.5s"),
        (["bot", "mcts", "--workers", "3", "--processes", "2"], "3 workers cannot think about one decision in 2"),
        (["bot", "greedy", "--workers", "2"], "only if it is searched for"),
        (["bot", "mcts@2000", "--ponder"], "give it seconds, as mcts@0.5s"),
        (["bot", "mcts", "--operator", "0.0.0.0:7351"], "could be reached from other machines"),
        (["bot", "mcts", "--metrics", "here"], "'here' is neither HOST:PORT"),
        (["match", "dragons", "--seats", "mcts@9,greedy,random", "--ponder"], "no bot that is started here can think"),
        (["match", "dragons", "--seats", "mcts@0,greedy,random"], "'0' is no budget: write simulations as 2000"),
        (["match", "dragons", "--seats", "mcts@9,mcts@9,mcts-9", "--bot", "mcts-9=random"], "have one name"),
        (["serve", "--components", "missing.toml"], "missing.toml: No such file or directory"),
        (["serve", "--log-level", "loud"], "'debug'"),
        (["verify", "missing.json"], "missing.json cannot be read: No such file or directory"),
        (["verify", "."], ". cannot be read: Is a directory"),
        (["record", "game", "--format", "xml"], "'json'"),
        (["serve", "--listen", "127.0.0.1:99999"], "'127.0.0.1:99999' is not HOST:PORT with a port from 0 to 65535"),
        (["serve", "--listen", "127.0.0.1:65536"], "is not HOST:PORT"),
        (["serve", "--listen", "127.0.0.1"], "is not HOST:PORT"),
        (["serve", "--listen", ":0"], "is not HOST:PORT"),
        (["serve", "--store", ""], "'.' is a folder; name a file"),
        (["health", "--connect", "127.0.0.1:0"], "is not HOST:PORT with a port from 1 to 65535"),
        (["bot", "random", "--connect", "7350"], "is not HOST:PORT"),
        (["match", "dragons", *THREE, "--connect", "a:99999"], "is not HOST:PORT"),
        (["record", "game", "--output", "."], "'.' is a folder; name a file"),
        (["bot", "random", "--identity", "."], "'.' is a folder; name a file"),
        (["match", "dragons", *THREE, "--record", "."], "'.' is a folder; name a file for one game"),
        (["match", "dragons", *THREE, "-o", "first_seat=" + "9" * 5000], "is not a seat number (0 for the first seat)"),
        (["match", "dragons", "--seats", "a,b,\udcff", "-c", "h:1"], "is not UTF-8 text"),
        (["record", "\udcff"], "is not UTF-8 text"),
        (["bot", "random", "--name", "\udcff"], "is not UTF-8 text"),
        (["bot", "random", "--seed", "\udcff"], "is not UTF-8 text"),
        (["health", "--connect", "\udcff:1"], "is not HOST:PORT"),
        (["play"], "No such command 'play'"),
    ],
)
def test_a_wrong_argument_is_told_what_there_is(arguments: list[str], says: str) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert says in _said(done.stderr)
    assert "looking for a server" not in done.stderr, "it is refused before"
    assert done.stdout == ""


_NUMBERS = (
    *(
        ("serve", option)
        for option in (
            *("--heartbeat", "--idle", "--substitute-wait", "--drain", "--grace", "--reconnect-delay"),
            *("--ping-every", "--ping-timeout", "--least-ping-interval", "--max-connection-streams"),
            *("--games-per-caller", "--streams-per-caller", "--submits-per-second", "--submits-burst"),
            *("--sandbox-seconds", "--sandbox-calls-per-caller"),
            *("--max-lag", "--max-open-games", "--max-games-in-memory", "--max-channels", "--max-request-bytes"),
        )
    ),
    ("demo", "--port"),
    ("health", "--timeout"),
    ("record", "game", "--timeout"),
    ("import", "game.json", "--timeout"),
    ("bot", "mcts", "--workers"),
    ("match", "dragons", *THREE, "--workers"),
    ("explain", "--operator", "7351", "--lines"),
    ("explain", "--operator", "7351", "--timeout"),
    ("certify", "--name", "rex", "--timeout"),
    ("certify", "--name", "rex", "--time-per-decision"),
    ("certify", "--name", "rex", "--port"),
    ("match", "dragons", *THREE, "--games"),
    ("match", "dragons", *THREE, "--at-once"),
)


def test_every_option_that_is_a_number_is_tried() -> None:
    commands = [info.callback for info in app.registered_commands if info.callback is not None]
    numbers = {
        (command.__name__.rstrip("_"), "--" + name.replace("_", "-"))
        for command in commands
        for name, kind in get_type_hints(command).items()
        if kind in (int, float)
    }
    assert numbers == {(arguments[0], arguments[-1]) for arguments in _NUMBERS}


@pytest.mark.parametrize("arguments", _NUMBERS, ids=lambda arguments: f"{arguments[0]} {arguments[-1]}")
@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e300", "-1", "-1e300", "9" * 5000, "", "x"])
def test_numbers_out_of_range_are_refused(arguments: tuple[str, ...], number: str) -> None:
    done = CliRunner().invoke(app, [*arguments, number])
    assert done.exit_code == 2
    assert f"Invalid value for '{arguments[-1]}'" in _said(done.stderr)
    assert done.stdout == ""


def test_no_number_passes_where_ranges_let_it() -> None:
    """Every comparison with "not a number" is false, so that a range may take it."""
    with pytest.raises(typer.BadParameter, match="has to be a number"):
        check_number(math.nan)


def test_a_match_of_a_hundred_thousand_games_is_scheduled_as_it_goes() -> None:
    codec = CODECS["dragons"]
    plan = GamePlan(codec.options_to_proto(GAMES["dragons"].make_options({})))
    prepared = Prepared.of(Match(("greedy", "random", "random"), plan, bytes(32), games=MAX_GAMES))
    assert (prepared.games, prepared.deals) == (100_002, 33_334)
    assert iter(prepared.pairings) is prepared.pairings, "made one by one"
    assert next(prepared.pairings).number == 0


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"id = '\xff'", "is not UTF-8 text: byte 6 is 0xff"),
        ("id = 'mine'".encode("utf-16"), "is not UTF-8 text: byte 0 is 0xff"),
        (b"\xef\xbb\xbfid = 'mine'\n[coin_cards]", "dragons: version: missing"),
        (b"id = 'mine'\r\nversion = 1\r\n[coin_cards]\r\n", "dragons: cards: must be a table"),
        (b"id = 'mine'\r\nversion = 1\r\n", "tables: there is none of any game's component set"),
    ],
)
def test_a_component_sets_bytes_are_read_as_editors_write_them(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "set.toml"
    path.write_bytes(content)
    done = CliRunner().invoke(app, ["match", "dragons", *THREE, "--components", str(path)])
    assert done.exit_code == 2
    assert says in _said(done.stderr)


def test_a_broken_component_set_names_its_key(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text('id = "mine"\nversion = 1\n[cards]\ndragon = 1\n', encoding="utf-8")
    done = CliRunner().invoke(app, ["match", "dragons", *THREE, "--components", str(broken)])
    assert done.exit_code == 2
    assert "dragons: cards.dragon: unknown" in _said(done.stderr)


def test_a_bots_identity_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("not a key", encoding="utf-8")
    done = CliRunner().invoke(app, ["bot", "random", "--identity", str(tmp_path / "key")])
    assert done.exit_code == 2
    assert "must hold 64 hexadecimal digits" in _said(done.stderr)


@pytest.mark.parametrize(
    "command", ["demo", "match", "bot", "certify", "serve", "health", "version", "record", "verify", "review", "import"]
)
def test_the_help_of_a_command_says_what_it_takes(command: str) -> None:
    done = CliRunner().invoke(app, [command, "--help"])
    assert done.exit_code == 0
    assert re.findall(r"<[a-z].*", done.stdout) == [], "names of Python types say nothing to who runs a command"
    assert [line for line in done.stdout.splitlines() if line.startswith(" dragonhall")] == [], "examples are indented"
    if command != "version":
        assert "Example" in done.stdout
        assert f"dragonhall {command}" in done.stdout


def test_the_help_lists_all_commands_and_exit_codes() -> None:
    done = CliRunner().invoke(app, ["--help"])
    assert "<" not in done.stdout
    for word in (
        "--version",
        "demo",
        "match",
        "bot",
        "certify",
        "serve",
        "health",
        "version",
        "record",
        "verify",
        "review",
        "import",
        "130 interrupted",
    ):
        assert word in _said(done.stdout)


def test_version_is_an_option_too() -> None:
    option, command = (CliRunner().invoke(app, [word]) for word in ("--version", "version"))
    assert option.exit_code == 0
    assert option.stdout == command.stdout
    assert option.stdout.startswith("dragonhall ")
