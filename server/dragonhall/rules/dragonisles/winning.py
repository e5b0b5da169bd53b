"""What follows a challenge that succeeded, step by step (Challenge Succeeds).

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from librt.vecs import append
from mypy_extensions import i64

from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles import adventurers, cards, earning, quest_board, telling, trophies
from dragonhall.rules.dragonisles.challenging import take_benefit
from dragonhall.rules.dragonisles.facts import COLOURS, TRACKS
from dragonhall.rules.dragonisles.player import count_in, one
from dragonhall.rules.dragonisles.setting import (
    ALWAYS,
    HAND_BELOW,
    NONE,
    OF_APPROACH,
    ON_SUCCESS,
    SPACES,
    STRIKE,
    WARRIOR,
)
from dragonhall.rules.dragonisles.stage import TREASURE_EFFECTS, MaskStage, Stage
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State


@final
class DiscardPlayed(Stage):
    """1. The cards played are discarded."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        adventurers.discard(state, state.played, "played", chance, journal)
        return False


@final
class TakeEncounter(Stage):
    """2. The encounter's victory points and symbols are the seat's."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        encounter = state.encounter()
        player = state.player()
        if journal is not None:
            telling.encounter_won(state, journal)
        player.encounters = append(player.encounters, encounter)
        trophies.add_symbols(state, state.setting.type[encounter], state.setting.symbols[encounter])
        state.quest_board[state.challenged] = NONE
        state.challenged = NONE
        return False


@final
class RefillQuestBoard(Stage):
    """3. A new encounter is drawn."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        quest_board.refill(state, chance, journal)
        return False


def won(state: State) -> i64:
    """The kind of the encounter won last by the seat whose turn it is."""
    encounters = state.player().encounters
    return encounters[len(encounters) - 1]


@final
class EncounterTrophy(Stage):
    """4. The trophy of the encounter's type."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        trophies.check_encounter_trophy(state, state.setting.type[won(state)], journal)
        return False


@final
class VarietyTrophy(Stage):
    """5. The variety trophy."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        trophies.check_variety_trophy(state, journal)
        return False


@final
class TakeBonus(Stage):
    """6. The coin or treasure printed beside the target used."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        earning.earn(state, state.setting.bonus[3 * won(state) + state.approach], chance, journal)
        return False


@final
class Advance(MaskStage):
    """7. An experience cube moves one space up, and the seat earns what is shown there (Character Boards)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        return True

    def mask(self, state: State) -> i64:
        player = state.player()
        board: i64 = player.character * TRACKS
        open_tracks: i64 = 0
        for place in range(i64(TRACKS)):
            if count_in(player.cubes, place) < state.setting.track_spaces[board + place]:
                open_tracks |= 1 << place
        return open_tracks

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        player = state.player()
        player.cubes += one(code)
        if journal is not None:
            telling.track_advanced(state, code, journal)
        space = (player.character * TRACKS + code) * SPACES + count_in(player.cubes, code)
        earning.earn(state, state.setting.track_rewards[space], chance, journal)


@final
class TreasureEffects(Stage):
    """8. Treasures that help after a success, one after another in the order in which they were earned (RL-20).

    Those earned just now are among them. Each condition is looked at when its turn comes.
    """

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        treasures, trigger = state.player().treasures, state.setting.trigger
        while state.next_effect < len(treasures):
            treasure = treasures[state.next_effect]
            state.next_effect += 1
            if trigger[treasure] == ON_SUCCESS and fits(state, treasure, cards.size(state.player().hand)):
                state.push(TREASURE_EFFECTS)
                take_benefit(state, treasure, chance, journal)
                return False
        state.played = 0
        return False


def fits(state: State, treasure: i64, hand_size: i64) -> bool:
    """Whether the success fits a treasure's condition, with so many cards in hand (RL-20)."""
    condition = state.setting.condition[treasure]
    value = state.setting.condition_value[treasure]
    if condition == ALWAYS:
        return True
    if condition == OF_APPROACH:
        return state.approach == value
    if condition == HAND_BELOW:
        return hand_size < value
    return colours_played(state.played, state.approach) >= value


def colours_played(played: i64, approach: i64) -> i64:
    """Colours of the cards played: a wild card counts as one more, but in a STRIKE it takes the colour (RL-20, RL-8).

    >>> colours_played((1 << 3) + (2 << 60), approach=0), colours_played((1 << 3) + (2 << 60), approach=2)
    (3, 1)
    """
    if approach == STRIKE:
        return 1
    colours = cards.wilds(played)
    for colour in range(i64(COLOURS)):
        if cards.numbers_of(played, colour):
            colours += 1
    return colours if colours < COLOURS else COLOURS


@final
class WarriorDraw(Stage):
    """9. The Warrior draws an adventurer card (Unique Character Abilities)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        if state.plays(WARRIOR):
            adventurers.draw_to_hand(state, chance, journal)
        return False
