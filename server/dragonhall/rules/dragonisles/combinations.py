"""Which cards of a hand make a challenge or a discard, counted and numbered without listing them.

Hot: one source that CPython runs and mypyc compiles. Of every kind of choice there are three functions: how many there
are (``count_…``), the one with a given *rank* from 0 on (``…_at``), and the rank of a given one (``rank_of_…``; `NONE`
if it is not such a choice). The ranks are the canonical order. Wild cards are alike, so they are only counted.

* SNEAK: consecutive numbers of any colours, without a wrap from 12 to 1 (RL-7). No hand that is asked for a challenge
  has more than 12 cards (`component_set` sees to it), so none is too long. Ranked by the highest number, by the
  number of gaps between the cards, by the cards, by the wild cards played: those that fill the gaps, or more.
* STEAL: one number in different colours, at most five cards. Ranked by number, by colours, by wild cards.
* STRIKE: one colour. Ranked by colour, by numbers, by wild cards (RL-8).

One card is a challenge of any approach (RL-6); wild cards alone are one, too, and come last, fewer before more.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.dragonisles.cards import (
    COLOURED,
    colours_of,
    count_of_number,
    gathered,
    numbers_of,
    spread,
    with_number,
)
from dragonhall.rules.dragonisles.facts import COLOURS, NUMBERS, WILD, WILDS
from dragonhall.rules.dragonisles.setting import NONE, SNEAK, STEAL

GAPS: Final = WILDS + 1
"""Numbers of gaps that wild cards can fill: 0 to 4."""


def count_combinations(approach: i64, hand: i64) -> i64:
    """In how many ways a hand (a card set) can challenge by an approach."""
    if approach == SNEAK:
        return _count_sneaks(hand)
    if approach == STEAL:
        return _count_steals(hand)
    return _count_strikes(hand)


def combination_at(approach: i64, hand: i64, rank: i64) -> i64:
    """The cards (a card set) of the combination with this rank."""
    if approach == SNEAK:
        return _sneak_at(hand, rank)
    if approach == STEAL:
        return _steal_at(hand, rank)
    return _strike_at(hand, rank)


def rank_of_combination(approach: i64, hand: i64, cards: i64) -> i64:
    """The rank of ``cards``, which must be a part of the hand; `NONE` if they are no combination of this approach."""
    if cards == 0:
        return NONE
    if approach == SNEAK:
        return _rank_of_sneak(hand, cards)
    if approach == STEAL:
        return _rank_of_steal(hand, cards)
    return _rank_of_strike(hand, cards)


# ---- SNEAK. A table holds at ``GAPS * number + gaps`` in how many ways coloured cards come to a run with so many gaps
# that ends in this number, with a card or with a gap. Its row 0 is empty, so that number 1 has a row below it.


def _run_ends(hand: i64) -> vec[i64]:
    """The table described above."""
    ends = vec[i64]([0] * (GAPS * (NUMBERS + 1)))
    wilds = hand >> WILD
    row: i64 = 0
    for number in range(i64(NUMBERS)):
        held = count_of_number(hand, number)
        for gaps in range(wilds + 1):
            going_on = held * _beginnings(ends, row, gaps)
            if gaps:
                going_on += ends[row + gaps - 1]
            ends[row + GAPS + gaps] = going_on
        row += GAPS
    return ends


def _beginnings(ends: vec[i64], row: i64, gaps: i64) -> i64:
    """What a card of the number after ``row`` can follow, for a run with so many gaps: nothing at all, or a run."""
    return ends[row + gaps] + 1 if gaps == 0 else ends[row + gaps]


def _runs_up_to(ends: vec[i64], row: i64, gaps: i64) -> i64:
    """Runs with so many gaps that end with a card of this row's number."""
    return ends[row + gaps] - ends[row - GAPS + gaps - 1] if gaps else ends[row]


def _count_sneaks(hand: i64) -> i64:
    wilds = hand >> WILD
    if wilds == 0:
        return _count_runs_without_wilds(hand)
    ends = _run_ends(hand)
    count = wilds
    row: i64 = 0
    for _ in range(i64(NUMBERS)):
        row += GAPS
        for gaps in range(wilds + 1):
            count += _runs_up_to(ends, row, gaps) * (wilds + 1 - gaps)
    return count


def _count_runs_without_wilds(hand: i64) -> i64:
    count: i64 = 0
    runs: i64 = 0
    for number in range(i64(NUMBERS)):
        runs = count_of_number(hand, number) * (runs + 1)
        count += runs
    return count


def _sneak_at(hand: i64, rank: i64) -> i64:
    wilds = hand >> WILD
    ends = _run_ends(hand)
    row: i64 = 0
    for _ in range(i64(NUMBERS)):
        row += GAPS
        for gaps in range(wilds + 1):
            fillings = wilds + 1 - gaps
            block = _runs_up_to(ends, row, gaps) * fillings
            if rank < block:
                return _run_at(hand, ends, row, gaps, rank // fillings) + ((gaps + rank % fillings) << WILD)
            rank -= block
    return (rank + 1) << WILD


def _run_at(hand: i64, ends: vec[i64], row: i64, gaps: i64, rank: i64) -> i64:
    """The coloured cards of the run with this rank among those with so many gaps that end in the row's number."""
    cards: i64 = 0
    while True:
        number: i64 = row // GAPS - 1
        row -= GAPS
        below = _beginnings(ends, row, gaps)
        colour = masks.nth(colours_of(hand, number), rank // below)
        cards |= masks.bit(colour * NUMBERS + number)
        rank %= below
        if gaps == 0:
            if rank == 0:
                return cards
            rank -= 1
        while rank >= _runs_up_to(ends, row, gaps):
            rank -= _runs_up_to(ends, row, gaps)
            row -= GAPS
            gaps -= 1


def _rank_of_sneak(hand: i64, cards: i64) -> i64:
    played_wilds = cards >> WILD
    if cards & COLOURED == 0:
        return _count_sneaks(hand) - (hand >> WILD) + played_wilds - 1
    ends = _run_ends(hand)
    rank: i64 = 0
    gaps: i64 = NONE
    open_gaps: i64 = 0
    last_row: i64 = 0
    for number in range(i64(NUMBERS)):
        colours = colours_of(cards, number)
        if colours == 0:
            open_gaps += 1
            continue
        if colours & (colours - 1):
            return NONE
        row: i64 = GAPS * number
        if gaps == NONE:
            gaps = 0
        else:
            gaps += open_gaps
            if gaps > played_wilds:
                return NONE
            rank += _runs_between(ends, row, gaps, open_gaps)
        held = colours_of(hand, number)
        rank += masks.size(held & (colours - 1)) * _beginnings(ends, row, gaps)
        open_gaps = 0
        last_row = row + GAPS
    return _sneaks_before(hand, ends, last_row, gaps) + rank * ((hand >> WILD) + 1 - gaps) + played_wilds - gaps


def _runs_between(ends: vec[i64], row: i64, gaps: i64, open_gaps: i64) -> i64:
    """Of what a card after ``row`` can follow, all that comes before runs that end ``open_gaps`` numbers below it."""
    between: i64 = 1 if gaps == 0 else 0
    for skipped in range(open_gaps):
        between += _runs_up_to(ends, row - GAPS * skipped, gaps - skipped)
    return between


def _sneaks_before(hand: i64, ends: vec[i64], last_row: i64, last_gaps: i64) -> i64:
    """Sneaks ranked before all those with so many gaps whose highest card is of this row's number."""
    wilds = hand >> WILD
    before: i64 = 0
    row: i64 = GAPS
    while row < last_row:
        for gaps in range(wilds + 1):
            before += _runs_up_to(ends, row, gaps) * (wilds + 1 - gaps)
        row += GAPS
    for gaps in range(last_gaps):
        before += _runs_up_to(ends, row, gaps) * (wilds + 1 - gaps)
    return before


# ---- STEAL: a number, some of the colours held of it, and wild cards for other colours.


def _most_wilds(hand: i64, coloured: i64) -> i64:
    """The wild cards that can join so many coloured cards in a STEAL."""
    wilds = hand >> WILD
    return wilds if wilds < COLOURS - coloured else COLOURS - coloured


def _steals_of(hand: i64, before: i64) -> i64:
    """STEALs of one number with choices of its colours (as `gathered` numbers them) that come before this one."""
    count: i64 = 0
    for chosen in range(i64(1), before):
        count += _most_wilds(hand, masks.size(chosen)) + 1
    return count


def _count_steals(hand: i64) -> i64:
    count = hand >> WILD
    for number in range(i64(NUMBERS)):
        held = count_of_number(hand, number)
        if held:
            count += _steals_of(hand, 1 << held)
    return count


def _steal_at(hand: i64, rank: i64) -> i64:
    for number in range(i64(NUMBERS)):
        held = colours_of(hand, number)
        for chosen in range(i64(1), i64(1) << masks.size(held)):
            ways = _most_wilds(hand, masks.size(chosen)) + 1
            if rank < ways:
                return with_number(spread(chosen, held), number) + (rank << WILD)
            rank -= ways
    return (rank + 1) << WILD


def _rank_of_steal(hand: i64, cards: i64) -> i64:
    wilds = cards >> WILD
    rank: i64 = 0
    for number in range(i64(NUMBERS)):
        held = colours_of(hand, number)
        colours = colours_of(cards, number)
        if colours:
            others = cards & COLOURED & ~with_number(colours, number)
            if others or masks.size(colours) + wilds > COLOURS:
                return NONE
            return rank + _steals_of(hand, gathered(colours, held)) + wilds
        rank += _steals_of(hand, i64(1) << masks.size(held))
    return rank + wilds - 1


# ---- STRIKE: a colour, some of the numbers held of it, and any wild cards.


def _count_strikes(hand: i64) -> i64:
    wilds = hand >> WILD
    count = wilds
    for colour in range(i64(COLOURS)):
        count += ((1 << masks.size(numbers_of(hand, colour))) - 1) * (wilds + 1)
    return count


def _strike_at(hand: i64, rank: i64) -> i64:
    ways = (hand >> WILD) + 1
    for colour in range(i64(COLOURS)):
        held = numbers_of(hand, colour)
        block = ((1 << masks.size(held)) - 1) * ways
        if rank < block:
            return (spread(rank // ways + 1, held) << (colour * NUMBERS)) + (rank % ways << WILD)
        rank -= block
    return (rank + 1) << WILD


def _rank_of_strike(hand: i64, cards: i64) -> i64:
    ways = (hand >> WILD) + 1
    wilds = cards >> WILD
    rank: i64 = 0
    for colour in range(i64(COLOURS)):
        held = numbers_of(hand, colour)
        numbers = numbers_of(cards, colour)
        if numbers:
            if cards & COLOURED != numbers << (colour * NUMBERS):
                return NONE
            return rank + (gathered(numbers, held) - 1) * ways + wilds
        rank += ((1 << masks.size(held)) - 1) * ways
    return rank + wilds - 1
