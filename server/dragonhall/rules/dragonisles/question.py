"""What every question has, and what several of them share: cards in hand, and potions.

`questions` lists the questions, which are in `turn_questions`, `challenge_questions` and `earning_questions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dragonhall.rules.dragonisles import cards
from dragonhall.rules.dragonisles.facts import CARD_OF, POTIONS, Adventurer
from dragonhall.rules.dragonisles.moves import Action, Decision, UsePotion
from dragonhall.rules.dragonisles.setting import MONK, NONE
from dragonhall.rules.errors import IllegalAction

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

NO_CODE: Final = -1
"""No answer to this question."""


class Question:
    """What a stage asks. Codes are those of its `stage.Stage`."""

    answers: tuple[type, ...]
    """The types of action that answer it."""
    wanted: str
    """What to do instead, when another type of action is given."""
    rule: str
    """Where the rules ask it."""

    def decision(self, state: State, own: bool) -> Decision:
        """As the seat sees it that is asked, or as everyone may know it."""
        raise NotImplementedError

    def action(self, state: State, code: int) -> Action:
        """The action of a legal code."""
        raise NotImplementedError

    def code(self, state: State, action: Any) -> int:
        """The code of an action of one of the types `answers`; if it is refused, `NO_CODE` or one that is not legal."""
        raise NotImplementedError

    def refusal(self, state: State, action: Any) -> IllegalAction:
        """Why such an action is not legal."""
        return IllegalAction(self.wanted, self.rule)


# ---- Cards named in an action


def set_in_hand(state: State, named: tuple[Adventurer, ...]) -> int:
    """The card set of cards in the hand of the seat whose turn it is; `NO_CODE` if some are not in hand."""
    hand = state.player().hand
    total = 0
    for card in named:
        number = CARD_OF.get(card, NONE)
        if number == NONE or not cards.holds(hand - total, 1 << number):
            return NO_CODE
        total += 1 << number
    return total


def not_in_hand() -> IllegalAction:
    """The refusal of cards that are not in hand."""
    return IllegalAction("play and discard cards that are in your hand, each once", "Challenge")


# ---- Potions: two codes a kind, without and with the Monk's card


def potion_action(code: int) -> UsePotion:
    """The use of a draw potion by its code, from 0 (`preparing.draw_potions`)."""
    return UsePotion(POTIONS[code >> 1], code & 1 == 1)


def potion_code(action: UsePotion, first: int, kinds: tuple[str, ...]) -> int:
    """The code of using one of these kinds of potion, whose codes begin with ``first``: two a kind."""
    if action.potion not in kinds:
        return NO_CODE
    return first + 2 * kinds.index(action.potion) + (1 if action.draw else 0)


def potion_refusal(state: State, action: UsePotion) -> IllegalAction:
    """Why a potion cannot be used."""
    if action.draw and not state.plays(MONK):
        return IllegalAction("only the Monk also draws a card with a potion", "RL-18")
    if action.potion == "boost":
        return IllegalAction("a boost is used after the roll of a challenge", "RL-3")
    return IllegalAction("you have no such potion", "Potions")
