"""What a seat of Dragon's Interest is taken to answer when it does not answer: it risks as little as it can.

It looks at what is public and at what the seat itself holds. One small function a stage.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from dragonhall.rules.dragons_interest.facts import TYPES
from dragonhall.rules.dragons_interest.moves import (
    ACCEPT,
    ACTIVATE,
    AMOUNT_BITS,
    ANSWER,
    AWARD,
    BID,
    COMMIT,
    DISCARD_KNIGHTS,
    FIRST_TYPE,
    INVADED,
    OFFER,
    PASS,
    TAKE,
)
from dragonhall.rules.dragons_interest.refusals import check_asked

if TYPE_CHECKING:
    from dragonhall.rules.dragons_interest.state import State


def default_action(state: State, seat: int) -> int:
    """The code. Raises `IllegalAction` if ``seat`` is not asked."""
    check_asked(state, seat)
    return _DEFAULTS[state.stage](state, seat)


def _bid(state: State, seat: int) -> int:
    """The contract of least value: the least interest."""
    values = state.deal.values
    return min(_bits(state.hands[seat]), key=lambda place: values[place])


def _take(state: State, seat: int) -> int:
    """The tile with the most gold."""
    return max(_bits(state.takeable), key=state.face_up)


def _pass(state: State, seat: int) -> int:
    return PASS


def _offer(state: State, seat: int) -> int:
    """Half of what it holds, to the first seat that has a building of a type that it wants."""
    wanted: list[tuple[int, int]] = []
    for target in range(state.seats):
        if target != seat and state.types[target]:
            wanted.append((target, _wanted(state, seat, state.types[target])))
    target, building = next((pair for pair in wanted if not state.types[seat] >> pair[1] & 1), wanted[0])
    return ((target * TYPES + building) << AMOUNT_BITS) + state.spendable(seat) // 2


def _wanted(state: State, seat: int, types: int) -> int:
    """Of the types of a bit mask the first that it has not got; else the first."""
    missing = types & ~state.types[seat]
    return _bits(missing or types)[0]


def _answer(state: State, seat: int) -> int:
    """Matches what is at most half of what it holds, and takes a type that it wants; accepts more."""
    if 2 * state.amount > state.spendable(seat):
        return ACCEPT
    return FIRST_TYPE + _wanted(state, seat, state.types[state.active])


def _commit(state: State, seat: int) -> int:
    return 0


def _award(state: State, seat: int) -> int:
    """To itself, if it is among them; else to the first."""
    return seat if state.tied >> seat & 1 else _bits(state.tied)[0]


def _lose(state: State, seat: int) -> int:
    """Knights, if it has enough; else a building of the type that it has most of."""
    if state.is_legal(seat, DISCARD_KNIGHTS):
        return DISCARD_KNIGHTS
    return FIRST_TYPE + max(_bits(state.types[seat]), key=lambda building: state.buildings[seat * TYPES + building])


def _bits(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


_DEFAULTS: Final[dict[int, Callable[[State, int], int]]] = {
    BID: _bid,
    TAKE: _take,
    ACTIVATE: _pass,
    OFFER: _offer,
    ANSWER: _answer,
    COMMIT: _commit,
    AWARD: _award,
    INVADED: _lose,
}
