"""The greedy policy for Dragons: it forecasts the year for each of its actions and takes the best.

What a pile is worth comes from `value`, what others will do from `race`, and what there is from `knowledge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from dragonhall.bots.greedy.dragons.knowledge import Position, exchanged, laying, position_of
from dragonhall.bots.greedy.dragons.race import Race
from dragonhall.bots.greedy.dragons.value import NOTHING, Valuation, Weights
from dragonhall.bots.policy import Chair
from dragonhall.rules.dragons.moves import Action, Claim, Decision, Place, PlacementDecision, Play
from dragonhall.rules.dragons.view import View


@dataclass(frozen=True)
class Temper:
    """How the policy weighs what it knows. Found by having variants play each other."""

    weights: Weights = field(default_factory=Weights)
    greed: float = 1.0
    """How many times an even share a pile must be worth before a seat is expected to claim it."""
    spite: float = 0.3
    """What the others bring home on average counts against an action, times this."""
    bluff: float = 0.3
    """With a hidden card: plays that are worth so little less than the best are as good, and luck decides."""


class GreedyDragons:
    """Plays Dragons by a one-ply forecast. Fulfils `Policy`."""

    def __init__(self, chair: Chair, rng: Random, temper: Temper | None = None) -> None:
        self._chair = chair
        self._rng = rng
        self._temper = temper or Temper()

    def choose(self, view: View, seen: Sequence[Any], decision: Decision, actions: Sequence[Action]) -> int:
        """The action whose forecast is best."""
        if len(actions) == 1:
            return 0
        position = position_of(self._chair, view, seen)
        if isinstance(decision, PlacementDecision):
            return self._place(position, view, actions)
        outlook = Outlook(position, self._temper)
        return _best([outlook.claim(a.pile) if isinstance(a, Claim) else outlook.draw() for a in actions])

    def _place(self, position: Position, view: View, actions: Sequence[Action]) -> int:
        assert view.drawn is not None, "a seat sees the card that it has drawn"
        if view.held is None:
            outlook = Outlook(laying(position, view.drawn), self._temper)
            return _best([outlook.place(a.pile) for a in actions if isinstance(a, Place)])
        outlooks = {
            "drawn": Outlook(laying(position, view.drawn), self._temper),
            "held": Outlook(laying(exchanged(position, view.held, view.drawn), view.held), self._temper),
        }
        values = [outlooks[a.card].place(a.pile) for a in actions if isinstance(a, Play)]
        good_enough = max(values) - self._temper.bluff
        return self._rng.choice([index for index, value in enumerate(values) if value >= good_enough])


class Outlook:
    """What each action is worth to the seat whose turn it is, in one position."""

    def __init__(self, position: Position, temper: Temper) -> None:
        self._position = position
        self._temper = temper
        self._valuation = Valuation(position, temper.weights)
        share = self._valuation.base_share
        self._worth = {
            seat: [self._valuation.worth(seat, pile, share) for pile in position.piles] for seat in position.waiting
        }
        self._card_worth = {seat: self._worth_of_card(seat) for seat in position.waiting}

    def _worth_of_card(self, seat: int) -> float:
        """What a card of the deck brings ``seat`` on average, if it brings home several."""
        cards = max(1, self._position.deck)
        with_deck = self._valuation.worth(seat, NOTHING, self._valuation.share_with(cards))
        without = self._valuation.worth(seat, NOTHING, self._valuation.base_share)
        return (with_deck - without) / cards

    def claim(self, pile: int) -> float:
        """For claiming ``pile`` now."""
        me, *others = self._position.waiting
        piles = [free for free in self._position.free_piles if free != pile]
        home = self._race(others, piles, self._position.deck).run()
        home[me] = self._worth[me][pile]
        return self._score(home)

    def draw(self) -> float:
        """For drawing a card."""
        race = self._race(self._position.waiting, self._position.free_piles, self._position.deck)
        return self._score(race.run_after_draw())

    def place(self, pile: int) -> float:
        """For laying the card at hand on ``pile``."""
        me, *others = self._position.waiting
        race = self._race([*others, me], self._position.free_piles, self._position.deck)
        grown = [a + b for a, b in zip(self._position.piles[pile], self._position.laid, strict=True)]
        for seat in self._position.waiting:
            worth = list(self._worth[seat])
            worth[pile] = self._valuation.worth(seat, grown, self._valuation.base_share)
            race.worth[seat] = worth
        return self._score(race.run())

    def _race(self, order: list[int], piles: list[int], deck: int) -> Race:
        return Race(order, piles, dict(self._worth), self._card_worth, deck, self._temper.greed)

    def _score(self, home: dict[int, float]) -> float:
        others = sum(worth for seat, worth in home.items() if seat != self._position.me)
        return home[self._position.me] - self._temper.spite * others / (self._position.seats - 1)


def _best(values: list[float]) -> int:
    return values.index(max(values))
