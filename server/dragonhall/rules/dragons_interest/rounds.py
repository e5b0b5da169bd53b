"""The course of a round of Dragon's Interest, stage by stage.

Each stage is asked, and answered by the function named:

1. phase 1: all seats bid (``_reveal_bids``); one after another takes a tile (``_take``), until no seat, or no tile with
   gold, is left (``_end_borrowing``);
2. phase 2: each seat, clockwise from the start player, passes or activates a building type (``_activate``). A castle,
   harbor, temple or city hall lets it fill the treasure chest for another seat (``_offer``), that accepts or matches
   (``_exchange``). An arena or guild lets it stake tokens, for which all seats commit others (``_reveal_commitments``);
   it says who wins if several committed the most (``_award``). A Generous Dragon that lies face up skips this phase;
3. phase 3: new tiles are turned up (``_refresh``); for each Invasion among them the seats that have a building choose
   what they lose (``_suffer_invasion``);
4. phase 4: the dragon moves and all pay (``_pay_interest``), unless a Generous Dragon was discarded; then the game
   ends, or the next round begins (``_end_round``).

Hot: one source that CPython runs and mypyc compiles. What seats choose together and in secret is stored, and nobody
looks at it until the last of them has chosen: the order in which they do makes no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from dragonhall.rules.dragons_interest import tell
from dragonhall.rules.dragons_interest.facts import (
    ARENA,
    ARENA_STAKE,
    CALENDAR,
    CONTESTS,
    GENEROUS_DRAGON,
    GUILD_STAKE,
    INVASION,
    JESTER_PLACE,
    MAX_VALUE,
    NOBODY,
    STACK_SIZE,
    TYPES,
)
from dragonhall.rules.dragons_interest.moves import (
    ACCEPT,
    ACTIVATE,
    AMOUNT_BITS,
    ANSWER,
    AWARD,
    BID,
    COMMIT,
    DISCARD_KNIGHTS,
    FIRST_TYPE,
    INVADED,
    OFFER,
    OVER,
    PASS,
    TAKE,
)
from dragonhall.rules.journal import Journal
from dragonhall.rules.masks import lowest

if TYPE_CHECKING:
    from dragonhall.rules.dragons_interest.state import State


def carry_out(state: State, seat: i64, code: i64, journal: Journal | None) -> None:
    """`apply` without its checks: ``code`` must be legal for ``seat``, which is asked. For searches."""
    stage = state.stage
    if stage in (BID, COMMIT, INVADED):
        state.answers[seat] = code
        state.waiting ^= 1 << seat
        if state.waiting == 0:
            _reveal(state, journal)
    elif stage == TAKE:
        _take(state, code, journal)
    elif stage == ACTIVATE:
        _activate(state, code, journal)
    elif stage == OFFER:
        _offer(state, code, journal)
    elif stage == ANSWER:
        _exchange(state, code, journal)
    else:
        _award(state, code, journal)


def _reveal(state: State, journal: Journal | None) -> None:
    """The last secret choice is in."""
    if state.stage == BID:
        _reveal_bids(state, journal)
    elif state.stage == COMMIT:
        _reveal_commitments(state, journal)
    else:
        _suffer_invasion(state, journal)


def begin_round(state: State, start_player: i64, journal: Journal | None) -> None:
    """The next round begins: all seats are asked to bid."""
    state.round += 1
    state.start_player = start_player
    state.active = NOBODY
    state.ask_all(BID)
    if journal is not None:
        tell.round_started(state, journal)


def _reveal_bids(state: State, journal: Journal | None) -> None:
    revealed: i64 = 0
    for seat in range(state.seats):
        revealed |= 1 << state.answers[seat]
        state.hands[seat] ^= 1 << state.answers[seat]
    state.takers = (1 << state.seats) - 1
    if revealed & state.deal.jester_needs == 0:
        _take_back_jesters(state)
    if journal is not None:
        tell.bids(state, journal)
    _next_taker(state, journal)


def _take_back_jesters(state: State) -> None:
    """Jesters that are worth nothing return to hand; their seats take no tile."""
    for seat in range(state.seats):
        if state.answers[seat] == JESTER_PLACE:
            _take_back(state, seat)


def _take_back(state: State, seat: i64) -> None:
    state.hands[seat] |= 1 << state.answers[seat]
    state.takers ^= 1 << seat


def _next_taker(state: State, journal: Journal | None) -> None:
    if state.takeable == 0:
        _take_back_bids(state, journal)
    if state.takers == 0:
        _end_borrowing(state, journal)
    else:
        state.active = state.first_of(state.takers)
        state.ask(TAKE, state.active)


def _take_back_bids(state: State, journal: Journal | None) -> None:
    """No tile that shows gold is left: the contracts of all who took none return."""
    while state.takers:
        seat = state.first_of(state.takers)
        _take_back(state, seat)
        if journal is not None:
            tell.returned(state, seat, journal)


def _take(state: State, building: i64, journal: Journal | None) -> None:
    """The active seat collects the tile's gold, builds it, and tucks its contract for good.

    A Jester is tucked with its full value (RI-4).
    """
    seat = state.active
    face = state.face_up(building)
    state.gold[seat] += face
    state.collected[seat] = face
    state.add_building(seat, building)
    state.tucked[seat * TYPES + building] |= 1 << state.answers[seat]
    state.untaken ^= 1 << building
    state.takeable ^= 1 << building
    state.takers ^= 1 << seat
    if journal is not None:
        tell.taken(state, seat, building, face, journal)
    _next_taker(state, journal)


def _end_borrowing(state: State, journal: Journal | None) -> None:
    generous = state.generous
    if generous:
        _collect_again(state, journal)
    for seat in range(state.seats):
        state.collected[seat] = 0
    if generous:
        _refresh(state, journal)
    else:
        state.active = state.start_player
        state.ask(ACTIVATE, state.active)


def _collect_again(state: State, journal: Journal | None) -> None:
    """Who took a tile collects its gold a second time: once, however many Generous Dragons show (RI-14)."""
    for seat in range(state.seats):
        state.gold[seat] += state.collected[seat]
    if journal is not None:
        tell.collected_again(state, journal)


def _next_turn(state: State, journal: Journal | None) -> None:
    state.active = state.left_of(state.active)
    if state.active == state.start_player:
        _refresh(state, journal)
    else:
        state.ask(ACTIVATE, state.active)


def _activate(state: State, code: i64, journal: Journal | None) -> None:
    if code == PASS:
        if journal is not None:
            tell.passed(state, journal)
        _next_turn(state, journal)
        return
    state.activated = code - FIRST_TYPE
    if journal is not None:
        tell.activated(state, journal)
    if CONTESTS >> state.activated & 1:
        for seat in range(state.seats):
            _take_income(state, seat)
        _place_stake(state, journal)
    else:
        _take_income(state, state.active)
        state.ask(OFFER, state.active)


def _take_income(state: State, seat: i64) -> None:
    """One token for each building of the activated type."""
    state.add_income(seat, state.buildings[seat * TYPES + state.activated])


def _offer(state: State, code: i64, journal: Journal | None) -> None:
    pair = code >> AMOUNT_BITS
    state.target = pair // TYPES
    state.wanted = pair - state.target * TYPES
    state.amount = code - (pair << AMOUNT_BITS)
    state.add_spendable(state.active, -state.amount)
    if journal is not None:
        tell.offer(state, journal)
    state.ask(ANSWER, state.target)


def _exchange(state: State, code: i64, journal: Journal | None) -> None:
    if code == ACCEPT:
        state.add_spendable(state.target, state.amount)
        _hand_over(state, state.wanted, state.target, state.active)
    else:
        state.add_spendable(state.target, -state.amount)
        state.add_spendable(state.active, 2 * state.amount)
        _hand_over(state, code - FIRST_TYPE, state.active, state.target)
    if journal is not None:
        tell.exchange(state, code, journal)
    _next_turn(state, journal)


def _hand_over(state: State, building: i64, giver: i64, taker: i64) -> None:
    state.remove_building(giver, building)
    state.add_building(taker, building)


def _place_stake(state: State, journal: Journal | None) -> None:
    """The stake leaves the active seat's holding, so that it cannot be committed (RI-8)."""
    state.amount = ARENA_STAKE if state.activated == ARENA else GUILD_STAKE
    state.add_income(state.active, -state.amount)
    if journal is not None:
        tell.stake(state, journal)
    state.ask_all(COMMIT)


def _reveal_commitments(state: State, journal: Journal | None) -> None:
    most: i64 = 0
    state.tied = 0
    for seat in range(state.seats):
        if state.answers[seat] > most:
            most = state.answers[seat]
            state.tied = 0
        if state.answers[seat] == most:
            state.tied |= 1 << seat
    if journal is not None:
        tell.commitments(state, journal)
    if most == 0:
        _return_stake(state, journal)
    elif state.tied & (state.tied - 1):
        state.ask(AWARD, state.active)
    else:
        _award(state, lowest(state.tied), journal)


def _return_stake(state: State, journal: Journal | None) -> None:
    """Nobody committed anything."""
    state.add_income(state.active, state.amount)
    if journal is not None:
        tell.stake_returned(state, journal)
    _next_turn(state, journal)


def _award(state: State, winner: i64, journal: Journal | None) -> None:
    """The winner gives its commitment for the stake; the active seat gives it to the supply, and gains as much again
    as it staked."""
    commitment = state.answers[winner]
    state.add_spendable(winner, -commitment)
    if winner == state.active:
        state.add_income(winner, 2 * state.amount)
    else:
        state.add_income(winner, state.amount)
        state.add_spendable(state.active, commitment)
    if journal is not None:
        tell.awarded(state, winner, journal)
    _next_turn(state, journal)


def _refresh(state: State, journal: Journal | None) -> None:
    state.active = NOBODY
    state.interest_waived = state.generous
    if journal is not None:
        tell.discarded(state, journal)
    turn_up_tiles(state, journal)
    _next_invasion(state, journal)


def turn_up_tiles(state: State, journal: Journal | None) -> None:
    """The top tile of each stack is turned up."""
    state.turned_up += 1
    state.untaken = state.takeable = state.invasions = state.calendars = 0
    state.generous = False
    for place in range(i64(len(state.deal.ring))):
        _turn_up(state, place)
    if journal is not None:
        tell.turned_up(state, journal)


def _turn_up(state: State, place: i64) -> None:
    building = state.deal.ring[place]
    state.untaken |= 1 << building
    face = state.face_up(building)
    if face <= MAX_VALUE:
        state.takeable |= 1 << building
    elif face == GENEROUS_DRAGON:
        state.generous = True
    elif face == CALENDAR:
        state.calendars += 1
    elif face == INVASION:
        state.invasions |= 1 << place


def _next_invasion(state: State, journal: Journal | None) -> None:
    """Several are suffered one after another, clockwise (RI-13). Only seats that have a building are asked."""
    if state.invasions == 0:
        _pay_interest(state, journal)
        return
    state.ask_all(INVADED)
    for seat in range(state.seats):
        if state.types[seat] == 0:
            state.waiting ^= 1 << seat
    if state.waiting == 0:
        _suffer_invasion(state, journal)


def _suffer_invasion(state: State, journal: Journal | None) -> None:
    if journal is not None:
        tell.invasion(state, journal)
    for seat in range(state.seats):
        if state.types[seat] == 0 or state.answers[seat] == DISCARD_KNIGHTS:
            state.knights[seat] -= state.invasion_knights(seat)
        else:
            state.remove_building(seat, state.answers[seat] - FIRST_TYPE)
    state.invasions &= state.invasions - 1
    _next_invasion(state, journal)


def _pay_interest(state: State, journal: Journal | None) -> None:
    if state.interest_waived:
        if journal is not None:
            tell.interest_waived(journal)
    else:
        if journal is not None:
            tell.interest(state, journal)
        for seat in range(state.seats):
            _pay(state, seat)
        state.dragon = state.place_after(state.calendars + 1)
    _end_round(state, journal)


def _pay(state: State, seat: i64) -> None:
    """A seat that holds less than it owes is ruined, and hands over all its gold (RI-10)."""
    owed = state.owed(seat)
    if state.gold[seat] >= owed:
        state.gold[seat] -= owed
    else:
        state.gold[seat] = 0
        state.ruined |= 1 << seat


def _end_round(state: State, journal: Journal | None) -> None:
    """The game ends, or the next round begins. Checked also when no interest was paid (RI-11)."""
    if state.ruined == 0 and state.completed() == 0 and state.turned_up < STACK_SIZE:
        begin_round(state, _next_start_player(state), journal)
    else:
        _end_game(state, journal)


def _next_start_player(state: State) -> i64:
    """The marker moves on clockwise, or stays (RI-3)."""
    return state.left_of(state.start_player) if state.deal.rotates else state.start_player


def _end_game(state: State, journal: Journal | None) -> None:
    """Ruined seats discard their buildings."""
    state.stage = OVER
    state.waiting = 0
    if journal is not None:
        tell.ended(state, journal)
    for seat in range(state.seats):
        if state.ruined >> seat & 1:
            state.types[seat] = 0
            for place in range(seat * TYPES, seat * TYPES + TYPES):
                state.buildings[place] = 0
