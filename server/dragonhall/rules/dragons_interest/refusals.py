"""Why an answer is refused in Dragon's Interest: the rule that forbids it, and what may be done instead.

A refusal goes to the acting seat: it tells what all can see, and what that seat holds itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from dragonhall.rules.dragons_interest.facts import (
    ARENA_STAKE,
    BUILDING_TYPES,
    GUILD_STAKE,
    SPENT_TOKEN,
    BuildingType,
    Contract,
)
from dragonhall.rules.dragons_interest.moves import (
    OVER,
    Action,
    Activate,
    Award,
    Bid,
    Commit,
    DiscardBuilding,
    DiscardKnights,
    Match,
    Offer,
    Take,
    stage_of,
)
from dragonhall.rules.errors import IllegalAction

if TYPE_CHECKING:
    from dragonhall.rules.dragons_interest.state import State

PHASE_1: Final = "Phase 1: Borrowing Gold"
PHASE_2: Final = "Phase 2: Activating Buildings"
PHASE_3: Final = "Phase 3: Refreshing Available Buildings"
SECTION: Final[dict[BuildingType, str]] = {
    "castle": "Castle",
    "harbor": "Harbor",
    "temple": "Temple",
    "city_hall": "City Hall",
    "guild": "Adventurer's Guild",
    "arena": "Arena",
}
"""The rulebook's section on a building type's action."""

_ASKED: Final = (
    ("a bid", PHASE_1),
    ("a tile to take", PHASE_1),
    ("a building type to activate, or a pass", PHASE_2),
    ("an offer", PHASE_2),
    ("an answer to an offer: accept or match", PHASE_2),
    ("a commitment", PHASE_2),
    ("who gets the stake", PHASE_2),
    ("what to discard: knights or a building", PHASE_3),
)
"""By stage: what is asked for, and the section of the rulebook that asks."""


def check_asked(state: State, seat: int) -> None:
    """Raises `IllegalAction` unless ``seat`` is asked something that it has not answered."""
    if state.is_over():
        raise IllegalAction("the game is over", "Final Scoring")
    if not state.is_asked(seat):
        asked = ", ".join(str(pending) for pending in state.pending())
        raise IllegalAction(f"seat {seat} is not asked anything now; asked: {asked}", _ASKED[state.stage][1])


def refusal(state: State, seat: int, action: Action | None) -> IllegalAction:
    """Why ``seat``, which is asked, may not take ``action``."""
    stage = OVER if action is None else stage_of(action)
    wanted, section = _ASKED[state.stage]
    if stage == OVER:
        return IllegalAction(f"there is no such action; asked is {wanted}", section)
    if stage != state.stage:
        return IllegalAction(f"this is no answer to what is asked: {wanted}", section)
    return _REASONS[type(action)](state, seat, action)


def _bid(state: State, seat: int, action: Bid) -> IllegalAction:
    hand = ", ".join(str(contract) for contract in _hand(state, seat))
    return IllegalAction(f"{action.contract} is not in hand; in hand: {hand}", PHASE_1)


def _hand(state: State, seat: int) -> list[Contract]:
    return [contract for place, contract in enumerate(state.deal.contracts) if state.hands[seat] >> place & 1]


def _take(state: State, seat: int, action: Take) -> IllegalAction:
    free = _names(state.takeable)
    return IllegalAction(f"no face-up tile of {_name(action.building)} shows gold; there are: {free}", PHASE_1)


def _activation(state: State, seat: int, action: Activate) -> IllegalAction:
    name = _name(action.building)
    if not _has(state, seat, action.building):
        own = _names(state.types[seat]) or "none"
        return IllegalAction(f"there is no own {name} to activate: choose one of {own}, or pass", PHASE_2)
    if action.building == "arena":
        return IllegalAction(
            f"after the income there would be fewer than {ARENA_STAKE} gold to stake", SECTION["arena"]
        )
    if action.building == "guild":
        message = f"after the income there would be fewer than {GUILD_STAKE} knights to stake"
        return IllegalAction(message, SECTION["guild"])
    return IllegalAction(f"no other seat has a building, so the action of {name} cannot be completed", "RI-6")


def _offer(state: State, seat: int, action: Offer) -> IllegalAction:
    section = SECTION[BUILDING_TYPES[state.activated]]
    if action.target == seat or not 0 <= action.target < state.seats:
        return IllegalAction(f"the chest goes to another seat, 0 to {state.seats - 1} without {seat}", section)
    if not _has(state, action.target, action.building):
        theirs = _names(state.types[action.target]) or "none"
        return IllegalAction(f"seat {action.target} has no {_name(action.building)}; it has: {theirs}", section)
    held, token = state.spendable(seat), SPENT_TOKEN[state.activated]
    return IllegalAction(f"offer 0 to {held} {token}, which is all that is held after the income", "RI-5")


def _match(state: State, seat: int, action: Match) -> IllegalAction:
    if state.spendable(seat) < state.amount:
        token = SPENT_TOKEN[state.activated]
        return IllegalAction(f"fewer than the {state.amount} {token} offered are held: accept", "RI-7")
    theirs = _names(state.types[state.active])
    message = f"seat {state.active} has no {_name(action.building)} to take; it has: {theirs}"
    return IllegalAction(message, SECTION[BUILDING_TYPES[state.activated]])


def _commitment(state: State, seat: int, action: Commit) -> IllegalAction:
    held, building = state.spendable(seat), BUILDING_TYPES[state.activated]
    return IllegalAction(
        f"commit 0 to {held} {SPENT_TOKEN[state.activated]}, which is all that is held", SECTION[building]
    )


def _award(state: State, seat: int, action: Award) -> IllegalAction:
    tied = ", ".join(str(other) for other in range(state.seats) if state.tied >> other & 1)
    section = SECTION[BUILDING_TYPES[state.activated]]
    return IllegalAction(f"seat {action.seat} is not among those that committed the most: {tied}", section)


def _knights(state: State, seat: int, action: DiscardKnights) -> IllegalAction:
    return IllegalAction("fewer than 2 knights are held: discard a building", "RI-9")


def _building(state: State, seat: int, action: DiscardBuilding) -> IllegalAction:
    own = _names(state.types[seat])
    return IllegalAction(f"there is no own {_name(action.building)} to discard; own are: {own}", PHASE_3)


_REASONS: Final[dict[type[Any], Callable[[State, int, Any], IllegalAction]]] = {
    Bid: _bid,
    Take: _take,
    Activate: _activation,
    Offer: _offer,
    Match: _match,
    Commit: _commitment,
    Award: _award,
    DiscardKnights: _knights,
    DiscardBuilding: _building,
}
"""By type of action; those that are always legal in their stage are not among them."""


def _has(state: State, seat: int, building: BuildingType) -> bool:
    return building in BUILDING_TYPES and state.types[seat] >> BUILDING_TYPES.index(building) & 1 != 0


def _name(building: str) -> str:
    return str(building).replace("_", " ")


def _names(types: int) -> str:
    return ", ".join(_name(name) for place, name in enumerate(BUILDING_TYPES) if types >> place & 1)
