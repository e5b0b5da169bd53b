"""What is seen on the table of DragonIsles, by a seat or by a spectator.

A view is put together from pieces; only the last three fields of `View` ask who is looking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragonhall.rules.dragonisles.facts import Adventurer, Approach, Character, EncounterType

Stage = Literal[
    "choose_character",
    "turn",
    "draw",
    "discard",
    "ones",
    "reroll",
    "boost",
    "keep_treasure",
    "keep_adventurer",
    "advance",
    "take_potion",
    "take_coin",
    "over",
]
"""What is asked now: one value for each kind of decision, and ``over``."""


@dataclass(frozen=True)
class AdventurerDeck:
    """The adventurer deck and its discards."""

    size: int
    """Cards face down."""
    discards: int
    """Cards discarded since the last shuffle."""
    top: Adventurer | None
    """Of the discards; ``None`` without any."""


@dataclass(frozen=True)
class CardDeck:
    """The encounter deck or the treasure deck, and its discards."""

    size: int
    """Cards face down."""
    discards: int
    """Cards discarded since the last shuffle."""
    top: int | None
    """The kind of encounter or treasure on top of the discards; ``None`` without any."""


@dataclass(frozen=True)
class PotionCounts:
    """Potions by kind."""

    draw_two: int
    draw_one_and_clear: int
    boost: int


@dataclass(frozen=True)
class SymbolCounts:
    """Symbols by encounter type, scrolls included."""

    dragon: int
    oni: int
    bakemono: int
    tsukumogami: int
    location: int


@dataclass(frozen=True)
class SeatView:
    """A seat as all see it."""

    character: Character | None
    """``None`` until it has one (``draft``)."""
    hand_size: int
    """Adventurer cards in hand; those played in the challenge under way are not in hand."""
    hand_limit: int
    """0 without a character."""
    positions: tuple[int, ...]
    """Of the four experience cubes, in board order: 0 is the bottom. The advances made are their sum."""
    potions: PotionCounts
    coins: int
    """Their value."""
    treasures: tuple[int, ...]
    """Kinds of the treasures in play before the seat, scrolls included, in the order in which they were earned."""
    encounters: tuple[int, ...]
    """Kinds of the encounters won, in the order in which they were won."""
    symbols: SymbolCounts
    encounter_trophies: tuple[EncounterType, ...]
    """Those that it holds, in the order of `facts.ENCOUNTER_TYPES`."""
    variety_trophy: bool


@dataclass(frozen=True)
class ChallengeView:
    """The challenge under way. It ends with its success or failure: what a success earns comes after it."""

    place: int
    """On the Quest Board, 0 to 3."""
    encounter: int
    """Its kind."""
    approach: Approach
    cards: tuple[Adventurer, ...]
    """Played, in canonical order."""
    dice: tuple[int, ...]
    """What the dice show, ascending; empty before the roll."""
    used_treasures: tuple[int, ...]
    """Kinds of treasure used in this challenge for a rolled 1, ascending; a kind once for each copy."""
    reroll_decided: bool
    """The rerolls track was used, or declined."""
    boosts: int
    """``boost`` potions used."""
    bonus: int
    """From the tracks: the approach's, and the Sea track's if the encounter is Sea."""
    total: int
    """Dice, bonus, and 2 a boost."""
    target: int


@dataclass(frozen=True)
class View:
    """What a reader sees on the table now."""

    stage: Stage
    turn: int
    """Counts turns from 1; 0 while characters are chosen."""
    first_seat: int
    """The seat of turn 1."""
    active_seat: int | None
    """Whose turn it is, and who is asked; ``None`` when the game is over."""
    draws_left: int
    """Cards still to be drawn in the PREPARE under way; 0 without one."""
    quest_board: tuple[int | None, ...]
    """By place, 0 to 3: the kind of the encounter there; ``None``: an empty place."""
    tavern: tuple[Adventurer | None, ...]
    """By place, 0 and 1; ``None``: an empty place."""
    adventurer_deck: AdventurerDeck
    encounter_deck: CardDeck
    treasure_deck: CardDeck
    potion_pile: PotionCounts
    """Face down; but what is in it follows from what is seen elsewhere."""
    coins_left: int
    """Value of the coins that no seat has."""
    seats: tuple[SeatView, ...]
    challenge: ChallengeView | None
    hand: tuple[Adventurer, ...] | None
    """The reader's own cards, in canonical order; ``None`` for a spectator."""
    treasure_offer: tuple[int, ...] | None
    """Kinds of the treasures that the reader is to choose from, ascending; ``None`` if it is not."""
    adventurer_offer: tuple[Adventurer, ...] | None
    """The cards that the reader is to choose from (Trader), in canonical order; ``None`` if it is not."""
