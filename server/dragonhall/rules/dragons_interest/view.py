"""What is seen on the table of Dragon's Interest, by a seat or by a spectator.

A view is put together from the pieces below; only those that are given the viewer ask who is looking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dragonhall.rules.dragons_interest.codes import action_of, chest_of, contest_of, contracts_of, seats_of, take_order
from dragonhall.rules.dragons_interest.facts import (
    BUILDING_TYPES,
    NO_TILE,
    NOBODY,
    TYPES,
    BuildingType,
    Contract,
    Tile,
    tile_of,
)
from dragonhall.rules.dragons_interest.moves import (
    ANSWER,
    AWARD,
    BID,
    COMMIT,
    INVADED,
    STAGES,
    TAKE,
    Action,
    Chest,
    Contest,
    Stage,
)

if TYPE_CHECKING:
    from dragonhall.rules.dragons_interest.state import State


@dataclass(frozen=True)
class StackView:
    """A stack of tiles and what lies beside it."""

    building: BuildingType
    size: int
    """Tiles face down, 0 to 9; all stacks have as many."""
    face_up: Tile | None
    """``None`` once it is taken."""


@dataclass(frozen=True)
class TuckedContract:
    """A contract that a seat pays interest for, whether or not it still has the building."""

    building: BuildingType
    """The type that it is tucked at."""
    contract: Contract
    value: int
    """What it costs whenever the dragon passes that type; the Jester its full value (RI-4)."""


@dataclass(frozen=True)
class SeatView:
    """A seat's kingdom, and what is behind its screen where the reader may know it."""

    buildings: tuple[int, ...]
    """How many of each type, in the order of `BUILDING_TYPES`, 6 numbers."""
    tucked: tuple[TuckedContract, ...]
    """By type, then in the order of the contracts."""
    hand: tuple[Contract, ...]
    """Contracts that can be bid: numbers ascending, then the Jester. A bid that is not revealed is still among them."""
    revealed: Contract | None
    """Its bid, while it waits for its turn to take a tile."""
    collected: int
    """Gold of the tile that it took this round; 0 outside the stage ``take``, and for who has taken none."""
    ruined: bool
    gold: int | None
    """Own, or of any seat when the game is over; else ``None``."""
    knights: int | None
    """Own, or of any seat when the game is over; else ``None``."""


@dataclass(frozen=True)
class View:
    """What a reader sees on the table now."""

    round: int
    """From 1."""
    stage: Stage
    start_player: int
    """Of this round."""
    deciding: tuple[int, ...]
    """The seats that are asked and have not answered yet, ascending; none when the game is over."""
    active_seat: int | None
    """Whose turn it is: to take a tile, or in phase 2; ``None`` when seats choose without one."""
    seats: tuple[SeatView, ...]
    stacks: tuple[StackView, ...]
    """Clockwise, from the one that the dragon passes first in the game; 5 in a game of 3 seats, else 6."""
    dragon_passes_next: BuildingType
    """The stack before which the dragon stands."""
    take_order: tuple[int, ...]
    """In the stage ``take``: the seats that have not had their turn, in order; else empty."""
    chest: Chest | None
    """In the stage ``answer``: what is offered; the amount for the two seats alone."""
    contest: Contest | None
    """In the stages ``commit`` and ``award``: the stake, and once they are revealed the commitments."""
    invasions: tuple[BuildingType, ...]
    """In the stage ``invasion``: the stacks whose Invasion is still to be suffered; now it is the first one's. Else
    empty: an Invasion that the setup turns up is not suffered."""
    interest_waived: bool
    """In the stage ``invasion``: a Generous Dragon was discarded this round; else ``False``."""
    own_answer: Action | None
    """What the reader itself has chosen in secret, while others still choose."""


def view_of(state: State, viewer: int | None) -> View:
    """What seat ``viewer``, or a spectator (``None``), sees. Raises `ValueError` if there is no such seat."""
    if viewer is not None and not 0 <= viewer < state.seats:
        raise ValueError(f"there is no seat {viewer} to look from")
    return View(
        round=state.round,
        stage=STAGES[state.stage],
        start_player=state.start_player,
        deciding=seats_of(state.waiting),
        active_seat=None if state.active == NOBODY else state.active,
        seats=tuple(_seat(state, seat, viewer) for seat in range(state.seats)),
        stacks=tuple(_stack(state, building) for building in state.deal.ring),
        dragon_passes_next=BUILDING_TYPES[state.deal.ring[state.dragon]],
        take_order=take_order(state) if state.stage == TAKE else (),
        chest=chest_of(state, viewer) if state.stage == ANSWER else None,
        contest=contest_of(state) if state.stage in (COMMIT, AWARD) else None,
        invasions=_invasions(state) if state.stage == INVADED else (),
        interest_waived=state.stage == INVADED and state.interest_waived,
        own_answer=None if viewer is None else _own_answer(state, viewer),
    )


def _seat(state: State, seat: int, viewer: int | None) -> SeatView:
    """A seat; what is behind its screen for itself, and for all when the game is over."""
    lifted = viewer == seat or state.is_over()
    return SeatView(
        buildings=tuple(state.buildings[seat * TYPES : (seat + 1) * TYPES]),
        tucked=_tucked(state, seat),
        hand=contracts_of(state, state.hands[seat]),
        revealed=_revealed(state, seat),
        collected=state.collected[seat],
        ruined=state.ruined >> seat & 1 != 0,
        gold=state.gold[seat] if lifted else None,
        knights=state.knights[seat] if lifted else None,
    )


def _tucked(state: State, seat: int) -> tuple[TuckedContract, ...]:
    return tuple(
        TuckedContract(name, contract, state.deal.values[state.deal.contracts.index(contract)])
        for building, name in enumerate(BUILDING_TYPES)
        for contract in contracts_of(state, state.tucked[seat * TYPES + building])
    )


def _revealed(state: State, seat: int) -> Contract | None:
    waits = state.stage == TAKE and state.takers >> seat & 1
    return state.deal.contracts[state.answers[seat]] if waits else None


def _stack(state: State, building: int) -> StackView:
    face = state.face_up(building)
    return StackView(BUILDING_TYPES[building], state.stack_size(), None if face == NO_TILE else tile_of(building, face))


def _invasions(state: State) -> tuple[BuildingType, ...]:
    ring = state.deal.ring
    return tuple(BUILDING_TYPES[building] for place, building in enumerate(ring) if state.invasions >> place & 1)


def _own_answer(state: State, viewer: int) -> Action | None:
    """What the viewer chose while others still choose; its own alone."""
    together = state.stage in (BID, COMMIT) or (state.stage == INVADED and state.types[viewer] != 0)
    return action_of(state, state.answers[viewer]) if together and not state.is_asked(viewer) else None
