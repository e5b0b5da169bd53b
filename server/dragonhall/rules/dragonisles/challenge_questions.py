"""The questions of the stages in `challenging`: ones, rerolls, boosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragonhall.rules.dragonisles import challenging, choices
from dragonhall.rules.dragonisles.moves import (
    Action,
    BoostDecision,
    Decision,
    Decline,
    OnesDecision,
    Reroll,
    RerollDecision,
    UsePotion,
    UseTreasures,
)
from dragonhall.rules.dragonisles.question import (
    NO_CODE,
    Question,
    potion_code,
    potion_refusal,
)
from dragonhall.rules.dragonisles.setting import REROLLS_TRACK
from dragonhall.rules.dragonisles.telling import treasures_counted, treasures_named
from dragonhall.rules.errors import IllegalAction

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State


class OnesQuestion(Question):
    """Dice show 1 (RL-9)."""

    answers = (UseTreasures, Decline)
    wanted = "use treasures for a rolled 1, or decline"
    rule = "RL-9"

    def decision(self, state: State, own: bool) -> Decision:
        return OnesDecision(treasures_counted(state, state.unused))

    def action(self, state: State, code: int) -> Action:
        if code == challenging.DECLINE:
            return Decline()
        return UseTreasures(treasures_named(state, choices.sequence_at(state.unused, code)))

    def code(self, state: State, action: UseTreasures | Decline) -> int:
        if isinstance(action, Decline):
            return challenging.DECLINE
        helpers = list(state.setting.ones_treasures)
        usable = list(treasures_counted(state, state.unused))
        for treasure in action.treasures:
            if treasure not in usable:
                return NO_CODE
            usable.remove(treasure)
        if not action.treasures:
            return NO_CODE
        steps = [helpers.index(treasure) for treasure in action.treasures]
        return choices.rank_of_sequence(state.unused, choices.sequence_of(steps))

    def refusal(self, state: State, action: UseTreasures | Decline) -> IllegalAction:
        usable = treasures_counted(state, state.unused)
        named = ", ".join(str(treasure) for treasure in usable)
        return IllegalAction(f"name one or more of your treasures, each copy once a challenge: {named}", "RL-9")


class RerollQuestion(Question):
    """By the rerolls track, once a challenge (Challenge, Notes)."""

    answers = (Reroll, Decline)
    wanted = "reroll dice by your rerolls track, or decline"
    rule = "Challenge, Notes"

    def decision(self, state: State, own: bool) -> Decision:
        return RerollDecision(state.track(state.active, REROLLS_TRACK))

    def action(self, state: State, code: int) -> Action:
        return Reroll(tuple(choices.face_list(code))) if code else Decline()

    def code(self, state: State, action: Reroll | Decline) -> int:
        if isinstance(action, Decline):
            return challenging.DECLINE
        shown = choices.face_list(state.dice)
        for face in action.faces:
            if face not in shown:
                return NO_CODE
            shown.remove(face)
        return sum(1 << (4 * face) for face in action.faces) or NO_CODE

    def refusal(self, state: State, action: Reroll | Decline) -> IllegalAction:
        most = state.track(state.active, REROLLS_TRACK)
        return IllegalAction(f"name what 1 to {most} of your dice show, each once, or decline", "Challenge, Notes")


class BoostQuestion(Question):
    """After the roll (Potions)."""

    answers = (UsePotion, Decline)
    wanted = "use a boost, or decline"
    rule = "RL-3"

    def decision(self, state: State, own: bool) -> Decision:
        return BoostDecision(state.total(), state.target())

    def action(self, state: State, code: int) -> Action:
        return Decline() if code == challenging.DECLINE else UsePotion("boost", code == challenging.BOOST_AND_DRAW)

    def code(self, state: State, action: UsePotion | Decline) -> int:
        return challenging.DECLINE if isinstance(action, Decline) else potion_code(action, 1, ("boost",))

    def refusal(self, state: State, action: UsePotion | Decline) -> IllegalAction:
        if isinstance(action, UsePotion) and action.potion == "boost":
            return potion_refusal(state, action)
        return IllegalAction("once dice are rolled, only a boost may be used", "RL-3")
