"""The events of DragonIsles as messages."""

from __future__ import annotations

from typing import Final, get_args

from dragonhall.dragonisles.v1 import dragonisles_pb2 as pb
from dragonhall.rules.dragonisles import events
from dragonhall.wire.dragonisles.parts import (
    APPROACH,
    CARD,
    CARDS,
    CHARACTER,
    CHARACTERS_OR_NONE,
    DICE,
    ENCOUNTER_TYPES,
    HIDDEN_CARD,
    HIDDEN_CARDS,
    HIDDEN_TREASURES,
    POTION,
    QUESTS,
    TRACK,
    TREASURES,
)
from dragonhall.wire.fields import EnumNames
from dragonhall.wire.shapes import OPTIONAL, EnumValue, OneOf, Shape

_CLEAR_CAUSE: Final = EnumValue(EnumNames(pb.ClearCause, get_args(events.ClearCause)))
_DECK: Final = EnumValue(EnumNames(pb.Deck, get_args(events.DeckName)))
_DECLINED: Final = EnumValue(EnumNames(pb.Declined, get_args(events.Declined)))
_DISCARD_CAUSE: Final = EnumValue(EnumNames(pb.DiscardCause, get_args(events.DiscardCause)))
_EARNING: Final = EnumValue(EnumNames(pb.Earning, get_args(events.Earning)))
_ROLL_CAUSE: Final = EnumValue(EnumNames(pb.RollCause, get_args(events.RollCause)))
_TYPE: Final = EnumValue(ENCOUNTER_TYPES)

EVENT: Final = OneOf(
    pb.Event,
    "event",
    game_started=Shape(pb.GameStarted, events.GameStarted, characters=CHARACTERS_OR_NONE),
    character_chosen=Shape(pb.CharacterChosen, events.CharacterChosen, character=CHARACTER),
    hand_dealt=Shape(pb.HandDealt, events.HandDealt, cards=HIDDEN_CARDS),
    encounter_revealed=Shape(pb.EncounterRevealed, events.EncounterRevealed),
    quest_board_cleared=Shape(pb.QuestBoardCleared, events.QuestBoardCleared, cause=_CLEAR_CAUSE, encounters=QUESTS),
    tavern_refilled=Shape(pb.TavernRefilled, events.TavernRefilled, card=CARD),
    deck_shuffled=Shape(pb.DeckShuffled, events.DeckShuffled, deck=_DECK),
    turn_started=Shape(pb.TurnStarted, events.TurnStarted),
    preparation_started=Shape(pb.PreparationStarted, events.PreparationStarted),
    tavern_card_taken=Shape(pb.TavernCardTaken, events.TavernCardTaken, card=CARD),
    card_drawn=Shape(pb.CardDrawn, events.CardDrawn, card=HIDDEN_CARD),
    cards_discarded=Shape(pb.CardsDiscarded, events.CardsDiscarded, cards=CARDS, cause=_DISCARD_CAUSE),
    potion_used=Shape(pb.PotionUsed, events.PotionUsed, potion=POTION),
    challenge_started=Shape(pb.ChallengeStarted, events.ChallengeStarted, approach=APPROACH, cards=CARDS),
    dice_rolled=Shape(pb.DiceRolled, events.DiceRolled, cause=_ROLL_CAUSE, rolled=DICE, dice=DICE),
    treasures_used=Shape(pb.TreasuresUsed, events.TreasuresUsed, treasures=TREASURES),
    choice_declined=Shape(pb.ChoiceDeclined, events.ChoiceDeclined, choice=_DECLINED),
    challenge_ended=Shape(pb.ChallengeEnded, events.ChallengeEnded),
    encounter_won=Shape(pb.EncounterWon, events.EncounterWon),
    encounter_trophy_taken=Shape(pb.EncounterTrophyTaken, events.EncounterTrophyTaken, type=_TYPE, from_seat=OPTIONAL),
    variety_trophy_taken=Shape(pb.VarietyTrophyTaken, events.VarietyTrophyTaken),
    track_advanced=Shape(pb.TrackAdvanced, events.TrackAdvanced, track=TRACK),
    potion_earned=Shape(pb.PotionEarned, events.PotionEarned, potion=POTION),
    potion_taken=Shape(pb.PotionTaken, events.PotionTaken, potion=POTION),
    coin_earned=Shape(pb.CoinEarned, events.CoinEarned, treasure=OPTIONAL),
    coin_taken=Shape(pb.CoinTaken, events.CoinTaken),
    treasures_offered=Shape(pb.TreasuresOffered, events.TreasuresOffered, treasures=HIDDEN_TREASURES),
    treasure_kept=Shape(pb.TreasureKept, events.TreasureKept, discarded=TREASURES),
    adventurers_offered=Shape(pb.AdventurersOffered, events.AdventurersOffered, cards=HIDDEN_CARDS),
    adventurer_kept=Shape(pb.AdventurerKept, events.AdventurerKept, card=HIDDEN_CARD),
    nothing_left=Shape(pb.NothingLeft, events.NothingLeft, earning=_EARNING),
)
