"""What a hand is good for: how many cards it has for each approach, which ones it would play, which it misses least.

Hot: one source that CPython runs and mypyc compiles. Hands are card sets (`dragonhall.rules.dragonisles.cards`).
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules import masks
from dragonhall.rules.dragonisles import cards
from dragonhall.rules.dragonisles.facts import COLOURS, MOST_DICE, NUMBERS, WILD, WILDS
from dragonhall.rules.dragonisles.setting import NONE, SNEAK, STEAL

WAYS: Final = WILDS + 1
"""Numbers of wild cards that can be played: 0 to 4."""
_MASKS: Final = 1 << NUMBERS


def _sizes() -> vec[i64]:
    sizes = vec[i64]([0] * _MASKS)
    for mask in range(i64(_MASKS)):
        sizes[mask] = sizes[mask >> 1] + (mask & 1)
    return sizes


SIZES: Final[vec[i64]] = _sizes()
"""By 12-bit mask: its bits."""


def _runs() -> vec[i64]:
    runs = vec[i64]([0] * (WAYS * _MASKS))
    for numbers in range(i64(_MASKS)):
        for wilds in range(i64(WAYS)):
            runs[wilds * _MASKS + numbers] = _longest_run(numbers, wilds)
    return runs


def _longest_run(numbers: i64, wilds: i64) -> i64:
    """Cards of these numbers and wild cards in one run; up to 12."""
    best: i64 = 0
    held: i64 = 0
    gaps: i64 = 0
    low: i64 = 0
    for high in range(i64(NUMBERS)):
        if numbers >> high & 1:
            held += 1
        else:
            gaps += 1
        while gaps > wilds:
            if numbers >> low & 1:
                held -= 1
            else:
                gaps -= 1
            low += 1
        if held > best:
            best = held
    return best + wilds if best + wilds < NUMBERS else NUMBERS


_RUNS: Final[vec[i64]] = _runs()
"""At ``wilds * 4096 + mask``: the longest run."""


@final
class Reading:
    """A hand, read: made once and used for one hand after another."""

    def __init__(self) -> None:
        self.hand: i64 = 0
        self.size: i64 = 0
        """Cards in it."""
        self.wilds: i64 = 0
        self.numbers: i64 = 0
        """Numbers held, of whatever colour: a 12-bit mask."""
        self.most: vec[i64] = vec[i64]([0] * (3 * WAYS))
        """At ``5 * approach + wilds``: the most dice that it can challenge with if it plays so many wild cards."""
        self.next_number: i64 = 0
        """Cards of the number of which there are second most."""
        self.next_colour: i64 = 0
        """Cards of the colour of which there are second most."""

    def read(self, hand: i64) -> None:
        """Takes a hand in."""
        self.hand = hand
        self.wilds = hand >> WILD
        self._read_colours(hand)
        self._read_numbers(hand)
        for wilds in range(self.wilds + 1):
            self.most[SNEAK * WAYS + wilds] = _capped(_RUNS[wilds * _MASKS + self.numbers], MOST_DICE)

    def _read_colours(self, hand: i64) -> None:
        largest: i64 = 0
        second: i64 = 0
        size = self.wilds
        for colour in range(i64(COLOURS)):
            numbers = hand >> (colour * NUMBERS) & cards.ONE_COLOUR
            count = SIZES[numbers]
            size += count
            if count > largest:
                second = largest
                largest = count
            elif count > second:
                second = count
        self.size = size
        self.next_colour = second
        for wilds in range(self.wilds + 1):
            self.most[2 * WAYS + wilds] = _capped(largest + wilds, MOST_DICE)

    def _read_numbers(self, hand: i64) -> None:
        once: i64 = 0
        twice: i64 = 0
        thrice: i64 = 0
        four: i64 = 0
        five: i64 = 0
        for colour in range(i64(COLOURS)):
            numbers = hand >> (colour * NUMBERS) & cards.ONE_COLOUR
            five |= four & numbers
            four |= thrice & numbers
            thrice |= twice & numbers
            twice |= once & numbers
            once |= numbers
        self.numbers = once
        largest: i64 = 5 if five else 4 if four else 3 if thrice else 2 if twice else 1 if once else 0
        top = five if five else four if four else thrice if thrice else twice if twice else once
        if top & (top - 1):
            self.next_number = largest
        else:
            below = four if five else thrice if four else twice if thrice else once
            self.next_number = 0 if largest == 0 else largest - 1 if below & ~top else 1 if once & ~top else 0
        for wilds in range(self.wilds + 1):
            self.most[STEAL * WAYS + wilds] = _capped(largest + wilds, COLOURS)

    def wilds_for(self, approach: i64, dice: i64) -> i64:
        """The fewest wild cards with which it can challenge with so many dice; `NONE` if it cannot."""
        at = approach * WAYS
        for wilds in range(self.wilds + 1):
            if self.most[at] >= dice:
                return wilds
            at += 1
        return NONE


def _capped(count: i64, most: i64) -> i64:
    return count if count < most else most


# ---- Which cards


@final
class Taste:
    """How much it counts that cards fit together."""

    def __init__(self, colour: float, number: float, near: float, twice: float) -> None:
        self.colour: float = colour
        """By each other card of its colour."""
        self.number: float = number
        """By each other card of its number."""
        self.near: float = near
        """By each number held that is three away; three times as much next to it."""
        self.twice: float = twice
        """Less, if the number is there already: a run needs it once."""


_NEXT_TO: Final = 3
"""A run is looked at so many numbers to either side."""
_AROUND: Final = 1 << 2 * _NEXT_TO + 1


def _nearness() -> vec[i64]:
    nearness = vec[i64]([0] * _AROUND)
    for around in range(i64(_AROUND)):
        for step in range(i64(1), i64(_NEXT_TO + 1)):
            sides = (around >> (_NEXT_TO - step) & 1) + (around >> (_NEXT_TO + step) & 1)
            nearness[around] += sides * (_NEXT_TO + 1 - step)
    return nearness


_NEARNESS: Final[vec[i64]] = _nearness()
"""By the numbers held around one, which is bit 3: 3 for each that is next to it, 2 or 1 for those farther away."""


def use_of(hand: i64, card: i64, taste: Taste) -> float:
    """How well a coloured card fits the others of a hand, by colour, number, and run. It may be in the hand or not."""
    others = hand & ~masks.bit(card)
    colour = card // NUMBERS
    number = card - colour * NUMBERS
    of_colour = cards.numbers_of(others, colour)
    alike = cards.count_of_number(others, number)
    around = _numbers(others) << _NEXT_TO >> number & _AROUND - 1
    use = taste.colour * float(SIZES[of_colour]) + taste.number * float(alike) + taste.near * float(_NEARNESS[around])
    return use - taste.twice if around >> _NEXT_TO & 1 else use


def _numbers(hand: i64) -> i64:
    return (hand | hand >> 12 | hand >> 24 | hand >> 36 | hand >> 48) & cards.ONE_COLOUR


def least_used(hand: i64, taste: Taste) -> i64:
    """The card of a hand that fits least; wild cards come last."""
    rest = hand & cards.COLOURED
    worst: i64 = WILD
    least = 1e9
    while rest:
        low = rest & -rest
        rest ^= low
        card = masks.lowest(low)
        use = use_of(hand, card, taste)
        if use < least:
            least = use
            worst = card
    return worst


def picked(hand: i64, approach: i64, dice: i64, wilds: i64, taste: Taste) -> i64:
    """Cards for a challenge with so many dice, so many of them wild: those that the rest of the hand misses least.

    The hand must have them (`Reading.wilds_for`).
    """
    if approach == SNEAK:
        return _picked_run(hand, dice, wilds, taste) + (wilds << WILD)
    if approach == STEAL:
        return _picked_number(hand, dice - wilds, taste) + (wilds << WILD)
    return _picked_colour(hand, dice - wilds, taste) + (wilds << WILD)


def _cheaper(hand: i64, best: i64, part: i64, taste: Taste) -> i64:
    """Of two parts of a hand, or of one alone, the one whose cards fit the rest least; of equals, the first."""
    if best == 0 or best == part:
        return part
    return part if loss_of(hand, part, taste) < loss_of(hand, best, taste) else best


def _picked_run(hand: i64, dice: i64, wilds: i64, taste: Taste) -> i64:
    """Of all runs of so many coloured cards within ``dice`` numbers the one whose cards fit the rest least."""
    numbers = _numbers(hand)
    best: i64 = 0
    coloured = dice - wilds
    if coloured == 0:
        return 0
    for low in range(i64(NUMBERS - dice + 1)):
        window = numbers & ((1 << dice) - 1 << low)
        if SIZES[window] >= coloured:
            best = _cheaper(hand, best, _run_of(hand, window, coloured), taste)
    return best


def _run_of(hand: i64, window: i64, count: i64) -> i64:
    """A card of each of the window's first ``count`` numbers, of the colour where it is used least."""
    run: i64 = 0
    while window and count:
        low = window & -window
        window ^= low
        count -= 1
        number = masks.lowest(low)
        colours = cards.colours_of(hand, number)
        best: i64 = NONE
        fewest: i64 = 100
        for colour in range(i64(COLOURS)):
            if colours >> colour & 1:
                mates = SIZES[cards.numbers_of(hand, colour)]
                if mates < fewest:
                    fewest = mates
                    best = colour
        run |= masks.bit(best * NUMBERS + number)
    return run


def loss_of(hand: i64, part: i64, taste: Taste) -> float:
    """How well the coloured cards of a part of the hand fit those that are not in it."""
    loss = 0.0
    rest = hand - part
    part &= cards.COLOURED
    while part:
        low = part & -part
        part ^= low
        loss += use_of(rest, masks.lowest(low), taste)
    return loss


def _picked_number(hand: i64, count: i64, taste: Taste) -> i64:
    best: i64 = 0
    if count == 0:
        return 0
    for number in range(i64(NUMBERS)):
        if cards.count_of_number(hand, number) >= count:
            group = cards.with_number(cards.colours_of(hand, number), number)
            best = _cheaper(hand, best, _least_of(hand, group, count, taste), taste)
    return best


def _picked_colour(hand: i64, count: i64, taste: Taste) -> i64:
    best: i64 = 0
    if count == 0:
        return 0
    for colour in range(i64(COLOURS)):
        held = cards.numbers_of(hand, colour)
        if SIZES[held] >= count:
            best = _cheaper(hand, best, _least_of(hand, held << (colour * NUMBERS), count, taste), taste)
    return best


def _least_of(hand: i64, group: i64, count: i64, taste: Taste) -> i64:
    """So many cards of a group, those that fit the hand outside the group least."""
    if masks.size(group) == count:
        return group
    part: i64 = 0
    others = hand & ~group & cards.COLOURED
    while count:
        count -= 1
        least = 1e9
        worst: i64 = 0
        rest = group & ~part
        while rest:
            low = rest & -rest
            rest ^= low
            use = use_of(others, masks.lowest(low), taste)
            if use < least:
                least = use
                worst = low
        part |= worst
    return part
