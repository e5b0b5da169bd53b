"""Sets of adventurer cards in one number.

Hot: one source that CPython runs and mypyc compiles. Bits 0 to 59 of a *card set* are the cards that show a colour and
a number (``12 * colour + number - 1``); the bits above count wild cards, which are alike. So ``masks.bit(card)`` is
a set of one card, wild or not; sets without a card in common are added, and a part of a set is subtracted from it.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.dragonisles.facts import COLOURS, NUMBERS, WILD

COLOURED: Final = (1 << WILD) - 1
"""All cards that show a colour and a number."""
ONE_COLOUR: Final = (1 << NUMBERS) - 1
"""All cards of colour 0; and by number - 1, all numbers."""


def wilds(cards: i64) -> i64:
    """How many wild cards are in a set."""
    return cards >> WILD


def size(cards: i64) -> i64:
    """How many cards are in a set.

    >>> size(0b1011 + (2 << 60))
    5
    """
    return masks.size(cards & COLOURED) + (cards >> WILD)


def holds(cards: i64, part: i64) -> bool:
    """Whether all of ``part`` is in the set."""
    return part & ~cards & COLOURED == 0 and part >> WILD <= cards >> WILD


def numbers_of(cards: i64, colour: i64) -> i64:
    """The numbers held of a colour, as a bit mask: bit 0 for number 1."""
    return cards >> (colour * NUMBERS) & ONE_COLOUR


def colours_of(cards: i64, number: i64) -> i64:
    """The colours held of a number (bit 0 is number 1), as a bit mask."""
    column = cards >> number
    return (
        (column & 1)
        | (column >> 12 & 1) << 1
        | (column >> 24 & 1) << 2
        | (column >> 36 & 1) << 3
        | (column >> 48 & 1) << 4
    )


def count_of_number(cards: i64, number: i64) -> i64:
    """How many colours are held of a number (bit 0 is number 1)."""
    column = cards >> number
    return (column & 1) + (column >> 12 & 1) + (column >> 24 & 1) + (column >> 36 & 1) + (column >> 48 & 1)


def with_number(colours: i64, number: i64) -> i64:
    """The cards of these colours (a bit mask) that show a number (bit 0 is number 1)."""
    cards: i64 = 0
    for colour in range(i64(COLOURS)):
        cards |= (colours >> colour & 1) << (colour * NUMBERS + number)
    return cards


def lowest(cards: i64) -> i64:
    """The first card of a set that is not empty, in canonical order."""
    return masks.lowest(cards & COLOURED) if cards & COLOURED else WILD


def card_at(cards: i64, place: i64) -> i64:
    """The card of a set that comes at a place, from 0, in canonical order."""
    return masks.nth(cards & COLOURED, place) if place < masks.size(cards & COLOURED) else WILD


def card_list(cards: i64) -> list[int]:
    """The cards of a set one by one, in canonical order.

    >>> card_list(0b1001 + (2 << 60))
    [0, 3, 60, 60]
    """
    found: list[int] = []
    rest: int = cards & COLOURED
    while rest:
        low = rest & -rest
        found.append(low.bit_length() - 1)
        rest ^= low
    return found + [WILD] * (cards >> WILD)


def spread(chosen: i64, held: i64) -> i64:
    """Of the bits in ``held`` those that ``chosen`` counts: its bit 0 stands for the lowest, bit 1 for the next.

    >>> bin(spread(0b101, 0b11010))
    '0b10010'
    """
    bits: i64 = 0
    while chosen:
        low = held & -held
        if chosen & 1:
            bits |= low
        held ^= low
        chosen >>= 1
    return bits


def gathered(bits: i64, held: i64) -> i64:
    """The reverse of `spread`: which bits of ``held``, counted from the lowest, are ``bits``.

    >>> bin(gathered(0b10010, 0b11010))
    '0b101'
    """
    chosen: i64 = 0
    place: i64 = 0
    while held:
        low = held & -held
        if bits & low:
            chosen |= 1 << place
        held ^= low
        place += 1
    return chosen
