"""What the dice of a challenge may come to: exact chances, by convolution, of the faces that the dice have.

In order: the roll; treasures for a rolled 1, here *charms*, as long as dice just rolled show a 1; the rerolls of the
track, once, and charms again. Whoever rolls takes the better choice each time, knowing all that may follow.

A *throw* is what dice show, ascending. What a final total is worth is a vector, so that one pass answers as many
questions as it has entries; `success_chances` asks for every target at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from operator import mul
from typing import Final

from dragonhall.rules.dragonisles.facts import MOST_DICE, Benefit

Throw = tuple[int, ...]
Worth = Sequence[float]
Charms = tuple[Benefit, ...]
"""Benefits of treasures for a rolled 1 that are not yet used in the challenge, in alphabetical order."""

_ONE: Final = 1
_REROLL: Final[Benefit] = "coin"
"""A charm that only rerolls the ones, if a coin or a card does not matter."""
_EXTRA_DIE: Final[Benefit] = "extra_die"


@cache
def throws(faces: tuple[int, ...], dice: int) -> tuple[tuple[Throw, float], ...]:
    """Every throw of so many dice, with its chance.

    >>> throws((1, 2, 2), 1)
    (((1,), 0.3333333333333333), ((2,), 0.6666666666666666))
    """
    if dice == 0:
        return (((), 1.0),)
    chances: dict[Throw, float] = {}
    for (throw, chance), face in product(throws(faces, dice - 1), faces):
        more = tuple(sorted((*throw, face)))
        chances[more] = chances.get(more, 0.0) + chance / len(faces)
    return tuple(sorted(chances.items()))


@cache
def totals(faces: tuple[int, ...], dice: int) -> tuple[tuple[int, float], ...]:
    """Every total of so many dice, with its chance.

    >>> totals((1, 3), 2)
    ((2, 0.25), (4, 0.5), (6, 0.25))
    """
    chances: dict[int, float] = {}
    for throw, chance in throws(faces, dice):
        chances[sum(throw)] = chances.get(sum(throw), 0.0) + chance
    return tuple(sorted(chances.items()))


def chance_of_a_one(faces: tuple[int, ...], dice: int) -> float:
    """That at least one of so many dice shows a 1."""
    return float(1 - (1 - faces.count(_ONE) / len(faces)) ** dice)


@lru_cache(maxsize=2048)
def success_chances(
    faces: tuple[int, ...], dice: int, rerolls: int, ones: int = 0, extra_dice: int = 0
) -> tuple[float, ...]:
    """By total needed, from 0 to one more than the dice can reach: the chance to reach it with the best choices.

    ``rerolls``: the most dice that may be rerolled, once. ``ones``: charms that reroll the ones and do nothing else for
    the total. ``extra_dice``: charms that roll one more die besides.

    >>> success_chances((1, 2), 1, 0)
    (1.0, 1.0, 0.5, 0.0)
    >>> success_chances((1, 2), 1, 1)
    (1.0, 1.0, 0.75, 0.0)
    """
    most = max(faces) * min(MOST_DICE, dice + extra_dice)
    reached = [[1.0 if total >= needed else 0.0 for needed in range(most + 2)] for total in range(most + 1)]
    charms = (_REROLL,) * ones + (_EXTRA_DIE,) * extra_dice
    chances = Odds(faces, reached, rerolls, {}).rolling(dice, charms)
    return tuple(min(1.0, chance) for chance in chances)


def counted(charms: Iterable[Benefit], most: int) -> Charms:
    """The charms that matter most to the dice, an extra die first: further ones hardly ever find another 1."""
    best_first = sorted(charms, key=lambda benefit: benefit != _EXTRA_DIE)
    return tuple(sorted(best_first[:most]))


class Odds:
    """What throws are worth while there is a choice to come, in one challenge.

    ``payoffs``: by final total of the dice, what it is worth; totals beyond the list's end are worth what the last is.
    ``rerolls``: the most dice that the track rerolls. ``benefits``: what a coin or a card is worth, in every question.
    """

    def __init__(
        self,
        faces: tuple[int, ...],
        payoffs: Sequence[Worth],
        rerolls: int,
        benefits: Mapping[Benefit, float],
    ) -> None:
        self._faces = faces
        self._payoffs = payoffs
        self._rerolls = rerolls
        self._benefits = benefits
        self._rolled: dict[tuple[Throw, Charms, bool], Worth] = {}
        self._settled: dict[tuple[Throw, Charms], Worth] = {}
        self._rerolled: dict[tuple[Throw, Charms, int], Worth] = {}
        self._without_ones: dict[tuple[Throw, Charms, int, bool], Worth] = {}
        self._mixed: dict[tuple[int, int], Worth] = {}

    def rolling(self, dice: int, charms: Charms) -> Worth:
        """Before so many dice are rolled."""
        return _mean(
            (chance, self._just_rolled(throw, _ONE in throw, charms, may_reroll=True))
            for throw, chance in throws(self._faces, dice)
        )

    def declining(self, throw: Throw, charms: Charms, *, may_reroll: bool) -> Worth:
        """Without a charm now, though dice show a 1."""
        return self._before_rerolls(throw, charms) if may_reroll else self._payoff(sum(throw))

    def using(self, throw: Throw, charms: Charms, used: Charms, *, may_reroll: bool) -> Worth:
        """Using some of the charms: extra dice are rolled first, then all dice that show a 1 (RL-19)."""
        left = _without(charms, used)
        extra = min(used.count(_EXTRA_DIE), MOST_DICE - len(throw))
        worth = _mean(
            (chance, self._ones_again((*throw, *more), left, may_reroll)) for more, chance in throws(self._faces, extra)
        )
        benefit = sum(self._benefits.get(charm, 0.0) for charm in used)
        return [entry + benefit for entry in worth] if benefit else worth

    def rerolling(self, throw: Throw, charms: Charms, dice: int) -> Worth:
        """Rerolling the lowest dice, so many, by the track. To reroll a higher die instead is never better."""
        kept = throw[dice:]
        if not charms:
            return self._total_of(sum(kept), dice)
        key = (kept, charms, dice)
        if key not in self._rerolled:
            self._rerolled[key] = self._rolled_to(kept, charms, dice, may_reroll=False)
        return self._rerolled[key]

    def _rolled_to(self, kept: Throw, charms: Charms, dice: int, *, may_reroll: bool) -> Worth:
        """So many dice rolled to those kept."""
        return _mean(
            (chance, self._just_rolled(_joined(kept, again), _ONE in again, charms, may_reroll=may_reroll))
            for again, chance in throws(self._faces, dice)
        )

    def _just_rolled(self, throw: Throw, shows_one: bool, charms: Charms, *, may_reroll: bool) -> Worth:
        if not (shows_one and charms):
            return self.declining(throw, charms, may_reroll=may_reroll)
        key = (throw, charms, may_reroll)
        if key not in self._rolled:
            choices = [self.declining(throw, charms, may_reroll=may_reroll)]
            choices += [self.using(throw, charms, used, may_reroll=may_reroll) for used in choices_of(charms)]
            self._rolled[key] = list(map(max, *choices))
        return self._rolled[key]

    def _ones_again(self, throw: Throw, charms: Charms, may_reroll: bool) -> Worth:
        kept = tuple(sorted(die for die in throw if die != _ONE))
        key = (kept, charms, len(throw) - len(kept), may_reroll)
        if key not in self._without_ones:
            self._without_ones[key] = self._rolled_to(kept, charms, len(throw) - len(kept), may_reroll=may_reroll)
        return self._without_ones[key]

    def _before_rerolls(self, throw: Throw, charms: Charms) -> Worth:
        most = min(self._rerolls, len(throw))
        if most == 0:
            return self._payoff(sum(throw))
        key = (throw, charms)
        if key not in self._settled:
            choices = [self._payoff(sum(throw))]
            choices += [self.rerolling(throw, charms, dice) for dice in range(1, most + 1)]
            self._settled[key] = list(map(max, *choices))
        return self._settled[key]

    def _total_of(self, kept: int, dice: int) -> Worth:
        key = (kept, dice)
        if key not in self._mixed:
            self._mixed[key] = _mean(
                (chance, self._payoff(kept + total)) for total, chance in totals(self._faces, dice)
            )
        return self._mixed[key]

    def _payoff(self, total: int) -> Worth:
        return self._payoffs[min(total, len(self._payoffs) - 1)]


@cache
def choices_of(charms: Charms) -> tuple[Charms, ...]:
    """Every choice of at least one charm; charms that are alike are one choice.

    >>> choices_of(("coin", "coin", "extra_die"))
    (('coin',), ('coin', 'coin'), ('coin', 'coin', 'extra_die'), ('coin', 'extra_die'), ('extra_die',))
    """
    chosen = {
        tuple(c for c, take in zip(charms, takes, strict=True) if take) for takes in product((0, 1), repeat=len(charms))
    }
    return tuple(sorted(chosen - {()}))


def _without(charms: Charms, used: Charms) -> Charms:
    left = list(charms)
    for charm in used:
        left.remove(charm)
    return tuple(left)


def _joined(kept: Throw, again: Throw) -> Throw:
    return tuple(sorted(kept + again))


def _mean(outcomes: Iterable[tuple[float, Worth]]) -> Worth:
    """The mean of vectors, by their chances."""
    chances: tuple[float, ...]
    worths: tuple[Worth, ...]
    chances, worths = zip(*outcomes, strict=True)
    if len(chances) == 1:
        return worths[0]
    return [sum(map(mul, chances, column)) for column in zip(*worths, strict=True)]
