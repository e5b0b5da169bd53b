"""The actions of a seat that are worth a look, and how promising each is.

Where an amount is asked for, a handful stand for all: nothing, a little, what seems fair, one more than the other can
hold, everything. What the guide thinks of an action, in points, becomes its prior.

Hot: one source that CPython runs and mypyc compiles. One small method a stage.
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons_interest.guide import Guide
from dragonhall.rules.dragons_interest import legal
from dragonhall.rules.dragons_interest.facts import CONTRACTS, JESTER_PLACE, TYPES
from dragonhall.rules.dragons_interest.moves import (
    ACCEPT,
    ACTIVATE,
    AMOUNT_BITS,
    ANSWER,
    AWARD,
    BID,
    COMMIT,
    DISCARD_KNIGHTS,
    FIRST_TYPE,
    OFFER,
    PASS,
    TAKE,
)
from dragonhall.rules.dragons_interest.state import State

_HEAT: Final = 0.35
"""Points that one action is better than another, to be e times as promising."""
_FLOOR: Final = 0.02
"""The least prior of an action, beside the best one's."""


@final
class Candidates:
    """Finds actions for one decision after another."""

    def __init__(self, guide: Guide, every_amount: bool = False) -> None:
        """``every_amount``: all amounts are looked at, and not a handful of them."""
        self._guide: Guide = guide
        self._every_amount: bool = every_amount
        self.codes: vec[i64] = vec[i64]()
        self.priors: vec[float] = vec[float]()
        self._tiles: vec[float] = vec[float]([0.0] * TYPES)

    def find(self, state: State, seat: i64) -> None:
        """Sets `codes` and `priors` for ``seat``, which is asked."""
        self.codes = vec[i64]()
        self.priors = vec[float]()
        self._guide.judge.look(state)
        stage = state.stage
        if stage == BID:
            self._bids(state, seat)
        elif stage == TAKE:
            self._tiles_to_take(state, seat)
        elif stage == ACTIVATE:
            self._activations(state, seat)
        elif stage == OFFER:
            self._offers(state, seat)
        elif stage == ANSWER:
            self._answers(state, seat)
        elif stage == COMMIT:
            self._commitments(state, seat)
        elif stage == AWARD:
            self._awards(state, seat)
        else:
            self._losses(state, seat)
        self._weigh()

    def _add(self, code: i64, worth: float) -> None:
        self.codes = append(self.codes, code)
        self.priors = append(self.priors, worth)

    def _weigh(self) -> None:
        """From points to priors."""
        best = -1e9
        for worth in self.priors:
            if worth > best:
                best = worth
        for place in range(i64(len(self.priors))):
            self.priors[place] = _FLOOR + exp((self.priors[place] - best) / _HEAT)

    # ---- Phase 1

    def _bids(self, state: State, seat: i64) -> None:
        for contract in range(i64(CONTRACTS)):
            if state.hands[seat] >> contract & 1:
                self._add(contract, self._bid_worth(state, seat, contract))

    def _bid_worth(self, state: State, seat: i64, contract: i64) -> float:
        """The tile that is left when those have taken theirs that likely bid more."""
        value = state.deal.values[contract]
        count = self._sort_tiles(state, seat, value)
        before = 0.0
        for other in range(state.seats):
            if other != seat:
                before += self._goes_first(state, other, value)
        place = i64(before)
        part = before - float(place)
        worth = self._tile(place, count) * (1.0 - part) + self._tile(place + 1, count) * part
        return 0.4 * worth if contract == JESTER_PLACE else worth

    def _sort_tiles(self, state: State, seat: i64, value: i64) -> i64:
        """What the tiles are worth for a contract of so much value, in descending order. Returns their number."""
        count: i64 = 0
        for building in range(i64(TYPES)):
            if state.takeable >> building & 1:
                worth = self._guide.tile_worth(state, seat, building, value)
                place = count
                while place > 0 and self._tiles[place - 1] < worth:
                    self._tiles[place] = self._tiles[place - 1]
                    place -= 1
                self._tiles[place] = worth
                count += 1
        return count

    def _tile(self, place: i64, count: i64) -> float:
        return self._tiles[place] if place < count else 0.0

    def _goes_first(self, state: State, other: i64, value: i64) -> float:
        """The chance that another seat bids more: it bids its cheapest contract every second time, or any."""
        above: i64 = 0
        held: i64 = 0
        for contract in range(i64(JESTER_PLACE)):
            if state.hands[other] >> contract & 1:
                held += 1
                if state.deal.values[contract] > value:
                    above += 1
        return 0.6 * float(above) / float(held) if held > 0 else 0.0

    def _tiles_to_take(self, state: State, seat: i64) -> None:
        value = state.deal.values[state.answers[seat]]
        for building in range(i64(TYPES)):
            if state.takeable >> building & 1:
                self._add(building, self._guide.tile_worth(state, seat, building, value))

    # ---- Phase 2

    def _activations(self, state: State, seat: i64) -> None:
        mask = legal.mask_of(state, seat)
        self._add(PASS, 0.0)
        for building in range(i64(TYPES)):
            if mask >> (FIRST_TYPE + building) & 1:
                self._add(FIRST_TYPE + building, self._guide.activation_worth(state, seat, building))

    def _offers(self, state: State, seat: i64) -> None:
        held = state.spendable(seat)
        guide = self._guide
        for target in range(state.seats):
            if target == seat:
                continue
            likely = guide.estimates.spendable(state, target, seat, state.activated)
            most = guide.estimates.most_spendable(state, target, seat, state.activated)
            for wanted in range(i64(TYPES)):
                if state.types[target] >> wanted & 1:
                    pair = (target * TYPES + wanted) << AMOUNT_BITS
                    worth = guide.offer_worth(state, seat, state.activated, target, wanted, held)
                    best = guide.amount
                    self._add(pair + best, worth)
                    self._add_offer(pair, likely + 1, best, held, worth - 0.2 if likely < most else worth)
                    self._add_offer(pair, (likely + 1) // 2, best, held, worth - 0.6)
                    self._add_offer(pair, 0, best, held, worth - 1.2)
                    for amount in range(held if self._every_amount else i64(0)):
                        self._add_offer(pair, amount + 1, best, held, worth - 0.6)

    def _add_offer(self, pair: i64, amount: i64, best: i64, held: i64, worth: float) -> None:
        """Unless it is there already."""
        if amount > held or amount == best:
            return
        for code in self.codes:
            if code == pair + amount:
                return
        self._add(pair + amount, worth)

    def _answers(self, state: State, seat: i64) -> None:
        mask = legal.mask_of(state, seat)
        self._add(ACCEPT, self._guide.accept_worth(state, seat))
        for building in range(i64(TYPES)):
            if mask >> (FIRST_TYPE + building) & 1:
                self._add(FIRST_TYPE + building, self._guide.match_worth(state, seat, building))

    # ---- Contests

    def _commitments(self, state: State, seat: i64) -> None:
        """Nothing, little, about what is fair, and enough against each of the others."""
        held = state.spendable(seat)
        fair = self._guide.fair(state, seat)
        self._add(0, 0.0)
        self._add_commitment(1, held, fair)
        self._add_commitment(2, held, fair)
        self._add_commitment(fair // 2, held, fair)
        self._add_commitment(fair, held, fair)
        for other in range(state.seats):
            if other != seat:
                likely = self._guide.estimates.spendable(state, other, seat, state.activated)
                self._add_commitment(likely + 1, held, fair)
                self._add_commitment((likely + 1) // 2, held, fair)
        for amount in range(held if self._every_amount else i64(0)):
            self._add_commitment(amount + 1, held, fair)

    def _add_commitment(self, amount: i64, held: i64, fair: i64) -> None:
        if amount > held or amount <= 0:
            return
        for code in self.codes:
            if code == amount:
                return
        self._add(amount, 0.0 if amount <= fair else -0.5)

    def _awards(self, state: State, seat: i64) -> None:
        for other in range(state.seats):
            if state.tied >> other & 1:
                self._add(other, 0.3 if other == seat else 0.0)

    # ---- Phase 3

    def _losses(self, state: State, seat: i64) -> None:
        mask = legal.mask_of(state, seat)
        if mask >> DISCARD_KNIGHTS & 1:
            self._add(DISCARD_KNIGHTS, -self._guide.knights_lost(state, seat))
        for building in range(i64(TYPES)):
            if mask >> (FIRST_TYPE + building) & 1:
                self._add(FIRST_TYPE + building, -self._guide.judge.loss(state, seat, building))
