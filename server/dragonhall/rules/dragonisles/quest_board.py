"""The Quest Board and the encounter deck.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles import telling
from dragonhall.rules.dragonisles.events import ClearCause
from dragonhall.rules.dragonisles.facts import QUEST_PLACES
from dragonhall.rules.dragonisles.setting import NONE
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

STREAM: Final = "dragonisles/encounters"


def refill(state: State, chance: Chance, journal: Journal | None) -> None:
    """Fills the empty places; four of a category are discarded and replaced, again and again (Encounter Cards).

    It stops when there is a single category left in all of board, deck and discards (RL-12).
    """
    _fill(state, chance, journal)
    while _shows_four_alike(state) and _another_category_is_left(state):
        clear(state, "four_alike", journal)
        _fill(state, chance, journal)


def clear(state: State, cause: ClearCause, journal: Journal | None) -> None:
    """Discards all encounters of the board."""
    if journal is not None:
        telling.quest_board_cleared(state, cause, journal)
    for place in range(i64(QUEST_PLACES)):
        if state.quest_board[place] != NONE:
            state.encounters.discard(state.quest_board[place])
            state.quest_board[place] = NONE


def _fill(state: State, chance: Chance, journal: Journal | None) -> None:
    """With neither deck nor discards left, the board stays short (RL-13)."""
    deck = state.encounters
    for place in range(i64(QUEST_PLACES)):
        if state.quest_board[place] == NONE:
            if deck.size() == 0:
                if len(deck.discards) == 0:
                    return
                deck.shuffle_discards(STREAM, chance)
                if journal is not None:
                    telling.deck_shuffled("encounters", deck, journal)
            state.quest_board[place] = deck.draw()
            if journal is not None:
                telling.encounter_revealed(state, place, journal)


def _shows_four_alike(state: State) -> bool:
    board, category = state.quest_board, state.setting.category
    first = board[0]
    for place in range(i64(QUEST_PLACES)):
        encounter = board[place]
        if encounter == NONE or category[encounter] != category[first]:
            return False
    return True


def _another_category_is_left(state: State) -> bool:
    category, deck = state.setting.category, state.encounters
    shown = category[state.quest_board[0]]
    found = False
    for at in range(deck.drawn, i64(len(deck.order))):
        found = found or category[deck.order[at]] != shown
    for at in range(i64(len(deck.discards))):
        found = found or category[deck.discards[at]] != shown
    return found
