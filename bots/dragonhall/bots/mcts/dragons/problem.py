"""Dragons as a search sees it: worlds, what seats can tell of them, what they may do, and how worlds end.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import final

from librt.random import Random
from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons.guide import Guide
from dragonhall.bots.mcts.dragons.hands import Hands
from dragonhall.bots.mcts.dragons.piles import Piles
from dragonhall.bots.mcts.dragons.prospects import Prospects
from dragonhall.bots.mcts.dragons.worth import Appraisal
from dragonhall.bots.mcts.problem import NONE, Problem, mix
from dragonhall.rules.dragons.belief import Belief
from dragonhall.rules.dragons.facts import FACES, TOTAL_CARDS
from dragonhall.rules.dragons.state import Deal, State


@final
class Manner:
    """What can be left out, to measure what it is good for."""

    def __init__(self, evaluation: bool, playouts: bool, priors: bool, weights: bool) -> None:
        self.evaluation: bool = evaluation
        """Worlds are weighed at the year's end; else they are played to the end."""
        self.playouts: bool = playouts
        """The guide plays on; else chance does."""
        self.priors: bool = priors
        """The guide says which actions are promising; else all are alike."""
        self.weights: bool = weights
        """Cards in other hands are as likely as they are plausible; else all are alike."""


@final
class DragonsProblem(Problem):
    """One decision of one seat."""

    def __init__(self, belief: Belief, choosers: i64, counts: vec[i64], prospects: Prospects, manner: Manner) -> None:
        """``choosers``: bit mask of the seats that have played a card this year. ``counts``: cards of each face in the
        component set."""
        known = belief.state
        super().__init__(int(known.seats))
        self._belief = belief
        self._known: State = known
        self._counts: vec[i64] = counts
        self._manner: Manner = manner
        self._order: vec[i64] = known.deal.order[:]
        self._deal: Deal = known.deal.with_order(self._order)
        self._rest: vec[i64] = belief.unseen[:]
        """The faces of all cards that are unknown, in any order."""
        self._holders: vec[i64] = vec[i64]()
        """Seats whose held card is unknown."""
        self._places: vec[i64] = vec[i64]()
        """Unknown positions that are looked at in a world: those of these cards, then those of the decks."""
        self.world: State = known
        """The world as it is now: a full state as far as this year goes, all that is looked at."""
        self._year: i64 = known.year
        self.piles: Piles = Piles(Appraisal(known.seats))
        self._first_piles: Piles = Piles(self.piles.appraisal)
        self._guide: Guide = Guide(self.piles)
        self.prospects: Prospects = prospects
        self._find_places(belief.unknown)
        self._look_at(known)
        self._first_piles.become(self.piles)
        self._hands: Hands = Hands(self.piles.appraisal, choosers if manner.weights else 0)

    def _find_places(self, unknown: vec[i64]) -> None:
        for seat in range(self.seats):
            position = self._known.held[seat]
            if position != NONE and position in unknown:
                self._holders = append(self._holders, seat)
                self._places = append(self._places, position)
        last: i64 = self._known.deck_end if self._manner.evaluation else TOTAL_CARDS
        for position in unknown:
            if position < last and position not in self._places:
                self._places = append(self._places, position)

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
        self.piles.appraisal.appraise(
            owned, unseen, lying, world.deck_end - world.next_card, TOTAL_CARDS - world.deck_end
        )
        self._lay_out(world)

    def _lay_out(self, world: State) -> None:
        self.piles.clear()
        for pile in range(world.seats):
            card = world.pile_top[pile]
            while card >= 0:
                self.piles.lay(pile, self._order[card])
                card = world.below[card]

    def begin(self, rng: Random) -> None:
        rest, places = self._rest, self._places
        holders: i64 = len(self._holders)
        left: i64 = len(rest)
        for place in range(i64(len(places))):
            if place < holders:
                chosen = self._hands.pick(self._holders[place], rest, place, rng)
            else:
                chosen = place + rng.randrange(left - place)
            face = rest[chosen]
            rest[chosen] = rest[place]
            rest[place] = face
            self._order[places[place]] = face
        self.world = self._known.copy()
        self.world.deal = self._deal
        self.piles.become(self._first_piles)

    def state(self) -> State:
        return self._belief.sample(Random(0))

    def actor(self) -> i64:
        return NONE if self._is_far_enough() else self.world.active

    def _is_far_enough(self) -> bool:
        return self.world.active == NONE or (self.world.year != self._year and self._manner.evaluation)

    def key(self) -> i64:
        """What lies where, who has claimed, how many cards the deck has, and the cards that the actor has in hand."""
        world = self.world
        key = mix(mix(self.piles.key, world.deck_end - world.next_card), world.year * 8 + world.active)
        for pile in range(self.seats):
            key = mix(key, world.pile_owner[pile] + 1)
        if world.deal.hidden_card:
            key = mix(key, self._order[world.held[world.active]])
        return mix(key, NONE if world.drawn == NONE else self._order[world.drawn]) | 1

    def candidates(self) -> None:
        self._guide.weigh(self.world)
        self.codes = self._guide.codes
        self.priors = self._guide.priors
        if not self._manner.priors:
            self.priors = vec[float]([1.0] * len(self.codes))

    def apply(self, code: i64, rng: Random) -> None:
        self._carry_out(code)

    def _carry_out(self, code: i64) -> None:
        world = self.world
        year = world.year
        if world.drawn != NONE:
            card, pile = world.drawn, code
            if code >= self.seats:
                card, pile = world.held[world.active], code - self.seats
            self.piles.lay(pile, self._order[card])
        world.carry_out(code, None)
        if world.year != year and not self._is_far_enough():
            self._look_at(world)

    def finish(self, rng: Random) -> None:
        while not self._is_far_enough():
            if self._manner.playouts:
                self._carry_out(self._guide.choose(self.world))
            else:
                self.world.play_out(rng, 1)
        world, prospects = self.world, self.prospects
        if world.active == NONE:
            self.settle(prospects.standings(world.treasure), 1.0)
        else:
            prospects.estimate(world.treasure, TOTAL_CARDS - self._known.deck_end, world.active)
            self.expect(prospects.chances, 1.0)
