"""What a seat is asked in Dragon's Interest, and what it may answer.

An answer is an action at the boundary and a number, its *code*, inside. Codes in ascending order are the canonical
order; *t* is a building type's place in `BUILDING_TYPES`:

* asked to bid: the contract's place among a seat's contracts, the Jester last;
* asked to take a tile: t;
* asked to activate: 0 passes, 1 + t activates;
* asked for an offer: ``(target seat * 6 + t) * AMOUNTS + amount``;
* asked for an answer: 0 accepts, 1 + t matches;
* asked for a commitment: the amount;
* asked to award: the seat;
* asked at an invasion: 0 discards knights, 1 + t discards a building.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from dragonhall.rules.dragons_interest.facts import BuildingType, Contract, Token

Stage = Literal["bid", "take", "activate", "offer", "answer", "commit", "award", "invasion", "over"]
STAGES: Final[tuple[Stage, ...]] = (
    "bid",
    "take",
    "activate",
    "offer",
    "answer",
    "commit",
    "award",
    "invasion",
    "over",
)
"""What is asked, in the order of a round; ``over`` when nothing is any more."""
BID: Final = 0
TAKE: Final = 1
ACTIVATE: Final = 2
OFFER: Final = 3
ANSWER: Final = 4
COMMIT: Final = 5
AWARD: Final = 6
INVADED: Final = 7
OVER: Final = 8

PASS: Final = 0
ACCEPT: Final = 0
DISCARD_KNIGHTS: Final = 0
FIRST_TYPE: Final = 1
"""Code of the first building type where 0 means something else."""
AMOUNT_BITS: Final = 20
AMOUNTS: Final = 1 << AMOUNT_BITS
"""More than a seat can ever hold: 60 tiles of at most 99 gold, doubled, and what buildings bring in 9 rounds."""


@dataclass(frozen=True)
class Bid:
    """Bid a contract that is in hand. In secret, with all others."""

    contract: Contract


@dataclass(frozen=True)
class Take:
    """Take the face-up tile of a stack: collect its gold and build it."""

    building: BuildingType


@dataclass(frozen=True)
class Pass:
    """Activate nothing this round."""


@dataclass(frozen=True)
class Activate:
    """Perform the action of a building type of which the seat has one at least."""

    building: BuildingType


@dataclass(frozen=True)
class Offer:
    """Put tokens into the treasure chest, and ask another seat for a building."""

    target: int
    building: BuildingType
    """One of the target's."""
    amount: int
    """0 to all that the seat holds."""


@dataclass(frozen=True)
class Accept:
    """Take what is in the chest, and give the building."""


@dataclass(frozen=True)
class Match:
    """Put as much into the chest, give it back, and take one of the other seat's buildings."""

    building: BuildingType


@dataclass(frozen=True)
class Commit:
    """Hold tokens in a closed fist for a stake. In secret, with all others."""

    amount: int
    """0 to all that the seat holds."""


@dataclass(frozen=True)
class Award:
    """Say which of the seats that committed the most gets the stake."""

    seat: int


@dataclass(frozen=True)
class DiscardKnights:
    """Give 2 knights to the supply. In secret until all have chosen."""


@dataclass(frozen=True)
class DiscardBuilding:
    """Put one of the own buildings back into the box. In secret until all have chosen."""

    building: BuildingType


Action = Bid | Take | Pass | Activate | Offer | Accept | Match | Commit | Award | DiscardKnights | DiscardBuilding


_STAGE_OF: Final[dict[type[Any], int]] = {
    Bid: BID,
    Take: TAKE,
    Pass: ACTIVATE,
    Activate: ACTIVATE,
    Offer: OFFER,
    Accept: ANSWER,
    Match: ANSWER,
    Commit: COMMIT,
    Award: AWARD,
    DiscardKnights: INVADED,
    DiscardBuilding: INVADED,
}


def stage_of(action: object) -> int:
    """The stage in which ``action`` is an answer; `OVER` if it is no action of this game."""
    return _STAGE_OF.get(type(action), OVER)


@dataclass(frozen=True)
class Chest:
    """The treasure chest between two seats: what is offered, and for what."""

    seat: int
    """The active seat, that offers."""
    target: int
    building: BuildingType
    """The target's building that the active seat asks for."""
    token: Token
    amount: int | None
    """Tokens offered; ``None`` for all but the two seats."""


@dataclass(frozen=True)
class Contest:
    """A stake lies before the active seat, and all seats commit tokens for it."""

    seat: int
    """The active seat, whose stake it is."""
    building: BuildingType
    """``arena``: 6 gold for knights; ``guild``: 3 knights for gold."""
    stake_token: Token
    stake: int
    commitment_token: Token
    commitments: tuple[int, ...]
    """What each seat committed, in seat order; empty until they are revealed."""


@dataclass(frozen=True)
class BidDecision:
    """Which contract? Asked of all seats together."""


@dataclass(frozen=True)
class TakeDecision:
    """Which of the face-up tiles that show gold?"""


@dataclass(frozen=True)
class ActivationDecision:
    """Which building type is activated, if any?"""


@dataclass(frozen=True)
class OfferDecision:
    """How much is offered to whom, and for what?"""

    activated: BuildingType
    token: Token
    """What is offered: knights for castle and temple, gold for harbor and city hall."""


@dataclass(frozen=True)
class AnswerDecision:
    """Accept or match?"""

    chest: Chest
    """With the amount for the target alone."""


@dataclass(frozen=True)
class CommitDecision:
    """How much is committed for the stake? Asked of all seats together."""

    contest: Contest


@dataclass(frozen=True)
class AwardDecision:
    """Who of those that committed the most gets the stake?"""

    contest: Contest
    tied: tuple[int, ...]
    """Ascending; two or more."""


@dataclass(frozen=True)
class InvasionDecision:
    """Knights or a building? Asked of all seats that have a building, together."""

    stack: BuildingType
    """The stack that turned up the Invasion."""


Decision = (
    BidDecision
    | TakeDecision
    | ActivationDecision
    | OfferDecision
    | AnswerDecision
    | CommitDecision
    | AwardDecision
    | InvasionDecision
)
