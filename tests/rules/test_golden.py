from __future__ import annotations

import pytest

from tests.rules.golden import FOLDER, Case, retell
from tests.rules.golden_scripts import SCRIPTS

CASES = [case for script in SCRIPTS for case in script.cases()]

REACHED = {
    "dragons": ("Play (card drawn", "Play (card held", "Place (", "Claim (", "Draw", "rest_of_deck []", "deck_size 0"),
    "dragons_interest": (
        *("Bid (", "Take (", "Pass", "Activate (", "Offer (", "Accept", "Match (", "Commit (", "Award ("),
        *("DiscardKnights", "DiscardBuilding (", "GoldCollectedAgain", "StakeWon", "StakeKept", "StakeReturned"),
        *("ContractReturned", "InterestWaived", "ruined [0", "completed [0", "stacks_empty True"),
    ),
    "dragonisles": (
        *("ChooseCharacter (", "Prepare", "Challenge (", "UsePotion (", "Draw (", "Discard (", "UseTreasures ("),
        *("Reroll (", "Decline", "KeepTreasure (", "KeepAdventurer (", "Advance (", "TakePotion (", "DeckShuffled"),
        *("QuestBoardCleared", "VarietyTrophyTaken", "EncounterTrophyTaken", "PotionTaken", "AdventurersOffered"),
    ),
}
"""By game: words that show that its files reach every corner of the turn."""


def written(case: Case) -> list[str]:
    return case.path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_golden_playthrough_plays_again_line_by_line(case: Case) -> None:
    lines = written(case)
    again = retell(case, lines)
    for number, (expected, got) in enumerate(zip(lines, again, strict=False), start=1):
        assert got == expected, f"{case.file_name}, line {number}"
    assert len(again) == len(lines)


def test_there_is_one_file_for_every_game_and_no_other() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {case.file_name for case in CASES}


def test_a_changed_line_is_noticed() -> None:
    lines = written(CASES[0])
    changed = [line.replace("cow", "sheep") if line.startswith("  all: ") else line for line in lines]
    assert retell(CASES[0], changed) == lines != changed


@pytest.mark.parametrize("game", REACHED)
def test_golden_games_reach_every_rule_of_the_turn(game: str) -> None:
    text = "\n".join("\n".join(written(case)) for case in CASES if case.script.game.name == game)
    for word in (*REACHED[game], "refused"):
        assert word in text, word
