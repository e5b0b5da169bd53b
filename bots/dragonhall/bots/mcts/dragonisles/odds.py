"""Chances of a challenge, looked up: what greedy's exact odds say, laid out in one table.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.bots.greedy.dragonisles.odds import success_chances
from dragonhall.rules.dragonisles.facts import MOST_DICE
from dragonhall.rules.dragonisles.setting import NONE
from dragonhall.rules.dragonisles.state import BOOST_VALUE

HOPELESS: Final = 0.03
"""A challenge with a lower chance of success is none."""
DICE: Final = MOST_DICE + 1
"""Numbers of dice: 0 to 6."""
NEEDED: Final = 96
"""Totals that are told apart. No target is above 40, and six dice that are rerolled show 54 at most."""
_REROLLS: Final = 7
"""Rerolls that are told apart: none to one for each die."""
_BOOSTS: Final = NEEDED // BOOST_VALUE + 1
"""Boosts that are told apart: with more of them nothing is missing."""

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
    """The chances to reach a total with the faces of one component set; filled in as they are asked for.

    A *page* has the chances with one charm set, so many rerolls, and so many boosts.
    """

    def __init__(self, faces: tuple[int, ...]) -> None:
        self._faces = faces
        self._pages: vec[i64] = vec[i64]([NONE] * (CHARM_SETS * _REROLLS * _BOOSTS))
        self._filled: i64 = 0
        self.chances: vec[float] = vec[float]()
        """The chance of 0 to 6 dice to come to a total at least, with all boosts that it takes and with the best
        choices on the way, at ``DICE * (page + needed) + dice``."""
        self.spent: vec[float] = vec[float]()
        """How many boosts that takes on average, at the same places."""
        self.fewest: vec[i64] = vec[i64]()
        """The fewest dice that are not `HOPELESS`, at ``page + needed``; more than there are if all of them are."""

    def page(self, charms: i64, rerolls: i64, boosts: i64) -> i64:
        """Where the chances with these treasures, so many rerolls, and up to so many boosts begin."""
        row = charms * _REROLLS + (rerolls if rerolls < MOST_DICE else MOST_DICE)
        at = row * _BOOSTS + (boosts if boosts < _BOOSTS else _BOOSTS - 1)
        if self._pages[at] == NONE:
            self._pages[at] = self._fill(row, at - row * _BOOSTS)
        return self._pages[at]

    def _fill(self, row: i64, boosts: i64) -> i64:
        """Adds a page."""
        if boosts == 0:
            return self._fill_without_boosts(row)
        plain = self._pages[row * _BOOSTS]
        if plain == NONE:
            plain = self._pages[row * _BOOSTS] = self._fill_without_boosts(row)
        page = self._blank_page()
        for needed in range(i64(NEEDED)):
            for dice in range(i64(1), i64(DICE)):
                self._boost(DICE * (page + needed) + dice, plain, needed, dice, boosts)
            self._count_fewest(page + needed)
        return page

    def _boost(self, at: i64, plain: i64, needed: i64, dice: i64, boosts: i64) -> None:
        """Each boost is used if it is the one that is missing."""
        chance = self.chances[DICE * (plain + needed) + dice]
        spent = 0.0
        for used in range(i64(1), boosts + 1):
            left = needed - BOOST_VALUE * used
            more = self.chances[DICE * (plain + (left if left > 0 else 0)) + dice] - chance
            chance += more
            spent += more * float(used)
        self.chances[at] = chance
        self.spent[at] = spent

    def _fill_without_boosts(self, row: i64) -> i64:
        page = self._blank_page()
        charms, rerolls = row // _REROLLS, row % _REROLLS
        for dice in range(1, DICE):
            chances = success_chances(self._faces, dice, int(rerolls), _ONES[charms], _EXTRA[charms])
            self.chances[DICE * page + dice] = 1.0
            for needed in range(1, len(chances)):
                self.chances[DICE * (page + needed) + dice] = chances[needed]
        for needed in range(NEEDED):
            self._count_fewest(page + needed)
        return page

    def _blank_page(self) -> i64:
        """A page on which all is hopeless."""
        page = self._filled
        for _ in range(NEEDED):
            self.fewest = append(self.fewest, DICE)
            for _ in range(DICE):
                self.chances = append(self.chances, 0.0)
                self.spent = append(self.spent, 0.0)
        self._filled = page + NEEDED
        return page

    def _count_fewest(self, at: i64) -> None:
        dice: i64 = 1
        while dice < DICE and self.chances[DICE * at + dice] < HOPELESS:
            dice += 1
        self.fewest[at] = dice


_KEPT: Final[dict[tuple[int, ...], Odds]] = {}


def odds_of(faces: tuple[int, ...]) -> Odds:
    """The odds of a set of faces; kept, since they take a while to work out."""
    odds = _KEPT.get(faces)
    if odds is None:
        odds = _KEPT[faces] = Odds(faces)
    return odds
