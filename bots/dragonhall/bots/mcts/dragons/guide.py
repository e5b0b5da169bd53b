"""The guide: a policy for every seat of a simulated world. It chooses as greedy does, a thousand times as fast.

Hot: one source that CPython runs and mypyc compiles. It looks at the own held card and at what all see, even where it
plays a seat whose card the search made up.
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons.piles import Piles
from dragonhall.bots.mcts.dragons.race import Race
from dragonhall.rules.dragons.moves import DRAW, FIRST_CLAIM
from dragonhall.rules.dragons.state import NONE, State

_WARMTH: Final = 1.5
"""Points that an action may be worse for its prior to be e times as small."""
_FLOOR: Final = 0.02
"""The least prior of an action beside the best one's 1."""


@final
class Guide:
    """Weighs the actions of the seat whose turn it is."""

    def __init__(self, piles: Piles) -> None:
        self._piles: Piles = piles
        self._race: Race = Race(piles)
        self._before: vec[float] = vec[float]([0.0] * piles.seats)
        self.codes: vec[i64] = vec[i64]()
        """What `weigh` found: the legal actions."""
        self.scores: vec[float] = vec[float]()
        """Of each of these: points."""
        self.priors: vec[float] = vec[float]()
        """Of each of these: how promising it is, the best one 1."""

    def weigh(self, world: State) -> None:
        """Every legal action of the seat whose turn it is."""
        self.codes = vec[i64]()
        self.scores = vec[float]()
        if world.drawn != NONE:
            self._weigh_placements(world)
        else:
            self._weigh_turn(world)
        highest = self.scores[0]
        for score in self.scores:
            highest = max(highest, score)
        self.priors = vec[float]()
        for score in self.scores:
            self.priors = append(self.priors, _FLOOR + exp((score - highest) / _WARMTH))

    def choose(self, world: State) -> i64:
        """The code of the action that is worth most, or about that."""
        if world.drawn == NONE:
            return self._choose_turn(world)
        self.codes = vec[i64]()
        self.scores = vec[float]()
        self._weigh_placements(world)
        best: i64 = 0
        for place in range(i64(len(self.codes))):
            if self.scores[place] > self.scores[best]:
                best = place
        return self.codes[best]

    def _choose_turn(self, world: State) -> i64:
        """Claims its best pile, or draws."""
        seat = world.active
        best: i64 = NONE
        for pile in range(world.seats):
            if world.free_piles >> pile & 1 and (best == NONE or self._worth(seat, pile) > self._worth(seat, best)):
                best = pile
        if world.next_card == world.deck_end or self._claim(world, best) > self._draw(world):
            return FIRST_CLAIM + best
        return DRAW

    def _worth(self, seat: i64, pile: i64) -> float:
        return self._piles.worth[seat * self._piles.seats + pile]

    def _weigh_turn(self, world: State) -> None:
        if world.next_card < world.deck_end:
            self._note(DRAW, self._draw(world))
        for pile in range(world.seats):
            if world.free_piles >> pile & 1:
                self._note(FIRST_CLAIM + pile, self._claim(world, pile))

    def _note(self, code: i64, score: float) -> None:
        self.codes = append(self.codes, code)
        self.scores = append(self.scores, score)

    def _draw(self, world: State) -> float:
        deck = world.deck_end - world.next_card
        seat = world.active
        return self._race.run(seat, world.waiting_seats, world.free_piles, deck, True, seat, 0.0)

    def _claim(self, world: State, pile: i64) -> float:
        deck = world.deck_end - world.next_card
        seat = world.active
        waiting, free = world.waiting_seats ^ 1 << seat, world.free_piles ^ 1 << pile
        return self._race.run(seat, waiting, free, deck, False, seat, self._worth(seat, pile))

    def _weigh_placements(self, world: State) -> None:
        seat, order = world.active, world.deal.order
        drawn = order[world.drawn]
        if not world.deal.hidden_card:
            self._weigh_card(world, drawn, 0, 0.0)
            return
        held = order[world.held[seat]]
        appraisal = self._piles.appraisal
        self._weigh_card(world, drawn, 0, appraisal.card_value(seat, held))
        self._weigh_card(world, held, world.seats, appraisal.card_value(seat, drawn))

    def _weigh_card(self, world: State, face: i64, first_code: i64, kept: float) -> None:
        """Laying a card on each of the piles; what is kept in hand is worth so much."""
        for pile in range(world.seats):
            if world.free_piles >> pile & 1:
                self._note(first_code + pile, kept + self._place(world, pile, face))

    def _place(self, world: State, pile: i64, face: i64) -> float:
        piles, seats, me = self._piles, world.seats, world.active
        worth = piles.worth
        for seat in range(seats):
            self._before[seat] = worth[seat * seats + pile]
            if world.waiting_seats >> seat & 1:
                worth[seat * seats + pile] += piles.gain(seat, pile, face)
        deck = world.deck_end - world.next_card
        following = me + 1 if me + 1 < seats else i64(0)
        score = self._race.run(following, world.waiting_seats, world.free_piles, deck, False, me, 0.0)
        for seat in range(seats):
            worth[seat * seats + pile] = self._before[seat]
        return score
