"""What a table of Dragon's Interest is worth to a seat: its chance to win, by and large.

A seat wins if it is not ruined, and every other seat is, or ends with fewer points; ties are broken by knights. There
are two ways on from a table: somebody else is ruined in this round, and what kingdoms score now is final; or the game
goes on for some rounds, in which a lead may be lost, and gold and knights are of use.
"""

from __future__ import annotations

from itertools import accumulate
from math import exp, sqrt, tanh

from dragonhall.bots.greedy.dragons_interest.kingdoms import Kingdoms, completed
from dragonhall.bots.greedy.dragons_interest.ledger import Ledger
from dragonhall.bots.greedy.dragons_interest.road import Debts, Road
from dragonhall.bots.greedy.dragons_interest.table import Table
from dragonhall.bots.greedy.dragons_interest.temper import Temper

BREADTH = 0.12
"""Of the scale on which a lead in points is weighed, at the end: narrow enough that a lead is a lead."""
BREADTH_OF_ROUNDS = 0.5
"""What rounds to come add to it, times the root of their number."""
TIE_ROUNDS = 0.5
"""So many rounds to come, and knights are half as likely to be counted."""
NEVER_SURE = 0.98
"""A ruin is never quite certain: of two desperate tables one is still better."""
LIKELY_PART = 2 / 3
"""How far towards the least and the most that it may hold a seat's gold is varied when its ruin is weighed."""

Risk = tuple[float, float]
"""The chance to be ruined in this round; and later, if not in this one."""


class Valuation:
    """Values tables that may come of the one that lies there now."""

    def __init__(self, table: Table, ledger: Ledger, road: Road, played: int, rounds: int, temper: Temper) -> None:
        """``played``: rounds, with this one; ``rounds``: that can be played after it, at most."""
        self._road = road
        self._temper = temper
        self._kingdoms = Kingdoms()
        self._unsure = _unsure(ledger)
        self._risks: dict[tuple[int, Debts, int], Risk] = {}
        self._means_of: dict[tuple[Debts, float, float], float] = {}
        self._bills: dict[Debts, float] = {}
        self._folly = temper.folly * temper.trust ** (played - 1)
        self._later_folly = temper.later_folly * temper.trust ** (played - 1)
        going_on = self._going_on(table)
        self.going_on = going_on[0]
        """The chance that nobody is ruined in this round."""
        self.rounds = sum(going_on[:rounds])
        """Rounds that will be played after this one, by and large."""
        self.tolls = road.tolls(max(self.going_on, temper.prudence))
        """By type: how often the dragon will likely pass it."""

    def chance(self, seat: int, table: Table) -> float:
        """The chance of ``seat`` to win."""
        risks = [
            self._risk(other, table) if other == seat else self._rivals_risk(other, table) for other in table.seats
        ]
        going_on = 0.0
        if self.rounds and not completed(table.buildings):
            going_on = 1.0
            for other, (now, _) in enumerate(risks):
                if other != seat:
                    going_on *= 1 - now
        chance = 0.0
        if going_on < 1:
            chance = (1 - going_on) * self._ahead(
                seat, table, 0.0, [min(1.0, now / (1 - going_on)) for now, _ in risks]
            )
        if going_on:
            later = [later for _, later in risks]
            chance += going_on * (1 - later[seat]) * self._ahead(seat, table, self.rounds, later)
        return (1 - risks[seat][0]) * chance

    def _ahead(self, seat: int, table: Table, rounds: float, ruins: list[float]) -> float:
        """The chance to leave behind all who are not ruined, after so many rounds more."""
        worth = self._kingdoms.points(table.buildings, rounds)
        if rounds:
            use = min(1.0, rounds / self._temper.use)
            worth = [points + use * self._means(other, table) for other, points in enumerate(worth)]
        breadth, delay = BREADTH + BREADTH_OF_ROUNDS * sqrt(rounds), TIE_ROUNDS + rounds
        mine, knights, tie = worth[seat], table.knights[seat], self._temper.tie
        mine += self._temper.confidence * rounds
        chance = 1.0
        for other, ruin in enumerate(ruins):
            if other != seat:
                lead = mine - worth[other] + tie * tanh((knights - table.knights[other]) / delay)
                chance *= ruin + (1 - ruin) / (1 + exp(-lead / breadth))
        return chance

    def _rivals_risk(self, seat: int, table: Table) -> Risk:
        """The risk of another seat, which may always do something that nobody had thought of."""
        now, later = self._risk(seat, table)
        return now + (1 - now) * self._folly * self._road.ruin(table.debts[seat], 0)[0], later

    def _risk(self, seat: int, table: Table) -> Risk:
        """The chance that ``seat`` is ruined; what lies far off counts less."""
        if not self._temper.minds_ruin:
            return 0.0, 0.0
        key = (seat, table.debts[seat], round(table.gold[seat]))
        risk = self._risks.get(key)
        if risk is None:
            risks = [self._risk_with(table.debts[seat], gold) for gold in self._may_hold(seat, table)]
            now, later = (sum(chances) / len(risks) for chances in zip(*risks, strict=True))
            risk = self._risks[key] = (now, later)
        return risk

    def _risk_with(self, debts: Debts, gold: int) -> Risk:
        now, *later = self._road.ruin(debts, gold)
        fading, left = 0.0, 1.0
        for risk in later:
            fading += risk * left
            left *= self._temper.far
        return NEVER_SURE * now, NEVER_SURE * (fading / (1 - now) if now < 1 else 1.0)

    def _may_hold(self, seat: int, table: Table) -> list[int]:
        likely = round(table.gold[seat])
        return [likely, *(max(0, likely + off) for off in self._unsure[seat])]

    def _means(self, seat: int, table: Table) -> float:
        """What gold, after all debts, and knights are worth, in points."""
        key = (table.debts[seat], table.gold[seat], table.knights[seat])
        worth = self._means_of.get(key)
        if worth is None:
            debts, gold, knights = key
            temper = self._temper
            gold -= self._bill(debts) if temper.minds_debts else 0
            worth = temper.gold * _useful(gold, temper.gold_enough)
            worth += temper.knights * _useful(knights, temper.knights_enough)
            self._means_of[key] = worth
        return worth

    def _bill(self, debts: Debts) -> float:
        """The interest that debts will cost in the end."""
        bill = self._bills.get(debts)
        if bill is None:
            bill = sum(debt * toll for debt, toll in zip(debts, self.tolls, strict=True))
            self._bills[debts] = bill
        return bill

    def _going_on(self, table: Table) -> list[float]:
        """The chance that nobody is ruined at the first payment from now, by the second, ..."""
        chances = [1.0] * self._road.payments
        for seat in table.seats:
            golds = self._may_hold(seat, table)
            risks = [accumulate(self._road.ruin(table.debts[seat], gold)) for gold in golds]
            for payment, ruined in enumerate(zip(*risks, strict=True)):
                sure = (1 - self._folly * self._road.ruin(table.debts[seat], 0)[0]) * (1 - self._later_folly) ** payment
                chances[payment] *= sure * max(0.0, 1 - sum(ruined) / len(golds))
        return chances


def _unsure(ledger: Ledger) -> list[tuple[int, ...]]:
    """By seat: how much less and how much more than likely its gold may well be; nothing if it is known."""
    gold = ledger.purses["gold"]
    return [
        (round((low - likely) * LIKELY_PART), round((high - likely) * LIKELY_PART)) if low < high else ()
        for low, likely, high in zip(gold.low, gold.likely, gold.high, strict=True)
    ]


def _useful(tokens: float, enough: float) -> float:
    """What tokens are worth in first ones: the more there are, the less does one more help."""
    return enough * (1 - exp(-tokens / enough)) if tokens > 0 else tokens
