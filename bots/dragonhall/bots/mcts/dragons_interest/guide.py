"""A quick policy for every seat: what worlds are played on with. It sees what its seat can tell, and a little luck.

Hot: one source that CPython runs and mypyc compiles. One small method a stage, as in `rounds`.
"""

from __future__ import annotations

from typing import Final, final

from librt.random import Random
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons_interest.estimates import Estimates
from dragonhall.bots.mcts.dragons_interest.judgement import Judgement
from dragonhall.rules.dragons_interest import legal
from dragonhall.rules.dragons_interest.facts import (
    ARENA,
    ARENA_STAKE,
    CONTESTS,
    GUILD_STAKE,
    INVASION_KNIGHTS,
    KNIGHTS_COME,
    KNIGHTS_GO,
    TYPES,
)
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
from dragonhall.rules.dragons_interest.state import Deal, State
from dragonhall.rules.masks import lowest, nth, size

_CHEAPEST: Final = 0.55
"""How often the cheapest contract is bid."""
_NONE_STAKED: Final = 0.5
"""How often nothing is committed."""
_IN_USE: Final = 0.7
"""What a token counts that is put into the chest, of what it is worth: kept back, it might never be used."""
_MATCHED: Final = 0.6
"""How likely a seat is taken to match an offer that it can match."""
_LUCK: Final = 0.3
"""Points by which it may misjudge what it does."""


@final
class Guide:
    """Chooses for every seat."""

    def __init__(self, deal: Deal, estimates: Estimates) -> None:
        self.judge: Judgement = Judgement(deal)
        self.estimates: Estimates = estimates
        self.amount: i64 = 0
        """Of the offer that `offer_worth` has found to be the best."""

    def choose(self, state: State, seat: i64, rng: Random) -> i64:
        """A legal code of ``seat``, which is asked."""
        stage = state.stage
        self.judge.look(state)
        if stage == BID:
            return self._bid(state, seat, rng)
        if stage == TAKE:
            return self._take(state, seat, rng)
        if stage == ACTIVATE:
            return self._activate(state, seat, rng)
        if stage == OFFER:
            return self._offer(state, seat, rng)
        if stage == ANSWER:
            return self._answer(state, seat, rng)
        if stage == COMMIT:
            return self._commit(state, seat, rng)
        if stage == AWARD:
            return seat if state.tied >> seat & 1 else lowest(state.tied)
        return self._lose(state, seat)

    # ---- Phase 1

    def _bid(self, state: State, seat: i64, rng: Random) -> i64:
        """Often the cheapest contract; more seldom if there are fewer tiles than seats."""
        hand = state.hands[seat]
        cheapest = _CHEAPEST if size(state.takeable) >= state.seats else _CHEAPEST / 4.0
        if rng.random() < cheapest:
            return lowest(hand)
        return nth(hand, rng.randrange(size(hand)))

    def _take(self, state: State, seat: i64, rng: Random) -> i64:
        best = lowest(state.takeable)
        highest = -1e9
        for building in range(i64(TYPES)):
            if state.takeable >> building & 1:
                worth = self.tile_worth(state, seat, building, state.deal.values[state.answers[seat]])
                worth += _LUCK * rng.random()
                if worth > highest:
                    highest = worth
                    best = building
        return best

    def tile_worth(self, state: State, seat: i64, building: i64, value: i64) -> float:
        """Of a tile that is taken for a contract of so much value; more than of none."""
        gold = state.face_up(building)
        if state.generous:
            gold *= 2
        held = state.gold[seat]
        judge = self.judge
        return (
            judge.gain(state, seat, building)
            + judge.gold(state, seat, held + gold, building, value)
            - judge.gold(state, seat, held)
        )

    # ---- Phase 2

    def _activate(self, state: State, seat: i64, rng: Random) -> i64:
        best: i64 = PASS
        highest = _LUCK * rng.random()
        mask = legal.mask_of(state, seat)
        for building in range(i64(TYPES)):
            if mask >> (FIRST_TYPE + building) & 1:
                worth = self.activation_worth(state, seat, building) + _LUCK * rng.random()
                if worth > highest:
                    highest = worth
                    best = FIRST_TYPE + building
        return best

    def activation_worth(self, state: State, seat: i64, building: i64) -> float:
        """Of activating a type, more than of passing."""
        if CONTESTS >> building & 1:
            return self._contest_worth(state, seat, building)
        income = state.buildings[seat * TYPES + building]
        held = (state.knights[seat] if KNIGHTS_GO >> building & 1 else state.gold[seat]) + _own_income(building, income)
        best = -1e9
        for target in range(state.seats):
            if target != seat:
                for wanted in range(i64(TYPES)):
                    if state.types[target] >> wanted & 1:
                        worth = self.offer_worth(state, seat, building, target, wanted, held)
                        if worth > best:
                            best = worth
        return best + self._income_worth(state, seat, building, income)

    def _income_worth(self, state: State, seat: i64, building: i64, income: i64) -> float:
        """Of an income of tokens that are not offered; those that are, are counted with the offer."""
        if KNIGHTS_COME >> building & 1:
            held = state.knights[seat]
            return self.judge.knights(held + income) - self.judge.knights(held)
        held = state.gold[seat]
        return self.judge.gold(state, seat, held + income) - self.judge.gold(state, seat, held)

    def offer_worth(self, state: State, seat: i64, activated: i64, target: i64, wanted: i64, held: i64) -> float:
        """Of the best offer to ``target`` for a type of building with at most ``held`` tokens; sets `amount`.

        One token more than the target can hold buys; who has not so many offers what it has, and may be matched.
        """
        judge = self.judge
        sure = self.estimates.most_spendable(state, target, seat, activated) + 1
        taken = judge.taking(state, seat, wanted, target)
        if sure <= held:
            self.amount = sure
            return taken - self.cost(state, seat, activated, held, sure) * _IN_USE
        self.amount = held
        bought = taken - self.cost(state, seat, activated, held, held) * _IN_USE
        sold = -self._dearest(state, seat, target) - self.cost(state, seat, activated, held, -held) * _IN_USE
        if sold > bought:
            sold = bought  # the target answers as suits it, not this seat
        return _MATCHED * sold + (1.0 - _MATCHED) * bought

    def _dearest(self, state: State, seat: i64, taker: i64) -> float:
        """What it costs to lose the building that hurts most."""
        dearest = 0.0
        for building in range(i64(TYPES)):
            if state.types[seat] >> building & 1:
                worth = self.judge.giving(state, seat, building, taker)
                if worth > dearest:
                    dearest = worth
        return dearest

    def cost(self, state: State, seat: i64, activated: i64, held: i64, amount: i64) -> float:
        """Of paying an amount of the tokens that a type lets seats spend, for a seat that holds so many."""
        if KNIGHTS_GO >> activated & 1:
            return self.judge.knights(held) - self.judge.knights(held - amount)
        return self.judge.gold(state, seat, held) - self.judge.gold(state, seat, held - amount)

    def _offer(self, state: State, seat: i64, rng: Random) -> i64:
        held = state.spendable(seat)
        best: i64 = 0
        highest = -1e9
        for target in range(state.seats):
            if target != seat:
                for wanted in range(i64(TYPES)):
                    if state.types[target] >> wanted & 1:
                        worth = self.offer_worth(state, seat, state.activated, target, wanted, held)
                        worth += _LUCK * rng.random()
                        if worth > highest:
                            highest = worth
                            best = ((target * TYPES + wanted) << AMOUNT_BITS) + self.amount
        return best

    def _answer(self, state: State, seat: i64, rng: Random) -> i64:
        best: i64 = ACCEPT
        mask = legal.mask_of(state, seat)
        if mask == 1 << ACCEPT:
            return best
        highest = self.accept_worth(state, seat) + _LUCK * rng.random()
        for building in range(i64(TYPES)):
            if mask >> (FIRST_TYPE + building) & 1:
                worth = self.match_worth(state, seat, building)
                if worth > highest:
                    highest = worth
                    best = FIRST_TYPE + building
        return best

    def accept_worth(self, state: State, seat: i64) -> float:
        """Of taking what is in the chest for the building."""
        paid = -self.cost(state, seat, state.activated, state.spendable(seat), -state.amount)
        return paid - self.judge.giving(state, seat, state.wanted, state.active)

    def match_worth(self, state: State, seat: i64, building: i64) -> float:
        """Of taking a building for what is in the chest."""
        paid = self.cost(state, seat, state.activated, state.spendable(seat), state.amount)
        return self.judge.taking(state, seat, building, state.active) - paid

    # ---- Contests

    def _contest_worth(self, state: State, seat: i64, building: i64) -> float:
        """If it can commit more than all others it gains as much as it stakes; else it may sell its stake."""
        spent = state.knights[seat] if KNIGHTS_GO >> building & 1 else state.gold[seat]
        rival = self.most_of_others(state, seat, building)
        income = self._income_worth(state, seat, building, state.buildings[seat * TYPES + building])
        stake = _stake(building)
        if spent > rival:
            return income + self._stake_worth(state, seat, building, stake) - self.cost(state, seat, building, spent, 1)
        sold = self._stake_worth(state, seat, building, -stake) - self.cost(state, seat, building, spent, -(rival // 2))
        return income + sold

    def _stake_worth(self, state: State, seat: i64, building: i64, tokens: i64) -> float:
        if KNIGHTS_COME >> building & 1:
            held = state.knights[seat]
            return self.judge.knights(held + tokens) - self.judge.knights(held)
        held = state.gold[seat]
        return self.judge.gold(state, seat, held + tokens) - self.judge.gold(state, seat, held)

    def most_of_others(self, state: State, seat: i64, building: i64) -> i64:
        """What the richest of the others may commit, as ``seat`` takes it."""
        most: i64 = 0
        for other in range(state.seats):
            if other != seat:
                held = self.estimates.spendable(state, other, seat, building)
                if held > most:
                    most = held
        return most

    def fair(self, state: State, seat: i64) -> i64:
        """The most that is worth committing for the stake: no more than the others may commit and one."""
        held = state.spendable(seat)
        activated = state.activated
        enough = self.most_of_others(state, seat, activated) + 1
        worth = self._stake_worth(state, seat, activated, 2 * state.amount if seat == state.active else state.amount)
        amount: i64 = 0
        while amount < held and amount < enough and self.cost(state, seat, activated, held, amount + 1) <= worth:
            amount += 1
        return amount

    def _commit(self, state: State, seat: i64, rng: Random) -> i64:
        if rng.random() < _NONE_STAKED:
            return 0
        fair = self.fair(state, seat)
        return rng.randrange(fair + 1)

    # ---- Phase 3

    def _lose(self, state: State, seat: i64) -> i64:
        """Knights, or the building that is missed least, if that is less than they are worth."""
        best: i64 = DISCARD_KNIGHTS
        least = 1e9
        if state.knights[seat] >= INVASION_KNIGHTS:
            least = self.knights_lost(state, seat)
        for building in range(i64(TYPES)):
            if state.types[seat] >> building & 1:
                loss = self.judge.loss(state, seat, building)
                if loss < least:
                    least = loss
                    best = FIRST_TYPE + building
        return best

    def knights_lost(self, state: State, seat: i64) -> float:
        """What an Invasion costs who pays with knights."""
        held = state.knights[seat]
        return self.judge.knights(held) - self.judge.knights(held - INVASION_KNIGHTS)


def _own_income(building: i64, income: i64) -> i64:
    """Of the tokens that are offered: castle and harbor bring in what they spend."""
    return income if (KNIGHTS_COME >> building & 1) == (KNIGHTS_GO >> building & 1) else i64(0)


def _stake(building: i64) -> i64:
    return ARENA_STAKE if building == ARENA else GUILD_STAKE
