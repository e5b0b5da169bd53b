"""Earning coins, potions and treasures, and what is done when there are none left.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from librt.vecs import append
from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles import adventurers, cards, telling, trophies
from dragonhall.rules.dragonisles.player import all_potions, count_in, one
from dragonhall.rules.dragonisles.setting import COIN, NONE, POTION, POTION_KINDS, TRADER, TREASURE
from dragonhall.rules.dragonisles.stage import (
    KEEP_ADVENTURER,
    KEEP_TREASURE,
    TAKE_COIN,
    TAKE_POTION,
    MaskStage,
    Stage,
)
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

TREASURE_STREAM: Final = "dragonisles/treasures"
POTION_STREAM: Final = "dragonisles/potions"

_TRADERS_CARDS: Final = 3


def earn(state: State, reward: i64, chance: Chance, journal: Journal | None) -> None:
    """The seat whose turn it is earns what an encounter's bonus or a track's space shows."""
    if reward == POTION:
        earn_potion(state, chance, journal)
    elif reward == COIN:
        earn_coin(state, NONE, journal)
    elif reward == TREASURE:
        state.push(KEEP_TREASURE)


# ---- Coins


def earn_coin(state: State, treasure: i64, journal: Journal | None) -> None:
    """A coin, worth 1, while there is any value left (RL-11); else one is taken from another seat (RL-10).

    ``treasure``: which one earned it, or `NONE`.
    """
    if state.coins_left > 0:
        state.coins_left -= 1
        state.player().coins += 1
        if journal is not None:
            telling.coin_earned(state, treasure, journal)
    elif seats_with_coins(state):
        state.push(TAKE_COIN)
    elif journal is not None:
        telling.nothing_left(state, "coin", journal)


def seats_with_coins(state: State) -> i64:
    """The seats from which the one whose turn it is can take a coin, as a bit mask."""
    owners: i64 = 0
    for seat in range(state.seats):
        if seat != state.active and state.players[seat].coins > 0:
            owners |= 1 << seat
    return owners


@final
class TakeCoin(MaskStage):
    """None is left: a coin is taken from another seat (RL-10)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        return True

    def mask(self, state: State) -> i64:
        return seats_with_coins(state)

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        state.players[code].coins -= 1
        state.player().coins += 1
        if journal is not None:
            telling.coin_taken(state, code, journal)


# ---- Potions


def earn_potion(state: State, chance: Chance, journal: Journal | None) -> None:
    """A potion at random from the pile (RL-21); if it is empty, one of another seat's (RL-10)."""
    in_pile = all_potions(state.potion_pile)
    if in_pile > 0:
        potion = _kind_at(state.potion_pile, chance.number(POTION_STREAM, in_pile))
        state.potion_pile -= one(potion)
        state.player().potions += one(potion)
        if journal is not None:
            telling.potion_earned(state, potion, journal)
    elif others_potions(state):
        state.push(TAKE_POTION)
    elif journal is not None:
        telling.nothing_left(state, "potion", journal)


def _kind_at(pile: i64, number: i64) -> i64:
    """The kind of a pile's potion by its number; potions of a kind are numbered one after another."""
    kind: i64 = 0
    while number >= count_in(pile, kind):
        number -= count_in(pile, kind)
        kind += 1
    return kind


def others_potions(state: State) -> i64:
    """The potions that the seat whose turn it is can take, as a bit mask: bit ``3 × seat + kind``."""
    takeable: i64 = 0
    for seat in range(state.seats):
        if seat != state.active:
            for kind in range(i64(POTION_KINDS)):
                if count_in(state.players[seat].potions, kind):
                    takeable |= 1 << (seat * POTION_KINDS + kind)
    return takeable


@final
class TakePotion(MaskStage):
    """The pile is empty: a potion is taken from another seat (RL-10)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        return True

    def mask(self, state: State) -> i64:
        return others_potions(state)

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        seat = code // POTION_KINDS
        kind = code % POTION_KINDS
        state.players[seat].potions -= one(kind)
        state.player().potions += one(kind)
        if journal is not None:
            telling.potion_taken(state, seat, kind, journal)


@final
class EarnPotion(Stage):
    """After a failed challenge (Challenge Fails)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        earn_potion(state, chance, journal)
        return False


# ---- Treasures


@final
class KeepTreasure(MaskStage):
    """Two treasure cards are drawn, and one of them is kept (Treasures)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        first = _take_treasure(state, chance, journal)
        if first == NONE:
            if journal is not None:
                telling.nothing_left(state, "treasure", journal)
            return False
        second = _take_treasure(state, chance, journal)
        state.treasure_offer = first if second == NONE or first < second else second
        state.second_treasure = second if second == NONE or first < second else first
        if journal is not None:
            telling.treasures_offered(state, journal)
        return True

    def mask(self, state: State) -> i64:
        """Two cards of a kind are one answer."""
        second = state.second_treasure
        return 0b11 if second != NONE and second != state.treasure_offer else 0b01

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        treasure = state.treasure_offer if code == 0 else state.second_treasure
        other = state.second_treasure if code == 0 else state.treasure_offer
        state.treasure_offer = NONE
        state.second_treasure = NONE
        if other != NONE:
            state.treasures.discard(other)
        player = state.player()
        player.treasures = append(player.treasures, treasure)
        if journal is not None:
            telling.treasure_kept(state, treasure, other, journal)
        scroll = state.setting.scroll[treasure]
        if scroll != NONE:
            trophies.add_symbols(state, scroll, 1)
            trophies.check_encounter_trophy(state, scroll, journal)
            trophies.check_variety_trophy(state, journal)
        if state.plays(TRADER):
            state.push(KEEP_ADVENTURER)


def _take_treasure(state: State, chance: Chance, journal: Journal | None) -> i64:
    """The deck's first card; of a deck that ran out, the discards are shuffled. `NONE` if there is none."""
    deck = state.treasures
    if deck.size() == 0:
        if len(deck.discards) == 0:
            return NONE
        deck.shuffle_discards(TREASURE_STREAM, chance)
        if journal is not None:
            telling.deck_shuffled("treasures", deck, journal)
    return deck.draw()


@final
class KeepAdventurer(MaskStage):
    """The Trader earned a treasure: it draws three adventurer cards and keeps one (RL-14)."""

    def begin(self, state: State, chance: Chance, journal: Journal | None) -> bool:
        for _ in range(_TRADERS_CARDS):
            card = adventurers.take_from_deck(state, chance, journal)
            if card == NONE:
                break
            state.adventurer_offer += masks.bit(card)
            adventurers.renew_deck(state, chance, journal)
        if journal is not None:
            if state.adventurer_offer:
                telling.adventurers_offered(state, journal)
            else:
                telling.nothing_left(state, "adventurer", journal)
        return state.adventurer_offer != 0

    def mask(self, state: State) -> i64:
        """Wild cards are one answer."""
        wilds = cards.wilds(state.adventurer_offer)
        coloured = cards.size(state.adventurer_offer) - wilds
        return (1 << coloured) - 1 + (1 << coloured if wilds else 0)

    def answer(self, state: State, code: i64, chance: Chance, journal: Journal | None) -> None:
        others = state.adventurer_offer
        card = cards.card_at(others, code)
        others -= masks.bit(card)
        state.adventurer_offer = 0
        state.player().hand += masks.bit(card)
        if journal is not None:
            telling.adventurer_kept(state, card, journal)
        if others:
            adventurers.discard(state, others, "trader", chance, journal)
