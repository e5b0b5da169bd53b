"""The questions of the stages in `dealing` and `preparing`: characters, the turn, drawing, discarding."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from dragonhall.rules.dragonisles import choices, combinations, dealing, preparing
from dragonhall.rules.dragonisles.facts import (
    APPROACHES,
    CHARACTERS,
    POTIONS,
    QUEST_PLACES,
    Adventurer,
    Character,
)
from dragonhall.rules.dragonisles.moves import (
    Action,
    Challenge,
    CharacterDecision,
    ChooseCharacter,
    Decision,
    Discard,
    DiscardDecision,
    Draw,
    DrawDecision,
    Prepare,
    TurnDecision,
    UsePotion,
)
from dragonhall.rules.dragonisles.question import (
    NO_CODE,
    Question,
    not_in_hand,
    potion_action,
    potion_code,
    potion_refusal,
    set_in_hand,
)
from dragonhall.rules.dragonisles.setting import NONE
from dragonhall.rules.dragonisles.telling import cards_in
from dragonhall.rules.errors import IllegalAction

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State


class CharacterQuestion(Question):
    """With ``draft`` (RL-2)."""

    answers = (ChooseCharacter,)
    wanted = "choose a character"
    rule = "RL-2"

    def decision(self, state: State, own: bool) -> Decision:
        return CharacterDecision(tuple(_free_characters(state)))

    def action(self, state: State, code: int) -> Action:
        return ChooseCharacter(CHARACTERS[code])

    def code(self, state: State, action: ChooseCharacter) -> int:
        return CHARACTERS.index(action.character) if action.character in CHARACTERS else NO_CODE

    def refusal(self, state: State, action: ChooseCharacter) -> IllegalAction:
        return IllegalAction(f"choose a character that is free: {', '.join(_free_characters(state))}", "RL-2")


def _free_characters(state: State) -> list[Character]:
    free = dealing.free_characters(state)
    return [character for place, character in enumerate(CHARACTERS) if free >> place & 1]


class _Challenges:
    """The challenges of a hand by number (`preparing`), each made when it is asked for: replays ask for one alone."""

    def __init__(self, open_places: int, hand: int) -> None:
        self._hand = hand
        self._blocks: list[tuple[int, list[int], int]] = []
        """Of each approach that can be used: which, its places, and how many combinations there are for each."""
        self._played: dict[tuple[int, int], tuple[Adventurer, ...]] = {}
        """By approach and rank: every place has the same."""
        for approach in range(len(APPROACHES)):
            places = preparing.places_for(open_places, approach)
            count = combinations.count_combinations(approach, hand)
            if places and count:
                self._blocks.append((approach, [place for place in range(QUEST_PLACES) if places >> place & 1], count))

    def at(self, number: int) -> Challenge:
        """Raises `IndexError` if there are not so many."""
        for approach, places, count in self._blocks:
            if number < len(places) * count:
                return Challenge(places[number // count], APPROACHES[approach], self._cards(approach, number % count))
            number -= len(places) * count
        raise IndexError("there are not so many challenges")

    def _cards(self, approach: int, rank: int) -> tuple[Adventurer, ...]:
        cards = self._played.get((approach, rank))
        if cards is None:
            played = combinations.combination_at(approach, self._hand, rank)
            cards = self._played[approach, rank] = cards_in(played)
        return cards


@lru_cache(maxsize=16)
def _challenges(open_places: int, hand: int) -> _Challenges:
    """Kept, since whoever lists them asks for one after another."""
    return _Challenges(open_places, hand)


class TurnQuestion(Question):
    """Prepare or challenge (How to Play)."""

    answers = (Prepare, Challenge, UsePotion)
    wanted = "prepare, challenge an encounter, or use a draw potion"
    rule = "How to Play"

    def decision(self, state: State, own: bool) -> Decision:
        return TurnDecision()

    def action(self, state: State, code: int) -> Action:
        if code == preparing.PREPARE_CODE:
            return Prepare()
        if code < preparing.FIRST_CHALLENGE:
            return potion_action(code - preparing.FIRST_TURN_POTION)
        return _challenges(preparing.open_places(state), state.player().hand).at(code - preparing.FIRST_CHALLENGE)

    def code(self, state: State, action: Prepare | Challenge | UsePotion) -> int:
        if isinstance(action, Prepare):
            return preparing.PREPARE_CODE
        if isinstance(action, UsePotion):
            return potion_code(action, preparing.FIRST_TURN_POTION, POTIONS[:2])
        if self._obstacle(state, action) is not None:
            return NO_CODE
        approach = APPROACHES.index(action.approach)
        rank = combinations.rank_of_combination(approach, state.player().hand, set_in_hand(state, action.cards))
        return preparing.FIRST_CHALLENGE + preparing.number_of_challenge(state, approach, action.place, rank)

    def refusal(self, state: State, action: Prepare | Challenge | UsePotion) -> IllegalAction:
        if isinstance(action, UsePotion):
            return potion_refusal(state, action)
        obstacle = self._obstacle(state, action) if isinstance(action, Challenge) else None
        return obstacle or IllegalAction(self.wanted, self.rule)

    def _obstacle(self, state: State, action: Challenge) -> IllegalAction | None:
        """Why a challenge is not legal; ``None`` if it is."""
        if action.approach not in APPROACHES:
            return IllegalAction(f"challenge by one of: {', '.join(APPROACHES)}", "Challenge")
        approach = APPROACHES.index(action.approach)
        open_places = preparing.places_for(preparing.open_places(state), approach)
        places = [place for place in range(len(state.quest_board)) if open_places >> place & 1]
        if action.place not in places:
            listed = ", ".join(str(place) for place in places) or "none"
            return IllegalAction(
                f"at place {action.place} is no encounter to {action.approach}; at these places is one: {listed}",
                "Challenge, Notes",
            )
        played = set_in_hand(state, action.cards)
        if played == NO_CODE:
            return not_in_hand()
        if combinations.rank_of_combination(approach, state.player().hand, played) == NONE:
            return IllegalAction(*_NO_COMBINATION[action.approach])
        return None


_NO_COMBINATION: Final = {
    "sneak": ("play one or more cards of consecutive numbers, without a wrap from 12 to 1", "RL-7"),
    "steal": ("play one or more cards of one number in different colours", "Action Key"),
    "strike": ("play one or more cards of one colour", "Action Key"),
}


class DrawQuestion(Question):
    """A card of a PREPARE (Prepare)."""

    answers = (Draw, UsePotion)
    wanted = "draw a card from the Tavern or the deck, or use a draw potion"
    rule = "Prepare"

    def decision(self, state: State, own: bool) -> Decision:
        return DrawDecision(state.draws_left)

    def action(self, state: State, code: int) -> Action:
        if code >= preparing.FIRST_DRAW_POTION:
            return potion_action(code - preparing.FIRST_DRAW_POTION)
        return Draw(None if code == preparing.FROM_DECK else code)

    def code(self, state: State, action: Draw | UsePotion) -> int:
        if isinstance(action, UsePotion):
            return potion_code(action, preparing.FIRST_DRAW_POTION, POTIONS[:2])
        if action.tavern is None:
            return preparing.FROM_DECK
        return action.tavern if 0 <= action.tavern < preparing.FROM_DECK else NO_CODE

    def refusal(self, state: State, action: Draw | UsePotion) -> IllegalAction:
        if isinstance(action, UsePotion):
            return potion_refusal(state, action)
        if action.tavern is None:
            return IllegalAction("neither the deck nor its discards have a card: draw from the Tavern", "RL-5")
        full = [str(place) for place, card in enumerate(state.tavern) if card != NONE]
        return IllegalAction(
            f"draw from the deck, or from a place of the Tavern with a card: {', '.join(full)}", "RL-5"
        )


class DiscardQuestion(Question):
    """Down to the hand limit (RL-4)."""

    answers = (Discard,)
    wanted = "discard down to your hand limit"
    rule = "RL-4"

    def decision(self, state: State, own: bool) -> Decision:
        return DiscardDecision(state.excess())

    def action(self, state: State, code: int) -> Action:
        return Discard(cards_in(choices.discard_at(state.player().hand, state.excess(), code)))

    def code(self, state: State, action: Discard) -> int:
        discarded = set_in_hand(state, action.cards)
        if discarded == NO_CODE or len(action.cards) != state.excess():
            return NO_CODE
        return choices.rank_of_discard(state.player().hand, discarded, state.excess())

    def refusal(self, state: State, action: Discard) -> IllegalAction:
        if len(action.cards) != state.excess():
            return IllegalAction(f"discard exactly {state.excess()}, to keep your hand limit", "RL-4")
        return not_in_hand()
