"""Phase 1 of Dragon's Interest: which contract to bid, and which tile to take for it.

A high contract chooses first and costs most, every time that the dragon comes by. So each contract is weighed with the
tiles that it will likely get, and with what it will cost there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from dragonhall.bots.greedy.dragons_interest.table import TYPE_PLACE, Table
from dragonhall.bots.greedy.dragons_interest.value import Valuation
from dragonhall.bots.policy import Chair
from dragonhall.rules.dragons_interest.facts import JESTER, Contract, Tile
from dragonhall.rules.dragons_interest.view import View


class Bidding:
    """What contracts and tiles are worth to one seat now."""

    def __init__(self, chair: Chair, view: View, table: Table, valuation: Valuation) -> None:
        self._chair = chair
        self._view = view
        self._table = table
        self._valuation = valuation
        lying = [stack.face_up for stack in view.stacks if stack.face_up is not None]
        self._tiles = [tile for tile in lying if tile.gold]
        self._times = 2 if any(tile.event == "generous_dragon" for tile in lying) else 1
        self._others = [seat for seat in range(chair.seats) if seat != chair.seat]

    def tile(self, tile: Tile, contract: Contract) -> float:
        """For taking a tile for a contract that is worth something."""
        me, building = self._chair.seat, TYPE_PLACE[tile.building]
        taken = self._table.built(me, building).paid(me, "gold", -tile.gold * self._times)
        return self._valuation.chance(me, taken.owing(me, building, self._worth(contract)))

    def contract(self, contract: Contract) -> float:
        """For bidding a contract."""
        valid = self._jester_valid(self._chair.seat) if contract == JESTER else 1.0
        nothing = self._valuation.chance(self._chair.seat, self._table)
        tiles = sorted((self.tile(tile, contract) for tile in self._tiles), reverse=True)
        value = sum(chance * _best_left(tiles, before, nothing) for before, chance in enumerate(self._before(contract)))
        return valid * value + (1 - valid) * nothing

    def _worth(self, contract: Contract) -> int:
        return contract.number or int(self._chair.components.jester_value)

    def _before(self, contract: Contract) -> list[float]:
        """The chance that 0, 1, ... seats take a tile before this one."""
        chances = [1.0]
        for other in self._others:
            first = self._goes_first(other, contract)
            stays, moves = [*chances, 0.0], [0.0, *chances]
            chances = [(1 - first) * stay + first * move for stay, move in zip(stays, moves, strict=True)]
        return chances

    def _goes_first(self, other: int, contract: Contract) -> float:
        """The chance that another seat bids more; all contracts in its hand are as likely."""
        hand = self._view.seats[other].hand
        mine = (self._worth(contract), -self._steps(self._chair.seat))
        chance = 0.0
        for theirs in hand:
            if (self._worth(theirs), -self._steps(other)) > mine:
                helped = contract.number in self._chair.components.jester_needs_any_of
                chance += 1.0 if theirs != JESTER or helped else self._jester_valid(other)
        return chance / max(1, len(hand))

    def _steps(self, seat: int) -> int:
        """Steps clockwise from the start player."""
        return (seat - self._view.start_player) % self._chair.seats

    def _jester_valid(self, seat: int) -> float:
        """The chance that another seat than ``seat`` bids what makes the Jester worth something."""
        needed = self._chair.components.jester_needs_any_of
        nobody = 1.0
        for other in range(self._chair.seats):
            hand = self._view.seats[other].hand
            if other != seat and hand:
                nobody *= 1 - sum(contract.number in needed for contract in hand) / len(hand)
        return 1 - nobody


def _best_left(values: Sequence[float], taken: int, nothing: float) -> float:
    """The best of some values in descending order, on average, if so many are taken away at random.

    >>> _best_left([3.0, 2.0, 1.0], 1, 0.0)
    2.6666666666666665
    """
    if taken >= len(values):
        return nothing
    ways = comb(len(values), taken)
    return sum(
        value * comb(len(values) - better - 1, taken - better) / ways
        for better, value in enumerate(values)
        if better <= taken
    )
