"""The questions of the stages in `winning` and `earning`: what is kept, advanced, or taken from another seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragonhall.rules.dragonisles import cards
from dragonhall.rules.dragonisles.facts import (
    CARDS,
    POTIONS,
    Track,
)
from dragonhall.rules.dragonisles.moves import (
    Action,
    Advance,
    AdvanceDecision,
    AdventurerDecision,
    Decision,
    KeepAdventurer,
    KeepTreasure,
    TakeCoin,
    TakeCoinDecision,
    TakePotion,
    TakePotionDecision,
    TreasureDecision,
)
from dragonhall.rules.dragonisles.question import (
    NO_CODE,
    Question,
)
from dragonhall.rules.dragonisles.telling import cards_in, offered_treasures
from dragonhall.rules.errors import IllegalAction

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State


class TreasureQuestion(Question):
    """Of treasure cards drawn, one is kept (Treasures)."""

    answers = (KeepTreasure,)
    wanted = "keep one of the treasures on offer"
    rule = "Treasures"

    def decision(self, state: State, own: bool) -> Decision:
        offer = offered_treasures(state)
        return TreasureDecision(offer if own else None, len(offer))

    def action(self, state: State, code: int) -> Action:
        return KeepTreasure(offered_treasures(state)[code])

    def code(self, state: State, action: KeepTreasure) -> int:
        offer = offered_treasures(state)
        return offer.index(action.treasure) if action.treasure in offer else NO_CODE


class AdventurerQuestion(Question):
    """The Trader keeps one of the adventurer cards drawn (RL-14)."""

    answers = (KeepAdventurer,)
    wanted = "keep one of the adventurer cards on offer"
    rule = "RL-14"

    def decision(self, state: State, own: bool) -> Decision:
        offer = cards_in(state.adventurer_offer)
        return AdventurerDecision(offer if own else None, len(offer))

    def action(self, state: State, code: int) -> Action:
        return KeepAdventurer(CARDS[cards.card_at(state.adventurer_offer, code)])

    def code(self, state: State, action: KeepAdventurer) -> int:
        offer = cards_in(state.adventurer_offer)
        return offer.index(action.card) if action.card in offer else NO_CODE


class AdvanceQuestion(Question):
    """An experience cube moves up (Character Boards)."""

    answers = (Advance,)
    wanted = "advance an experience cube"
    rule = "Character Boards"

    def decision(self, state: State, own: bool) -> Decision:
        return AdvanceDecision(tuple(track.name for track in _open_tracks(state)))

    def action(self, state: State, code: int) -> Action:
        return Advance(_tracks(state)[code].name)

    def code(self, state: State, action: Advance) -> int:
        names = [track.name for track in _tracks(state)]
        return names.index(action.track) if action.track in names else NO_CODE

    def refusal(self, state: State, action: Advance) -> IllegalAction:
        names = ", ".join(track.name for track in _open_tracks(state))
        return IllegalAction(f"advance a track of your board whose cube is not at the top: {names}", "Character Boards")


def _tracks(state: State) -> tuple[Track, ...]:
    return state.setting.components.characters[state.player().character].tracks


def _open_tracks(state: State) -> list[Track]:
    return [track for place, track in enumerate(_tracks(state)) if state.is_legal(state.active, place)]


class TakePotionQuestion(Question):
    """The pile is empty (RL-10)."""

    answers = (TakePotion,)
    wanted = "take a potion that another seat has"
    rule = "RL-10"

    def decision(self, state: State, own: bool) -> Decision:
        return TakePotionDecision()

    def action(self, state: State, code: int) -> Action:
        return TakePotion(code // len(POTIONS), POTIONS[code % len(POTIONS)])

    def code(self, state: State, action: TakePotion) -> int:
        if not 0 <= action.seat < state.seats or action.potion not in POTIONS:
            return NO_CODE
        return action.seat * len(POTIONS) + POTIONS.index(action.potion)


class TakeCoinQuestion(Question):
    """No coin is left (RL-10)."""

    answers = (TakeCoin,)
    wanted = "take a coin from another seat that has one"
    rule = "RL-10"

    def decision(self, state: State, own: bool) -> Decision:
        return TakeCoinDecision()

    def action(self, state: State, code: int) -> Action:
        return TakeCoin(code)

    def code(self, state: State, action: TakeCoin) -> int:
        return action.seat if 0 <= action.seat < state.seats else NO_CODE
