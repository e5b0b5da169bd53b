"""A turn's first question, PREPARE, draw potions, the hand limit, and the turn's end.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles import adventurers, choices, quest_board, telling
from dragonhall.rules.dragonisles.combinations import combination_at
from dragonhall.rules.dragonisles.facts import LAST_ENCOUNTER, QUEST_PLACES
from dragonhall.rules.dragonisles.player import count_in, one
from dragonhall.rules.dragonisles.setting import (
    DRAW_ONE_AND_CLEAR,
    DRAW_TWO,
    MONK,
    NONE,
    SORCERER,
    STRIKE,
)
from dragonhall.rules.dragonisles.stage import CHALLENGE, DRAW, HAND_LIMIT, PREPARE, TURN, MaskStage, Stage
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

PREPARE_CODE: Final = 0
FIRST_TURN_POTION: Final = 1
FIRST_CHALLENGE: Final = 5
"""Codes of a turn (`moves`)."""
FROM_DECK: Final = 2
FIRST_DRAW_POTION: Final = 3
"""Codes of a draw (`moves`)."""

_DRAWS: Final = 2
_SORCERERS_DRAWS: Final = 3


# ---- Draw potions: two codes a kind, without and with the Monk's card


def draw_potions(state: State) -> i64:
    """The draw potions that the seat whose turn it is may use, as a bit mask (RL-3).

    Bits 0 and 1: draw_two without and with the Monk's card; 2 and 3: draw_one_and_clear (RL-18).
    """
    ways: i64 = 3 if state.plays(MONK) else 1
    potions = state.player().potions
    usable: i64 = 0
    if count_in(potions, DRAW_TWO):
        usable |= ways
    if count_in(potions, DRAW_ONE_AND_CLEAR):
        usable |= ways << 2
    return usable


def use_draw_potion(state: State, code: i64, again: i64, chance: Chance, journal: Journal | None) -> None:
    """Its effect, then the Monk's card (RL-18), then the hand limit (RL-4); then stage ``again`` asks again."""
    potion = code >> 1
    put_back(state, potion, code & 1, journal)
    adventurers.draw_to_hand(state, chance, journal)
    if potion == DRAW_TWO:
        adventurers.draw_to_hand(state, chance, journal)
    else:
        quest_board.clear(state, "potion", journal)
        quest_board.refill(state, chance, journal)
    if code & 1:
        adventurers.draw_to_hand(state, chance, journal)
    state.push(again)
    state.push(HAND_LIMIT)


def put_back(state: State, potion: i64, draw: i64, journal: Journal | None) -> None:
    """The seat whose turn it is uses a potion, which goes back to the pile (RL-21)."""
    state.player().potions -= one(potion)
    state.potion_pile += one(potion)
    if journal is not None:
        telling.potion_used(state, potion, draw != 0, journal)


# ---- The turn


@final
class Turn(Stage):
    """Prepare or challenge; draw potions before it (RL-3)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        return True

    def count(self, state: State) -> i64:
        return 1 + masks.size(draw_potions(state)) + count_challenges(state)

    def code_at(self, state: State, index: i64) -> i64:
        potions = draw_potions(state)
        other = 1 + masks.size(potions)
        if index >= other:
            return FIRST_CHALLENGE + index - other
        return PREPARE_CODE if index == 0 else FIRST_TURN_POTION + masks.nth(potions, index - 1)

    def codes(self, state: State) -> list[int]:
        potions = draw_potions(state)
        usable = [FIRST_TURN_POTION + way for way in range(FIRST_CHALLENGE - FIRST_TURN_POTION) if potions >> way & 1]
        return [PREPARE_CODE, *usable, *range(FIRST_CHALLENGE, FIRST_CHALLENGE + count_challenges(state))]

    def is_legal(self, state: State, code: i64) -> bool:
        if code < FIRST_CHALLENGE:
            return code == PREPARE_CODE or draw_potions(state) >> (code - FIRST_TURN_POTION) & 1 != 0
        return code - FIRST_CHALLENGE < count_challenges(state)

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        if code >= FIRST_CHALLENGE:
            _challenge(state, code - FIRST_CHALLENGE, journal)
        elif code == PREPARE_CODE:
            _prepare(state, journal)
        else:
            use_draw_potion(state, code - FIRST_TURN_POTION, TURN, chance, journal)


def _prepare(state: State, journal: Journal | None) -> None:
    """Two cards, the Sorcerer three (Prepare; Unique Character Abilities)."""
    state.draws_left = _SORCERERS_DRAWS if state.plays(SORCERER) else _DRAWS
    if journal is not None:
        telling.preparation_started(state, journal)
    state.push_all(PREPARE)


def _challenge(state: State, number: i64, journal: Journal | None) -> None:
    approach, place, rank = challenge_of(state, number)
    begin_challenge(state, approach, place, combination_at(approach, state.player().hand, rank), journal)


def begin_challenge(state: State, approach: i64, place: i64, played: i64, journal: Journal | None) -> None:
    """The seat whose turn it is challenges with cards of its hand (a card set), which must be a combination."""
    player = state.player()
    state.challenged = place
    state.approach = approach
    state.played = played
    player.hand -= played
    state.dice = 0
    state.fresh_ones = False
    state.unused = ones_treasures(state)
    state.reroll_decided = False
    state.boosts = 0
    state.next_effect = 0
    if journal is not None:
        telling.challenge_started(state, journal)
    state.push_all(CHALLENGE)


def ones_treasures(state: State) -> i64:
    """Treasures of the seat whose turn it is for a rolled 1: four bits count the copies of each (RL-9)."""
    treasures, helpers = state.player().treasures, state.setting.helper
    owned: i64 = 0
    for place in range(i64(len(treasures))):
        helper = helpers[treasures[place]]
        if helper != NONE:
            owned += masks.bit(4 * helper)
    return owned


# ---- Challenges, numbered: by approach, then by place on the Quest Board, then by combination (`combinations`)


def open_places(state: State) -> i64:
    """The places on the Quest Board that can be challenged (Challenge, Notes): four bits for each approach."""
    places: i64 = 0
    approaches = state.setting.open_approaches
    for place in range(i64(QUEST_PLACES)):
        encounter = state.quest_board[place]
        if encounter != NONE:
            places |= approaches[encounter] << place
    return places


def places_for(places: i64, approach: i64) -> i64:
    """Of `open_places` those for one approach, as a bit mask."""
    return places >> (4 * approach) & 15


def count_challenges(state: State) -> i64:
    """How many challenges the seat whose turn it is can choose from."""
    count: i64 = 0
    player = state.player()
    places = open_places(state)
    for approach in range(i64(STRIKE + 1)):
        count += masks.size(places_for(places, approach)) * player.count_combinations(approach)
    return count


def challenge_of(state: State, number: i64) -> tuple[i64, i64, i64]:
    """Approach, place and rank of the combination of a challenge."""
    player = state.player()
    all_places = open_places(state)
    for approach in range(i64(STRIKE + 1)):
        places = places_for(all_places, approach)
        combinations = player.count_combinations(approach)
        if number < masks.size(places) * combinations:
            return approach, masks.nth(places, number // combinations), number % combinations
        number -= masks.size(places) * combinations
    raise ValueError("there are not so many challenges")


def number_of_challenge(state: State, approach: i64, place: i64, rank: i64) -> i64:
    """The reverse of `challenge_of`."""
    player = state.player()
    places = open_places(state)
    number: i64 = 0
    for earlier in range(approach):
        number += masks.size(places_for(places, earlier)) * player.count_combinations(earlier)
    earlier_places = masks.size(places_for(places, approach) & ((1 << place) - 1))
    return number + earlier_places * player.count_combinations(approach) + rank


# ---- PREPARE, the hand limit, and the turn's end


@final
class Draw(MaskStage):
    """One card of a PREPARE, from Tavern or deck; draw potions before it (RL-3)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        """With nothing left to draw anywhere, the rest of the PREPARE is lost, unasked (RL-5)."""
        if state.draws_left > 0 and self._sources(state) == 0:
            state.draws_left = 0
            if journal is not None:
                telling.nothing_left(state, "adventurer", journal)
        return state.draws_left > 0

    def mask(self, state: State) -> i64:
        return self._sources(state) | draw_potions(state) << FIRST_DRAW_POTION

    def _sources(self, state: State) -> i64:
        sources: i64 = 1 << FROM_DECK if adventurers.deck_can_give(state) else 0
        for place in range(i64(FROM_DECK)):
            if state.tavern[place] != NONE:
                sources |= 1 << place
        return sources

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        if code >= FIRST_DRAW_POTION:
            use_draw_potion(state, code - FIRST_DRAW_POTION, DRAW, chance, journal)
            return
        state.draws_left -= 1
        if code == FROM_DECK:
            adventurers.draw_to_hand(state, chance, journal)
        else:
            adventurers.draw_from_tavern(state, code, chance, journal)
        state.push(DRAW)


@final
class HandLimit(Stage):
    """Cards beyond the hand limit are discarded: after a PREPARE, a draw potion, or a whole challenge (RL-4)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        return state.excess() > 0

    def count(self, state: State) -> i64:
        return choices.count_discards(state.player().hand, state.excess())

    def code_at(self, state: State, index: i64) -> i64:
        return index

    def is_legal(self, state: State, code: i64) -> bool:
        return code < self.count(state)

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        discard_excess(state, choices.discard_at(state.player().hand, state.excess(), code), chance, journal)


def discard_excess(state: State, discarded: i64, chance: Chance, journal: Journal | None) -> None:
    """The seat whose turn it is discards cards of its hand (a card set): as many as it has too many."""
    state.player().hand -= discarded
    adventurers.discard(state, discarded, "hand_limit", chance, journal)


@final
class EndTurn(Stage):
    """Play passes to the left, unless the seat has won its last encounter: then the game is over (RL-16)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        if len(state.player().encounters) >= LAST_ENCOUNTER:
            state.active = NONE
            return False
        state.active = state.active + 1 if state.active + 1 < state.seats else 0
        begin_turn(state, journal)
        return False


def begin_turn(state: State, journal: Journal | None) -> None:
    """The next turn is that of the seat ``active``."""
    state.turn += 1
    if journal is not None:
        telling.turn_started(state, journal)
    state.push(TURN)
