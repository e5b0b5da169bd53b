"""Plans for a hand: which cards are kept together for which approach, and what a hand is worth with them.

A hand is a number: bit ``c`` for the coloured card ``c``, and from bit `WILD` on how many wild cards there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from dragonhall.rules.dragonisles.facts import (
    APPROACHES,
    CARD_OF,
    CARDS,
    COLOURS,
    MOST_DICE,
    NUMBERS,
    WILD,
    Adventurer,
)

Hand = int
GroupWorths = Sequence[Sequence[float]]
"""By approach (its place in `APPROACHES`) and number of cards, 0 to 6."""

_SNEAK: Final = APPROACHES.index("sneak")
_STEAL: Final = APPROACHES.index("steal")
_STRIKE: Final = APPROACHES.index("strike")
_NUMBERS: Final = (1 << NUMBERS) - 1
_COLOURED: Final = (1 << WILD) - 1
_SHIFTS: Final = tuple(range(0, WILD, NUMBERS))
_OF_NUMBER: Final = sum(1 << shift for shift in _SHIFTS)
"""The cards of the lowest number."""


def hand_of(cards: Iterable[Adventurer]) -> Hand:
    """Cards as a hand.

    >>> hand_of([Adventurer(0, 2), Adventurer(None, 0)]) == (1 << 1) + (1 << WILD)
    True
    """
    return sum(1 << CARD_OF[card] for card in cards)


def cards_of(hand: Hand) -> list[Adventurer]:
    """A hand's cards in canonical order."""
    coloured = [card for place, card in enumerate(CARDS[:WILD]) if hand >> place & 1]
    return coloured + [CARDS[WILD]] * (hand >> WILD)


def singles(hand: Hand) -> list[Hand]:
    """Each card of a hand, as a hand; of wild cards one."""
    return [1 << card for card in range(WILD) if hand >> card & 1] + [1 << WILD] * (hand >> WILD > 0)


def size(hand: Hand) -> int:
    """How many cards a hand has."""
    return (hand & _COLOURED).bit_count() + (hand >> WILD)


def colours_of(hand: Hand) -> int:
    """How many colours a hand shows; a wild card counts as one more."""
    shown = sum(1 for shift in _SHIFTS if hand >> shift & _NUMBERS)
    return min(COLOURS, shown + (hand >> WILD))


@dataclass(frozen=True)
class Prices:
    """What planning a hand goes by."""

    first: GroupWorths
    """What a group is worth that is played at the next opportunity."""
    later: GroupWorths
    """What a group is worth that is played after that."""
    spare: float
    """What a card in no group is worth; a wild card is worth as much more in any hand."""
    card: float
    """What a card must add to a group to be put into it: another group may have use for it."""
    choice: float
    """How much the best group for another approach counts besides."""
    plans: Sequence[float]
    """How much the first, second ... group counts, as many as there can be."""
    limit: int
    """Of cards in hand."""


class _Group(NamedTuple):
    """The best group of up to some number of cards for an approach."""

    surplus: float
    """What it is worth more than the price of its cards."""
    gain: float
    """What it is worth more than its cards are if they are spare."""
    cards: int


class Planner:
    """Values hands by their best plans: groups of cards, each for one challenge, that share no card."""

    def __init__(self, prices: Prices) -> None:
        self._prices = prices
        self._first = [_best_groups(worths, prices) for worths in prices.first]
        self._later = [_best_groups(worths, prices) for worths in prices.later]
        self._worths: dict[Hand, float] = {}

    def worth(self, hand: Hand) -> float:
        """Victory points that a hand promises."""
        known = self._worths.get(hand)
        if known is None:
            known = self._worths[hand] = self._plan(hand)
        return known

    def loss(self, hand: Hand, cards: Hand) -> float:
        """What a hand is worth less without some of its cards."""
        return self.worth(hand) - self.worth(hand - cards)

    def _plan(self, hand: Hand) -> float:
        prices = self._prices
        worth = prices.spare * (min(size(hand), prices.limit) + (hand >> WILD))
        groups = self._first
        for weight in prices.plans:
            best, other, cards = _best_of_hand(hand, groups)
            if best.cards == 0:
                break
            worth += weight * (best.gain + prices.choice * other.gain)
            hand -= cards
            groups = self._later
        return worth


def _best_groups(worths: Sequence[float], prices: Prices) -> list[_Group]:
    """By the most cards that can be grouped."""
    best = [_Group(0.0, 0.0, 0)]
    for cards in range(1, MOST_DICE + 1):
        gain = worths[cards] - prices.spare * cards
        best.append(max(best[-1], _Group(worths[cards] - prices.card * cards, gain, cards)))
    return best


def _best_of_hand(hand: Hand, groups: Sequence[Sequence[_Group]]) -> tuple[_Group, _Group, Hand]:
    """The best group that a hand has, the best one for another approach, and the cards of the best one."""
    wilds = hand >> WILD
    colours = [hand >> shift & _NUMBERS for shift in _SHIFTS]
    counts = [colour.bit_count() for colour in colours]
    largest = counts.index(max(counts))
    several = _numbers_of_several(colours)
    run, run_size = _longest_run(several[0], wilds)
    same = max((times for times in range(COLOURS) if several[times]), default=-1)
    _, (other, _), (best, approach) = sorted(
        [
            (groups[_SNEAK][min(MOST_DICE, run_size)], _SNEAK),
            (groups[_STEAL][min(COLOURS, same + 1 + wilds)], _STEAL),
            (groups[_STRIKE][min(MOST_DICE, counts[largest] + wilds)], _STRIKE),
        ]
    )
    if approach == _SNEAK:
        cards = _run_cards(colours, counts, run, best.cards)
    elif approach == _STEAL:
        cards = _same_cards(colours, counts, several[same] if same >= 0 else 0, best.cards)
    else:
        cards = _colour_cards(colours[largest], several[1], best.cards) << _SHIFTS[largest]
    return best, other, cards + (best.cards - cards.bit_count() << WILD)


def _numbers_of_several(colours: Sequence[int]) -> list[int]:
    """By ``times``: the numbers that the hand has in more than ``times`` colours."""
    several = [0] * COLOURS
    for colour in colours:
        for times in range(COLOURS - 1, 0, -1):
            several[times] |= several[times - 1] & colour
        several[0] |= colour
    return several


@cache
def _longest_run(numbers: int, wilds: int) -> tuple[int, int]:
    """The numbers from the hand in the longest run, and its length; wild cards fill gaps, or lengthen it."""
    best = (0, min(wilds, NUMBERS))
    for low in range(NUMBERS):
        run, gaps = 0, 0
        for number in range(low, NUMBERS):
            if numbers >> number & 1:
                run |= 1 << number
            else:
                gaps += 1
            if gaps > wilds:
                break
            length = min(NUMBERS, run.bit_count() + wilds)
            best = max(best, (run, length), key=lambda found: found[1])
    return best


def _run_cards(colours: Sequence[int], counts: Sequence[int], run: int, cards: int) -> Hand:
    """Cards of a run's numbers, at most so many, a card a number, of the colours that there are fewest of."""
    fewest_first = sorted(range(COLOURS), key=counts.__getitem__)
    group = 0
    while run and cards:
        number = run & -run
        run ^= number
        cards -= 1
        colour = next(colour for colour in fewest_first if colours[colour] & number)
        group |= number << _SHIFTS[colour]
    return group


def _same_cards(colours: Sequence[int], counts: Sequence[int], numbers: int, cards: int) -> Hand:
    """Cards of the lowest of the numbers, at most so many, of the colours that there are fewest of."""
    number = numbers & -numbers
    held = [colour for colour in sorted(range(COLOURS), key=counts.__getitem__) if colours[colour] & number]
    return sum(number << _SHIFTS[colour] for colour in held[:cards])


def _colour_cards(colour: int, useful: int, cards: int) -> int:
    """Numbers of a colour, at most so many, those first that are not ``useful`` for something else."""
    group = 0
    for numbers in (colour & ~useful, colour & useful):
        while numbers and cards:
            number = numbers & -numbers
            numbers ^= number
            group |= number
            cards -= 1
    return group
