"""What seats take each other to hold, in a world that is simulated.

Nobody looks behind a screen there, either: a seat goes by what could be told of the others when the simulation began,
and by what has been paid in the open since. There are two readings: that of the deciding seat, and the public one, by
which all others go.

An estimate is kept as its difference from what the seat really holds in the world: it changes only with the treasure
chest, whose amount is guessed from the estimates themselves.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragons_interest.facts import KNIGHTS_GO
from dragonhall.rules.dragons_interest.state import State

OWN: Final = 0
PUBLIC: Final = 1
"""The readings."""
_MOST: Final = 255
"""An estimate is never more; so it has 8 bits in a key."""


@final
class Estimates:
    """Of the gold and the knights of every seat."""

    def __init__(self, seats: int, me: int, likely: list[list[int]], most: list[list[int]]) -> None:
        """``likely``, ``most``: by reading gold and knights of every seat, in a row of 2 * seats."""
        self._seats: i64 = seats
        self._me: i64 = me
        self._likely: vec[i64] = vec[i64](likely[OWN] + likely[PUBLIC])
        self._slack: vec[i64] = vec[i64](
            [
                max(0, high - low)
                for reading in (OWN, PUBLIC)
                for low, high in zip(likely[reading], most[reading], strict=True)
            ]
        )
        """How much more than likely it may be."""
        self._off: vec[i64] = vec[i64]([0] * (4 * seats))

    def begin(self, state: State) -> None:
        """In a new world."""
        for reading in range(i64(2)):
            for seat in range(self._seats):
                place = reading * 2 * self._seats + seat
                self._off[place] = self._likely[place] - state.gold[seat]
                place += self._seats
                self._off[place] = self._likely[place] - state.knights[seat]

    def gold(self, state: State, seat: i64, reader: i64) -> i64:
        """What ``reader`` takes ``seat`` to hold; what it holds itself it knows."""
        if seat == reader:
            return state.gold[seat]
        return _bounded(state.gold[seat] + self._off[self._place(seat, reader)])

    def knights(self, state: State, seat: i64, reader: i64) -> i64:
        """Likewise."""
        if seat == reader:
            return state.knights[seat]
        return _bounded(state.knights[seat] + self._off[self._place(seat, reader) + self._seats])

    def spendable(self, state: State, seat: i64, reader: i64, building: i64) -> i64:
        """Of the tokens that a type of building lets seats offer, match, or commit."""
        if KNIGHTS_GO >> building & 1:
            return self.knights(state, seat, reader)
        return self.gold(state, seat, reader)

    def most_spendable(self, state: State, seat: i64, reader: i64, building: i64) -> i64:
        """The most that it may be."""
        place = self._place(seat, reader)
        if KNIGHTS_GO >> building & 1:
            place += self._seats
        slack = i64(0) if seat == reader else self._slack[place]
        return self.spendable(state, seat, reader, building) + slack

    def exchange(self, state: State, accepted: bool) -> None:
        """What is in the chest changes hands. Told before it does."""
        amount = state.amount
        payer = state.active if accepted else state.target
        taker = state.target if accepted else state.active
        kind = self._seats if KNIGHTS_GO >> state.activated & 1 else i64(0)
        for reading in range(i64(2)):
            if reading == OWN and (payer == self._me or taker == self._me):
                continue  # it knows
            base = reading * 2 * self._seats + kind
            held = state.spendable(state.target) + self._off[base + state.target]
            offering = state.spendable(state.active) + amount + self._off[base + state.active]
            guess = _guess(offering, held, accepted)
            self._off[base + payer] += amount - guess
            self._off[base + taker] -= amount - guess

    def _place(self, seat: i64, reader: i64) -> i64:
        return seat if reader == self._me else 2 * self._seats + seat


def _guess(offering: i64, held: i64, accepted: bool) -> i64:
    """The amount in a chest that was accepted: just more than the target holds; or matched: half of what it holds."""
    most = held + 1 if accepted else held // 2
    if most > offering:
        most = offering
    return most if most > 0 else i64(0)


def _bounded(tokens: i64) -> i64:
    if tokens < 0:
        return 0
    return tokens if tokens < _MOST else _MOST
