"""A game of Dragons in progress: the turn, stage by stage.

A year runs through these stages, each a method of `State`:

1. ``_reveal_first_cards``: one card starts each pile;
2. ``_deal_hidden_cards``: each seat is dealt one (only with ``hidden_card``);
3. turns, clockwise among the seats without a pile: a seat answers its turn with ``_draw``, then its placement with
   ``_place``; or it answers its turn with ``_claim``;
4. ``_take_last_pile``: the last remaining seat takes the last pile and the rest of the deck;
5. ``_carry_home``: all hauls become treasure; the next year begins to the left of the last remaining seat.

Hot: one source that CPython runs and mypyc compiles. A card is known by its *position* in the shuffled order of all 104
cards; the years' decks are consecutive slices of that order (RD-1). A pile is a chain of positions from its top down
(`below`). Nothing here is random after the set-up: the order settles every later draw.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.actions import Run
from dragonhall.rules.chance import Chance
from dragonhall.rules.dragons import events
from dragonhall.rules.dragons.facts import (
    CARDS,
    FACES,
    FIRST_SEAT_STREAM,
    TREASURE_STREAM,
    Card,
    Components,
    Options,
    check_options,
    deck_sizes,
)
from dragonhall.rules.dragons.moves import (
    DRAW,
    FIRST_CLAIM,
    Decision,
    PlacementDecision,
    TurnDecision,
    action_of,
    check_asked,
    refusal,
)
from dragonhall.rules.dragons.outcome import outcome
from dragonhall.rules.dragons.scoring import eliminated_seats, scores
from dragonhall.rules.dragons.view import View, view_of
from dragonhall.rules.game import TO_THE_END, Outcome
from dragonhall.rules.journal import Journal

NONE: Final = -1
"""No position, no seat."""


@final
class Deal:
    """What is settled before the first turn; all copies of a state share it, and nothing writes to it."""

    def __init__(self, seats: i64, hidden_card: bool, open_piles: bool, deck_ends: vec[i64], order: vec[i64]) -> None:
        self.seats: i64 = seats
        self.hidden_card: bool = hidden_card
        self.open_piles: bool = open_piles
        self.deck_ends: vec[i64] = deck_ends
        """By year: the position after the last card of its deck."""
        self.order: vec[i64] = order
        """The face of each card, in shuffled order."""

    def with_order(self, order: vec[i64]) -> Deal:
        """The same with the cards in another order."""
        return Deal(self.seats, self.hidden_card, self.open_piles, self.deck_ends, order)


@final
class State:
    """A full state, hidden cards included. Made by `new_game`, `copy` and beliefs."""

    def __init__(
        self, deal: Deal, below: vec[i64], tops: vec[i64], owners: vec[i64], held: vec[i64], treasure: vec[i64]
    ):
        self.deal: Deal = deal
        self.seats: i64 = deal.seats
        self.year: i64 = 0
        """From 1; 0 before the first."""
        self.next_card: i64 = 0
        """Position of the deck's first card."""
        self.deck_end: i64 = 0
        """Position after the deck's last card."""
        self.active: i64 = NONE
        """The seat whose turn it is; `NONE` when the game is over."""
        self.waiting_seats: i64 = 0
        """Bit mask: seats without a pile."""
        self.free_piles: i64 = 0
        """Bit mask: piles without a dragon, as many as seats without a pile."""
        self.drawn: i64 = NONE
        """Position of the card drawn and not yet placed."""
        self.below: vec[i64] = below
        """By position of a card on a pile: the position of the card below it, or `NONE`."""
        self.pile_top: vec[i64] = tops
        """By pile: the position of its top card, or `NONE`."""
        self.pile_owner: vec[i64] = owners
        """By pile: the seat whose dragon lies on it, or `NONE`."""
        self.held: vec[i64] = held
        """By seat: the position of its hidden card, or `NONE`."""
        self.treasure: vec[i64] = treasure
        """Cards that seat *s* owns of a face, from the years that ended: at ``s * FACES + face``."""

    def copy(self) -> State:
        """An independent copy."""
        twin = State(self.deal, self.below[:], self.pile_top[:], self.pile_owner[:], self.held[:], self.treasure[:])
        twin.year = self.year
        twin.next_card = self.next_card
        twin.deck_end = self.deck_end
        twin.active = self.active
        twin.waiting_seats = self.waiting_seats
        twin.free_piles = self.free_piles
        twin.drawn = self.drawn
        return twin

    def dealt_anew(self, places: vec[i64], faces: vec[i64], rng: Random) -> State:
        """A copy with ``faces`` at the positions ``places`` in random order, each order as likely. For beliefs."""
        order = self.deal.order[:]
        rest = faces[:]
        unplaced: i64 = len(rest)
        while unplaced > 0:
            chosen = rng.randrange(unplaced)
            unplaced -= 1
            order[places[unplaced]] = rest[chosen]
            rest[chosen] = rest[unplaced]
        twin = self.copy()
        twin.deal = self.deal.with_order(order)
        return twin

    def is_over(self) -> bool:
        """Whether all years are over."""
        return self.active == NONE

    def is_placing(self) -> bool:
        """Whether a card is drawn and a placement asked for; else a turn is."""
        return self.drawn != NONE

    def pending(self) -> list[int]:
        """The seat whose turn it is, alone; nobody when the game is over."""
        return [] if self.active == NONE else [self.active]

    def decision(self, seat: int) -> Decision:
        """What ``seat`` is asked, as it sees it. Raises `IllegalAction` if it is not its turn."""
        check_asked(self, seat)
        return PlacementDecision(self.card(self.drawn)) if self.is_placing() else TurnDecision()

    def public_decision(self, seat: int) -> Decision:
        """What ``seat`` is asked, as everyone may know it. Raises `IllegalAction` if it is not its turn."""
        check_asked(self, seat)
        if not self.is_placing():
            return TurnDecision()
        return PlacementDecision(None if self.deal.hidden_card else self.card(self.drawn))

    def legal_runs(self, seat: int) -> list[Run]:
        """The legal codes, each a run of its own, ascending. Raises `IllegalAction` if it is not ``seat``'s turn."""
        return [Run(code) for code in self.legal_actions(seat)]

    def legal_actions(self, seat: int) -> list[int]:
        """The legal codes, ascending. Raises `IllegalAction` if it is not ``seat``'s turn.

        Two equal cards in hand are two actions on each pile: the number of a seat's choices tells nothing.
        """
        check_asked(self, seat)
        mask = self.legal_mask()
        return [code for code in range(2 * self.seats) if mask >> code & 1]

    def legal_mask(self) -> i64:
        """The legal codes of the seat whose turn it is, as a bit mask."""
        if self.drawn == NONE:
            claims = self.free_piles << FIRST_CLAIM
            return claims | 1 << DRAW if self.next_card < self.deck_end else claims
        if self.deal.hidden_card:
            return self.free_piles | self.free_piles << self.seats
        return self.free_piles

    def is_legal(self, seat: int, code: int) -> bool:
        """Whether ``code``, which may be any number, is legal for ``seat``, whose turn it is."""
        codes: int = 2 * self.seats  # no `i64`, which not every number fits
        return 0 <= code < codes and self.legal_mask() >> code & 1 != 0

    def apply(self, seat: int, action: int, chance: Chance, journal: Journal | None) -> None:
        """Carries out a legal action's code and tells ``journal``. Raises `IllegalAction`, then nothing has changed.

        ``chance`` is not asked: the shuffle at the start settled all draws.
        """
        check_asked(self, seat)
        if not self.is_legal(seat, action):
            raise refusal(self, seat, action_of(self, action))
        self.carry_out(action, journal)

    def carry_out(self, code: i64, journal: Journal | None) -> None:
        """`apply` without its checks: ``code`` must be legal for the seat whose turn it is. For searches."""
        if self.drawn != NONE:
            self._place(code, journal)
        elif code == DRAW:
            self._draw(journal)
        else:
            self._claim(code - FIRST_CLAIM, journal)

    def begin_year(self, first_seat: i64, journal: Journal | None) -> None:
        """Stages 1 and 2 of the next year; then it is ``first_seat``'s turn."""
        self.next_card = self.deck_end
        self.deck_end = self.deal.deck_ends[self.year]
        self.year += 1
        self.active = first_seat
        self.waiting_seats = (1 << self.seats) - 1
        self.free_piles = self.waiting_seats
        self._reveal_first_cards(journal)
        if self.deal.hidden_card:
            self._deal_hidden_cards(journal)

    def _reveal_first_cards(self, journal: Journal | None) -> None:
        for pile in range(self.seats):
            self.below[self.next_card] = NONE
            self.pile_top[pile] = self.next_card
            self.pile_owner[pile] = NONE
            self.next_card += 1
        if journal is not None:
            events.tell_year_started(self, journal)

    def _deal_hidden_cards(self, journal: Journal | None) -> None:
        """One card a seat, from the year's first player on, clockwise (RD-3)."""
        seat = self.active
        for _ in range(self.seats):
            self.held[seat] = self.next_card
            self.next_card += 1
            if journal is not None:
                events.tell_hidden_card(self, seat, journal)
            seat = self._left_of(seat)

    def _draw(self, journal: Journal | None) -> None:
        self.drawn = self.next_card
        self.next_card += 1
        if journal is not None:
            events.tell_drawn(self, journal)

    def _place(self, code: i64, journal: Journal | None) -> None:
        pile = code
        card = self.drawn
        if code >= self.seats:
            pile = code - self.seats
            card = self.held[self.active]
            self.held[self.active] = self.drawn
        self.below[card] = self.pile_top[pile]
        self.pile_top[pile] = card
        self.drawn = NONE
        if journal is not None:
            events.tell_placed(self, pile, "drawn" if pile == code else "held", journal)
        self._pass_turn()

    def _claim(self, pile: i64, journal: Journal | None) -> None:
        if journal is not None:
            events.tell_claimed(self.active, pile, journal)
        self._put_dragon(pile)
        self._pass_turn()
        if self.waiting_seats & (self.waiting_seats - 1) == 0:
            self._end_year(journal)

    def _put_dragon(self, pile: i64) -> None:
        self.pile_owner[pile] = self.active
        self.free_piles ^= 1 << pile
        self.waiting_seats ^= 1 << self.active

    def _pass_turn(self) -> None:
        """To the next seat clockwise that has no pile yet."""
        seat = self._left_of(self.active)
        while not self.waiting_seats >> seat & 1:
            seat = self._left_of(seat)
        self.active = seat

    def _left_of(self, seat: i64) -> i64:
        """The next seat clockwise."""
        return seat + 1 if seat + 1 < self.seats else i64(0)

    def _end_year(self, journal: Journal | None) -> None:
        """Stages 4 and 5, then the next year, if there is one."""
        last_seat = self.active
        self._take_last_pile()
        if journal is not None:
            events.tell_year_ended(self, last_seat, journal)
        self._carry_home(last_seat)
        if self.year < len(self.deal.deck_ends):
            self.begin_year(self._left_of(last_seat), journal)
        else:
            self.active = NONE

    def _take_last_pile(self) -> None:
        pile: i64 = 0
        while not self.free_piles >> pile & 1:
            pile += 1
        self._put_dragon(pile)

    def _carry_home(self, last_seat: i64) -> None:
        """Every pile, the rest of the deck, and with ``hidden_card`` the cards in hand become treasure."""
        order, treasure, below = self.deal.order, self.treasure, self.below
        for pile in range(self.seats):
            owned: i64 = self.pile_owner[pile] * FACES
            card = self.pile_top[pile]
            while card != NONE:
                treasure[owned + order[card]] += 1
                card = below[card]
            self.pile_top[pile] = NONE
        owned = last_seat * FACES
        for card in range(self.next_card, self.deck_end):
            treasure[owned + order[card]] += 1
        self.next_card = self.deck_end
        if self.deal.hidden_card:
            self._carry_home_hidden_cards()

    def _carry_home_hidden_cards(self) -> None:
        for seat in range(self.seats):
            self.treasure[seat * FACES + self.deal.order[self.held[seat]]] += 1
            self.held[seat] = NONE

    def card(self, position: i64) -> Card:
        """The card at a position."""
        return CARDS[self.deal.order[position]]

    def deck_size(self) -> int:
        """Cards left in this year's deck."""
        return self.deck_end - self.next_card

    def deck_faces(self) -> list[int]:
        """The faces of this year's deck, first card first."""
        return [self.deal.order[position] for position in range(self.next_card, self.deck_end)]

    def pile_faces(self, pile: i64) -> list[int]:
        """The faces of a pile's cards, bottom card first."""
        faces: list[int] = []
        card = self.pile_top[pile]
        while card != NONE:
            faces.append(self.deal.order[card])
            card = self.below[card]
        faces.reverse()
        return faces

    def view(self, viewer: int | None) -> View:
        """What seat ``viewer`` (``None``: a spectator) sees now. Raises `ValueError` if there is no such seat."""
        return view_of(self, viewer)

    def outcome(self) -> Outcome:
        """The result of a game that is over. Raises `ValueError` before."""
        if not self.is_over():
            raise ValueError("the game is not over: it has no outcome yet")
        return outcome(self.treasure, self.seats)

    def standing(self) -> Outcome:
        """The result if the game ended now, reckoned as by `evaluate`."""
        return outcome(self._reckoned().treasure, self.seats)

    def evaluate(self) -> list[int]:
        """Every seat's points if the game ended now with what it owns, the pile it has claimed and the card it holds.

        A one-ply evaluation: it looks at hidden cards too, so a bot uses it on states that it has sampled. The rest of
        the deck, piles without a dragon and a card that is drawn but not yet placed count for nobody.
        """
        return self._reckoned().points()

    def _reckoned(self) -> State:
        """A copy in which every seat owns what it has claimed and what it holds, and nobody owns the rest."""
        reckoned = self.copy()
        for pile in range(self.seats):
            if self.pile_owner[pile] == NONE:
                reckoned.pile_top[pile] = NONE
        reckoned.next_card = reckoned.deck_end
        if not self.is_over():
            reckoned._carry_home(NONE)
        return reckoned

    def points(self) -> list[int]:
        """Every seat's points for its treasure alone, as scored at the end."""
        return list(scores(self.treasure, self.seats, eliminated_seats(self.treasure, self.seats)))

    def play_out(self, rng: Random, most: int = TO_THE_END) -> int:
        """Plays to the end, or for ``most`` actions, every seat choosing evenly among its legal actions.

        Returns the number of actions.
        """
        limit: i64 = most
        actions: i64 = 0
        while actions < limit and self.active != NONE:
            self.carry_out(self._random_legal_code(rng), None)
            actions += 1
        return actions

    def _random_legal_code(self, rng: Random) -> i64:
        mask = self.legal_mask()
        legal: i64 = 0
        rest = mask
        while rest:
            rest &= rest - 1
            legal += 1
        chosen = rng.randrange(legal)
        code: i64 = 0
        while True:
            if mask >> code & 1:
                if chosen == 0:
                    return code
                chosen -= 1
            code += 1


def deal_cards(options: Options, seats: int, order: list[int]) -> Deal:
    """The cards in shuffled order, divided into years (RD-1)."""
    deck_ends = list(accumulate(deck_sizes(seats, options.extra_year)))
    return Deal(seats, options.hidden_card, options.open_piles, vec[i64](deck_ends), vec[i64](order))


def empty_table(deal: Deal) -> State:
    """A state before its first year."""
    return State(
        deal,
        below=_filled(len(deal.order), NONE),
        tops=_filled(deal.seats, NONE),
        owners=_filled(deal.seats, NONE),
        held=_filled(deal.seats, NONE),
        treasure=_filled(deal.seats * FACES, 0),
    )


def _filled(size: i64, value: i64) -> vec[i64]:
    return vec[i64]([value] * size)


def new_game(components: Components, options: Options, seats: int, chance: Chance, journal: Journal | None) -> State:
    """Shuffles, settles who begins (RD-2), and begins the first year. Raises `InvalidOptions`.

    Asks ``chance`` for the shuffle, then, unless the options say who begins, for the first seat.
    """
    check_options(options, seats)
    order = chance.shuffle(TREASURE_STREAM, components.cards())
    first_seat = options.first_seat
    if first_seat is None:
        first_seat = chance.number(FIRST_SEAT_STREAM, seats)
    state = empty_table(deal_cards(options, seats, order))
    state.begin_year(first_seat, journal)
    return state
