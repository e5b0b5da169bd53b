"""The dragon's road in Dragon's Interest: which stacks it will pass and when, and what that costs whom.

The dragon passes one stack a round and one more for each Calendar that is turned up. Every tile is shown when it is
turned up, so that the Calendars that are still to come are known, and each of them is as likely in every place of its
stack: the chances below are exact. Only further Generous Dragons, who hold the dragon up, are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any

from dragonhall.bots.policy import Chair
from dragonhall.rules.dragons_interest.events import TilesTurnedUp
from dragonhall.rules.dragons_interest.facts import BUILDING_TYPES, EVENTS, TYPES
from dragonhall.rules.dragons_interest.view import View

Debts = tuple[int, ...]
"""By building type: the sum of the values of the contracts that a seat has tucked there."""
Move = tuple[tuple[tuple[int, float], ...], ...]
"""One move of the dragon: for 0, 1, ... stacks of the road that Calendars have given it before, how many they have
given it after the move, with the chance of each."""


class Road:
    """What lies before the dragon."""

    def __init__(
        self,
        ahead: Sequence[int],
        first: int | None,
        calendars: int,
        stack_size: int,
        payments: int,
        income: Sequence[int],
    ) -> None:
        self.ahead = list(ahead)
        """The types of the ring's stacks in the order in which the dragon passes them."""
        self.payments = payments
        """How many payments are looked ahead at."""
        self.interest_due = first != 0
        """Whether interest is paid in this round."""
        self._starts_at, self._moves = _moves(first, calendars, stack_size, payments)
        self._calendars = calendars
        self._income = [sum(income[:payment]) for payment in range(len(self._moves))]
        self._risks: dict[tuple[Debts, int], list[float]] = {}
        self._bills: dict[Debts, list[int]] = {}

    def ruin(self, debts: Debts, gold: int) -> list[float]:
        """The chance that a seat is ruined at the first payment from now, the second, ...; with what it is counted on
        to gain in between."""
        key = (debts, gold)
        risks = self._risks.get(key)
        if risks is None:
            risks = self._risks[key] = self._ruin(debts, gold)
        return risks

    def _ruin(self, debts: Debts, gold: int) -> list[float]:
        bill = self._bill(debts)
        if gold >= bill[-1]:
            return [0.0] * self.payments
        risks = []
        alive = [1.0] + [0.0] * self._calendars
        for start, move, income in zip(self._starts_at, self._moves, self._income, strict=True):
            left = [0.0] * len(alive)
            ruined = 0.0
            can_pay = gold + income
            for before, chance in enumerate(alive):
                if chance:
                    for after, likely in move[before]:
                        if bill[start + after] > can_pay:
                            ruined += chance * likely
                        else:
                            left[after] += chance * likely
            risks.append(ruined)
            alive = left
        return risks

    def _bill(self, debts: Debts) -> list[int]:
        """What a seat owes in all when the dragon has passed 0, 1, ... stacks from now on."""
        bill = self._bills.get(debts)
        if bill is None:
            bill = [0]
            for passed in range(self._starts_at[-1] + self._calendars):
                bill.append(bill[-1] + debts[self.ahead[passed % len(self.ahead)]])
            self._bills[debts] = bill
        return bill

    def tolls(self, going_on: float) -> list[float]:
        """By type: how many times the dragon may be expected to pass it, if after each round the game goes on with
        chance ``going_on``."""
        tolls = [0.0] * TYPES
        spread = [1.0] + [0.0] * self._calendars
        chance, reached = 1.0, [0.0] * (self._starts_at[-1] + self._calendars + 1)
        for start, move in zip(self._starts_at, self._moves, strict=True):
            spread = _after(spread, move)
            now = _at_least(start, spread, len(reached))
            for place in range(1, len(reached)):
                tolls[self.ahead[(place - 1) % len(self.ahead)]] += chance * (now[place] - reached[place])
            chance, reached = chance * going_on, now
        return tolls


def _after(spread: list[float], move: Move) -> list[float]:
    left = [0.0] * len(spread)
    for before, chance in enumerate(spread):
        for after, likely in move[before]:
            left[after] += chance * likely
    return left


def _at_least(start: int, spread: list[float], length: int) -> list[float]:
    """The chance that the dragon has passed 0, 1, ... stacks or more."""
    passed = [0.0] * length
    for more, chance in enumerate(spread):
        passed[start + more] = chance
    for place in range(length - 2, -1, -1):
        passed[place] += passed[place + 1]
    return passed


def _moves(first: int | None, calendars: int, stack_size: int, payments: int) -> tuple[list[int], list[Move]]:
    """For each payment to come: stacks that are passed by then without further Calendars, and the dragon's move.

    ``first``: the stacks passed in the first move, if that is known.
    """
    starts: list[int] = []
    moves: list[Move] = []
    passed = turned_up = 0
    for payment in range(payments):
        if payment == 0 and first is not None:
            passed += first
            moves.append(tuple(((before, 1.0),) for before in range(calendars + 1)))
        else:
            passed += 1
            moves.append(_calendar_moves(calendars, max(1, stack_size - turned_up)))
            turned_up += 1
        starts.append(passed)
    return starts, moves


@cache
def _calendar_moves(calendars: int, stack_size: int) -> Move:
    return tuple(
        tuple(
            (before + shown, chance) for shown, chance in enumerate(_chances(calendars - before, stack_size)) if chance
        )
        for before in range(calendars + 1)
    )


def _chances(calendars: int, stack_size: int) -> list[float]:
    """How many of so many Calendars, each in a stack of its own, lie on top."""
    on_top = 1 / stack_size
    return [
        comb(calendars, shown) * on_top**shown * (1 - on_top) ** (calendars - shown) for shown in range(calendars + 1)
    ]


def road_of(chair: Chair, view: View, seen: Sequence[Any], foresight: int, income: Sequence[int]) -> Road:
    """The road from now on, for ``foresight`` payments at most."""
    names = [stack.building for stack in view.stacks]
    stack_size = view.stacks[0].size
    next_stack = names.index(view.dragon_passes_next)
    ahead = [BUILDING_TYPES.index(name) for name in [*names[next_stack:], *names[:next_stack]]]
    invaded = view.stage == "invasion"
    return Road(
        ahead=ahead,
        first=_known_move(view),
        calendars=_hidden_calendars(chair, names, seen),
        stack_size=stack_size - (not invaded and _generous(view)),
        payments=max(1, min(foresight, stack_size + invaded)),
        income=income,
    )


def _known_move(view: View) -> int | None:
    """The stacks that the dragon passes in this round, if that is settled."""
    if view.stage == "invasion":
        return 0 if view.interest_waived else 1 + _shown(view, "calendar")
    return 0 if _generous(view) else None


def _generous(view: View) -> bool:
    return _shown(view, "generous_dragon") > 0


def _shown(view: View, event: str) -> int:
    return sum(stack.face_up is not None and stack.face_up.event == event for stack in view.stacks)


def _hidden_calendars(chair: Chair, names: Sequence[str], seen: Sequence[Any]) -> int:
    calendar = EVENTS[1]
    total: int = sum(
        stack.events.count(calendar)
        for name, stack in zip(BUILDING_TYPES, chair.components.tiles, strict=True)
        if name in names
    )
    shown = sum(tile.event == calendar for event in seen if isinstance(event, TilesTurnedUp) for tile in event.tiles)
    return total - shown
