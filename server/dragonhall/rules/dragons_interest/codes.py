"""Between what crosses the boundary of Dragon's Interest, decisions and actions, and the numbers inside.

Which numbers stand for which actions is written in `moves`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from dragonhall.rules.dragons_interest.facts import (
    BUILDING_TYPES,
    CONTRACTS,
    INCOME_TOKEN,
    SPENT_TOKEN,
    STAKES,
    TYPES,
    BuildingType,
    Contract,
)
from dragonhall.rules.dragons_interest.moves import (
    AMOUNTS,
    COMMIT,
    FIRST_TYPE,
    OVER,
    Accept,
    Action,
    Activate,
    ActivationDecision,
    AnswerDecision,
    Award,
    AwardDecision,
    Bid,
    BidDecision,
    Chest,
    Commit,
    CommitDecision,
    Contest,
    Decision,
    DiscardBuilding,
    DiscardKnights,
    InvasionDecision,
    Match,
    Offer,
    OfferDecision,
    Pass,
    Take,
    TakeDecision,
    stage_of,
)
from dragonhall.rules.dragons_interest.refusals import check_asked, refusal

if TYPE_CHECKING:
    from dragonhall.rules.dragons_interest.state import State


def decision_of(state: State, seat: int, reader: int | None) -> Decision:
    """What ``seat`` is asked, as ``reader`` (``None``: everyone) knows it. Raises `IllegalAction` if asked nothing."""
    check_asked(state, seat)
    return _DECISIONS[state.stage](state, reader)


_DECISIONS: Final[tuple[Callable[[State, int | None], Decision], ...]] = (
    lambda state, reader: BidDecision(),
    lambda state, reader: TakeDecision(),
    lambda state, reader: ActivationDecision(),
    lambda state, reader: OfferDecision(BUILDING_TYPES[state.activated], SPENT_TOKEN[state.activated]),
    lambda state, reader: AnswerDecision(chest_of(state, reader)),
    lambda state, reader: CommitDecision(contest_of(state)),
    lambda state, reader: AwardDecision(contest_of(state), seats_of(state.tied)),
    lambda state, reader: InvasionDecision(BUILDING_TYPES[state.invaded()]),
)
"""By stage."""


def chest_of(state: State, reader: int | None) -> Chest:
    """The chest that is being offered, as ``reader`` (``None``: everyone) sees it."""
    return Chest(
        seat=state.active,
        target=state.target,
        building=BUILDING_TYPES[state.wanted],
        token=SPENT_TOKEN[state.activated],
        amount=state.amount if reader is not None and reader in (state.active, state.target) else None,
    )


def contest_of(state: State) -> Contest:
    """The contest that is going on; its commitments only once they are revealed."""
    return Contest(
        seat=state.active,
        building=BUILDING_TYPES[state.activated],
        stake_token=INCOME_TOKEN[state.activated],
        stake=STAKES[BUILDING_TYPES[state.activated]],
        commitment_token=SPENT_TOKEN[state.activated],
        commitments=() if state.stage == COMMIT else tuple(state.answers),
    )


def take_order(state: State) -> tuple[int, ...]:
    """The seats that may still take a tile, in order."""
    order, takers = [], state.takers
    while takers:
        order.append(state.first_of(takers))
        takers ^= 1 << order[-1]
    return tuple(order)


def seats_of(mask: int) -> tuple[int, ...]:
    """The seats of a bit mask, ascending.

    >>> seats_of(0b1101)
    (0, 2, 3)
    """
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)


def types_of(mask: int) -> tuple[BuildingType, ...]:
    """The building types of a bit mask.

    >>> types_of(0b100001)
    ('castle', 'arena')
    """
    return tuple(name for place, name in enumerate(BUILDING_TYPES) if mask >> place & 1)


def contracts_of(state: State, mask: int) -> tuple[Contract, ...]:
    """The contracts of a bit mask."""
    return tuple(contract for place, contract in enumerate(state.deal.contracts) if mask >> place & 1)


def action_of(state: State, code: int) -> Action | None:
    """The action that ``code`` would be in this stage, legal or not; ``None`` if it is none at all."""
    return _ACTIONS[state.stage](state, code) if code >= 0 and state.stage != OVER else None


def _typed(code: int, of_zero: Action, of_type: Callable[[BuildingType], Action]) -> Action | None:
    if code == 0:
        return of_zero
    return of_type(BUILDING_TYPES[code - FIRST_TYPE]) if code <= TYPES else None


def _offer_of(code: int) -> Action:
    target_and_type, amount = divmod(code, AMOUNTS)
    target, building = divmod(target_and_type, TYPES)
    return Offer(target, BUILDING_TYPES[building], amount)


_ACTIONS: Final[tuple[Callable[[State, int], Action | None], ...]] = (
    lambda state, code: Bid(state.deal.contracts[code]) if code < CONTRACTS else None,
    lambda state, code: Take(BUILDING_TYPES[code]) if code < TYPES else None,
    lambda state, code: _typed(code, Pass(), Activate),
    lambda state, code: _offer_of(code),
    lambda state, code: _typed(code, Accept(), Match),
    lambda state, code: Commit(code),
    lambda state, code: Award(code),
    lambda state, code: _typed(code, DiscardKnights(), DiscardBuilding),
)
"""By stage."""


def legal_action_of(state: State, seat: int, code: int) -> Action:
    """The action of a code that is legal for ``seat`` now. Raises `IllegalAction`."""
    check_asked(state, seat)
    action = action_of(state, code)
    if action is None or not state.is_legal(seat, code):
        raise refusal(state, seat, action)
    return action


def code_of(state: State, seat: int, action: Action) -> int:
    """The code of an action that is legal for ``seat`` now. Raises `IllegalAction`."""
    check_asked(state, seat)
    code = _code_here(state, action)
    if code is None or not state.is_legal(seat, code):
        raise refusal(state, seat, action)
    return code


def _code_here(state: State, action: Action) -> int | None:
    """The code of ``action`` as an answer to what is asked now; ``None`` if it does not answer it."""
    if stage_of(action) != state.stage:
        return None
    match action:
        case Bid(contract):
            contracts = state.deal.contracts
            return contracts.index(contract) if contract in contracts else None
        case Pass() | Accept() | DiscardKnights():
            return 0
        case Take(building):
            return _type_code(building, 0)
        case Activate(building) | Match(building) | DiscardBuilding(building):
            return _type_code(building, FIRST_TYPE)
        case Offer(target, building, amount):
            place = _type_code(building, 0)
            if place is None or not 0 <= amount < AMOUNTS:
                return None
            return (target * TYPES + place) * AMOUNTS + amount
        case Commit(number) | Award(number):
            return number
    return None


def _type_code(building: BuildingType, first: int) -> int | None:
    return first + BUILDING_TYPES.index(building) if building in BUILDING_TYPES else None
