"""What is asked, and the answers as typed actions: between the codes of `stage` and the values of `moves`.

There is one question for each stage that asks. It also says why an answer is refused, in words that tell nothing that
the seat may not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dragonhall.rules.dragonisles import challenge_questions, earning_questions, stage, turn_questions
from dragonhall.rules.dragonisles.moves import Action, Decision
from dragonhall.rules.dragonisles.question import Question
from dragonhall.rules.errors import IllegalAction

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

QUESTIONS: Final[dict[int, Question]] = {
    stage.CHOOSE_CHARACTER: turn_questions.CharacterQuestion(),
    stage.TURN: turn_questions.TurnQuestion(),
    stage.DRAW: turn_questions.DrawQuestion(),
    stage.HAND_LIMIT: turn_questions.DiscardQuestion(),
    stage.ONES: challenge_questions.OnesQuestion(),
    stage.REROLL: challenge_questions.RerollQuestion(),
    stage.BOOST: challenge_questions.BoostQuestion(),
    stage.KEEP_TREASURE: earning_questions.TreasureQuestion(),
    stage.KEEP_ADVENTURER: earning_questions.AdventurerQuestion(),
    stage.ADVANCE: earning_questions.AdvanceQuestion(),
    stage.TAKE_POTION: earning_questions.TakePotionQuestion(),
    stage.TAKE_COIN: earning_questions.TakeCoinQuestion(),
}


# ---- What the boundary asks


def check_asked(state: State, seat: int) -> None:
    """Raises `IllegalAction` unless it is ``seat`` that is asked."""
    if state.is_over():
        raise IllegalAction("the game is over", "Ending the Game")
    if seat != state.active:
        raise IllegalAction(f"it is not seat {seat}'s turn but seat {state.active}'s", "How to Play")


def decision(state: State, reader: int | None) -> Decision:
    """What is asked now, as a reader may know it: the seat that is asked, or anyone else (``None``: a spectator)."""
    return QUESTIONS[state.asked].decision(state, reader == state.active)


def action_of(state: State, seat: int, code: int) -> Action:
    """The action of a code. Raises `IllegalAction` if it is not legal for ``seat`` now."""
    check_asked(state, seat)
    if not state.is_legal(seat, code):
        raise refusal_of_code(state)
    return QUESTIONS[state.asked].action(state, code)


def code_of(state: State, seat: int, action: Action) -> int:
    """The code of an action. Raises `IllegalAction` if it is not legal for ``seat`` now."""
    check_asked(state, seat)
    question = QUESTIONS[state.asked]
    if not isinstance(action, question.answers):
        raise IllegalAction(question.wanted, question.rule)
    code = question.code(state, action)
    if not state.is_legal(seat, code):
        raise question.refusal(state, action)
    return code


def refusal_of_code(state: State) -> IllegalAction:
    """Why a code is not legal."""
    question = QUESTIONS[state.asked]
    return IllegalAction(f"there is no such action here: {question.wanted}", question.rule)
