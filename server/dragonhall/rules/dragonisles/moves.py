"""What a seat is asked in DragonIsles, and what it may answer.

Only the seat whose turn it is (or that chooses its character) is ever asked. A decision is one of the `Decision`
dataclasses, an answer one of the `Action` dataclasses. Inside the rules an answer is a number, its *code*; codes in
ascending order are the canonical order:

=====================  =====================================================================================
decision               codes
=====================  =====================================================================================
`CharacterDecision`    the character's place in `facts.CHARACTERS`
`TurnDecision`         0 `Prepare`; 1 and 2 `UsePotion` draw_two without and with the Monk's card; 3 and 4
                       draw_one_and_clear likewise; from 5 on every `Challenge` (`combinations` says in which order)
`DrawDecision`         0 and 1 `Draw` from the Tavern; 2 from the deck; 3 to 6 `UsePotion`, as 1 to 4 above
`DiscardDecision`      the rank of the cards among all choices of so many cards (`combinations`)
`OnesDecision`         0 `Decline`; from 1 on every `UseTreasures`, shorter sequences of a beginning first
`RerollDecision`       0 `Decline`; else how many dice of each face are rerolled, four bits a face: ``1 << 4 * face``
`BoostDecision`        0 `Decline`; 1 and 2 `UsePotion` boost without and with the Monk's card
`TreasureDecision`     place of the treasure in the offer
`AdventurerDecision`   place of the card in the offer
`AdvanceDecision`      the track's place on the board
`TakePotionDecision`   ``3 × seat`` + the potion's place in `facts.POTIONS`
`TakeCoinDecision`     the seat
=====================  =====================================================================================

Cards that are alike make one answer. In an action cards and dice may be named in any order: the answers are equal.
"""

from __future__ import annotations

from dataclasses import dataclass

from dragonhall.rules.dragonisles.facts import Adventurer, Approach, Character, Potion, TrackName, in_order

# ---- Answers


@dataclass(frozen=True)
class ChooseCharacter:
    """Take a character that no seat has, with ``draft``."""

    character: Character


@dataclass(frozen=True)
class Prepare:
    """Use the turn to draw adventurer cards; a `DrawDecision` a card follows."""


@dataclass(frozen=True)
class Challenge:
    """Use the turn to challenge an encounter."""

    place: int
    """On the Quest Board, 0 to 3."""
    approach: Approach
    cards: tuple[Adventurer, ...]
    """From the own hand, at least one, given in any order and kept in canonical order."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", in_order(self.cards))


@dataclass(frozen=True)
class UsePotion:
    """Put a potion back to the pile for its effect."""

    potion: Potion
    draw: bool = False
    """Also draw an adventurer card: the Monk's ability (RL-18), for no other character."""


@dataclass(frozen=True)
class Draw:
    """Draw one adventurer card of a PREPARE."""

    tavern: int | None
    """Place in the Tavern, 0 or 1; ``None``: from the deck."""


@dataclass(frozen=True)
class Discard:
    """Discard down to the hand limit."""

    cards: tuple[Adventurer, ...]
    """Exactly as many as asked for, given in any order and kept in canonical order."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", in_order(self.cards))


@dataclass(frozen=True)
class UseTreasures:
    """Take the benefits of treasures for a rolled 1, then reroll all dice that show 1 (RL-9)."""

    treasures: tuple[int, ...]
    """Kinds of treasure, at least one, in the order in which their benefits are taken; a kind once for each copy."""


@dataclass(frozen=True)
class Reroll:
    """Reroll dice by the rerolls track, all together."""

    faces: tuple[int, ...]
    """What the dice to be rerolled show, at least one die, given in any order and kept ascending."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "faces", tuple(sorted(self.faces)))


@dataclass(frozen=True)
class Decline:
    """Use no treasure now; reroll no die; use no (further) potion."""


@dataclass(frozen=True)
class KeepTreasure:
    """Keep one of the treasure cards on offer; the other is discarded."""

    treasure: int
    """Its kind."""


@dataclass(frozen=True)
class KeepAdventurer:
    """Keep one of the adventurer cards on offer, the Trader's ability; the others are discarded."""

    card: Adventurer


@dataclass(frozen=True)
class Advance:
    """Move the experience cube of a track one space up."""

    track: TrackName


@dataclass(frozen=True)
class TakePotion:
    """Take a potion from another seat, since the pile is empty (RL-10)."""

    seat: int
    potion: Potion


@dataclass(frozen=True)
class TakeCoin:
    """Take a coin from another seat, since none is left (RL-10)."""

    seat: int


Action = (
    ChooseCharacter
    | Prepare
    | Challenge
    | UsePotion
    | Draw
    | Discard
    | UseTreasures
    | Reroll
    | Decline
    | KeepTreasure
    | KeepAdventurer
    | Advance
    | TakePotion
    | TakeCoin
)

# ---- Questions


@dataclass(frozen=True)
class CharacterDecision:
    """Which character? Answer: `ChooseCharacter`."""

    characters: tuple[Character, ...]
    """Those still free."""


@dataclass(frozen=True)
class TurnDecision:
    """Prepare or challenge? Answer: `Prepare`, `Challenge`, or `UsePotion`, after which the same is asked again."""


@dataclass(frozen=True)
class DrawDecision:
    """From where is the next card of the PREPARE? Answer: `Draw`, or `UsePotion`, then the same is asked again."""

    draws_left: int
    """Cards still to be drawn in this PREPARE, this one included: 1 to 3."""


@dataclass(frozen=True)
class DiscardDecision:
    """Which cards go, to keep the hand limit? Answer: `Discard`."""

    count: int
    """How many."""


@dataclass(frozen=True)
class OnesDecision:
    """Dice show 1: are treasures used? Answer: `UseTreasures` or `Decline`."""

    treasures: tuple[int, ...]
    """Kinds of treasure that may be used, ascending; a kind once for each copy not yet used in this challenge."""


@dataclass(frozen=True)
class RerollDecision:
    """Are dice rerolled by the rerolls track? Answer: `Reroll` or `Decline`. Asked once a challenge."""

    most: int
    """The most dice that may be rerolled."""


@dataclass(frozen=True)
class BoostDecision:
    """Is a boost used? Answer: `UsePotion` boost, then the same is asked if another one is left; or `Decline`."""

    total: int
    """Of the dice, the bonuses and the boosts used so far."""
    target: int


@dataclass(frozen=True)
class TreasureDecision:
    """Which treasure is kept? Answer: `KeepTreasure`."""

    offer: tuple[int, ...] | None
    """Kinds of the cards drawn, ascending. ``None`` for everyone but the seat that is asked."""
    count: int
    """How many cards were drawn: 2, or 1 if there was but one."""


@dataclass(frozen=True)
class AdventurerDecision:
    """Which of the Trader's adventurer cards is kept? Answer: `KeepAdventurer`."""

    offer: tuple[Adventurer, ...] | None
    """The cards drawn, in canonical order. ``None`` for everyone but the seat that is asked."""
    count: int
    """How many cards were drawn: 3, or fewer if there were no more."""


@dataclass(frozen=True)
class AdvanceDecision:
    """Which experience cube moves? Answer: `Advance`."""

    tracks: tuple[TrackName, ...]
    """The tracks whose cube is not at the top, in board order."""


@dataclass(frozen=True)
class TakePotionDecision:
    """A potion was earned, but the pile is empty: which one is taken from whom (RL-10)? Answer: `TakePotion`."""


@dataclass(frozen=True)
class TakeCoinDecision:
    """A coin was earned, but none is left: from whom is one taken (RL-10)? Answer: `TakeCoin`."""


Decision = (
    CharacterDecision
    | TurnDecision
    | DrawDecision
    | DiscardDecision
    | OnesDecision
    | RerollDecision
    | BoostDecision
    | TreasureDecision
    | AdventurerDecision
    | AdvanceDecision
    | TakePotionDecision
    | TakeCoinDecision
)
