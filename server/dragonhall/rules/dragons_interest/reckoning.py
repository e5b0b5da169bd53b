"""What the events of Dragon's Interest say of the tokens behind the screens: one timeline for gold, one for knights.

Every payment but that in the chest is public. So what a seat holds is a number, and the amounts of exchanges of which
the reader was not told; and every payment, every commitment and the game's end bound it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from dragonhall.rules.dragons_interest.amounts import Amounts, Bounds, Change, Timeline, Transfer
from dragonhall.rules.dragons_interest.events import (
    CommitmentsRevealed,
    Event,
    GameEnded,
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
from dragonhall.rules.dragons_interest.facts import (
    INVASION_KNIGHTS,
    Token,
    starting_gold,
    starting_knights,
)
from dragonhall.rules.dragons_interest.moves import Chest


class Reckoning:
    """Follows all events that a reader was told."""

    def __init__(self, seats: int, told: Iterable[Event]) -> None:
        self.start: dict[Token, list[int]] = {
            "gold": [starting_gold(seats)] * seats,
            "knights": [starting_knights(seats)] * seats,
        }
        self.timelines: dict[Token, Timeline] = {"gold": [], "knights": []}
        self.untold: list[Token] = []
        """Of every exchange whose amount the reader was not told, in order: the token."""
        self.chest: Chest | None = None
        """What is offered and not answered yet."""
        for event in told:
            follow = _FOLLOW.get(type(event))
            if follow is not None:
                follow(self, event)

    def amounts(self, token: Token) -> Amounts:
        """The amounts of a token that were not told. Raises `InconsistentKnowledge` if none fit."""
        chest = self.chest
        timeline = list(self.timelines[token])
        if chest is None or chest.token != token:
            return Amounts(self.start[token], timeline)
        if chest.amount is None:
            return Amounts(self.start[token], timeline, chest.seat)
        timeline += [Bounds(chest.seat, chest.amount), Change(chest.seat, -chest.amount)]
        return Amounts(self.start[token], timeline)

    def _change(self, token: Token, seat: int, number: int) -> None:
        self.timelines[token].append(Change(seat, number))

    def _holds(self, token: Token, seat: int, least: int, most: int | None = None) -> None:
        self.timelines[token].append(Bounds(seat, least, most))

    def _pay(self, token: Token, seat: int, number: int) -> None:
        self._holds(token, seat, number)
        self._change(token, seat, -number)

    def _taken(self, event: TileTaken) -> None:
        self._change("gold", event.seat, event.tile.gold)

    def _collected_again(self, event: GoldCollectedAgain) -> None:
        for seat, amount in enumerate(event.amounts):
            self._change("gold", seat, amount)

    def _income(self, event: IncomeTaken) -> None:
        for seat, amount in enumerate(event.amounts):
            self._change(event.token, seat, amount)

    def _offer(self, event: OfferMade) -> None:
        self.chest = event.chest
        if event.chest.amount is None:
            self.untold.append(event.chest.token)

    def _accepted(self, event: OfferAccepted) -> None:
        self._exchange(event.chest, event.chest.seat, event.chest.target)

    def _matched(self, event: OfferMatched) -> None:
        if event.chest.amount is not None:
            self._holds(event.chest.token, event.chest.seat, event.chest.amount)
        self._exchange(event.chest, event.chest.target, event.chest.seat)

    def _exchange(self, chest: Chest, payer: int, taker: int) -> None:
        """What is in the chest comes from one seat to the other; of what a match puts in, the rest was the taker's."""
        self.chest = None
        if chest.amount is None:
            self.timelines[chest.token].append(Transfer(payer, taker, taker_had_it=taker == chest.seat))
        else:
            self._pay(chest.token, payer, chest.amount)
            self._change(chest.token, taker, chest.amount)

    def _stake(self, event: StakePlaced) -> None:
        self._pay(event.token, event.seat, event.amount)

    def _committed(self, event: CommitmentsRevealed) -> None:
        for seat, amount in enumerate(event.amounts):
            self._holds(event.token, seat, amount)

    def _won(self, event: StakeWon) -> None:
        self._change(event.stake_token, event.winner, event.stake)
        self._pay(event.commitment_token, event.winner, event.commitment)
        self._change(event.commitment_token, event.seat, event.commitment)

    def _kept(self, event: StakeKept) -> None:
        self._change(event.stake_token, event.seat, 2 * event.stake)
        self._pay(event.commitment_token, event.seat, event.commitment)

    def _returned(self, event: StakeReturned) -> None:
        self._change(event.stake_token, event.seat, event.stake)

    def _invasion(self, event: InvasionSuffered) -> None:
        for loss in event.losses:
            if loss.building is None and loss.knights < INVASION_KNIGHTS:
                self._holds("knights", loss.seat, loss.knights, loss.knights)
            self._pay("knights", loss.seat, loss.knights)

    def _interest(self, event: InterestPaid) -> None:
        """That a ruined seat had no more than it paid is in the game's end, which follows at once."""
        for payment in event.payments:
            self._pay("gold", payment.seat, payment.paid)

    def _ended(self, event: GameEnded) -> None:
        for seat, holding in enumerate(event.holdings):
            self._holds("gold", seat, holding.gold, holding.gold)
            self._holds("knights", seat, holding.knights, holding.knights)


_FOLLOW: Final[dict[type[Any], Callable[[Reckoning, Any], None]]] = {
    TileTaken: Reckoning._taken,
    GoldCollectedAgain: Reckoning._collected_again,
    IncomeTaken: Reckoning._income,
    OfferMade: Reckoning._offer,
    OfferAccepted: Reckoning._accepted,
    OfferMatched: Reckoning._matched,
    StakePlaced: Reckoning._stake,
    CommitmentsRevealed: Reckoning._committed,
    StakeWon: Reckoning._won,
    StakeKept: Reckoning._kept,
    StakeReturned: Reckoning._returned,
    InvasionSuffered: Reckoning._invasion,
    InterestPaid: Reckoning._interest,
    GameEnded: Reckoning._ended,
}
"""The events that move or show tokens."""
