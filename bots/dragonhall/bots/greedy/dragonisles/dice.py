"""A challenge under way: treasures for a rolled 1, rerolls and boosts, by exact odds of the dice as they lie."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from dragonhall.bots.greedy.dragonisles.hand import hand_of
from dragonhall.bots.greedy.dragonisles.odds import Charms, Odds, choices_of, counted
from dragonhall.bots.greedy.dragonisles.outlook import BOOST, Outlook
from dragonhall.rules.dragonisles.facts import MOST_DICE, Benefit
from dragonhall.rules.dragonisles.moves import (
    Action,
    BoostDecision,
    Decline,
    OnesDecision,
    Reroll,
    RerollDecision,
    UsePotion,
    UseTreasures,
)
from dragonhall.rules.dragonisles.view import ChallengeView

MOST_CHARMS: Final = 3
"""Treasures for a rolled 1 that are reckoned with, now and later in the challenge."""


class DiceInPlay:
    """The choices with dice on the table."""

    def __init__(self, outlook: Outlook, challenge: ChallengeView) -> None:
        self._outlook = outlook
        self._table = outlook.appraisal.table
        self._challenge = challenge
        self._boost = outlook.stock.potions["boost"]

    @cached_property
    def _success(self) -> float:
        encounter = self._table.components.encounters[self._challenge.encounter]
        target = encounter.target(self._challenge.approach)
        assert target is not None, "an encounter is challenged by an approach that it has a target for"
        place, cards = self._challenge.place, hand_of(self._challenge.cards)
        left = self._outlook.left(place, self._challenge.approach, cards, self._outlook.hand)
        return self._outlook.appraisal.success(encounter, target) + left

    @cached_property
    def _failure(self) -> float:
        hand = self._outlook.hand + hand_of(self._challenge.cards)
        return self._outlook.planner.worth(hand) + self._outlook.stock.potion

    def _worth(self, missing: int) -> float:
        """What a total is worth that is so much too low, or less than nothing too low."""
        boosts = max(0, -(-missing // BOOST))
        if boosts > self._table.potions("boost"):
            return self._failure
        return max(self._failure, self._success - boosts * self._boost)

    @cached_property
    def _odds(self) -> Odds:
        needed = self._challenge.target - self._challenge.bonus - BOOST * self._challenge.boosts
        faces = self._table.components.dice_faces
        payoffs = [[self._worth(needed - total)] for total in range(MOST_DICE * max(faces) + 1)]
        benefits: dict[Benefit, float] = {b: self._outlook.stock.benefit(b) for b in ("coin", "draw_1")}
        return Odds(faces, payoffs, self._table.track("rerolls"), benefits)

    def best_use(self, decision: OnesDecision) -> Action:
        """Treasures for a rolled 1, or none. With more than are reckoned with, all the others go along."""
        kinds = sorted(decision.treasures, key=lambda kind: self._benefit(kind) != "extra_die")
        kinds, others = kinds[:MOST_CHARMS], kinds[MOST_CHARMS:]
        charms = tuple(sorted(map(self._benefit, kinds)))
        throw, may_reroll = self._challenge.dice, not self._challenge.reroll_decided
        worths = {used: self._odds.using(throw, charms, used, may_reroll=may_reroll)[0] for used in choices_of(charms)}
        used = max(worths, key=worths.__getitem__)
        if worths[used] <= self._odds.declining(throw, charms, may_reroll=may_reroll)[0]:
            return Decline()
        return UseTreasures(tuple(sorted([*self._with(used, kinds), *others])))

    def _with(self, benefits: Charms, kinds: list[int]) -> list[int]:
        """Treasures with some benefits."""
        found: list[int] = []
        for benefit in benefits:
            found.append(next(kind for kind in kinds if self._benefit(kind) == benefit))
            kinds.remove(found[-1])
        return found

    def _benefit(self, kind: int) -> Benefit:
        benefit = self._table.components.treasures[kind].benefit
        assert benefit is not None, "only items are used for a rolled 1"
        return benefit

    def best_reroll(self, decision: RerollDecision) -> Action:
        """Of dice by the rerolls track: the lowest ones, or none."""
        throw, charms = self._challenge.dice, counted(self._table.charms(), MOST_CHARMS)
        best, dice = self._worth(self._challenge.target - self._challenge.total), 0
        for more in range(1, min(decision.most, len(throw)) + 1):
            worth = self._odds.rerolling(throw, charms, more)[0]
            if worth > best:
                best, dice = worth, more
        return Reroll(throw[:dice]) if dice else Decline()

    def best_boost(self, decision: BoostDecision) -> Action:
        """A boost if they make the challenge succeed and that is worth them all."""
        missing = decision.target - decision.total
        if missing <= 0 or self._worth(missing) <= self._failure:
            return Decline()
        return UsePotion("boost", self._table.own.character == "monk")
