"""How a year may go on from here, reckoned in one go: the forecast of the greedy bot, without its steps.

Everybody is taken to claim the best pile as soon as it is worth an even share of all that is on the table, the deck
included (`dragonhall.bots.greedy.dragons.race`). A card that is drawn makes every free pile worth as much more, to
each seat its own average; so a seat claims as soon as the deck has few enough cards, and that number is known at once.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons.piles import Piles

SPITE: Final = 0.3
"""What the others bring home on average counts against the own, times this."""
_NO_WORTH: Final = 1e-6
"""A seat to which cards are worth no more than this claims at once."""


@final
class Race:
    """Forecasts."""

    def __init__(self, piles: Piles) -> None:
        seats = piles.seats
        self._piles: Piles = piles
        self._seats: i64 = seats
        self._order: vec[i64] = vec[i64]([0] * seats)
        self._spare: vec[i64] = vec[i64]([0] * seats)
        self._waiting: i64 = 0
        self._best: i64 = 0
        """The pile that is worth most to the seat that was looked at last."""

    def run(self, first: i64, waiting: i64, free: i64, deck: i64, must_draw: bool, me: i64, mine: float) -> float:
        """How well ``me`` does if seat ``first`` acts next: what it brings home, less a part of the others' average.

        ``waiting`` and ``free`` are bit masks. ``must_draw``: ``first`` draws a card now. A seat ``me`` that does not
        wait brings ``mine`` home.
        """
        worth, card_worth = self._piles.worth, self._piles.appraisal.card_worth
        self._line_up(first, waiting)
        growth, others = 0.0, 0.0
        while self._waiting > 1:
            count = self._waiting
            soonest, claimer, pile = self._next_claim(free, deck, must_draw)
            must_draw = False
            seat = self._order[claimer]
            growth += float(soonest) / float(count)
            deck -= soonest
            home = worth[seat * self._seats + pile] + growth * card_worth[seat]
            if seat == me:
                mine = home
            else:
                others += home
            free ^= 1 << pile
            self._leave(claimer)
        last = self._order[0]
        self._look(last, free, 1)
        home = worth[last * self._seats + self._best] + (growth + float(deck)) * card_worth[last]
        if last == me:
            mine = home
        else:
            others += home
        return mine - SPITE * others / float(self._seats - 1)

    def wants(self, seat: i64, free: i64, count: i64, deck: i64) -> bool:
        """Whether ``seat`` would claim now, among ``count`` that wait for a pile."""
        return self._look(seat, free, count) >= deck

    def _line_up(self, first: i64, waiting: i64) -> None:
        count: i64 = 0
        seat = first
        for _ in range(self._seats):
            if waiting >> seat & 1:
                self._order[count] = seat
                count += 1
            seat = seat + 1 if seat + 1 < self._seats else i64(0)
        self._waiting = count

    def _next_claim(self, free: i64, deck: i64, must_draw: bool) -> tuple[i64, i64, i64]:
        """After how many draws somebody claims, who (its place in the order), and which pile."""
        count = self._waiting
        soonest: i64 = deck + count
        claimer: i64 = 0
        pile: i64 = 0
        for place in range(count):
            patience = self._look(self._order[place], free, count)
            turn = place
            if must_draw and place == 0:
                turn = count
            short = deck - patience - turn
            if short > 0:
                turn += (short + count - 1) // count * count
            if turn < soonest:
                soonest = turn
                claimer = place
                pile = self._best
        return soonest, claimer, pile

    def _look(self, seat: i64, free: i64, count: i64) -> i64:
        """The most cards that the deck may have for ``seat`` to claim its best pile, which is noted."""
        base = seat * self._seats
        highest, total = 0.0, 0.0
        best: i64 = -1
        for pile in range(self._seats):
            if free >> pile & 1:
                worth = self._piles.worth[base + pile]
                total += worth
                if best < 0 or worth > highest:
                    highest = worth
                    best = pile
        self._best = best
        card_worth = self._piles.appraisal.card_worth[seat]
        surplus = float(count) * highest - total
        if card_worth <= _NO_WORTH or surplus > 200.0 * card_worth:
            return 200
        return i64(surplus / card_worth)

    def _leave(self, claimer: i64) -> None:
        """The order after a claim: whoever comes after the claimer is next."""
        count = self._waiting
        order, rest = self._order, self._spare
        place = claimer
        for rank in range(count - 1):
            place = place + 1 if place + 1 < count else i64(0)
            rest[rank] = order[place]
        self._order, self._spare = rest, order
        self._waiting = count - 1
