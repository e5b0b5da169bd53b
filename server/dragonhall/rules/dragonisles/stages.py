"""Every stage of the game, by its number.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec

from dragonhall.rules.dragonisles import challenging, dealing, earning, preparing, stage, winning
from dragonhall.rules.dragonisles.stage import Stage


def _by_number(stages: dict[int, Stage]) -> vec[Stage]:
    listed = vec[Stage]()
    for number in range(len(stages)):
        listed = append(listed, stages[number])
    return listed


STAGES: Final[vec[Stage]] = _by_number(
    {
        stage.OVER: Stage(),
        # Set up
        stage.CHOOSE_CHARACTER: dealing.ChooseCharacter(),
        stage.SET_UP: dealing.SetUp(),
        # A turn
        stage.TURN: preparing.Turn(),
        stage.DRAW: preparing.Draw(),
        stage.HAND_LIMIT: preparing.HandLimit(),
        stage.END_TURN: preparing.EndTurn(),
        # A challenge
        stage.ROLL: challenging.Roll(),
        stage.ONES: challenging.Ones(),
        stage.TAKE_BENEFITS: challenging.TakeBenefits(),
        stage.REROLL_ONES: challenging.RerollOnes(),
        stage.REROLL: challenging.Reroll(),
        stage.BOOST: challenging.Boost(),
        stage.RESOLVE: challenging.Resolve(),
        # Its success
        stage.DISCARD_PLAYED: winning.DiscardPlayed(),
        stage.TAKE_ENCOUNTER: winning.TakeEncounter(),
        stage.REFILL_QUEST_BOARD: winning.RefillQuestBoard(),
        stage.ENCOUNTER_TROPHY: winning.EncounterTrophy(),
        stage.VARIETY_TROPHY: winning.VarietyTrophy(),
        stage.TAKE_BONUS: winning.TakeBonus(),
        stage.ADVANCE: winning.Advance(),
        stage.TREASURE_EFFECTS: winning.TreasureEffects(),
        stage.WARRIOR_DRAW: winning.WarriorDraw(),
        # What is earned
        stage.EARN_POTION: earning.EarnPotion(),
        stage.TAKE_POTION: earning.TakePotion(),
        stage.TAKE_COIN: earning.TakeCoin(),
        stage.KEEP_TREASURE: earning.KeepTreasure(),
        stage.KEEP_ADVENTURER: earning.KeepAdventurer(),
    }
)
