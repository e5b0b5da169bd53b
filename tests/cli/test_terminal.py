"""Whatever players are called, and whatever a file holds, nothing reaches a terminal that it would obey."""

from __future__ import annotations

import doctest
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dragonhall.cli.app import app
from dragonhall.cli.logs import LogFormat, LogLevel, set_up_logs
from dragonhall.v1.record_pb2 import GameRecord
from dragonhall.wire import texts
from dragonhall.wire.records import read_record, to_json

RECORD = Path(__file__).parents[2] / "protos" / "vectors" / "record.json"
NASTY = "\x9b2J Zoë \x1b[31m\x7f\u202e\u2028\U000e0041 龍"
"""It clears a terminal's screen, colours it, and turns text around; two letters of it are all right."""


def obeyed(output: str) -> set[str]:
    return {sign for sign in output if not sign.isprintable() and sign != "\n"}


def renamed() -> GameRecord:
    record = read_record(RECORD.read_bytes())
    record.seats[0].player_name = NASTY
    return record


def test_examples_show_what_happens() -> None:
    assert doctest.testmod(texts).failed == 0


def test_a_record_as_json_escapes_what_is_not_for_people_and_reads_back_alike() -> None:
    text = to_json(renamed())
    assert obeyed(text) == set()
    assert r"\u009b2J Zoë \u001b[31m\u007f\u202e\u2028\udb40\udc41 龍" in text
    assert read_record(text.encode()) == renamed()


@pytest.mark.parametrize("form", [("--json",), ()])
def test_a_review_gives_nothing_to_obey(form: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(to_json(renamed()), encoding="utf-8")
    quick = ("--budget", "16", "--processes", "1", "--at", "1")
    done = CliRunner().invoke(app, ["review", str(tmp_path / "game.json"), *quick, *form])
    assert done.exit_code == 0, done.output
    assert obeyed(done.output) == set()
    if form:
        assert json.loads(done.stdout)["seats"][0]["name"] == NASTY


@pytest.mark.parametrize("form", [("--json",), ()])
def test_verify_gives_nothing_to_obey(form: tuple[str, ...], tmp_path: Path) -> None:
    """Neither a file's name nor what is wrong in it."""
    file, missing = tmp_path / "\x9b2J.json", tmp_path / "\x1b[31m.json"
    wrong = renamed()
    wrong.component_set.id = NASTY
    file.write_text(to_json(wrong), encoding="utf-8")
    done = CliRunner().invoke(app, ["verify", str(file), str(missing), *form])
    assert done.exit_code != 0
    assert obeyed(done.output) == set()
    assert "2J.json" in done.output
    if form:
        assert [verdict["file"] for verdict in json.loads(done.stdout)] == [str(file), str(missing)]


def test_a_log_in_json_gives_nothing_to_obey(capsys: pytest.CaptureFixture[str]) -> None:
    import logging

    set_up_logs("tests.terminal", LogLevel.INFO, LogFormat.JSON)
    logging.getLogger("tests.terminal").info("hello %s", NASTY)
    line = capsys.readouterr().err
    assert obeyed(line) == set()
    assert json.loads(line)["message"] == f"hello {NASTY}"
