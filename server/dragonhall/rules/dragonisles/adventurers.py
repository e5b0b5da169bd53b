"""Drawing and discarding adventurer cards: deck, Tavern, hands.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles import cards, telling
from dragonhall.rules.dragonisles.events import DiscardCause
from dragonhall.rules.dragonisles.facts import TAVERN_PLACES
from dragonhall.rules.dragonisles.setting import NONE
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

STREAM: Final = "dragonisles/adventurers"


def deck_can_give(state: State) -> bool:
    """Whether there is a card in the deck or, for a new deck, among the discards (RL-5)."""
    return state.adventurers.size() > 0 or len(state.adventurers.discards) > 0


def draw_to_hand(state: State, chance: Chance, journal: Journal | None) -> None:
    """The seat whose turn it is draws a card from the deck. With none left anywhere, the draw is lost (RL-5)."""
    card = take_from_deck(state, chance, journal)
    if card == NONE:
        if journal is not None:
            telling.nothing_left(state, "adventurer", journal)
        return
    state.player().hand += masks.bit(card)
    if journal is not None:
        telling.card_drawn(state, card, journal)
    renew_deck(state, chance, journal)


def draw_from_tavern(state: State, place: i64, chance: Chance, journal: Journal | None) -> None:
    """The seat whose turn it is takes a card from the Tavern, which is replaced at once (Prepare)."""
    card = state.tavern[place]
    state.tavern[place] = NONE
    state.player().hand += masks.bit(card)
    if journal is not None:
        telling.tavern_card_taken(state, place, card, journal)
    refill_tavern(state, chance, journal)


def refill_tavern(state: State, chance: Chance, journal: Journal | None) -> None:
    """Cards from the deck come to the empty places, as long as there are cards (RL-5)."""
    for place in range(i64(TAVERN_PLACES)):
        if state.tavern[place] == NONE:
            card = take_from_deck(state, chance, journal)
            if card == NONE:
                return
            state.tavern[place] = card
            if journal is not None:
                telling.tavern_refilled(state, place, journal)
            renew_deck(state, chance, journal)


def discard(state: State, discarded: i64, cause: DiscardCause, chance: Chance, journal: Journal | None) -> None:
    """A card set goes to the discards, in canonical order. If the Tavern wanted for cards, it gets some now (RL-5)."""
    if journal is not None:
        telling.cards_discarded(state, discarded, cause, journal)
    while discarded:
        card = cards.lowest(discarded)
        discarded -= masks.bit(card)
        state.adventurers.discard(card)
    refill_tavern(state, chance, journal)


def take_from_deck(state: State, chance: Chance, journal: Journal | None) -> i64:
    """The deck's first card, for the caller to put somewhere and then to `renew_deck`; `NONE` if there is none.

    A deck that ran out when there were no discards is made up now that a card is needed (RL-5).
    """
    if state.adventurers.size() == 0:
        renew_deck(state, chance, journal)
        if state.adventurers.size() == 0:
            return NONE
    return state.adventurers.draw()


def renew_deck(state: State, chance: Chance, journal: Journal | None) -> None:
    """A deck that ran out: the discards, if there are any, are shuffled at once (Prepare)."""
    deck = state.adventurers
    if deck.size() == 0 and len(deck.discards) > 0:
        deck.shuffle_discards(STREAM, chance)
        if journal is not None:
            telling.deck_shuffled("adventurers", deck, journal)
