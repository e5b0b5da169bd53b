"""A challenge from the first roll to its success or failure.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles import adventurers, cards, choices, earning, telling
from dragonhall.rules.dragonisles.events import RollCause
from dragonhall.rules.dragonisles.facts import MOST_DICE
from dragonhall.rules.dragonisles.player import count_in
from dragonhall.rules.dragonisles.preparing import put_back
from dragonhall.rules.dragonisles.setting import BOOST as BOOST_POTION
from dragonhall.rules.dragonisles.setting import COIN, DRAW_ONE, EXTRA_DIE, MONK, NONE, REROLLS_TRACK
from dragonhall.rules.dragonisles.stage import (
    BOOST,
    FAILURE,
    ONES,
    REROLL_ONES,
    SUCCESS,
    TAKE_BENEFITS,
    MaskStage,
    Stage,
)
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

STREAM: Final = "dragonisles/dice"

DECLINE: Final = 0
"""Code of using no treasure, rerolling no die, using no boost."""
BOOST_AND_DRAW: Final = 2
"""Code of a boost with the Monk's card (RL-18)."""

_ONE_DIE: Final = 16
"""A die that shows 1 (`choices`)."""


def roll(state: State, count: i64, cause: RollCause, chance: Chance, journal: Journal | None) -> None:
    """Rolls so many more dice, one after another."""
    rolled: i64 = 0
    faces = state.setting.faces
    for place in range(count):
        face = faces[chance.number(STREAM, len(faces))]
        rolled |= face << (4 * place)
        state.dice += masks.bit(4 * face)
        if face == 1:
            state.fresh_ones = True
    if journal is not None:
        telling.dice_rolled(state, cause, rolled, journal)


@final
class Roll(Stage):
    """One die for each card played, at most six; more cards may be played (RL-8)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        dice = cards.size(state.played)
        roll(state, dice if dice < MOST_DICE else MOST_DICE, "challenge", chance, journal)
        return False


@final
class Ones(Stage):
    """Dice just rolled show a 1: treasures may be used, each copy once a challenge (RL-9).

    An answer names them in the order in which their benefits are taken; its code is the sequence's rank (`choices`).
    """

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        return state.fresh_ones and state.unused != 0

    def count(self, state: State) -> i64:
        return choices.count_sequences(state.unused)

    def code_at(self, state: State, index: i64) -> i64:
        return index

    def is_legal(self, state: State, code: i64) -> bool:
        return code < self.count(state)

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        state.fresh_ones = False
        if code == DECLINE:
            if journal is not None:
                telling.choice_declined(state, "ones", journal)
            return
        state.benefits = choices.sequence_at(state.unused, code)
        state.unused -= choices.copies_in(state.benefits)
        if journal is not None:
            telling.treasures_used(state, journal)
        state.push(ONES)
        state.push(REROLL_ONES)
        state.push(TAKE_BENEFITS)


@final
class TakeBenefits(Stage):
    """The benefits of the treasures used, in the order named (RL-9)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        if state.benefits == 0:
            return False
        place = (state.benefits & 15) - 1
        state.benefits >>= 4
        state.push(TAKE_BENEFITS)
        take_benefit(state, state.setting.ones_treasures[place], chance, journal)
        return False


def take_benefit(state: State, treasure: i64, chance: Chance, journal: Journal | None) -> None:
    """What a treasure gives."""
    benefit = state.setting.benefit[treasure]
    if benefit == COIN:
        earning.earn_coin(state, treasure, journal)
    elif benefit == DRAW_ONE:
        adventurers.draw_to_hand(state, chance, journal)
    elif benefit == EXTRA_DIE and choices.count_dice(state.dice) < MOST_DICE:  # no seventh die (RL-19)
        roll(state, 1, "extra_die", chance, journal)


@final
class RerollOnes(Stage):
    """All dice that show 1 are rerolled together, after the extra die (RL-9, RL-19)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        ones = state.dice // _ONE_DIE & 15
        state.dice -= ones * _ONE_DIE
        state.fresh_ones = False
        roll(state, ones, "ones", chance, journal)
        return False


@final
class Reroll(Stage):
    """Once a challenge, dice may be rerolled, as many as the rerolls track says (Notes).

    An answer's code counts the dice to be rerolled by face.
    """

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        state.fresh_ones = False
        return state.track(state.active, REROLLS_TRACK) > 0

    def count(self, state: State) -> i64:
        return choices.count_parts(state.dice, state.track(state.active, REROLLS_TRACK))

    def code_at(self, state: State, index: i64) -> i64:
        return choices.part_at(state.dice, state.track(state.active, REROLLS_TRACK), index)

    def is_legal(self, state: State, code: i64) -> bool:
        if not choices.holds_dice(state.dice, code):
            return False
        return choices.count_dice(code) <= state.track(state.active, REROLLS_TRACK)

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        state.reroll_decided = True
        if code == DECLINE:
            if journal is not None:
                telling.choice_declined(state, "reroll", journal)
            return
        state.dice -= code
        roll(state, choices.count_dice(code), "rerolls", chance, journal)


@final
class Boost(MaskStage):
    """Any number of boosts, one after another, seeing the total; asked even if it suffices (Potions)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        return count_in(state.player().potions, BOOST_POTION) > 0

    def mask(self, state: State) -> i64:
        return 0b111 if state.plays(MONK) else 0b011

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        if code == DECLINE:
            if journal is not None:
                telling.choice_declined(state, "boost", journal)
            return
        draw: i64 = 1 if code == BOOST_AND_DRAW else 0
        state.boosts += 1
        put_back(state, BOOST_POTION, draw, journal)
        if draw:
            adventurers.draw_to_hand(state, chance, journal)
        state.push(BOOST)


@final
class Resolve(Stage):
    """The total is compared to the target; after a failure the cards played are back in hand (Challenge)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        succeeded = state.total() >= state.target()
        if journal is not None:
            telling.challenge_ended(state, succeeded, journal)
        if succeeded:
            state.push_all(SUCCESS)
        else:
            state.player().hand += state.played
            state.played = 0
            state.challenged = NONE
            state.push_all(FAILURE)
        return False
