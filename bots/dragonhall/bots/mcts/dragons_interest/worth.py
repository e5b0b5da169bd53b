"""How likely each seat is to win when a round begins: what a search goes by that does not play to the end.

A seat is described by *features*: what its kingdom scores, how sure that is, how its gold stands against its debts, its
knights, and how near the end is. A network that was fitted to games of greedy bots makes strengths of them.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons_interest.judgement import Judgement
from dragonhall.bots.mcts.network import Network, to_chances
from dragonhall.rules.dragons_interest.facts import NOBODY, STACK_SIZE, TYPES
from dragonhall.rules.dragons_interest.state import State

FEATURES: Final = 48
"""Of a seat."""
_ROAD: Final = 6
"""Stacks ahead of the dragon whose interest is looked at."""
_TABLE: Final = 8
"""Numbers that are kept of every seat."""
_POINTS: Final = 0
_BUILDINGS: Final = 1
_GOLD: Final = 2
_KNIGHTS: Final = 3
_DUE: Final = 4
"""For the first stack ahead, then for the first two, three."""


@final
class Worth:
    """Strengths of seats, and the chances that follow from them."""

    def __init__(self, seats: int, judge: Judgement, network: Network) -> None:
        self._seats: i64 = seats
        self._judge: Judgement = judge
        self._network: Network = network
        self.features: vec[float] = vec[float]([0.0] * FEATURES)
        """Of the seat that was described last."""
        self._at: i64 = 0
        self._table: vec[i64] = vec[i64]([0] * (_TABLE * seats))
        self._best: vec[i64] = vec[i64]([0] * TYPES)
        self._second: vec[i64] = vec[i64]([0] * TYPES)
        self._leader: vec[i64] = vec[i64]([0] * TYPES)
        self._due: vec[i64] = vec[i64]([0] * _ROAD)
        self.chances: vec[float] = vec[float]([0.0] * seats)
        """By seat: to win; what `weigh` found."""

    def weigh(self, state: State) -> None:
        """Weighs a world in which a round begins."""
        self.survey(state)
        for seat in range(self._seats):
            self.describe(state, seat)
            self.chances[seat] = self._network.strength(self.features, 0, FEATURES)
        to_chances(self.chances)

    # ---- All seats

    def survey(self, state: State) -> None:
        """Takes in what all kingdoms score, and what all seats hold and owe."""
        self._find_leaders(state)
        for seat in range(self._seats):
            base = seat * _TABLE
            points: i64 = 0
            count: i64 = 0
            for building in range(i64(TYPES)):
                own = state.buildings[seat * TYPES + building]
                count += own
                if own > 0:
                    points += 1
                if self._leader[building] == seat:
                    points += 1
            self._table[base + _POINTS] = points
            self._table[base + _BUILDINGS] = count
            self._table[base + _GOLD] = state.gold[seat]
            self._table[base + _KNIGHTS] = state.knights[seat]
            self._find_dues(state, seat, i64(3))
            for passed in range(i64(3)):
                self._table[base + _DUE + passed] = self._due[passed]

    def _find_leaders(self, state: State) -> None:
        for building in range(i64(TYPES)):
            best: i64 = 0
            second: i64 = 0
            leader: i64 = NOBODY
            for seat in range(self._seats):
                count = state.buildings[seat * TYPES + building]
                if count > best:
                    second = best
                    best = count
                    leader = seat
                elif count > second:
                    second = count
            self._best[building] = best
            self._second[building] = second
            self._leader[building] = leader if best > second else i64(NOBODY)

    def _find_dues(self, state: State, seat: i64, stacks: i64) -> None:
        """What the seat owes in all when the dragon has passed 1, 2, ... stacks."""
        ring: i64 = len(state.deal.ring)
        due: i64 = 0
        place = state.dragon
        for passed in range(stacks):
            due += self._judge.owed_for[state.tucked[seat * TYPES + state.deal.ring[place]]]
            self._due[passed] = due
            place = place + 1 if place + 1 < ring else i64(0)

    # ---- One seat

    def describe(self, state: State, seat: i64) -> None:
        """Finds `features`, after a `survey`."""
        self._at = 0
        self._put(1.0)
        late = float(state.turned_up) / float(STACK_SIZE)
        self._put(late)
        self._put(1.0 / float(self._seats))
        self._describe_kingdom(state, seat, late)
        self._describe_rivals(seat, late)
        self._describe_gold(state, seat, late)
        self._describe_knights(seat, late)
        self._describe_future(state, seat)

    def _put(self, value: float) -> None:
        self.features[self._at] = value
        self._at += 1

    def _describe_kingdom(self, state: State, seat: i64, late: float) -> None:
        """How sure its points are."""
        alone = 0.0
        sure = 0.0
        tied = 0.0
        behind = 0.0
        single = 0.0
        missing = 0.0
        for building in range(i64(TYPES)):
            own = state.buildings[seat * TYPES + building]
            best = self._best[building]
            if own == 0:
                missing += 1.0
            elif own == 1:
                single += 1.0
            if self._leader[building] == seat:
                alone += 1.0
                if own - self._second[building] >= 2:
                    sure += 1.0
            elif own > 0 and own == best:
                tied += 1.0
            elif own + 1 == best:
                behind += 1.0
        self._put(alone / 3.0)
        self._put(sure / 3.0)
        self._put(tied / 3.0)
        self._put(behind / 3.0)
        self._put(single / 3.0)
        self._put(missing / 6.0)
        self._put(tied * late / 3.0)
        self._put(behind * late / 3.0)
        self._put(sure * late / 3.0)

    def _describe_rivals(self, seat: i64, late: float) -> None:
        """Points and buildings beside the others'."""
        points, buildings = self._table[seat * _TABLE + _POINTS], self._table[seat * _TABLE + _BUILDINGS]
        best: i64 = -1
        largest: i64 = 0
        ahead = 0.0
        endangered = 0.0
        in_doubt = 0.0
        for other in range(self._seats):
            base = other * _TABLE
            if other != seat:
                if self._table[base + _POINTS] > best:
                    best = self._table[base + _POINTS]
                if self._table[base + _BUILDINGS] > largest:
                    largest = self._table[base + _BUILDINGS]
                if self._table[base + _POINTS] > points:
                    ahead += 1.0
                if self._table[base + _GOLD] < self._table[base + _DUE]:
                    endangered += 1.0
                elif self._table[base + _GOLD] < self._table[base + _DUE + 1]:
                    in_doubt += 1.0
        margin = float(points - best) / 3.0
        self._put(float(points) / 8.0)
        self._put(margin)
        self._put(margin * late)
        self._put(margin * late * late)
        self._put(ahead / 3.0)
        self._put(ahead * late / 3.0)
        self._put(1.0 if margin > 0.0 else 0.0)
        self._put(float(buildings) / 10.0)
        self._put(1.0 if buildings >= 7 else 0.0)
        self._put(1.0 if buildings >= 9 else 0.0)
        self._put(1.0 if largest >= 7 else 0.0)
        self._put(margin if largest >= 8 or buildings >= 8 else 0.0)
        self._put(margin if largest >= 9 or buildings >= 9 else 0.0)
        self._put(endangered)
        self._put(in_doubt)
        self._put(margin * (endangered + 0.3 * in_doubt))

    def _describe_gold(self, state: State, seat: i64, late: float) -> None:
        self._find_dues(state, seat, i64(_ROAD))
        gold = state.gold[seat]
        richest: i64 = 0
        for other in range(self._seats):
            if other != seat and self._table[other * _TABLE + _GOLD] > richest:
                richest = self._table[other * _TABLE + _GOLD]
        self._put(_part(gold, 60))
        self._put(_part(gold - self._due[0], 40))
        self._put(_part(gold - self._due[2], 40))
        self._put(_part(gold - self._due[_ROAD - 1], 60))
        self._put(_part(gold - richest, 60))
        self._put(1.0 if gold < self._due[0] else 0.0)
        self._put(1.0 if gold < self._due[1] else 0.0)
        self._put(1.0 if gold < self._due[2] else 0.0)
        self._put(1.0 if gold + 8 < self._due[1] else 0.0)
        self._put(1.0 if gold + 12 < self._due[2] else 0.0)
        self._put(late * _part(gold - self._due[2], 40))

    def _describe_knights(self, seat: i64, late: float) -> None:
        knights = self._table[seat * _TABLE + _KNIGHTS]
        most: i64 = 0
        for other in range(self._seats):
            if other != seat and self._table[other * _TABLE + _KNIGHTS] > most:
                most = self._table[other * _TABLE + _KNIGHTS]
        self._put(_part(knights, 8))
        self._put(1.0 if knights >= 2 else 0.0)
        self._put(_part(knights - most, 6))
        self._put(1.0 if knights > most else 0.0)
        self._put(late if knights > most else 0.0)

    def _describe_future(self, state: State, seat: i64) -> None:
        """What its buildings bring in, and when its turn is in this round."""
        turn = seat - state.start_player
        if turn < 0:
            turn += self._seats
        base = seat * TYPES
        self._put(float(turn) / float(self._seats))
        self._put(float(state.buildings[base] + state.buildings[base + 3]) / 3.0)
        self._put(float(state.buildings[base + 1] + state.buildings[base + 2]) / 3.0)
        self._put(1.0 if state.generous else 0.0)


def _part(number: i64, of: i64) -> float:
    """At most 1.5 and at least -1.5."""
    part = float(number) / float(of)
    if part > 1.5:
        return 1.5
    return part if part > -1.5 else -1.5
