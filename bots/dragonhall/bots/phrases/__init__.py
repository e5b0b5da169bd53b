"""Questions and answers as short phrases for people: ``which pile for the bracelet?``, ``claim pile 1 (4 cards)``.

Seats, piles and places are numbered from 0, as on the wire and everywhere else in Dragonhall. A phrase says what the
seat that is asked knows, and no more. Legal answers to one question have different phrases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from dragonhall.bots.phrases import dragonisles, dragons, dragons_interest
from dragonhall.bots.phrases.scene import Scene, counted

__all__ = ["Scene", "answer", "counted", "question"]


@dataclass(frozen=True)
class _Phrases:
    """One game's, by the type of what is to be said."""

    questions: dict[type, Callable[[Any, Scene], str]]
    answers: dict[type, Callable[[Any, Scene], str]]


_GAMES: Final = {
    "dragons": _Phrases(dragons.QUESTIONS, dragons.ANSWERS),
    "dragons_interest": _Phrases(dragons_interest.QUESTIONS, dragons_interest.ANSWERS),
    "dragonisles": _Phrases(dragonisles.QUESTIONS, dragonisles.ANSWERS),
}


def question(scene: Scene) -> str:
    """What is asked.

    >>> from dragonhall.rules import GAMES
    >>> from dragonhall.rules.dragons.moves import TurnDecision
    >>> question(Scene("dragons", GAMES["dragons"].default_components(), None, TurnDecision()))
    'draw or claim?'
    """
    return _GAMES[scene.game].questions[type(scene.decision)](scene.decision, scene)


def answer(scene: Scene, action: Any) -> str:
    """One of the actions that are legal in this scene."""
    return _GAMES[scene.game].answers[type(action)](action, scene)
