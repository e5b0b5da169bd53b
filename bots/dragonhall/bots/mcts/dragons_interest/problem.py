"""Dragon's Interest as a search sees it: worlds, what seats can tell of them, what they may do, and how worlds end.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons_interest.candidates import Candidates
from dragonhall.bots.mcts.dragons_interest.guide import Guide
from dragonhall.bots.mcts.dragons_interest.worlds import Worlds
from dragonhall.bots.mcts.dragons_interest.worth import Worth
from dragonhall.bots.mcts.problem import NONE, Problem, mix
from dragonhall.rules.dragons_interest import legal, rounds
from dragonhall.rules.dragons_interest.facts import TYPES
from dragonhall.rules.dragons_interest.moves import ACCEPT, ANSWER, AWARD, BID, COMMIT, INVADED, OFFER, OVER, TAKE
from dragonhall.rules.dragons_interest.scoring import scores
from dragonhall.rules.dragons_interest.state import State
from dragonhall.rules.masks import lowest


@final
class InterestProblem(Problem):
    """One decision of one seat."""

    def __init__(
        self,
        state: State,
        secretive: int,
        worlds: Worlds,
        guide: Guide,
        worth: Worth,
        without: frozenset[str] = frozenset(),
    ) -> None:
        """``state``: any one that fits; ``secretive``: a bit mask of the seats that have chosen in secret already.

        ``without``, for ablations: see `problem` in the package.
        """
        super().__init__(int(state.seats))
        self._world: State = state
        self._worlds: Worlds = worlds
        self._guide: Guide = guide
        self._worth: Worth = worth
        self._candidates: Candidates = Candidates(guide, "abstraction" in without)
        self._first_round: i64 = state.round
        self._secretive: i64 = secretive
        self._unsettled: i64 = 0
        """Bit mask: seats that have chosen in secret, and choose anew in this world, for nobody knows what."""
        self._has_priors: bool = "priors" not in without
        self._is_guided: bool = "guide" not in without
        self._estimates_early: bool = "evaluation" not in without
        self._is_decoupled: bool = "decoupling" not in without
        self._settles_secrets: bool = "secrets" in without

    def begin(self, rng: Random) -> None:
        self._world = self._worlds.draw(rng)
        self._guide.estimates.begin(self._world)
        self._unsettled = self._secretive
        while self._unsettled and self._settles_secrets:
            self._carry_out(legal.random_code(self._world, lowest(self._unsettled), rng))

    def state(self) -> State:
        return self._world

    def actor(self) -> i64:
        if self._unsettled:
            return lowest(self._unsettled)
        world = self._world
        return NONE if world.stage == OVER else lowest(world.waiting)

    def in_secret(self) -> bool:
        return self._world.stage == BID or self._world.stage == COMMIT or self._world.stage == INVADED

    def candidates(self) -> None:
        found = self._candidates
        found.find(self._world, self.actor())
        self.codes = found.codes
        self.priors = found.priors
        if not self._has_priors:
            for place in range(i64(len(self.priors))):
                self.priors[place] = 1.0

    def apply(self, code: i64, rng: Random) -> None:
        self._carry_out(code)
        while self._is_forced():
            self._carry_out(legal.random_code(self._world, lowest(self._world.waiting), rng))

    def _carry_out(self, code: i64) -> None:
        world = self._world
        if self._unsettled:
            seat = lowest(self._unsettled)
            world.answers[seat] = code
            self._unsettled ^= 1 << seat
            return
        if world.stage == ANSWER:
            self._guide.estimates.exchange(world, code == ACCEPT)
        rounds.carry_out(world, lowest(world.waiting), code, None)

    def _is_forced(self) -> bool:
        """Whether the actor has but one action, and nobody can choose otherwise."""
        world = self._world
        if self._unsettled or world.stage == OVER:
            return False
        seat = lowest(world.waiting)
        if world.stage == OFFER:
            return False
        if world.stage == COMMIT:
            return world.spendable(seat) == 0
        mask = legal.mask_of(world, seat)
        return mask & (mask - 1) == 0

    # ---- What the actor can tell

    def key(self) -> i64:
        """Kingdoms, debts, tiles, what the actor holds and takes others to hold; by stage what else bears on it."""
        world = self._world
        seat = self.actor()
        key = mix(1, world.stage | world.round << 4 | seat << 8 | world.turned_up << 12 | world.dragon << 16)
        key = mix(key, world.active + 1 | world.start_player << 4 | world.untaken << 8 | world.activated << 16)
        for other in range(self.seats):
            key = self._with_seat(key, other, seat)
        key = mix(key, world.gold[seat] << 20 | world.knights[seat])
        key = self._with_tiles(key)
        stage = world.stage
        if stage == TAKE:
            return self._with_bids(key, world.takers)
        if not self._is_decoupled and self.in_secret():
            key = self._with_bids(key, (1 << self.seats) - 1 & ~(world.waiting | self._unsettled))
        if stage == ANSWER:
            return mix(mix(key, world.amount), world.wanted)
        if stage == AWARD:
            return mix(mix(key, world.tied), world.answers[lowest(world.tied)])
        if stage == INVADED:
            return mix(mix(key, world.invasions), 1 if world.interest_waived else 0)
        return key

    def _with_seat(self, key: i64, seat: i64, reader: i64) -> i64:
        """What everybody sees, and what the reader takes it to hold."""
        world = self._world
        buildings: i64 = 0
        first: i64 = 0
        second: i64 = 0
        base = seat * TYPES
        for building in range(i64(TYPES)):
            buildings = buildings << 4 | world.buildings[base + building]
        for building in range(i64(3)):
            first = first << 12 | world.tucked[base + building]
            second = second << 12 | world.tucked[base + 3 + building]
        key = mix(key, first << 24 | buildings)
        if seat == reader:
            return mix(key, second)
        estimates = self._guide.estimates
        gold, knights = estimates.gold(world, seat, reader), estimates.knights(world, seat, reader)
        return mix(key, second << 16 | gold << 8 | knights)

    def _with_tiles(self, key: i64) -> i64:
        world = self._world
        faces: i64 = 0
        for place in range(i64(len(world.deal.ring))):
            faces = faces << 7 | world.face_up(world.deal.ring[place])
        return mix(key, faces)

    def _with_bids(self, key: i64, seats: i64) -> i64:
        """Of the seats of a bit mask: in the stage ``take`` those that are still to take a tile."""
        world = self._world
        bids: i64 = 0
        for seat in range(self.seats):
            bids = bids << 8 | (world.answers[seat] + 1 if seats >> seat & 1 else i64(0))
        return mix(key, bids)

    # ---- How a world ends

    def finish(self, rng: Random) -> None:
        """Plays the round on to its end, and weighs what it has led to."""
        world = self._world
        if world.stage != BID or world.round == self._first_round or self._unsettled or self._has_begun():
            self._play_on(world.round, rng)
        if world.stage == OVER:
            self.settle(self._standings(), 1.0)
        else:
            self._worth.weigh(world)
            self.expect(self._worth.chances, 1.0)

    def _has_begun(self) -> bool:
        """Whether some seats have bid in this round already."""
        return self._world.waiting != (1 << self.seats) - 1

    def _play_on(self, round: i64, rng: Random) -> None:
        world = self._world
        while world.stage != OVER and (world.round == round or not self._estimates_early):
            seat = self.actor()
            if self._is_guided:
                self._carry_out(self._guide.choose(world, seat, rng))
            else:
                self._carry_out(legal.random_code(world, seat, rng))

    def _standings(self) -> vec[i64]:
        """By seat, when the game is over."""
        points = scores(self._world.buildings, self.seats)
        for seat in range(self.seats):
            points[seat] = self._standing(points[seat], seat)
        return points

    def _standing(self, points: i64, seat: i64) -> i64:
        """A number that is the greater the better a seat stands: not ruined, points, knights, gold (RI-12)."""
        world = self._world
        sound: i64 = 0 if world.ruined >> seat & 1 else 1
        return ((sound << 6 | points) << 20 | world.knights[seat]) << 20 | world.gold[seat]
