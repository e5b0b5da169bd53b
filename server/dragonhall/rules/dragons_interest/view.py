"""What is seen on the table of Dragon's Interest, by a seat or by a spectator.

A view is put together from the pieces below; only those that are given the viewer ask who is looking.
"""

from __future__ import annotations

from dataclasses import dataclass

from dragonhall.rules.dragons_interest.facts import BuildingType, Contract, Tile
from dragonhall.rules.dragons_interest.moves import Action, Chest, Contest, Stage


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
    """In the stage ``invasion``: the stacks whose Invasion is still to be suffered; now it is the first one's."""
    interest_waived: bool
    """In the stage ``invasion``: a Generous Dragon was discarded this round; else ``False``."""
    own_answer: Action | None
    """What the reader itself has chosen in secret, while others still choose."""
