"""What happens in DragonIsles: every event. `telling` says who is told.

An event's field that a reader may not know is ``None`` in that reader's copy of the event. Cards are in canonical
order. Encounters and treasures are kinds: places in the component set's lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from dragonhall.rules.dragonisles.facts import Adventurer, Approach, Character, EncounterType, Potion, TrackName

DeckName = Literal["adventurers", "encounters", "treasures"]
Earning = Literal["adventurer", "potion", "coin", "treasure"]
RollCause = Literal["challenge", "extra_die", "ones", "rerolls"]
DiscardCause = Literal["hand_limit", "played", "trader"]
ClearCause = Literal["four_alike", "potion"]
Declined = Literal["ones", "reroll", "boost"]

# ---- Setting up


@dataclass(frozen=True)
class GameStarted:
    """It is settled who takes the first turn, and, unless characters are chosen now, who plays whom."""

    first_seat: int
    characters: tuple[Character, ...] | None
    """By seat; ``None`` with ``draft``."""


@dataclass(frozen=True)
class CharacterChosen:
    """A seat chose its character (``draft``)."""

    seat: int
    character: Character


@dataclass(frozen=True)
class HandDealt:
    """A seat got its first adventurer cards."""

    seat: int
    cards: tuple[Adventurer, ...] | None
    """Known to the seat alone."""
    count: int


# ---- Quest Board, Tavern and decks


@dataclass(frozen=True)
class EncounterRevealed:
    """An encounter was drawn and lies on the Quest Board."""

    place: int
    """0 to 3."""
    encounter: int
    deck_size: int
    """Encounters left in the deck."""


@dataclass(frozen=True)
class QuestBoardCleared:
    """All encounters of the Quest Board were discarded."""

    cause: ClearCause
    """``four_alike``: four of a category showed. ``potion``: a seat used draw_one_and_clear."""
    encounters: tuple[int, ...]
    """In board order; the last lies on top of the discards."""


@dataclass(frozen=True)
class TavernRefilled:
    """An adventurer card was put face up into the Tavern."""

    place: int
    """0 or 1."""
    card: Adventurer
    deck_size: int
    """Adventurer cards left in the deck."""


@dataclass(frozen=True)
class DeckShuffled:
    """A deck ran out: its discards were shuffled and are the deck."""

    deck: DeckName
    deck_size: int


# ---- A turn


@dataclass(frozen=True)
class TurnStarted:
    """It is a seat's turn."""

    seat: int
    turn: int
    """From 1."""


@dataclass(frozen=True)
class PreparationStarted:
    """A seat uses its turn to PREPARE."""

    seat: int
    draws: int
    """Cards that it will draw: 2, the Sorcerer 3."""


@dataclass(frozen=True)
class TavernCardTaken:
    """A seat drew a card from the Tavern."""

    seat: int
    place: int
    """0 or 1."""
    card: Adventurer


@dataclass(frozen=True)
class CardDrawn:
    """A seat drew a card from the adventurer deck."""

    seat: int
    card: Adventurer | None
    """Known to the seat alone."""
    deck_size: int
    """Cards left in the deck."""


@dataclass(frozen=True)
class CardsDiscarded:
    """A seat discarded adventurer cards."""

    seat: int
    cards: tuple[Adventurer, ...]
    """The last lies on top of the discards."""
    cause: DiscardCause
    """``played``: of a challenge that succeeded. ``trader``: drawn with a treasure and not kept."""


@dataclass(frozen=True)
class PotionUsed:
    """A seat put a potion back to the pile for its effect; the Monk's card, if it draws one, comes after the effect."""

    seat: int
    potion: Potion
    draw: bool
    """Also for an adventurer card (Monk)."""


@dataclass(frozen=True)
class ChallengeStarted:
    """A seat uses its turn to challenge an encounter."""

    seat: int
    place: int
    """On the Quest Board, 0 to 3."""
    encounter: int
    approach: Approach
    cards: tuple[Adventurer, ...]
    """Played from the hand."""


@dataclass(frozen=True)
class DiceRolled:
    """Dice were rolled."""

    seat: int
    cause: RollCause
    """``challenge``: a die a card. ``extra_die``: one more. ``ones``: all that showed 1. ``rerolls``: by the track."""
    rolled: tuple[int, ...]
    """What the dice just rolled show, in the order of rolling."""
    dice: tuple[int, ...]
    """What all dice show now, ascending."""


@dataclass(frozen=True)
class TreasuresUsed:
    """A seat uses treasures for a rolled 1; their benefits follow, then the ones are rerolled."""

    seat: int
    treasures: tuple[int, ...]
    """In the order named."""


@dataclass(frozen=True)
class ChoiceDeclined:
    """A seat used no treasure for a rolled 1, rerolled no die, or used no (further) boost."""

    seat: int
    choice: Declined


@dataclass(frozen=True)
class ChallengeEnded:
    """A challenge succeeded, or failed and the cards played are back in hand."""

    seat: int
    total: int
    target: int
    succeeded: bool


# ---- What a success, or a failure, earns


@dataclass(frozen=True)
class EncounterWon:
    """A seat took an encounter from the Quest Board."""

    seat: int
    place: int
    """0 to 3."""
    encounter: int


@dataclass(frozen=True)
class EncounterTrophyTaken:
    """A seat has the most symbols of a type."""

    seat: int
    type: EncounterType
    from_seat: int | None
    """Who held the trophy before; ``None``: nobody."""


@dataclass(frozen=True)
class VarietyTrophyTaken:
    """A seat has a symbol of each type."""

    seat: int


@dataclass(frozen=True)
class TrackAdvanced:
    """An experience cube moved one space up; what the space earns follows."""

    seat: int
    track: TrackName
    position: int
    """Where the cube is now, from 1."""


@dataclass(frozen=True)
class PotionEarned:
    """A seat drew a potion from the pile."""

    seat: int
    potion: Potion


@dataclass(frozen=True)
class PotionTaken:
    """The pile was empty: a seat took another seat's potion (RL-10)."""

    seat: int
    from_seat: int
    potion: Potion


@dataclass(frozen=True)
class CoinEarned:
    """A seat got a coin."""

    seat: int
    treasure: int | None
    """The treasure that earned it; ``None``: an encounter's bonus or a track did."""


@dataclass(frozen=True)
class CoinTaken:
    """No coin was left: a seat took one from another seat (RL-10)."""

    seat: int
    from_seat: int


@dataclass(frozen=True)
class TreasuresOffered:
    """A seat drew treasure cards, one of which it keeps."""

    seat: int
    treasures: tuple[int, ...] | None
    """Ascending; known to the seat alone."""
    count: int
    """2, or 1 if there was but one."""
    deck_size: int
    """Treasures left in the deck."""


@dataclass(frozen=True)
class TreasureKept:
    """A seat earned a treasure and plays it."""

    seat: int
    treasure: int
    discarded: tuple[int, ...]
    """The other one, if there was another."""


@dataclass(frozen=True)
class AdventurersOffered:
    """The Trader drew adventurer cards, one of which it keeps."""

    seat: int
    cards: tuple[Adventurer, ...] | None
    """Known to the seat alone."""
    count: int
    """3, or fewer if there were no more."""
    deck_size: int
    """Adventurer cards left in the deck."""


@dataclass(frozen=True)
class AdventurerKept:
    """The Trader took one of the cards into its hand; a `CardsDiscarded` of the others follows, if there are others."""

    seat: int
    card: Adventurer | None
    """Known to the seat alone."""


@dataclass(frozen=True)
class NothingLeft:
    """A seat was to get something, but there is none, nor can it be taken from another seat (RL-5, RL-10)."""

    seat: int
    earning: Earning


Event = (
    GameStarted
    | CharacterChosen
    | HandDealt
    | EncounterRevealed
    | QuestBoardCleared
    | TavernRefilled
    | DeckShuffled
    | TurnStarted
    | PreparationStarted
    | TavernCardTaken
    | CardDrawn
    | CardsDiscarded
    | PotionUsed
    | ChallengeStarted
    | DiceRolled
    | TreasuresUsed
    | ChoiceDeclined
    | ChallengeEnded
    | EncounterWon
    | EncounterTrophyTaken
    | VarietyTrophyTaken
    | TrackAdvanced
    | PotionEarned
    | PotionTaken
    | CoinEarned
    | CoinTaken
    | TreasuresOffered
    | TreasureKept
    | AdventurersOffered
    | AdventurerKept
    | NothingLeft
)

_REVEALING: Final = (
    HandDealt,
    EncounterRevealed,
    TavernRefilled,
    CardDrawn,
    CardsDiscarded,
    ChallengeStarted,
    TreasuresOffered,
    TreasureKept,
    AdventurersOffered,
)


def reveals(event: Event) -> bool:
    """Whether somebody sees cards that were hidden: those that leave a hand, too. (Dice and potions are chance.)"""
    return isinstance(event, _REVEALING)
