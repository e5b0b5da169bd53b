"""Dragons as a search sees it: worlds, what seats can tell of them, what they may do, and how worlds end.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons.guide import Guide
from dragonhall.bots.mcts.dragons.piles import Piles
from dragonhall.bots.mcts.dragons.prospects import Prospects
from dragonhall.bots.mcts.dragons.worth import Appraisal
from dragonhall.bots.mcts.problem import NONE, Problem, mix
from dragonhall.rules.dragons.belief import Belief
from dragonhall.rules.dragons.facts import FACES, TOTAL_CARDS
from dragonhall.rules.dragons.state import State

WIN_WEIGHT: Final = 0.9
"""How much of a seat's utility is its share of the win; the rest is its rank."""


@final
class DragonsProblem(Problem):
    """One decision of one seat."""

    def __init__(self, belief: Belief, counts: vec[i64], prospects: Prospects, to_the_end: bool) -> None:
        """``counts``: cards of each face in the component set. ``to_the_end``: worlds are not weighed early."""
        known = belief.state
        super().__init__(int(known.seats))
        self._belief = belief
        self._known: State = known
        self._counts: vec[i64] = counts
        self._to_the_end: bool = to_the_end
        self._order: vec[i64] = known.deal.order[:]
        self._deal = known.deal.with_order(self._order)
        self._places: vec[i64] = belief.unknown
        self._rest: vec[i64] = belief.unseen[:]
        self._dealt: i64 = 0
        """How many of the unknown places get a card in each world: those that are looked at."""
        self._world: State = known
        self._year: i64 = known.year
        self._piles: Piles = Piles(Appraisal(known.seats))
        self._first_piles: Piles = Piles(self._piles.appraisal)
        self._guide: Guide = Guide(self._piles)
        self._prospects: Prospects = prospects
        self._count_places()
        self._look_at(known)
        self._first_piles.become(self._piles)

    def _count_places(self) -> None:
        last: i64 = TOTAL_CARDS if self._to_the_end else self._known.deck_end
        while self._dealt < len(self._places) and self._places[self._dealt] < last:
            self._dealt += 1

    def _look_at(self, world: State) -> None:
        """What cards are worth from here on, and where the year's cards lie."""
        owned = world.treasure[:]
        lying = vec[i64]([0] * FACES)
        unseen = self._counts[:]
        for place in range(i64(len(owned))):
            unseen[place % FACES] -= owned[place]
        for pile in range(world.seats):
            owner = world.pile_owner[pile]
            card = world.pile_top[pile]
            while card >= 0:
                face = self._order[card]
                unseen[face] -= 1
                if owner >= 0:
                    owned[owner * FACES + face] += 1
                else:
                    lying[face] += 1
                card = world.below[card]
        self._piles.appraisal.appraise(
            owned, unseen, lying, world.deck_end - world.next_card, TOTAL_CARDS - world.deck_end
        )
        self._lay_out(world)

    def _lay_out(self, world: State) -> None:
        self._piles.clear()
        for pile in range(world.seats):
            card = world.pile_top[pile]
            while card >= 0:
                self._piles.lay(pile, self._order[card])
                card = world.below[card]

    def begin(self, rng: Random) -> None:
        rest, places = self._rest, self._places
        left: i64 = len(rest)
        for place in range(self._dealt):
            chosen = place + rng.randrange(left)
            left -= 1
            face = rest[chosen]
            rest[chosen] = rest[place]
            rest[place] = face
            self._order[places[place]] = face
        world = self._known.copy()
        world.deal = self._deal
        self._world = world
        self._piles.become(self._first_piles)

    def state(self) -> State:
        return self._belief.sample(Random(0))

    def actor(self) -> i64:
        return NONE if self._is_far_enough() else self._world.active

    def _is_far_enough(self) -> bool:
        return self._world.active == NONE or (self._world.year != self._year and not self._to_the_end)

    def key(self) -> i64:
        """What lies where, who has claimed, how many cards the deck has, and the cards that the actor has in hand."""
        world = self._world
        key = mix(mix(self._piles.key, world.deck_end - world.next_card), world.year * 8 + world.active)
        for pile in range(self.seats):
            key = mix(key, world.pile_owner[pile] + 1)
        if world.deal.hidden_card:
            key = mix(key, self._order[world.held[world.active]])
        return mix(key, NONE if world.drawn == NONE else self._order[world.drawn]) | 1

    def candidates(self) -> None:
        self._guide.weigh(self._world)
        self.codes = self._guide.codes
        self.priors = self._guide.priors

    def apply(self, code: i64, rng: Random) -> None:
        self._carry_out(code)

    def _carry_out(self, code: i64) -> None:
        world = self._world
        year = world.year
        if world.drawn != NONE:
            card, pile = world.drawn, code
            if code >= self.seats:
                card, pile = world.held[world.active], code - self.seats
            self._piles.lay(pile, self._order[card])
        world.carry_out(code, None)
        if world.year != year and not self._is_far_enough():
            self._look_at(world)

    def finish(self, rng: Random) -> None:
        while not self._is_far_enough():
            self._carry_out(self._guide.choose(self._world))
        world, prospects = self._world, self._prospects
        if world.active == NONE:
            prospects.settle(world.treasure)
        else:
            prospects.estimate(world.treasure, TOTAL_CARDS - self._known.deck_end, world.active)
        for seat in range(self.seats):
            rank = prospects.ranks[seat]
            self.ranks[seat] = rank
            self.utilities[seat] = WIN_WEIGHT * prospects.chances[seat] + (1.0 - WIN_WEIGHT) * (
                float(self.seats) - rank
            ) / float(self.seats - 1)
