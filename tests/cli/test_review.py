"""``dragonhall review``: of the record that is an example of records."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dragonhall.cli.app import app
from dragonhall.cli.commands import review as command
from dragonhall.review.wording import CHOICE_HELP, NO_LOSSES
from dragonhall.wire.records import read_record, to_json
from tests.review.found import made_up

RECORD = Path(__file__).parents[2] / "protos" / "vectors" / "record.json"
QUICK = ("--budget", "16", "--processes", "1")


def review(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["review", *map(str, arguments)])


def said(output: str) -> str:
    """What was printed, without frames and line breaks."""
    return " ".join(output.replace("│", " ").split())


def test_a_seats_decisions_are_listed_for_people_and_written_as_a_page(tmp_path: Path) -> None:
    done = review(RECORD, *QUICK, "--seat", "1", "--html", tmp_path / "review.html")
    assert done.exit_code == 0, done.stderr
    assert "16 simulations a decision" in done.stdout
    assert "seat 1 (Дракон)" in done.stdout
    assert not re.search(r"seat [0234] \(", done.stdout), "nothing was found out about the others"
    asked = [d for step in read_record(RECORD.read_bytes()).steps for d in step.decisions if d.seat == 1]
    rows = [line.split()[0] for line in done.stdout.splitlines() if line.strip()[:1].isdigit()]
    assert rows == [str(decision.decision_id) for decision in asked]
    assert (tmp_path / "review.html").read_text(encoding="utf-8").count("<tr id=") == len(asked)


def test_for_machines_it_is_json_and_the_same_each_time() -> None:
    outputs = [review(RECORD, *QUICK, "--seat", "4", "--json").stdout for _ in range(2)]
    assert outputs[0] == outputs[1]
    data = json.loads(outputs[0])
    assert data["budget"] == {"simulations": 16, "seconds": None}
    assert [seat["name"] for seat in data["seats"]][4] == "plain"
    assert {decision["seat"] for decision in data["decisions"]} == {4}
    for decision in data["decisions"]:
        assert decision["isLoss"] is False or decision["loss"] > 2.5 * decision["lossError"]
        assert sum(option["isPlayed"] for option in decision["options"]) == 1


def test_the_losses_alone_are_listed_the_worst_first_if_one_likes() -> None:
    done = review(RECORD, *QUICK, "--seat", "2", "--worst")
    rows = [line for line in done.stdout.splitlines() if line.strip()[:1].isdigit()]
    losses = [float(found[1]) for row in rows if (found := re.search(r"(-?\d\.\d\d) ± .* \* ", row))]
    assert 0 < len(losses) == len(rows), "else this shows nothing"
    assert losses == sorted(losses, reverse=True)


def test_where_nothing_was_lost_it_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    found = made_up()
    cheap = tuple(verdict for verdict in found.verdicts if not verdict.is_loss)
    command._print(replace(found, verdicts=cheap), worst=True)
    assert capsys.readouterr().out.splitlines()[-1] == NO_LOSSES


def test_names_are_shown_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("Ada & <Bob>", "Дракон", '"龍" \\ /', "naïve 🐉", "[bold]plain")
    command._print(made_up(seats=5, names=names), worst=False)
    printed = capsys.readouterr().out
    assert [name for seat, name in enumerate(names) if f"seat {seat} ({name})" not in printed] == []


def test_a_hint_has_the_best_lines(tmp_path: Path) -> None:
    done = review(RECORD, "--budget", "64", "--at", "12")
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Decision 12, seat ")
    assert lines[1].startswith("The search would play: ")
    assert sum(line.rstrip().endswith("played") for line in lines) == 1
    assert said(done.stdout).endswith(CHOICE_HELP)


def test_a_record_comes_from_stdin_too() -> None:
    content = to_json(read_record(RECORD.read_bytes())).encode()
    done = CliRunner().invoke(app, ["review", "-", *QUICK, "--at", "1"], input=content)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("Decision 1, seat ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((RECORD, "--budget", "soon"), "'soon' is no budget: write simulations as 2000, or seconds as 0.5s"),
        ((RECORD, "--budget", "9" * 5000), "is no budget"),
        ((RECORD, "--seat", "5"), "there is no seat 5; the game has seats 0 to 4"),
        ((RECORD, "--seat", "-1"), "greater than or equal to 0"),
        ((RECORD, "--at", "43"), "there is no decision 43; the game has decisions 1 to 42"),
        ((RECORD, "--at", "0"), "greater than or equal to 1"),
        ((RECORD, "--processes", "0"), "greater than or equal to 1"),
        ((RECORD, "--html", "."), "'.' is a folder; name a file"),
        ((RECORD, "--html", "no_such_folder/review.html"), "there is no folder 'no_such_folder'"),
        (("missing.json",), "missing.json: No such file or directory"),
        ((Path(__file__),), "dragonhall: "),
    ],
    ids=range(11),
)
def test_what_cannot_be_is_said(arguments: tuple[str | Path, ...], says: str) -> None:
    done = review(*arguments)
    assert done.exit_code == 2
    assert says in said(done.stderr)
    assert done.stdout == ""


@pytest.mark.parametrize("name", ["review", "verify", "import"])
def test_of_a_folder_of_records_a_file_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seats = ("--seats", "random,random,random")
    made = CliRunner().invoke(app, ["match", "dragons", *seats, "--games", "2", "--record", "m1.json"])
    assert made.exit_code == 0, made.stderr
    done = CliRunner().invoke(app, [name, "m1.json"])
    assert done.exit_code == 2
    assert "Is a directory; name a file in it, as m1.json/000000.json" in said(done.stderr)
    assert (tmp_path / "m1.json" / "000000.json").is_file()


def test_a_game_that_is_not_over_is_not_reviewed(tmp_path: Path) -> None:
    record = read_record(RECORD.read_bytes())
    del record.steps[-1]
    (tmp_path / "game.json").write_text(to_json(record), encoding="utf-8")
    done = review(tmp_path / "game.json", *QUICK)
    assert done.exit_code == 2
    assert "the record ends before its game does: only a finished game can be reviewed" in said(done.stderr)
