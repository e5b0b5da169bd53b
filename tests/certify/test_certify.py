"""``dragonhall certify``: our own bots and one on bare stubs pass; verdicts, JUnit XML, and wrong use."""

from __future__ import annotations

import re
import shlex
import signal
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dragonhall.cli.certify.interference import add_unknown_fields, unknown_event, unknown_game
from dragonhall.cli.certify.subject import command_line
from dragonhall.cli.certify.trials import TRIALS
from dragonhall.v1 import game_pb2, play_service_pb2
from tests.cli.commands import COMMAND, children_of, dragonhall, running, wait_until_ended
from tests.processes import REPOSITORY

KINDS = ("random", "greedy", "mcts-fast")
PLAIN = f"{shlex.quote(sys.executable)} -m tests.certify.plain {{target}} {{name}}"
GOOD = {
    "plain": PLAIN,
    **{kind: f"{shlex.join(COMMAND)} bot {kind} --name {{name}} --connect {{target}}" for kind in KINDS},
}
GOOD_LIMIT = 180.0
"""Seconds for all trials on a machine that does much else."""


def said(output: str) -> str:
    return " ".join(re.sub("[│╭╮╰╯─]", " ", output).split())


@pytest.mark.slow
@pytest.mark.parametrize("bot", GOOD)
def test_a_good_bot_passes_all_trials(tmp_path: Path, bot: str) -> None:
    junit = tmp_path / "junit.xml"
    done = dragonhall("certify", "--command", GOOD[bot], "--junit", junit, cwd=REPOSITORY, limit=GOOD_LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.splitlines()[-1] == f"{len(TRIALS)} passed"
    suite = ElementTree.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == (str(len(TRIALS)), "0", "0")
    assert [case.get("name") for case in suite] == [trial.key for trial in TRIALS]


def test_a_failure_is_told_with_the_contracts_words_and_exit_code_1(tmp_path: Path) -> None:
    command = PLAIN.replace("certify.plain", "certify.broken_knows_all_events")
    junit, log = tmp_path / "junit.xml", tmp_path / "bot.log"
    done = dragonhall(
        *("certify", "--command", command, "--games", "dragons", "--junit", junit, "--log", log),
        *("--only", "unknown-event", "--only", "simultaneous", "--only", "unknown-field"),
        cwd=REPOSITORY,
    )
    assert done.returncode == 1, done.stderr
    table = said(done.stdout)
    assert "unknown-event FAIL" in table
    assert "the bot ended with exit code 1" in table
    assert "ValueError: what is this?" in table
    assert "play_service.proto: “Fields, kinds of events and reasons of errors that a client does not know" in table
    assert "simultaneous n/a 0.0 all seats are asked at once it does not play dragons_interest (--games)" in table
    assert "unknown-field pass" in table
    assert done.stderr.splitlines()[-1] == "1 passed, 1 failed, 1 not applicable"
    assert "ValueError: what is this?" in log.read_text(encoding="utf-8")
    cases = {case.get("name"): case for case in ElementTree.parse(junit).getroot()}
    failure = cases["unknown-event"].find("failure")
    assert failure is not None
    assert "are additions" in (failure.text or "")
    assert cases["simultaneous"].find("skipped") is not None
    assert len(cases["unknown-field"]) == 0


def test_a_bot_that_nothing_was_tried_on_is_not_certified() -> None:
    done = dragonhall("certify", "--command", PLAIN, "--games", "dragons", "--only", "simultaneous", cwd=REPOSITORY)
    assert done.returncode == 1
    assert "nothing was tried" in done.stderr


def test_a_bot_that_dies_at_once_is_tried_no_further() -> None:
    done = dragonhall("certify", "--command", f"{shlex.quote(sys.executable)} -c 'raise SystemExit(\"no bot\")'")
    assert done.returncode == 1
    assert "slow-start FAIL" in said(done.stdout)
    assert "the bot ended with exit code 1: no bot" in said(done.stdout)
    assert done.stderr.splitlines()[-1] == f"1 failed, {len(TRIALS) - 1} not tried"


def test_a_bots_last_words_are_kept_short_and_obeyed_by_no_terminal(tmp_path: Path) -> None:
    bot, junit = tmp_path / "bot.py", tmp_path / "junit.xml"
    bot.write_text(r"print('A' * 2_000_000); print('\x1b]0;mine\x07 at the end'); raise SystemExit(3)")
    command = shlex.join([sys.executable, str(bot)])
    done = dragonhall("certify", "--command", command, "--only", "slow-start", "--junit", junit)
    assert "the bot ended with exit code 3" in said(done.stdout)
    assert "�]0;mine� at the end" in said(done.stdout)
    assert "\x1b" not in done.stdout
    assert len(junit.read_text(encoding="utf-8")) < 10_000


def test_a_bot_that_somebody_else_starts_is_tried_by_its_name() -> None:
    trials = ("--only", "aborted", "--only", "slow-start")
    with running("certify", "--name", "rex", "--games", "dragonisles", *trials) as certify:
        target = certify.wait_for("start a bot called rex that connects to ")
        with running("bot", "random", "--name", "rex", "--connect", target):
            assert certify.wait() == 0
    assert "the bot is not started here (--command)" in said(certify.output)
    assert "1 passed, 1 not applicable" in certify.output


def test_nothing_is_left_behind_when_it_is_interrupted() -> None:
    with running("certify", "--command", PLAIN.replace("plain", "broken_never_answers"), "--timeout", "9") as certify:
        certify.wait_for("slow-start: ")
        children = children_of(certify.process.pid)
        assert len(children) == 2, "the server and the bot"
        assert certify.end(signal.SIGINT) == 130
        wait_until_ended(children)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "say how to start the bot, or what it is called with --name"),
        (["--command", ""], "is empty"),
        (["--command", "rex 'quoted"], "No closing quotation"),
        (["--command", "no-such-program-at-all {name}"], "no-such-program-at-all: No such file or directory"),
        (["--name", "Rex!"], "'Rex!' is not 1 to 64 of a-z, 0-9, '-', '_' and '.'"),
        (["--name", "rex", "--games", "chess"], "there is no game 'chess'; there are: dragons"),
        (["--name", "rex", "--only", "luck"], "there is no trial 'luck'; there are: slow-start, game-dragons"),
    ],
)
def test_wrong_use_is_told(arguments: list[str], says: str) -> None:
    done = dragonhall("certify", *arguments)
    assert done.returncode == 2
    assert says in said(done.stderr)


def test_it_lists_what_it_tries() -> None:
    done = dragonhall("certify", "--list")
    assert done.returncode == 0
    for trial in TRIALS:
        assert re.search(rf"^{trial.key} ", done.stdout, re.MULTILINE)
        assert trial.clause.text in said(done.stdout)


def test_placeholders_are_filled_in_and_quotes_kept() -> None:
    assert command_line("mine '{name} x' --at={target} {other}", "h:1", "rex") == [
        "mine",
        "rex x",
        "--at=h:1",
        "{other}",
    ]


def test_unknown_fields_are_added_everywhere_and_change_nothing_that_is_known() -> None:
    message = play_service_pb2.ObserveResponse(revision=3)
    message.update.waiting.add(seat=1, decision_id=2).deadline.GetCurrentTime()
    known = play_service_pb2.ObserveResponse.FromString(message.SerializeToString())
    add_unknown_fields(message)
    assert message.SerializeToString().count(b"new!") == 3, "the message, its update, and who is waited for"
    message.DiscardUnknownFields()
    assert message == known


def test_what_is_unknown_is_an_unset_oneof_to_its_readers() -> None:
    assert unknown_event().WhichOneof("event") is None
    assert unknown_event().SerializeToString()
    game = game_pb2.Game(game_id="1")
    game.options.dragons.open_piles = True
    renamed = unknown_game(game)
    assert renamed.options.WhichOneof("game") is None
    assert renamed.game_id == "1"
