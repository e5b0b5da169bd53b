"""DragonIsles in words. Encounters, treasures and colours are called what the component set calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from dragonhall.bots.phrases.scene import Scene, counted, listed, numbered
from dragonhall.rules.dragonisles import moves
from dragonhall.rules.dragonisles.facts import MOST_DICE, Adventurer, Approach, Potion

_BY: Final[dict[Approach, str]] = {"sneak": "sneaking", "steal": "stealing", "strike": "striking"}
_POTIONS: Final[dict[Potion, str]] = {
    "draw_two": "draw two",
    "draw_one_and_clear": "draw one and clear",
    "boost": "boost",
}


def _challenge(action: moves.Challenge, scene: Scene) -> str:
    kinds = scene.components.encounters
    board = [None if kind is None else kinds[kind].name for kind in scene.view.quest_board]
    encounter = numbered(board, action.place, board[action.place] or "")
    dice = counted(min(len(action.cards), MOST_DICE), "die", "dice")
    return f"challenge {encounter} by {_BY[action.approach]} with {dice} ({_cards(action.cards, scene)})"


def _potion(action: moves.UsePotion, scene: Scene) -> str:
    return f"use a potion: {_POTIONS[action.potion]}" + (", and draw a card as Monk" if action.draw else "")


def _draw(action: moves.Draw, scene: Scene) -> str:
    if action.tavern is None:
        return "draw from the deck"
    tavern = scene.view.tavern
    card = numbered(tavern, action.tavern, scene.components.card_name(tavern[action.tavern]))
    return f"draw {card} from the Tavern"


def _discard(action: moves.Discard, scene: Scene) -> str:
    return f"discard {_cards(action.cards, scene)}"


def _use_treasures(action: moves.UseTreasures, scene: Scene) -> str:
    return f"use {', then '.join(_treasure(kind, scene) for kind in action.treasures)}"


def _reroll(action: moves.Reroll, scene: Scene) -> str:
    return f"reroll {listed([str(face) for face in action.faces])}"


def _decline(action: moves.Decline, scene: Scene) -> str:
    return _DECLINED[type(scene.decision)]


def _cards(cards: Iterable[Adventurer], scene: Scene) -> str:
    return ", ".join(scene.components.card_name(card) for card in cards)


def _treasure(kind: int, scene: Scene) -> str:
    return str(scene.components.treasures[kind].name)


def _track(name: str) -> str:
    return name.replace("_", " ")


_DECLINED: Final[dict[type, str]] = {
    moves.OnesDecision: "use no treasure",
    moves.RerollDecision: "reroll nothing",
    moves.BoostDecision: "use no potion",
}
QUESTIONS: Final[dict[type, Callable[[Any, Scene], str]]] = {
    moves.CharacterDecision: lambda decision, scene: "which character?",
    moves.TurnDecision: lambda decision, scene: "prepare or challenge?",
    moves.DrawDecision: lambda decision, scene: f"draw from where ({decision.draws_left} to go)?",
    moves.DiscardDecision: lambda decision, scene: f"discard which {counted(decision.count, 'card')}?",
    moves.OnesDecision: lambda decision, scene: "use treasures for a rolled 1?",
    moves.RerollDecision: lambda decision, scene: f"reroll up to {counted(decision.most, 'die', 'dice')}?",
    moves.BoostDecision: lambda decision, scene: f"boost a total of {decision.total} against {decision.target}?",
    moves.TreasureDecision: lambda decision, scene: "keep which treasure?",
    moves.AdventurerDecision: lambda decision, scene: "keep which card?",
    moves.AdvanceDecision: lambda decision, scene: "advance which track?",
    moves.TakePotionDecision: lambda decision, scene: "take which potion from whom?",
    moves.TakeCoinDecision: lambda decision, scene: "take a coin from whom?",
}
ANSWERS: Final[dict[type, Callable[[Any, Scene], str]]] = {
    moves.ChooseCharacter: lambda action, scene: f"take the {action.character.title()}",
    moves.Prepare: lambda action, scene: "prepare",
    moves.Challenge: _challenge,
    moves.UsePotion: _potion,
    moves.Draw: _draw,
    moves.Discard: _discard,
    moves.UseTreasures: _use_treasures,
    moves.Reroll: _reroll,
    moves.Decline: _decline,
    moves.KeepTreasure: lambda action, scene: f"keep {_treasure(action.treasure, scene)}",
    moves.KeepAdventurer: lambda action, scene: f"keep {scene.components.card_name(action.card)}",
    moves.Advance: lambda action, scene: f"advance the {_track(action.track)} track",
    moves.TakePotion: lambda action, scene: f"take a {_POTIONS[action.potion]} potion from seat {action.seat}",
    moves.TakeCoin: lambda action, scene: f"take a coin from seat {action.seat}",
}
