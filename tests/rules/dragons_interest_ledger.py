"""What a reader of Dragon's Interest can reckon from its events alone: a second, independent account of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import singledispatchmethod
from typing import Any

from dragonhall.rules.dragons_interest import events
from dragonhall.rules.dragons_interest.facts import starting_gold, starting_knights
from dragonhall.rules.dragons_interest.moves import Chest


class Ledger:
    """Tokens, buildings, contracts and tiles as the events move them.

    Tokens of a seat whose exchange the reader knows nothing of are wrong by that; its own are always right.
    """

    def __init__(self, seats: int) -> None:
        self.tokens = {
            "gold": [starting_gold(seats)] * seats,
            "knights": [starting_knights(seats)] * seats,
        }
        self.buildings = [Counter[str]() for _ in range(seats)]
        self.tucked = [Counter[str]() for _ in range(seats)]
        self.turned_up: Counter[str] = Counter()
        self.box: Counter[str] = Counter()
        """Tiles that are out of the game, by type."""
        self.least = 0
        """The lowest that any seat has held."""
        self.ended = False

    def read(self, told: Iterable[Any]) -> Ledger:
        """Follows events in order."""
        for event in told:
            self.follow(event)
            self.least = min(self.least, *self.tokens["gold"], *self.tokens["knights"])
        return self

    @singledispatchmethod
    def follow(self, event: Any) -> None:
        """Events that move nothing."""

    @follow.register
    def _(self, event: events.TilesTurnedUp) -> None:
        self.turned_up.update(tile.building for tile in event.tiles)

    @follow.register
    def _(self, event: events.TileTaken) -> None:
        self.tokens["gold"][event.seat] += event.tile.gold
        self.buildings[event.seat][event.tile.building] += 1
        self.tucked[event.seat][event.tile.building] += event.value

    @follow.register
    def _(self, event: events.GoldCollectedAgain) -> None:
        self._all("gold", event.amounts)

    @follow.register
    def _(self, event: events.IncomeTaken) -> None:
        self._all(event.token, event.amounts)

    def _all(self, token: str, amounts: Iterable[int]) -> None:
        for seat, amount in enumerate(amounts):
            self.tokens[token][seat] += amount

    @follow.register
    def _(self, event: events.OfferMade) -> None:
        self._move(event.chest, event.chest.seat, -1)

    @follow.register
    def _(self, event: events.OfferAccepted) -> None:
        self._move(event.chest, event.chest.target, 1)
        self._hand_over(event.chest.building, event.chest.target, event.chest.seat)

    @follow.register
    def _(self, event: events.OfferMatched) -> None:
        self._move(event.chest, event.chest.target, -1)
        self._move(event.chest, event.chest.seat, 2)
        self._hand_over(event.building, event.chest.seat, event.chest.target)

    def _move(self, chest: Chest, seat: int, times: int) -> None:
        self.tokens[chest.token][seat] += times * (chest.amount or 0)

    def _hand_over(self, building: str, giver: int, taker: int) -> None:
        self.buildings[giver][building] -= 1
        self.buildings[taker][building] += 1

    @follow.register
    def _(self, event: events.StakePlaced) -> None:
        self.tokens[event.token][event.seat] -= event.amount

    @follow.register
    def _(self, event: events.StakeWon) -> None:
        self.tokens[event.stake_token][event.winner] += event.stake
        self.tokens[event.commitment_token][event.winner] -= event.commitment
        self.tokens[event.commitment_token][event.seat] += event.commitment

    @follow.register
    def _(self, event: events.StakeKept) -> None:
        self.tokens[event.stake_token][event.seat] += 2 * event.stake
        self.tokens[event.commitment_token][event.seat] -= event.commitment

    @follow.register
    def _(self, event: events.StakeReturned) -> None:
        self.tokens[event.stake_token][event.seat] += event.stake

    @follow.register
    def _(self, event: events.TilesDiscarded) -> None:
        self.box.update(tile.building for tile in event.tiles)

    @follow.register
    def _(self, event: events.InvasionSuffered) -> None:
        for loss in event.losses:
            self.tokens["knights"][loss.seat] -= loss.knights
            if loss.building is not None:
                self.buildings[loss.seat][loss.building] -= 1
                self.box[loss.building] += 1

    @follow.register
    def _(self, event: events.InterestPaid) -> None:
        for payment in event.payments:
            self.tokens["gold"][payment.seat] -= payment.paid

    @follow.register
    def _(self, event: events.GameEnded) -> None:
        self.ended = True
        for seat in event.ruined:
            self.box.update(self.buildings[seat])
            self.buildings[seat].clear()
