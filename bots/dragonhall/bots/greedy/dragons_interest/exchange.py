"""The treasure chest in Dragon's Interest: what to offer whom and for what, and whether to accept or to match.

An offer is a price at which the other seat may sell its building or buy one instead. Who cannot match has to sell, so
a little more than a seat can hold buys for certain; and else a good price is one that is fair to both ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp

from dragonhall.bots.greedy.dragons_interest.ledger import Ledger
from dragonhall.bots.greedy.dragons_interest.table import Table
from dragonhall.bots.greedy.dragons_interest.temper import Temper
from dragonhall.bots.greedy.dragons_interest.value import Valuation
from dragonhall.rules.dragons_interest.facts import BUILDING_TYPES, TYPES, Token
from dragonhall.rules.dragons_interest.moves import Offer

LOOKED_AT = 5
"""Buildings whose price is thought about: those that would be the best to have."""


class Exchange:
    """The exchanges that one active seat may bring about with one token."""

    def __init__(
        self, seat: int, token: Token, table: Table, ledger: Ledger, valuation: Valuation, temper: Temper
    ) -> None:
        self._seat = seat
        self._token = token
        self._table = table
        self._valuation = valuation
        self._temper = temper
        self._purses = ledger.purses[token]
        self._favourites: dict[int, int] = {}

    def best_offer(self, held: int) -> tuple[float, Offer] | None:
        """The best offer with at most ``held`` tokens, and what it is worth; ``None`` if nobody has a building."""
        offers = [
            Offer(target, BUILDING_TYPES[building], amount)
            for target, building in self._wanted()
            for amount in self._prices(target, held)
        ]
        if not offers:
            return None
        values = [self.offer(offer) for offer in offers]
        best = max(values)
        return best, offers[values.index(best)]

    def _wanted(self) -> list[tuple[int, int]]:
        """The other seats' buildings, the best to have first."""
        pairs = [
            (target, building)
            for building, column in enumerate(self._table.buildings)
            for target, count in enumerate(column)
            if count and target != self._seat
        ]
        worth = {
            (target, building): self._valuation.chance(
                self._seat, self._table.handed_over(building, target, self._seat)
            )
            for target, building in pairs
        }
        return sorted(pairs, key=lambda pair: -worth[pair])[:LOOKED_AT]

    def _prices(self, target: int, held: int) -> list[int]:
        """Amounts that are worth a thought: just what a target may hold or not, and some between."""
        low, high = self._purses.low[target], self._purses.high[target]
        likely = round(self._purses.likely[target])
        prices: Iterable[int] = (0, 1, low // 2, low, low + 1, likely + 1, (likely + high) // 2 + 1, high + 1, held)
        return sorted({price for price in prices if 0 <= price <= held})

    def offer(self, offer: Offer) -> float:
        """For an offer: both answers, as likely as they are."""
        building = BUILDING_TYPES.index(offer.building)
        accepted = self.accepted(offer.target, building, offer.amount)
        value = self._valuation.chance(self._seat, accepted)
        can = self._can_match(offer.target, offer.amount)
        if not can:
            return value
        matched = self.matched(offer.target, self._in_return(offer.target), offer.amount)
        matches = can * self._prefers(offer.target, matched, accepted)
        return (1 - matches) * value + matches * self._valuation.chance(self._seat, matched)

    def accepted(self, target: int, building: int, amount: int) -> Table:
        """The table when the target has sold its building."""
        return self._table.handed_over(building, target, self._seat).exchanged(self._seat, target, self._token, amount)

    def matched(self, target: int, building: int, amount: int) -> Table:
        """The table when the target has bought a building instead."""
        return self._table.handed_over(building, self._seat, target).exchanged(target, self._seat, self._token, amount)

    def _in_return(self, target: int) -> int:
        """The type of the active seat's buildings that a target would best like to have."""
        building = self._favourites.get(target)
        if building is None:
            building = self._favourites[target] = max(
                self._own_types(),
                key=lambda mine: self._valuation.chance(target, self._table.handed_over(mine, self._seat, target)),
            )
        return building

    def _own_types(self) -> list[int]:
        return [building for building in range(TYPES) if self._table.buildings[building][self._seat]]

    def _can_match(self, target: int, amount: int) -> float:
        """The chance that the target holds so much."""
        low, likely, high = (
            self._purses.low[target],
            self._purses.likely[target],
            self._purses.high[target],
        )
        if amount <= low:
            return 1.0
        if amount > high:
            return 0.0
        if amount <= likely:
            return 1 - 0.5 * (amount - low) / (likely - low + 1)
        return 0.5 * (high + 1 - amount) / (high + 1 - likely)

    def _prefers(self, target: int, matched: Table, accepted: Table) -> float:
        """The chance that the target matches if it can."""
        gain = self._valuation.chance(target, matched) - self._valuation.chance(target, accepted)
        sober = 1 / (1 + exp(-max(-50.0, min(50.0, gain / self._temper.heat))))
        own = len(self._own_types())
        return (1 - self._temper.doubt) * sober + self._temper.doubt * own / (own + 1)
