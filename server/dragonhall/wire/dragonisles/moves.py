"""The decisions and actions of DragonIsles as messages."""

from __future__ import annotations

from typing import Final

from dragonhall.dragonisles.v1 import dragonisles_pb2 as pb
from dragonhall.rules.dragonisles import facts, moves
from dragonhall.wire.dragonisles.parts import (
    ALL_CHARACTERS,
    APPROACH,
    CARD,
    CARDS,
    CHARACTER,
    HIDDEN_CARDS,
    HIDDEN_TREASURES,
    POTION,
    TRACK,
    TRACK_NAMES,
    TREASURES,
)
from dragonhall.wire.shapes import OPTIONAL, Many, ManyEnumValues, OneOf, Shape

MOST_FACES: Final = 64
"""Of a `Reroll`: more than there are dice, so that the rules say what is wrong with a few too many."""

ACTION: Final = OneOf(
    pb.Action,
    "action",
    choose_character=Shape(pb.ChooseCharacter, moves.ChooseCharacter, character=CHARACTER),
    prepare=Shape(pb.Prepare, moves.Prepare),
    challenge=Shape(pb.Challenge, moves.Challenge, approach=APPROACH, cards=CARDS),
    use_potion=Shape(pb.UsePotion, moves.UsePotion, potion=POTION),
    draw=Shape(pb.Draw, moves.Draw, tavern=OPTIONAL),
    discard=Shape(pb.Discard, moves.Discard, cards=CARDS),
    use_treasures=Shape(pb.UseTreasures, moves.UseTreasures, treasures=TREASURES),
    reroll=Shape(pb.Reroll, moves.Reroll, faces=Many(most=MOST_FACES)),
    decline=Shape(pb.Decline, moves.Decline),
    keep_treasure=Shape(pb.KeepTreasure, moves.KeepTreasure),
    keep_adventurer=Shape(pb.KeepAdventurer, moves.KeepAdventurer, card=CARD),
    advance=Shape(pb.Advance, moves.Advance, track=TRACK),
    take_potion=Shape(pb.TakePotion, moves.TakePotion, potion=POTION),
    take_coin=Shape(pb.TakeCoin, moves.TakeCoin),
)

DECISION: Final = OneOf(
    pb.Decision,
    "decision",
    character=Shape(pb.CharacterDecision, moves.CharacterDecision, characters=ALL_CHARACTERS),
    turn=Shape(pb.TurnDecision, moves.TurnDecision),
    draw=Shape(pb.DrawDecision, moves.DrawDecision),
    discard=Shape(pb.DiscardDecision, moves.DiscardDecision),
    ones=Shape(pb.OnesDecision, moves.OnesDecision, treasures=TREASURES),
    reroll=Shape(pb.RerollDecision, moves.RerollDecision),
    boost=Shape(pb.BoostDecision, moves.BoostDecision),
    treasure=Shape(pb.TreasureDecision, moves.TreasureDecision, offer=HIDDEN_TREASURES),
    adventurer=Shape(pb.AdventurerDecision, moves.AdventurerDecision, offer=HIDDEN_CARDS),
    advance=Shape(pb.AdvanceDecision, moves.AdvanceDecision, tracks=ManyEnumValues(TRACK_NAMES, most=facts.TRACKS)),
    take_potion=Shape(pb.TakePotionDecision, moves.TakePotionDecision),
    take_coin=Shape(pb.TakeCoinDecision, moves.TakeCoinDecision),
)
