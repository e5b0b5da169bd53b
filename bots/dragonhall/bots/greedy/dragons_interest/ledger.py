"""A ledger of what is behind the screens in Dragon's Interest, kept from the events that a seat was told.

All gold and all knights come and go in the open, but for what changes hands in the treasure chest: there an event has
no amount for a third seat, which can only say how much it may have been at least and at most. What a seat pays or shows
in its open fist it must have held; and what all seats hold together is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dragonhall.bots.policy import Chair
from dragonhall.rules.dragons_interest.events import (
    CommitmentsRevealed,
    GoldCollectedAgain,
    IncomeTaken,
    InterestPaid,
    InvasionSuffered,
    OfferAccepted,
    OfferMade,
    OfferMatched,
    StakeKept,
    StakePlaced,
    StakeReturned,
    StakeWon,
    TileTaken,
)
from dragonhall.rules.dragons_interest.facts import INVASION_KNIGHTS, Token, starting_gold, starting_knights

GUESSED_SHARE = 0.5
"""The part of what it likely holds that a seat is taken to put into a chest that a third seat cannot look into."""


class Purses:
    """What every seat may hold of one token: at least, likely, and at most."""

    def __init__(self, seats: int, start: int) -> None:
        self.low = [start] * seats
        self.likely = [float(start)] * seats
        self.high = [start] * seats
        self.total = seats * start
        """Of all seats together. That is always known."""

    def gain(self, seat: int, amount: int) -> None:
        """From the supply, or from before a screen."""
        self.low[seat] += amount
        self.likely[seat] += amount
        self.high[seat] += amount
        self.total += amount

    def pay(self, seat: int, amount: int) -> None:
        """To the supply, or before a screen."""
        self.show(seat, amount)
        self.gain(seat, -amount)

    def show(self, seat: int, amount: int) -> None:
        """A seat holds so much at least."""
        self.low[seat] = max(self.low[seat], amount)
        self.likely[seat] = max(self.likely[seat], amount)

    def hold(self, seat: int, amount: int) -> None:
        """A seat holds exactly so much."""
        self.low[seat] = self.high[seat] = amount
        self.likely[seat] = float(amount)

    def exchange(self, giver: int, taker: int, amount: int | None, most: int) -> None:
        """Tokens change hands: ``amount``, or as far as can be told none at all to ``most``."""
        if amount is not None:
            self.pay(giver, amount)
            self.gain(taker, amount)
            return
        guess = min(GUESSED_SHARE * self.likely[giver], most)
        self.low[giver] = max(0, self.low[giver] - most)
        self.likely[giver] -= guess
        self.likely[taker] += guess
        self.high[taker] += most
        self.settle()

    def settle(self) -> None:
        """Draws the bounds in: nobody holds more than the others' least leaves, nor less than their most."""
        low, high = sum(self.low), sum(self.high)
        for seat, (least, most) in enumerate(zip(self.low, self.high, strict=True)):
            self.low[seat] = max(least, self.total - (high - most))
            self.high[seat] = min(most, self.total - (low - least))
            self.likely[seat] = min(max(self.likely[seat], self.low[seat]), self.high[seat])


class Ledger:
    """The purses of all seats, as far as the events that one seat was told go."""

    def __init__(self, seats: int) -> None:
        self.purses: dict[Token, Purses] = {
            "gold": Purses(seats, starting_gold(seats)),
            "knights": Purses(seats, starting_knights(seats)),
        }

    def read(self, event: Any) -> None:
        """Enters what an event says about tokens; many say nothing."""
        enter = _ENTRIES.get(type(event))
        if enter is not None:
            enter(self, event)

    def _tile_taken(self, event: TileTaken) -> None:
        self.purses["gold"].gain(event.seat, event.tile.gold)

    def _collected_again(self, event: GoldCollectedAgain) -> None:
        self._all_gain("gold", event.amounts)

    def _income(self, event: IncomeTaken) -> None:
        self._all_gain(event.token, event.amounts)

    def _all_gain(self, token: Token, amounts: Sequence[int]) -> None:
        for seat, amount in enumerate(amounts):
            self.purses[token].gain(seat, amount)

    def _offer(self, event: OfferMade) -> None:
        if event.chest.amount is not None:
            self.purses[event.chest.token].show(event.chest.seat, event.chest.amount)

    def _accepted(self, event: OfferAccepted) -> None:
        chest = event.chest
        purses = self.purses[chest.token]
        purses.exchange(chest.seat, chest.target, chest.amount, purses.high[chest.seat])

    def _matched(self, event: OfferMatched) -> None:
        chest = event.chest
        purses = self.purses[chest.token]
        both_have = min(purses.high[chest.seat], purses.high[chest.target])
        purses.exchange(chest.target, chest.seat, chest.amount, both_have)

    def _stake_placed(self, event: StakePlaced) -> None:
        self.purses[event.token].pay(event.seat, event.amount)

    def _commitments(self, event: CommitmentsRevealed) -> None:
        for seat, amount in enumerate(event.amounts):
            self.purses[event.token].show(seat, amount)

    def _stake_won(self, event: StakeWon) -> None:
        self.purses[event.stake_token].gain(event.winner, event.stake)
        self.purses[event.commitment_token].exchange(event.winner, event.seat, event.commitment, event.commitment)

    def _stake_kept(self, event: StakeKept) -> None:
        self.purses[event.stake_token].gain(event.seat, 2 * event.stake)
        self.purses[event.commitment_token].pay(event.seat, event.commitment)

    def _stake_returned(self, event: StakeReturned) -> None:
        self.purses[event.stake_token].gain(event.seat, event.stake)

    def _invasion(self, event: InvasionSuffered) -> None:
        knights = self.purses["knights"]
        for loss in event.losses:
            knights.pay(loss.seat, loss.knights)
            if loss.building is None and loss.knights < INVASION_KNIGHTS:
                knights.hold(loss.seat, 0)

    def _interest(self, event: InterestPaid) -> None:
        for payment in event.payments:
            self.purses["gold"].pay(payment.seat, payment.paid)


_ENTRIES: dict[type[Any], Any] = {
    TileTaken: Ledger._tile_taken,
    GoldCollectedAgain: Ledger._collected_again,
    IncomeTaken: Ledger._income,
    OfferMade: Ledger._offer,
    OfferAccepted: Ledger._accepted,
    OfferMatched: Ledger._matched,
    StakePlaced: Ledger._stake_placed,
    CommitmentsRevealed: Ledger._commitments,
    StakeWon: Ledger._stake_won,
    StakeKept: Ledger._stake_kept,
    StakeReturned: Ledger._stake_returned,
    InvasionSuffered: Ledger._invasion,
    InterestPaid: Ledger._interest,
}


def ledger_of(chair: Chair, seen: Sequence[Any], gold: int, knights: int) -> Ledger:
    """What a seat can tell from all that it was told (``seen``), and from its own ``gold`` and ``knights``."""
    ledger = Ledger(chair.seats)
    for event in seen:
        ledger.read(event)
    ledger.purses["gold"].hold(chair.seat, gold)
    ledger.purses["knights"].hold(chair.seat, knights)
    for purses in ledger.purses.values():
        purses.settle()
    return ledger


def careless(ledger: Ledger, seat: int) -> Ledger:
    """The same for a ``seat`` that only knows what all others hold together."""
    for purses in ledger.purses.values():
        others = purses.total - purses.low[seat]
        for other in range(len(purses.low)):
            if other != seat:
                purses.low[other], purses.high[other] = 0, others
                purses.likely[other] = others / (len(purses.low) - 1)
    return ledger
