"""What buildings and tokens are worth to a seat, in points of the final scoring: quick, and good enough to choose by.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragons_interest.facts import BUILDINGS_TO_END, CONTRACTS, STACK_SIZE, TYPES
from dragonhall.rules.dragons_interest.state import Deal, State

NOTHING: Final = -1
"""No building type."""

_GAINED: Final = 0.12
"""The chance that a seat gets a first building of a type in a round."""
_LOST: Final = 0.04
"""The chance that a seat loses its only building of a type in a round."""
_WIDTH: Final = 0.08
_WIDTH_OF_ROUNDS: Final = 0.33
"""Of the scale on which a lead in buildings is weighed: at the end, and times the root of the rounds to come."""
_BUILT: Final = 1.3
"""Buildings that the largest kingdom grows by in a round."""
_ENVY: Final = 0.35
"""What a loss of another seat is worth to a seat."""

_MARGINS: Final = 10
"""Leads in buildings are told apart up to so many."""
_PURSES: Final = 128
"""Tokens are told apart up to so many."""
_GOLD: Final = 0.04
_GOLD_ENOUGH: Final = 20.0
"""A first gold that is left after the next payments; after so many, one more is worth the third part."""
_KNIGHT: Final = 0.22
_KNIGHTS_ENOUGH: Final = 8.0
_AHEAD: Final = 4
"""Stacks ahead of the dragon that are looked at."""
_SHORT: Final = (3.0, 1.0, 0.4, 0.2)
"""What it costs not to have the gold for the first stack ahead, for the first two, ..."""
_COMING: Final = (0, 8, 15, 20)
"""Gold that a seat is counted on to gain before it has to pay for the first stack ahead, the second, ..."""


@final
class Judgement:
    """Judges positions of one deal, from what is public and what one seat takes all others to hold."""

    def __init__(self, deal: Deal) -> None:
        self.owed_for: vec[i64] = vec[i64]([_sum_of(deal.values, contracts) for contracts in range(1 << CONTRACTS)])
        """By a bit mask of contracts: the sum of their values."""
        self._present: vec[float] = vec[float](
            [_present(count, rounds) for rounds in range(STACK_SIZE) for count in range(3)]
        )
        self._majority: vec[float] = vec[float](
            [_majority(lead, rounds) for rounds in range(STACK_SIZE) for lead in range(-_MARGINS, _MARGINS + 1)]
        )
        self._gold: vec[float] = vec[float]([_useful(tokens, _GOLD, _GOLD_ENOUGH) for tokens in range(_PURSES)])
        self._knights: vec[float] = vec[float]([_useful(tokens, _KNIGHT, _KNIGHTS_ENOUGH) for tokens in range(_PURSES)])
        self._short: vec[float] = vec[float](_SHORT)
        self._coming: vec[i64] = vec[i64](_COMING)
        self._rounds: i64 = 0
        self._use: float = 1.0
        """How much of their use tokens still have."""

    def look(self, state: State) -> None:
        """Takes in how long the game may still go on."""
        most: i64 = 0
        for seat in range(state.seats):
            count: i64 = 0
            for place in range(seat * TYPES, seat * TYPES + TYPES):
                count += state.buildings[place]
            if count > most:
                most = count
        rounds = i64(float(BUILDINGS_TO_END - most) / _BUILT)
        left = STACK_SIZE - state.turned_up
        if left < rounds:
            rounds = left
        self._rounds = rounds if rounds > 0 else i64(0)
        self._use = 1.0 if rounds > 0 else 0.2

    # ---- Buildings

    def gain(self, state: State, seat: i64, building: i64) -> float:
        """For ``seat``, of one more building of a type."""
        own = state.buildings[seat * TYPES + building]
        best = self._best_other(state, seat, building)
        more = self._worth(own + 1, best) - self._worth(own, best)
        return more + _ENVY * (self._lead(best - own) - self._lead(best - own - 1)) if best > 0 else more

    def loss(self, state: State, seat: i64, building: i64) -> float:
        """For ``seat``, of one of its buildings of a type; positive."""
        own = state.buildings[seat * TYPES + building]
        best = self._best_other(state, seat, building)
        less = self._worth(own, best) - self._worth(own - 1, best)
        return less + _ENVY * (self._lead(best - own + 1) - self._lead(best - own)) if best > 0 else less

    def taking(self, state: State, seat: i64, building: i64, giver: i64) -> float:
        """For ``seat``, of a building of another seat."""
        return self.gain(state, seat, building) + _ENVY * self.loss(state, giver, building)

    def giving(self, state: State, seat: i64, building: i64, taker: i64) -> float:
        """For ``seat``, of handing a building over to another seat; positive, by and large."""
        return self.loss(state, seat, building) + _ENVY * self.gain(state, taker, building)

    def _best_other(self, state: State, seat: i64, building: i64) -> i64:
        best: i64 = 0
        for other in range(state.seats):
            if other != seat and state.buildings[other * TYPES + building] > best:
                best = state.buildings[other * TYPES + building]
        return best

    def _worth(self, own: i64, best: i64) -> float:
        return self._present[self._rounds * 3 + (own if own < 2 else i64(2))] + self._lead(own - best)

    def _lead(self, lead: i64) -> float:
        if lead > _MARGINS:
            lead = _MARGINS
        elif lead < -_MARGINS:
            lead = -_MARGINS
        return self._majority[self._rounds * (2 * _MARGINS + 1) + _MARGINS + lead]

    # ---- Tokens

    def knights(self, held: i64) -> float:
        """Of so many knights."""
        return self._use * self._knights[_within(held)]

    def gold(self, state: State, seat: i64, held: i64, building: i64 = NOTHING, more: i64 = 0) -> float:
        """Of so much gold to ``seat``, with its debts, and ``more`` debt at a type of building."""
        ring: i64 = len(state.deal.ring)
        due: i64 = 0
        worth = 0.0
        place = state.dragon
        for passed in range(i64(_AHEAD)):
            stack = state.deal.ring[place]
            due += self.owed_for[state.tucked[seat * TYPES + stack]]
            if stack == building:
                due += more
            if held + self._coming[passed] < due:
                worth -= self._short[passed]
            place = place + 1 if place + 1 < ring else i64(0)
        left = held - due
        if left < 0:
            return worth + self._use * _GOLD * float(left)
        return worth + self._use * self._gold[_within(left)]


def _within(tokens: i64) -> i64:
    if tokens < 0:
        return 0
    return tokens if tokens < _PURSES else _PURSES - 1


def _sum_of(values: vec[i64], contracts: i64) -> i64:
    total: i64 = 0
    for place in range(i64(CONTRACTS)):
        if contracts >> place & 1:
            total += values[place]
    return total


def _present(count: int, rounds: int) -> float:
    """The chance to have a type in the end, of which a seat has ``count`` now."""
    if count == 0:
        return float(1 - (1 - _GAINED) ** rounds)
    return float((1 - _LOST) ** rounds) if count == 1 else 1.0


def _majority(lead: int, rounds: int) -> float:
    """The chance to have alone the most of a type in the end, with such a lead over the next seat now."""
    return 1 / (1 + exp((0.5 - lead) / (_WIDTH + _WIDTH_OF_ROUNDS * sqrt(rounds))))


def _useful(tokens: int, first: float, enough: float) -> float:
    """The more there are, the less does one more help."""
    return first * enough * (1 - exp(-tokens / enough))
