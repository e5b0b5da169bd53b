"""Chances of a challenge, looked up: what greedy's exact odds say, laid out in one table.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.greedy.dragonisles.odds import success_chances
from dragonhall.rules.dragonisles.facts import MOST_DICE

_NEEDED: Final = 64
"""Totals that are told apart; the highest dice show 54."""
_DICE: Final = MOST_DICE + 1
_REROLLS: Final = 7
"""Rerolls that are told apart: none to one for each die."""

CHARM_SETS: Final = 5
"""Treasures for a rolled 1 that are told apart: how much they do in one challenge soon hardly grows."""
_ONES: Final = (0, 1, 0, 2, 1)
_EXTRA: Final = (0, 0, 1, 0, 1)


def charm_set(ones: i64, extra_dice: i64) -> i64:
    """The set that is nearest to so many treasures that reroll ones, and so many that also roll an extra die."""
    if extra_dice == 0:
        return 0 if ones == 0 else 1 if ones == 1 else 3
    return 2 if ones == 0 and extra_dice == 1 else 4


@final
class Odds:
    """The chances to reach a total with the faces of one component set; filled in as they are asked for."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self._faces = faces
        self._chances: vec[float] = vec[float]([0.0] * (CHARM_SETS * _REROLLS * _DICE * _NEEDED))
        self._known: vec[i64] = vec[i64]([0] * (CHARM_SETS * _REROLLS))

    def row(self, charms: i64, rerolls: i64) -> i64:
        """Where the chances with these treasures and so many rerolls begin (see `chance`)."""
        row = charms * _REROLLS + (rerolls if rerolls < MOST_DICE else MOST_DICE)
        if not self._known[row]:
            self._fill(row)
        return row

    def chance(self, row: i64, dice: i64, needed: i64) -> float:
        """The chance of 0 to 6 dice to come to a total of ``needed`` at least, with the best choices on the way."""
        if needed <= 0:
            return 1.0
        return self._chances[(row * _DICE + dice) * _NEEDED + needed] if needed < _NEEDED else 0.0

    def _fill(self, row: i64) -> None:
        charms, rerolls = row // _REROLLS, row % _REROLLS
        for dice in range(1, _DICE):
            chances = success_chances(self._faces, dice, int(rerolls), _ONES[charms], _EXTRA[charms])
            for needed in range(len(chances)):
                self._chances[(row * _DICE + dice) * _NEEDED + needed] = chances[needed]
        self._known[row] = 1


_KEPT: Final[dict[tuple[int, ...], Odds]] = {}


def odds_of(faces: tuple[int, ...]) -> Odds:
    """The odds of a set of faces; kept, since they take a while to work out."""
    odds = _KEPT.get(faces)
    if odds is None:
        odds = _KEPT[faces] = Odds(faces)
    return odds
