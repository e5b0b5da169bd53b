"""Wrong arguments: each is told what there is instead, with exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from dragonhall.cli.app import app

THREE = ("--seats", "greedy,random,random")


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
        (["match", "dragons", *THREE, "-o", "fast=1"], "it has: extra_year, first_seat, hidden_card, open_piles"),
        (["match", "dragons", *THREE, "-o", "open_piles=maybe"], "open_piles: 'maybe' is neither true nor false"),
        (["match", "dragons", *THREE, "-o", "first_seat=3"], "there is no seat 3; there are: 0, 1, 2"),
        (["match", "dragons", *THREE, "-o", "open_piles", "-o", "open_piles"], "open_piles is given twice"),
        (["match", "dragons", *THREE, "--seed", "xyz"], "'xyz' is not a seed: 1 to 64 hexadecimal digits"),
        (["match", "dragons", *THREE, "--seed", "0" * 65], "zeros are put before fewer than 64"),
        (["match", "dragons", *THREE, "--games", "0"], "greater than or equal to 1"),
        (["match", "dragons", *THREE, "--components", "missing.toml"], "missing.toml: No such file or directory"),
        (["match", "dragons", *THREE, "--component-set", "mine"], "give the file with --components"),
        (["match", "dragons", *THREE, "-c", "h:1", "--components", "a.toml"], "choose one with --component-set"),
        (["match", "dragons"], "Missing option '--seats'"),
        (["bot", "deep"], "there is no kind of bot called 'deep'; there are: greedy, random"),
        (["serve", "--components", "missing.toml"], "missing.toml: No such file or directory"),
        (["serve", "--log-level", "loud"], "'debug'"),
        (["verify", "missing.json"], "missing.json cannot be read: No such file or directory"),
        (["verify", "."], ". cannot be read: Is a directory"),
        (["record", "game", "--format", "xml"], "'json'"),
        (["play"], "No such command 'play'"),
    ],
)
def test_a_wrong_argument_is_told_what_there_is(arguments: list[str], says: str) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert says in _said(done.stderr)
    assert done.stdout == ""


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


@pytest.mark.parametrize("command", ["demo", "match", "bot", "serve", "health", "version", "record", "verify"])
def test_the_help_of_a_command_says_what_it_takes(command: str) -> None:
    done = CliRunner().invoke(app, [command, "--help"])
    assert done.exit_code == 0
    if command != "version":
        assert "Example" in done.stdout
        assert f"dragonhall {command}" in done.stdout


def test_the_help_lists_all_commands_and_exit_codes() -> None:
    done = CliRunner().invoke(app, ["--help"])
    for word in ("demo", "match", "bot", "serve", "health", "version", "record", "verify", "130 interrupted"):
        assert word in _said(done.stdout)
