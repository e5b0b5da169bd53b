"""What a seat of Dragons is taken to answer when it does not answer: it draws, builds evenly, claims what is large.

It looks at the piles' sizes alone, which all can see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragonhall.rules.dragons.moves import DRAW, FIRST_CLAIM, check_asked

if TYPE_CHECKING:
    from dragonhall.rules.dragons.state import State


def default_action(state: State, seat: int) -> int:
    """The code: draw, or with an empty deck claim the largest pile; put the card drawn on the smallest one.

    With ``hidden_card`` the card in hand stays there. Of piles alike the first. Raises `IllegalAction` if ``seat`` is
    not asked.
    """
    check_asked(state, seat)
    free = [pile for pile in range(state.seats) if state.free_piles >> pile & 1]
    if state.is_placing():
        return min(free, key=lambda pile: len(state.pile_faces(pile)))
    if state.is_legal(seat, DRAW):
        return DRAW
    return FIRST_CLAIM + max(free, key=lambda pile: len(state.pile_faces(pile)))
