"""Dragons in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from dragonhall.bots.phrases.scene import Scene, counted
from dragonhall.rules.dragons import moves
from dragonhall.rules.dragons.facts import Card


def _placement(decision: moves.PlacementDecision, scene: Scene) -> str:
    if decision.drawn is None or scene.view.held is None:
        return f"which pile for {_the(decision.drawn)}?"
    return f"which pile for {_the(decision.drawn)}, or for {_the(scene.view.held)} in hand?"


def _place(action: moves.Place, scene: Scene) -> str:
    return f"place {_the(scene.decision.drawn)} on pile {action.pile}"


def _play(action: moves.Play, scene: Scene) -> str:
    card = scene.view.held if action.card == "held" else scene.decision.drawn
    return f"place {_the(card)} ({action.card}) on pile {action.pile}"


def _claim(action: moves.Claim, scene: Scene) -> str:
    return f"claim pile {action.pile} ({counted(scene.view.piles[action.pile].size, 'card')})"


def _the(card: Card | None) -> str:
    return "the card" if card is None else f"the {card}"


QUESTIONS: Final[dict[type, Callable[[Any, Scene], str]]] = {
    moves.TurnDecision: lambda decision, scene: "draw or claim?",
    moves.PlacementDecision: _placement,
}
ANSWERS: Final[dict[type, Callable[[Any, Scene], str]]] = {
    moves.Draw: lambda action, scene: "draw a card",
    moves.Place: _place,
    moves.Play: _play,
    moves.Claim: _claim,
}
