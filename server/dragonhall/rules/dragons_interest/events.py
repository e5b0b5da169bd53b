"""What happens in Dragon's Interest, as it is told; whom it is told to is in `tell`.

Everything is public but what is in the chest, which the two seats of the exchange know: for all others the amount is
``None``. What seats choose together and in secret is told when all of them have chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dragonhall.rules.dragons_interest.facts import BuildingType, Contract, Tile, Token
from dragonhall.rules.dragons_interest.moves import Chest


@dataclass(frozen=True)
class TilesTurnedUp:
    """Tiles lie face up beside their stacks: at the start, and after the others were discarded."""

    tiles: tuple[Tile, ...]
    """One a stack, clockwise from the one that the dragon passes first."""
    stack_size: int
    """Tiles left face down in each stack; they are always as many in all."""


@dataclass(frozen=True)
class RoundStarted:
    """All seats bid."""

    round: int
    """From 1."""
    start_player: int


@dataclass(frozen=True)
class RevealedBid:
    """What a seat bid."""

    seat: int
    contract: Contract
    value: int
    """1 to 99; 0 for a Jester that is worth nothing."""


@dataclass(frozen=True)
class BidsRevealed:
    """All bids are laid open."""

    bids: tuple[RevealedBid, ...]
    """In seat order."""
    take_order: tuple[int, ...]
    """The seats in the order in which they may take a tile; without those whose Jester is worth nothing."""


@dataclass(frozen=True)
class ContractReturned:
    """A contract went back to its seat's hand: a Jester that is worth nothing, or no tile with gold was left."""

    seat: int
    contract: Contract


@dataclass(frozen=True)
class TileTaken:
    """A seat collected the gold of a tile, built it, and tucked its contract at that type for good."""

    seat: int
    tile: Tile
    contract: Contract
    value: int
    """What the contract adds to the interest of that type."""


@dataclass(frozen=True)
class GoldCollectedAgain:
    """The Generous Dragon: who took a tile collected its gold a second time; phase 2 is skipped."""

    amounts: tuple[int, ...]
    """Gold, by seat; 0 for who took none."""


@dataclass(frozen=True)
class Passed:
    """A seat activated nothing this round."""

    seat: int


@dataclass(frozen=True)
class BuildingActivated:
    """A seat performs the action of a building type."""

    seat: int
    building: BuildingType


@dataclass(frozen=True)
class IncomeTaken:
    """An activated type brought tokens from the supply: to the active seat, or with arena and guild to all."""

    token: Token
    amounts: tuple[int, ...]
    """By seat."""


@dataclass(frozen=True)
class OfferMade:
    """A seat filled the chest and gave it to another one."""

    chest: Chest


@dataclass(frozen=True)
class OfferAccepted:
    """The target took what was in the chest, and gave the building that was asked for."""

    chest: Chest


@dataclass(frozen=True)
class OfferMatched:
    """The target doubled what was in the chest, gave it back, and took a building."""

    chest: Chest
    building: BuildingType
    """What the target took from the active seat."""


@dataclass(frozen=True)
class StakePlaced:
    """The active seat put tokens before its screen: they are not its own until they come back."""

    seat: int
    token: Token
    amount: int
    """6 gold or 3 knights."""


@dataclass(frozen=True)
class CommitmentsRevealed:
    """All fists are opened."""

    token: Token
    amounts: tuple[int, ...]
    """By seat. Those that do not win go back to their seats."""


@dataclass(frozen=True)
class StakeWon:
    """Another seat committed the most: it took the stake, and gave its commitment to the active seat."""

    winner: int
    seat: int
    """The active seat."""
    stake_token: Token
    stake: int
    commitment_token: Token
    commitment: int
    """At least 1."""


@dataclass(frozen=True)
class StakeKept:
    """The active seat itself committed the most: it discarded that, took its stake back, and gained as much again."""

    seat: int
    stake_token: Token
    stake: int
    """What came back, and what was gained besides."""
    commitment_token: Token
    commitment: int
    """At least 1."""


@dataclass(frozen=True)
class StakeReturned:
    """Nobody committed anything: the active seat took its stake back."""

    seat: int
    stake_token: Token
    stake: int


@dataclass(frozen=True)
class TilesDiscarded:
    """The tiles that were left face up went back into the box."""

    tiles: tuple[Tile, ...]
    """In the order of the stacks, clockwise; may be none."""
    interest_waived: bool
    """A Generous Dragon was among them: no interest is paid this round."""


@dataclass(frozen=True)
class InvasionLoss:
    """What an Invasion cost a seat."""

    seat: int
    knights: int
    """2, or 0 if it discarded a building; a seat without a building discards those it has, at most 2."""
    building: BuildingType | None
    """The building that it discarded, if it did."""


@dataclass(frozen=True)
class InvasionSuffered:
    """An Invasion of the Devil's Army is over."""

    stack: BuildingType
    """The stack that turned it up."""
    losses: tuple[InvasionLoss, ...]
    """In seat order."""


@dataclass(frozen=True)
class InterestWaived:
    """A Generous Dragon was discarded: the dragon stays, and nobody pays."""


@dataclass(frozen=True)
class DragonMoved:
    """The dragon passed stacks, clockwise."""

    passed: tuple[BuildingType, ...]
    """One stack, and one more for each Calendar that lies face up; a stack passed twice is listed twice."""


@dataclass(frozen=True)
class InterestPayment:
    """A seat's interest."""

    seat: int
    owed: int
    """Gold."""
    paid: int
    """Gold; less than owed if the seat is ruined: then all that it held."""


@dataclass(frozen=True)
class InterestPaid:
    """Every seat paid what it owes for the stacks that were passed, or was ruined."""

    payments: tuple[InterestPayment, ...]
    """In seat order."""


@dataclass(frozen=True)
class Holding:
    """What a seat held behind its screen."""

    gold: int
    knights: int


@dataclass(frozen=True)
class GameEnded:
    """The game is over, for one or several reasons, and all screens are lifted."""

    ruined: tuple[int, ...]
    """Seats that could not pay their interest."""
    completed: tuple[int, ...]
    """Seats with 10 or more buildings."""
    stacks_empty: bool
    holdings: tuple[Holding, ...]
    """In seat order."""


Event = (
    TilesTurnedUp
    | RoundStarted
    | BidsRevealed
    | ContractReturned
    | TileTaken
    | GoldCollectedAgain
    | Passed
    | BuildingActivated
    | IncomeTaken
    | OfferMade
    | OfferAccepted
    | OfferMatched
    | StakePlaced
    | CommitmentsRevealed
    | StakeWon
    | StakeKept
    | StakeReturned
    | TilesDiscarded
    | InvasionSuffered
    | InterestWaived
    | DragonMoved
    | InterestPaid
    | GameEnded
)

_REVEALING: Final = (
    TilesTurnedUp,
    BidsRevealed,
    OfferMade,
    CommitmentsRevealed,
    InvasionSuffered,
    InterestPaid,
    GameEnded,
)


def reveals(event: Event) -> bool:
    """Whether somebody sees tiles, tokens or choices that were hidden: a target what is in the chest, too."""
    return isinstance(event, _REVEALING)
