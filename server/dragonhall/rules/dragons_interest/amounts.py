"""Amounts in the treasure chest that a reader does not know: whole numbers that fit all that it does know.

For one kind of token, what is known of a game is a list of steps, in order: changes of what seats hold, bounds of what
they hold at a time, and transfers of an unknown amount. `Amounts` draws the unknown amounts one after another, each
evenly from those that leave every later bound within reach.

What is within reach is told by *needs*: of every set of seats, how much it must hold together. Needs are carried back
from the end of the game to its beginning. They are exact: whatever holdings meet the needs of all sets, some amounts
lead from there through all later bounds. (Holdings that meet them are the integer points of a base polyhedron of a
supermodular function; a bound of a seat intersects it with a box, and a transfer adds the cone of one direction. Both
give such a polyhedron again.) Only that an active seat whose offer was matched had as much itself is left out of the
needs; amounts that come to break it later are drawn again.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragons_interest.facts import NOBODY
from dragonhall.rules.errors import InconsistentKnowledge

NO_NEED: Final = -(1 << 40)
"""Less than any sum of holdings: a set of seats that may hold whatever it does."""
TRIES: Final = 10_000
"""Draws that may fail one after another before the knowledge is taken for inconsistent."""


class Change(NamedTuple):
    """A seat's holding becomes greater by ``number``, which may be negative."""

    seat: int
    number: int


class Bounds(NamedTuple):
    """A seat holds at least ``least`` now, and at most ``most``, if that is given."""

    seat: int
    least: int
    most: int | None = None


class Transfer(NamedTuple):
    """A seat gives an unknown amount to another one."""

    payer: int
    taker: int
    taker_had_it: bool
    """The taker held as much itself: it had offered what the payer matched."""


Timeline = list[Change | Bounds | Transfer]
"""What is known of one kind of token, in order."""


@final
class Amounts:
    """Draws all unknown amounts of one kind of token."""

    def __init__(self, start: Sequence[int], timeline: Timeline, offering: int = NOBODY) -> None:
        """``start``: what each seat holds at first; ``offering``: the seat that has put an unknown amount into the
        chest at last, where it still is. Raises `InconsistentKnowledge` if no amounts fit."""
        self.seats: i64 = len(start)
        self._sets: i64 = 1 << len(start)
        """Number of sets of seats; a set is a bit mask."""
        self._start: vec[i64] = vec[i64](start)
        self._offering: i64 = offering
        transfers = [step for step in timeline if isinstance(step, Transfer)]
        self.count: i64 = len(transfers)
        """Of transfers."""
        self._payers: vec[i64] = vec[i64]([step.payer for step in transfers])
        self._takers: vec[i64] = vec[i64]([step.taker for step in transfers])
        self._taker_had_it: vec[i64] = vec[i64]([int(step.taker_had_it) for step in transfers])
        self._changes: vec[i64] = vec[i64]([0] * (self.seats * (self.count + 1)))
        """By seat *s*: the sum of its changes after transfer *n - 1* and before transfer *n*, at ``n * seats + s``."""
        self._needs: vec[i64] = vec[i64]([0] * (self._sets * self.count))
        """What set *s* of seats must hold after transfer *n*: at ``n * sets + s``."""
        self.holdings: vec[i64] = self._start[:]
        """By seat, as drawn last."""
        self.amounts: vec[i64] = vec[i64]([0] * (self.count + 1))
        """As drawn last: of each transfer, and at last what is in the chest."""
        self._before: vec[i64] = vec[i64]([0] * (2 * self.count))
        """As drawn last: what the payer and the taker of transfer *n* held before it, at ``2 * n`` and after it."""
        self._carry_back(timeline)

    def _carry_back(self, timeline: Timeline) -> None:
        """Works out the needs after every transfer, and that the seats can meet them at the start."""
        needs = vec[i64]([0] * self._sets)
        needs[self._sets - 1] = sum(self._start) + sum(step.number for step in timeline if isinstance(step, Change))
        transfer = self.count
        for step in reversed(timeline):
            if isinstance(step, Change):
                self._changes[transfer * self.seats + step.seat] += step.number
                _before_change(needs, step.seat, step.number)
            elif isinstance(step, Bounds):
                _before_bounds(needs, step.seat, step.least, NO_NEED if step.most is None else step.most)
            else:
                transfer -= 1
                _before_bounds(needs, step.payer, 0, NO_NEED)
                for seats in range(self._sets):
                    self._needs[transfer * self._sets + seats] = needs[seats]
                _before_transfer(needs, step.payer, step.taker)
        for seats in range(self._sets):
            if _held_by(self._start, seats) < needs[seats]:
                raise InconsistentKnowledge("no amounts in the chest fit what was paid and committed")

    def draw(self, rng: Random) -> None:
        """Draws new `amounts`, and the `holdings` that they lead to."""
        for _ in range(TRIES):
            if self._drawn(rng):
                return
        raise InconsistentKnowledge("no amounts in the chest fit what was paid and committed")

    def in_chest(self) -> int:
        """The amount that is in the chest, as drawn last."""
        return self.amounts[self.count]

    def plausibility(self) -> float:
        """How well the amounts that were drawn last fit in with seats that know what they do, beside other draws.

        An offer that is accepted is mostly one token more than the target holds, who has no choice then.
        """
        weight = 1.0
        for transfer in range(self.count):
            if not self._taker_had_it[transfer]:
                weight *= _plausible(self.amounts[transfer], self._before[2 * transfer + 1])
        return weight

    def _drawn(self, rng: Random) -> bool:
        """Whether amounts could be drawn; not if one that was drawn before leaves none for a later match."""
        self.holdings = self._start[:]
        self._change(0)
        for transfer in range(self.count):
            least = self._least(transfer)
            most = self._most(transfer)
            if least > most:
                return False
            amount = least + rng.randrange(most - least + 1)
            self.amounts[transfer] = amount
            self._before[2 * transfer] = self.holdings[self._payers[transfer]]
            self._before[2 * transfer + 1] = self.holdings[self._takers[transfer]]
            self.holdings[self._payers[transfer]] -= amount
            self.holdings[self._takers[transfer]] += amount
            self._change(transfer + 1)
        if self._offering != NOBODY:
            self._offer(rng)
        return True

    def _change(self, transfer: i64) -> None:
        """What happens before a transfer, or at last after all."""
        for seat in range(self.seats):
            self.holdings[seat] += self._changes[transfer * self.seats + seat]

    def _offer(self, rng: Random) -> None:
        """Any amount from 0 to all that is held: nothing is known of it yet."""
        amount = rng.randrange(self.holdings[self._offering] + 1)
        self.amounts[self.count] = amount
        self.holdings[self._offering] -= amount

    def _least(self, transfer: i64) -> i64:
        """The least amount that lets all sets with the taker, but not the payer, hold what they must."""
        payer, taker = self._payers[transfer], self._takers[transfer]
        least: i64 = 0
        for seats in range(self._sets):
            if seats >> taker & 1 and not seats >> payer & 1:
                missing = self._needs[transfer * self._sets + seats] - _held_by(self.holdings, seats)
                if missing > least:
                    least = missing
        return least

    def _most(self, transfer: i64) -> i64:
        """The greatest amount that leaves all sets with the payer, but not the taker, what they must hold."""
        payer, taker = self._payers[transfer], self._takers[transfer]
        most = self.holdings[taker if self._taker_had_it[transfer] else payer]
        for seats in range(self._sets):
            if seats >> payer & 1 and not seats >> taker & 1:
                left = _held_by(self.holdings, seats) - self._needs[transfer * self._sets + seats]
                if left < most:
                    most = left
        return most


def _plausible(amount: i64, held: i64) -> float:
    """Of an amount that a target accepted that held so much."""
    over = amount - held
    if over == 1:
        return 1.0
    if over > 1:
        return 0.01 + 0.4 / float(over)
    return 0.15 / float(held + 1)


def _held_by(holdings: vec[i64], seats: i64) -> i64:
    """What a set of seats holds together."""
    total: i64 = 0
    for seat in range(i64(len(holdings))):
        if seats >> seat & 1:
            total += holdings[seat]
    return total


def _before_change(needs: vec[i64], seat: i64, number: i64) -> None:
    """Needs before a change, from those after it."""
    for seats in range(i64(len(needs))):
        if seats >> seat & 1:
            needs[seats] -= number


def _before_bounds(needs: vec[i64], seat: i64, least: i64, most: i64) -> None:
    """Needs with a seat's bounds besides. Without an upper bound ``most`` is `NO_NEED`.

    A set with the seat must hold what it needs without, and the seat's least; without the seat, what it needs with the
    seat, less the seat's most.
    """
    for seats in range(i64(len(needs))):
        others = seats & ~(1 << seat)
        if others != seats and needs[others] + least > needs[seats]:
            needs[seats] = needs[others] + least
    if most == NO_NEED:
        return
    for seats in range(i64(len(needs))):
        together = seats | 1 << seat
        if together != seats and needs[together] - most > needs[seats]:
            needs[seats] = needs[together] - most


def _before_transfer(needs: vec[i64], payer: i64, taker: i64) -> None:
    """Needs before a transfer, from those after it.

    A set with the taker, but not the payer, may need nothing but what it has without the taker: the rest can come.
    """
    for seats in range(i64(len(needs))):
        if seats >> taker & 1 and not seats >> payer & 1:
            needs[seats] = NO_NEED
    _before_bounds(needs, taker, 0, NO_NEED)
