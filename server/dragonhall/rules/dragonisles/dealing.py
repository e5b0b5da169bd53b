"""Set Up: characters, then everything that is dealt.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles import adventurers, earning, quest_board, telling
from dragonhall.rules.dragonisles.facts import CHARACTERS, FIRST_HAND
from dragonhall.rules.dragonisles.preparing import begin_turn
from dragonhall.rules.dragonisles.setting import NONE
from dragonhall.rules.dragonisles.stage import CHOOSE_CHARACTER, MaskStage, Stage
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

_EVERY_CHARACTER: Final = (1 << len(CHARACTERS)) - 1


def free_characters(state: State) -> i64:
    """The characters that no seat has, as a bit mask."""
    free: i64 = _EVERY_CHARACTER
    for seat in range(state.seats):
        if state.players[seat].character != NONE:
            free ^= 1 << state.players[seat].character
    return free


@final
class ChooseCharacter(MaskStage):
    """With ``draft``, seats choose characters one after another in reverse turn order (RL-2)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        """``active`` is the seat that chose last, and before that the first player, who chooses last."""
        state.active = state.active - 1 if state.active > 0 else state.seats - 1
        return True

    def mask(self, state: State) -> i64:
        return free_characters(state)

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        state.player().character = code
        if journal is not None:
            telling.character_chosen(state, journal)
        if state.active != state.first_seat:
            state.push(CHOOSE_CHARACTER)


@final
class SetUp(Stage):
    """Quest Board, hands, Tavern and treasure deck, in this order; then the first turn begins (Set Up, 2 to 4)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        state.encounters.shuffle(quest_board.STREAM, chance)
        quest_board.refill(state, chance, journal)
        state.adventurers.shuffle(adventurers.STREAM, chance)
        for seat in range(state.seats):
            for _ in range(FIRST_HAND):
                state.players[seat].hand += masks.bit(state.adventurers.draw())
            if journal is not None:
                telling.hand_dealt(state, seat, journal)
        adventurers.refill_tavern(state, chance, journal)
        state.treasures.shuffle(earning.TREASURE_STREAM, chance)
        state.active = state.first_seat
        begin_turn(state, journal)
        return False
