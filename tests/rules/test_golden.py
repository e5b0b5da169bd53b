from __future__ import annotations

import pytest

from dragonhall.rules.dragons.facts import Options
from tests.rules.golden import FOLDER, file_name, games, retell


@pytest.mark.parametrize(("seats", "options"), list(games()), ids=str)
def test_a_golden_playthrough_plays_again_line_by_line(seats: int, options: Options) -> None:
    path = FOLDER / file_name(seats, options)
    written = path.read_text(encoding="utf-8").splitlines()
    again = retell(written)
    for number, (expected, got) in enumerate(zip(written, again, strict=False), start=1):
        assert got == expected, f"{path.name}, line {number}"
    assert len(again) == len(written)


def test_there_is_one_file_for_every_game_and_no_other() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {file_name(seats, options) for seats, options in games()}


def test_a_changed_line_is_noticed() -> None:
    seats, options = next(games())
    written = (FOLDER / file_name(seats, options)).read_text(encoding="utf-8").splitlines()
    changed = [line.replace("cow", "sheep") if line.startswith("  table") else line for line in written]
    assert retell(changed) == written != changed


def test_golden_games_reach_every_rule_of_the_turn() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.iterdir())
    for word in ("play drawn", "play held", "place on", "claim", "draw", "refused", "rest_of_deck []", "deck_size 0"):
        assert word in text, word
