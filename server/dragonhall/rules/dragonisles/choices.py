"""Choices of cards to discard, of treasures to use in an order, and of dice to reroll, counted and numbered.

Hot: one source that CPython runs and mypyc compiles. As in `combinations`, choices are counted, made from their rank
and ranked without listing them all.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.dragonisles.cards import COLOURED
from dragonhall.rules.dragonisles.facts import ADVENTURERS, WILD

# ---- Discards: so many cards of a hand. Choices with the hand's first card come before those without it, and so on.

_ROW: Final = ADVENTURERS + 1


def _pascal() -> vec[i64]:
    table = vec[i64]([0] * (_ROW * _ROW))
    for items in range(i64(_ROW)):
        table[items * _ROW] = 1
        for chosen in range(i64(1), items + 1):
            table[items * _ROW + chosen] = table[(items - 1) * _ROW + chosen - 1] + table[(items - 1) * _ROW + chosen]
    return table


_BINOMIALS: Final[vec[i64]] = _pascal()
"""In how many ways items can be chosen, at ``items * _ROW + chosen``."""


def binomial(items: i64, chosen: i64) -> i64:
    """In how many ways ``chosen`` of up to 64 items can be chosen.

    >>> binomial(5, 2), binomial(2, 3)
    (10, 0)
    """
    return _BINOMIALS[items * _ROW + chosen]


def _ways(coloured: i64, wilds: i64, count: i64) -> i64:
    """Choices of ``count`` cards among so many coloured ones and wild ones, which are alike."""
    ways: i64 = 0
    for wild in range(wilds + 1):
        if wild <= count:
            ways += binomial(coloured, count - wild)
    return ways


def count_discards(hand: i64, count: i64) -> i64:
    """In how many ways a hand (a card set) can discard so many cards."""
    return _ways(masks.size(hand & COLOURED), hand >> WILD, count)


def discard_at(hand: i64, count: i64, rank: i64) -> i64:
    """The cards (a card set) of the choice with this rank."""
    rest = hand & COLOURED
    behind = masks.size(rest)
    cards: i64 = 0
    while rest and count:
        low = rest & -rest
        rest ^= low
        behind -= 1
        ways = _ways(behind, hand >> WILD, count - 1)
        if rank < ways:
            cards |= low
            count -= 1
        else:
            rank -= ways
    return cards + (count << WILD)


def rank_of_discard(hand: i64, cards: i64, count: i64) -> i64:
    """The rank of a choice of ``count`` cards, all of them in the hand."""
    rest = hand & COLOURED
    behind = masks.size(rest)
    rank: i64 = 0
    while rest and count:
        low = rest & -rest
        rest ^= low
        behind -= 1
        if cards & low:
            count -= 1
        else:
            rank += _ways(behind, hand >> WILD, count - 1)
    return rank


# ---- Treasures in an order. Four bits a kind count the copies that may be used; a sequence holds four bits a step,
# from the lowest on: 1 + the kind. A sequence comes right before those that it begins; the empty one has rank 0.

_KIND_BITS: Final = 4
_KIND_MASK: Final = 15
_LONGEST: Final = 9


def count_sequences(copies: i64) -> i64:
    """How many sequences there are of any of these treasures, the empty one included.

    >>> count_sequences(0x2), count_sequences(0x12)
    (3, 9)
    """
    of_length = vec[i64]([0] * (_LONGEST + 1))
    of_length[0] = 1
    longest: i64 = 0
    while copies:
        more = copies & _KIND_MASK
        longest += more
        length = longest
        while length:
            ways = of_length[length] if length <= longest - more else 0
            for used in range(i64(1), more + 1):
                if used <= length <= longest - more + used:
                    ways += binomial(length, used) * of_length[length - used]
            of_length[length] = ways
            length -= 1
        copies >>= _KIND_BITS
    count: i64 = 0
    for used in range(longest + 1):
        count += of_length[used]
    return count


def sequence_at(copies: i64, rank: i64) -> i64:
    """The sequence with this rank.

    >>> [hex(sequence_at(0x12, rank)) for rank in range(9)]
    ['0x0', '0x1', '0x11', '0x211', '0x21', '0x121', '0x2', '0x12', '0x112']
    """
    sequence: i64 = 0
    step: i64 = 0
    while rank:
        rank -= 1
        kind: i64 = 0
        while True:
            if copies >> kind & _KIND_MASK:
                ways = count_sequences(copies - masks.bit(kind))
                if rank < ways:
                    break
                rank -= ways
            kind += _KIND_BITS
        copies -= masks.bit(kind)
        sequence |= (kind // _KIND_BITS + 1) << step
        step += _KIND_BITS
    return sequence


def rank_of_sequence(copies: i64, sequence: i64) -> i64:
    """The rank of a sequence that uses no kind more often than there are copies."""
    rank: i64 = 0
    while sequence:
        used: i64 = ((sequence & _KIND_MASK) - 1) * _KIND_BITS
        rank += 1
        kind: i64 = 0
        while kind < used:
            if copies >> kind & _KIND_MASK:
                rank += count_sequences(copies - masks.bit(kind))
            kind += _KIND_BITS
        copies -= masks.bit(used)
        sequence >>= _KIND_BITS
    return rank


def copies_in(sequence: i64) -> i64:
    """The copies that a sequence uses.

    >>> hex(copies_in(0x121))
    '0x12'
    """
    copies: i64 = 0
    while sequence:
        copies += masks.bit(((sequence & _KIND_MASK) - 1) * _KIND_BITS)
        sequence >>= _KIND_BITS
    return copies


def step_list(sequence: i64, offset: i64 = 1) -> list[int]:
    """The steps of a sequence one by one: the kinds, or with ``offset`` 0 the four bits as they are.

    >>> step_list(0x121)
    [0, 1, 0]
    """
    steps: list[int] = []
    while sequence:
        steps.append((sequence & _KIND_MASK) - offset)
        sequence >>= _KIND_BITS
    return steps


def sequence_of(steps: list[int]) -> i64:
    """The sequence of these kinds.

    >>> hex(sequence_of([0, 1, 0]))
    '0x121'
    """
    sequence: i64 = 0
    for kind in reversed(steps):
        sequence = sequence << _KIND_BITS | (kind + 1)
    return sequence


# ---- Dice. Four bits a face count the dice that show it, at ``4 * face``; dice with equal faces are alike.

_FACE_BITS: Final = 4
_FACE_MASK: Final = 15
_LAST_FACE: Final = 9 * _FACE_BITS


def count_dice(dice: i64) -> i64:
    """How many dice there are.

    >>> count_dice(0x0210)
    3
    """
    count: i64 = 0
    while dice:
        count += dice & _FACE_MASK
        dice >>= _FACE_BITS
    return count


def total_of(dice: i64) -> i64:
    """The sum of what the dice show.

    >>> total_of(0x1210)
    8
    """
    total: i64 = 0
    face: i64 = 0
    while dice:
        total += face * (dice & _FACE_MASK)
        dice >>= _FACE_BITS
        face += 1
    return total


def holds_dice(dice: i64, part: i64) -> bool:
    """Whether all of ``part`` is among the dice."""
    if part < 0 or part & _FACE_MASK:
        return False
    while part:
        if part & _FACE_MASK > dice & _FACE_MASK:
            return False
        part >>= _FACE_BITS
        dice >>= _FACE_BITS
    return True


def next_part(dice: i64, part: i64) -> i64:
    """The next larger number that counts a part of the dice; 0 after all of them."""
    face: i64 = _FACE_BITS
    while face <= _LAST_FACE:
        if part >> face & _FACE_MASK < dice >> face & _FACE_MASK:
            return part + masks.bit(face)
        part &= ~(_FACE_MASK * masks.bit(face))
        face += _FACE_BITS
    return 0


def count_parts(dice: i64, most: i64) -> i64:
    """How many choices there are of at most so many dice, none included.

    >>> count_parts(0x0210, most=2)
    5
    """
    count: i64 = 0
    part: i64 = 0
    while True:
        if count_dice(part) <= most:
            count += 1
        part = next_part(dice, part)
        if part == 0:
            return count


def part_at(dice: i64, most: i64, rank: i64) -> i64:
    """The choice of at most so many dice with this rank; choices are ordered as numbers."""
    part: i64 = 0
    while True:
        if count_dice(part) <= most:
            if rank == 0:
                return part
            rank -= 1
        part = next_part(dice, part)


def face_list(dice: i64) -> list[int]:
    """What the dice show, ascending.

    >>> face_list(0x1210)
    [1, 2, 2, 3]
    """
    return [face for face in range(10) for _ in range(dice >> (face * _FACE_BITS) & _FACE_MASK)]
