"""Arena and guild in Dragon's Interest: what to commit for a stake, and whom to award it to.

The winner buys the stake from the active seat with what it commits; the active seat, if it wins itself, buys as much
from the supply. So a commitment is weighed by what the stake is worth to the seat against the tokens, and by the
chance that nobody commits more.
"""

from __future__ import annotations

from dragonhall.bots.greedy.dragons_interest.ledger import Ledger
from dragonhall.bots.greedy.dragons_interest.table import Table
from dragonhall.bots.greedy.dragons_interest.temper import Temper
from dragonhall.bots.greedy.dragons_interest.value import Valuation
from dragonhall.rules.dragons_interest.moves import Contest


class Contestant:
    """One seat in a contest, the active seat or another. The stake has left the active seat's purse."""

    def __init__(
        self, seat: int, contest: Contest, table: Table, ledger: Ledger, valuation: Valuation, temper: Temper
    ) -> None:
        self._seat = seat
        self._contest = contest
        self._table = table
        self._valuation = valuation
        self._temper = temper
        self._purses = ledger.purses[contest.commitment_token]
        self._others = [other for other in range(len(table.gold)) if other != seat]

    def won(self, winner: int, commitment: float) -> Table:
        """The table when ``winner`` has got the stake for its commitment."""
        contest, active = self._contest, self._contest.seat
        if winner == active:
            kept = self._table.paid(active, contest.commitment_token, commitment)
            return kept.paid(active, contest.stake_token, -2 * contest.stake)
        sold = self._table.exchanged(winner, active, contest.commitment_token, commitment)
        return sold.paid(winner, contest.stake_token, -contest.stake)

    def award(self, seat: int, commitment: int) -> float:
        """For the active seat: of awarding the stake to ``seat``."""
        return self._valuation.chance(self._seat, self.won(seat, commitment))

    def best(self, held: int) -> tuple[float, int]:
        """The best commitment from 0 to ``held``, the least of those that are as good, after what it is worth."""
        best_value, best_amount = -1.0, 0
        worse = 0
        for amount in range(held + 1):
            value = self.commit(amount)
            if value > best_value:
                best_value, best_amount, worse = value, amount, 0
            else:
                worse += 1
                if worse > 4:
                    break
        return best_value, best_amount

    def commit(self, amount: int) -> float:
        """For committing an amount."""
        wins = self._chance_to_win(amount)
        mine = self._valuation.chance(self._seat, self.won(self._seat, amount)) if wins else 0.0
        lost = self._lost(amount)
        return wins * mine + (1 - wins) * lost

    def _chance_to_win(self, amount: int) -> float:
        """That nobody commits more, nor as much if the active seat may not choose this one."""
        if amount == 0:
            return 0.0
        active = self._contest.seat == self._seat
        below, equal = 1.0, 1.0
        for other in self._others:
            below *= self._commits_less(other, amount)
            equal *= self._commits_less(other, amount + 1)
        return equal if active else below + (equal - below) / 2

    def _lost(self, amount: int) -> float:
        """If another seat gets the stake, or nobody."""
        rival = max(self._others, key=lambda other: self._purses.likely[other])
        commitment = max(amount, self._purses.likely[rival] / 2)
        return self._valuation.chance(self._seat, self.won(rival, commitment))

    def _commits_less(self, other: int, amount: int) -> float:
        """The chance that another seat commits less than ``amount``: anything from 0 to what it likely holds."""
        if amount > self._purses.high[other]:
            return 1.0
        return min(1.0, amount / (self._purses.likely[other] + 1))
