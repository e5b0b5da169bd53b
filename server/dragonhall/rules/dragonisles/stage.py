"""The stages of a game, numbered, and the sequences of them that a turn is made of.

Hot: one source that CPython runs and mypyc compiles. A state keeps an *agenda*, a stack of stages to come. Each stage
in turn does what it does by itself and may then ask the seat whose turn it is; its answer may put further stages on
top. `stages` lists the class of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.chance import Chance
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

OVER: Final = 0

CHOOSE_CHARACTER: Final = 1
SET_UP: Final = 2

TURN: Final = 3
DRAW: Final = 4
HAND_LIMIT: Final = 5
END_TURN: Final = 6

ROLL: Final = 7
ONES: Final = 8
TAKE_BENEFITS: Final = 9
REROLL_ONES: Final = 10
REROLL: Final = 11
BOOST: Final = 12
RESOLVE: Final = 13

DISCARD_PLAYED: Final = 14
TAKE_ENCOUNTER: Final = 15
REFILL_QUEST_BOARD: Final = 16
ENCOUNTER_TROPHY: Final = 17
VARIETY_TROPHY: Final = 18
TAKE_BONUS: Final = 19
ADVANCE: Final = 20
TREASURE_EFFECTS: Final = 21
WARRIOR_DRAW: Final = 22

EARN_POTION: Final = 23
TAKE_POTION: Final = 24
TAKE_COIN: Final = 25
KEEP_TREASURE: Final = 26
KEEP_ADVENTURER: Final = 27

STAGE_BITS: Final = 5
STAGE_MASK: Final = 31


@final
class Sequence:
    """Stages, one after another: at most 12."""

    def __init__(self, *stages: int) -> None:
        packed = 0
        for stage in reversed(stages):
            packed = packed << STAGE_BITS | stage
        self.packed: i64 = packed
        """Five bits a stage, the first in the lowest."""
        self.bits: i64 = STAGE_BITS * len(stages)


PREPARE: Final = Sequence(DRAW, HAND_LIMIT, END_TURN)
"""A turn that prepares."""

CHALLENGE: Final = Sequence(ROLL, ONES, REROLL, ONES, BOOST, RESOLVE)
"""A turn that challenges, up to its success or failure."""

SUCCESS: Final = Sequence(
    DISCARD_PLAYED,
    TAKE_ENCOUNTER,
    REFILL_QUEST_BOARD,
    ENCOUNTER_TROPHY,
    VARIETY_TROPHY,
    TAKE_BONUS,
    ADVANCE,
    TREASURE_EFFECTS,
    WARRIOR_DRAW,
    HAND_LIMIT,
    END_TURN,
)
"""What follows a success (Challenge Succeeds)."""

FAILURE: Final = Sequence(EARN_POTION, HAND_LIMIT, END_TURN)
"""What follows a failure, once the cards played are back in hand (Challenge Fails)."""


class Stage:
    """A stage. Those that ask nothing define `begin` alone."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        """Does what needs no answer. ``True``: now the seat whose turn it is is asked."""
        raise NotImplementedError("a stage says how it begins")

    def count(self, state: State) -> i64:
        """How many answers are legal; at least 1 when it asks."""
        return 0

    def code_at(self, state: State, index: i64) -> i64:
        """The code of a legal answer, by its place in canonical order."""
        raise NotImplementedError("a stage that asks says what may be answered")

    def codes(self, state: State) -> list[int]:
        """The codes of all legal answers, ascending."""
        return [self.code_at(state, index) for index in range(self.count(state))]

    def is_legal(self, state: State, code: i64) -> bool:
        """Whether an answer is legal."""
        return False

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        """Carries out a legal answer."""
        raise NotImplementedError("a stage that asks says what an answer does")


class MaskStage(Stage):
    """A stage whose answers have small codes: the legal ones are a bit mask."""

    def mask(self, state: State) -> i64:
        """The codes of the legal answers."""
        raise NotImplementedError("a stage that asks says what may be answered")

    def count(self, state: State) -> i64:
        return masks.size(self.mask(state))

    def code_at(self, state: State, index: i64) -> i64:
        return masks.nth(self.mask(state), index)

    def is_legal(self, state: State, code: i64) -> bool:
        return 0 <= code < 63 and self.mask(state) >> code & 1 != 0
