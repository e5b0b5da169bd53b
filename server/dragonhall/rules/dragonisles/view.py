"""What is seen on the table of DragonIsles, by a seat or by a spectator.

A view is put together from pieces; only the last three fields of `View` ask who is looking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from dragonhall.rules.dragonisles import stage
from dragonhall.rules.dragonisles.cards import size
from dragonhall.rules.dragonisles.choices import face_list
from dragonhall.rules.dragonisles.decks import Deck
from dragonhall.rules.dragonisles.facts import (
    APPROACHES,
    CARDS,
    CHARACTERS,
    ENCOUNTER_TYPES,
    POTIONS,
    TRACKS,
    Adventurer,
    Approach,
    Character,
    EncounterType,
)
from dragonhall.rules.dragonisles.player import count_in
from dragonhall.rules.dragonisles.preparing import ones_treasures
from dragonhall.rules.dragonisles.setting import HAND_LIMIT_TRACK, NONE
from dragonhall.rules.dragonisles.telling import cards_in, offered_treasures, treasures_counted
from dragonhall.rules.dragonisles.trophies import trophies_of

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

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


STAGE_NAMES: Final[dict[int, Stage]] = {
    stage.CHOOSE_CHARACTER: "choose_character",
    stage.TURN: "turn",
    stage.DRAW: "draw",
    stage.HAND_LIMIT: "discard",
    stage.ONES: "ones",
    stage.REROLL: "reroll",
    stage.BOOST: "boost",
    stage.KEEP_TREASURE: "keep_treasure",
    stage.KEEP_ADVENTURER: "keep_adventurer",
    stage.ADVANCE: "advance",
    stage.TAKE_POTION: "take_potion",
    stage.TAKE_COIN: "take_coin",
    stage.OVER: "over",
}


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


def view_of(state: State, viewer: int | None) -> View:
    """What seat ``viewer``, or a spectator (``None``), sees. Raises `ValueError` if there is no such seat."""
    if viewer is not None and not 0 <= viewer < state.seats:
        raise ValueError(f"there is no seat {viewer} to look from")
    return View(
        stage=STAGE_NAMES[state.asked],
        turn=state.turn,
        first_seat=state.first_seat,
        active_seat=None if state.is_over() else state.active,
        draws_left=state.draws_left,
        quest_board=tuple(_or_none(encounter) for encounter in state.quest_board),
        tavern=tuple(_card(card) for card in state.tavern),
        adventurer_deck=_adventurer_deck(state.adventurers),
        encounter_deck=_card_deck(state.encounters),
        treasure_deck=_card_deck(state.treasures),
        potion_pile=_potions(state.potion_pile),
        coins_left=state.coins_left,
        seats=tuple(_seat(state, seat) for seat in range(state.seats)),
        challenge=None if state.challenged == NONE else _challenge(state),
        hand=None if viewer is None else cards_in(state.players[viewer].hand),
        treasure_offer=_treasure_offer(state, viewer),
        adventurer_offer=_adventurer_offer(state, viewer),
    )


def _or_none(number: int) -> int | None:
    return None if number == NONE else number


def _card(card: int) -> Adventurer | None:
    return None if card == NONE else CARDS[card]


def _adventurer_deck(deck: Deck) -> AdventurerDeck:
    return AdventurerDeck(deck.size(), len(deck.discards), _card(deck.top()))


def _card_deck(deck: Deck) -> CardDeck:
    return CardDeck(deck.size(), len(deck.discards), _or_none(deck.top()))


def _potions(counts: int) -> PotionCounts:
    return PotionCounts(**{kind: count_in(counts, place) for place, kind in enumerate(POTIONS)})


def _seat(state: State, seat: int) -> SeatView:
    player = state.players[seat]
    trophies = trophies_of(state, seat)
    return SeatView(
        character=None if player.character == NONE else CHARACTERS[player.character],
        hand_size=size(player.hand),
        hand_limit=state.track(seat, HAND_LIMIT_TRACK),
        positions=tuple(count_in(player.cubes, place) for place in range(TRACKS)),
        potions=_potions(player.potions),
        coins=player.coins,
        treasures=tuple(player.treasures),
        encounters=tuple(player.encounters),
        symbols=SymbolCounts(**{kind: count_in(player.symbols, place) for place, kind in enumerate(ENCOUNTER_TYPES)}),
        encounter_trophies=tuple(kind for place, kind in enumerate(ENCOUNTER_TYPES) if trophies >> place & 1),
        variety_trophy=player.variety_trophy,
    )


def _challenge(state: State) -> ChallengeView:
    return ChallengeView(
        place=state.challenged,
        encounter=state.encounter(),
        approach=APPROACHES[state.approach],
        cards=cards_in(state.played),
        dice=tuple(face_list(state.dice)),
        used_treasures=_used_treasures(state),
        reroll_decided=state.reroll_decided,
        boosts=state.boosts,
        bonus=state.bonus(),
        total=state.total(),
        target=state.target(),
    )


def _used_treasures(state: State) -> tuple[int, ...]:
    return treasures_counted(state, ones_treasures(state) - state.unused)


def _treasure_offer(state: State, viewer: int | None) -> tuple[int, ...] | None:
    return offered_treasures(state) if viewer == state.active and state.treasure_offer != NONE else None


def _adventurer_offer(state: State, viewer: int | None) -> tuple[Adventurer, ...] | None:
    return cards_in(state.adventurer_offer) if viewer == state.active and state.adventurer_offer else None
