"""The table of Dragon's Interest as one seat takes it to be, and what it would be after this or that."""

from __future__ import annotations

from typing import Any, NamedTuple

from dragonhall.bots.greedy.dragons_interest.ledger import Ledger
from dragonhall.bots.greedy.dragons_interest.road import Debts
from dragonhall.rules.dragons_interest.facts import BUILDING_TYPES, TYPES, Token
from dragonhall.rules.dragons_interest.view import SeatView, View

TYPE_PLACE = {name: place for place, name in enumerate(BUILDING_TYPES)}
Column = tuple[int, ...]
"""How many buildings of one type every seat has."""


class Table(NamedTuple):
    """Kingdoms, debts, and what seats likely hold behind their screens."""

    buildings: tuple[Column, ...]
    """By type, then by seat."""
    debts: tuple[Debts, ...]
    """By seat, then by type."""
    gold: tuple[float, ...]
    knights: tuple[float, ...]

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.gold))

    def built(self, seat: int, building: int, more: int = 1) -> Table:
        """With ``more`` buildings of a type in a seat's kingdom."""
        column = _raised(self.buildings[building], seat, more)
        return self._replace(buildings=_with(self.buildings, building, column))

    def handed_over(self, building: int, giver: int, taker: int) -> Table:
        """With a building in another kingdom."""
        return self.built(giver, building, -1).built(taker, building)

    def owing(self, seat: int, building: int, value: int) -> Table:
        """With one more contract tucked."""
        return self._replace(debts=_with(self.debts, seat, _raised(self.debts[seat], building, value)))

    def paid(self, seat: int, token: Token, amount: float) -> Table:
        """With so much less behind a seat's screen; more if ``amount`` is negative."""
        if token == "gold":
            return self._replace(gold=_raised(self.gold, seat, -amount))
        return self._replace(knights=_raised(self.knights, seat, -amount))

    def exchanged(self, giver: int, taker: int, token: Token, amount: float) -> Table:
        """With tokens in another purse."""
        return self.paid(giver, token, amount).paid(taker, token, -amount)


def _with(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _raised(values: tuple[Any, ...], place: int, more: Any) -> tuple[Any, ...]:
    return (*values[:place], values[place] + more, *values[place + 1 :])


def table_of(view: View, me: int, ledger: Ledger) -> Table:
    """The table as it is now.

    Another seat that is still to take a tile is taken to have its gold already: the average of those that lie there.
    """
    gold, knights = list(ledger.purses["gold"].likely), ledger.purses["knights"].likely
    for seat in _yet_to_take(view, me):
        gold[seat] += _average(view)
    return Table(
        buildings=tuple(zip(*(seat.buildings for seat in view.seats), strict=True)),
        debts=tuple(_debts(seat) for seat in view.seats),
        gold=tuple(gold),
        knights=tuple(knights),
    )


def _yet_to_take(view: View, me: int) -> list[int]:
    if view.stage == "bid":
        return [seat for seat in range(len(view.seats)) if seat != me]
    return [seat for seat in view.take_order if seat != me]


def _average(view: View) -> float:
    """What a tile brings that is taken in this round."""
    lying = [stack.face_up for stack in view.stacks if stack.face_up is not None]
    golds = [tile.gold for tile in lying if tile.gold]
    times = 2 if any(tile.event == "generous_dragon" for tile in lying) else 1
    return times * sum(golds) / len(golds) if golds else 0.0


def _debts(seat: SeatView) -> Debts:
    debts = [0] * TYPES
    for tucked in seat.tucked:
        debts[TYPE_PLACE[tucked.building]] += tucked.value
    return tuple(debts)
