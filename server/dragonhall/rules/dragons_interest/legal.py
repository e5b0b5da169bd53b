"""What a seat may answer in Dragon's Interest: the legal codes of every stage.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from librt.random import Random
from mypy_extensions import i64

from dragonhall.rules.actions import Run
from dragonhall.rules.dragons_interest.facts import (
    ARENA,
    ARENA_STAKE,
    CONTESTS,
    CONTRACTS,
    GUILD,
    GUILD_STAKE,
    INVASION_KNIGHTS,
    TYPES,
)
from dragonhall.rules.dragons_interest.moves import (
    ACCEPT,
    ACTIVATE,
    AMOUNT_BITS,
    AMOUNTS,
    ANSWER,
    AWARD,
    BID,
    COMMIT,
    DISCARD_KNIGHTS,
    FIRST_TYPE,
    OFFER,
    PASS,
    TAKE,
)
from dragonhall.rules.masks import nth, size

if TYPE_CHECKING:
    from dragonhall.rules.dragons_interest.state import State


def runs(state: State, seat: int) -> list[Run]:
    """The legal codes of ``seat``, which is asked, ascending; amounts in runs."""
    if state.stage == OFFER:
        return _offer_runs(state, seat)
    if state.stage == COMMIT:
        return [Run(0, state.spendable(seat) + 1)]
    mask = mask_of(state, seat)
    return [Run(code) for code in range(CONTRACTS) if mask >> code & 1]


def _offer_runs(state: State, seat: i64) -> list[Run]:
    """Any amount from 0 to all that it holds (RI-5) for each building type of each other seat."""
    amounts = state.spendable(seat) + 1
    return [
        Run((target * TYPES + building) << AMOUNT_BITS, amounts)
        for target in range(state.seats)
        if target != seat
        for building in range(TYPES)
        if state.types[target] >> building & 1
    ]


def is_legal(state: State, seat: int, code: int) -> bool:
    """Whether ``code``, which may be any number, is legal for ``seat``, which is asked."""
    if state.stage == COMMIT:
        held: int = state.spendable(seat)  # no `i64`, which not every number fits
        return 0 <= code <= held
    if state.stage == OFFER:
        offers: int = state.seats * TYPES * AMOUNTS
        return 0 <= code < offers and _is_offer(state, seat, code)
    return 0 <= code < CONTRACTS and mask_of(state, seat) >> code & 1 != 0


def _is_offer(state: State, seat: i64, code: i64) -> bool:
    pair = code >> AMOUNT_BITS
    target = pair // TYPES
    return (
        target != seat
        and state.types[target] >> (pair - target * TYPES) & 1 != 0
        and code - (pair << AMOUNT_BITS) <= state.spendable(seat)
    )


def mask_of(state: State, seat: i64) -> i64:
    """The legal codes of ``seat``, which is asked, as a bit mask, where no amount is asked for."""
    stage = state.stage
    if stage == BID:
        return state.hands[seat]
    if stage == TAKE:
        return state.takeable
    if stage == ACTIVATE:
        return _legal_activations(state, seat)
    if stage == ANSWER:
        return _legal_answers(state, seat)
    if stage == AWARD:
        return state.tied
    return _legal_losses(state, seat)


def _legal_activations(state: State, seat: i64) -> i64:
    """An exchange needs another seat with a building (RI-6), a contest a stake that can be paid after the income."""
    types = state.types[seat]
    if not _has_other_building(state, seat):
        types &= CONTESTS
    if types >> ARENA & 1 and state.gold[seat] + state.buildings[seat * TYPES + ARENA] < ARENA_STAKE:
        types ^= 1 << ARENA
    if types >> GUILD & 1 and state.knights[seat] + state.buildings[seat * TYPES + GUILD] < GUILD_STAKE:
        types ^= 1 << GUILD
    return types << FIRST_TYPE | 1 << PASS


def _has_other_building(state: State, seat: i64) -> bool:
    return any(other != seat and state.types[other] != 0 for other in range(state.seats))


def _legal_answers(state: State, seat: i64) -> i64:
    """A target that holds less than the amount may only accept; it is asked all the same (RI-7)."""
    if state.spendable(seat) < state.amount:
        return 1 << ACCEPT
    return state.types[state.active] << FIRST_TYPE | 1 << ACCEPT


def _legal_losses(state: State, seat: i64) -> i64:
    """A seat with fewer than 2 knights must discard a building; it is asked all the same (RI-9)."""
    buildings = state.types[seat] << FIRST_TYPE
    return buildings | 1 << DISCARD_KNIGHTS if state.knights[seat] >= INVASION_KNIGHTS else buildings


def random_code(state: State, seat: i64, rng: Random) -> i64:
    """One of the legal codes of ``seat``, which is asked, each as likely."""
    if state.stage == COMMIT:
        return rng.randrange(state.spendable(seat) + 1)
    if state.stage == OFFER:
        return _random_offer(state, seat, rng)
    mask = mask_of(state, seat)
    return nth(mask, rng.randrange(size(mask)))


def _random_offer(state: State, seat: i64, rng: Random) -> i64:
    amounts = state.spendable(seat) + 1
    buildings: i64 = 0
    for other in range(state.seats):
        if other != seat:
            buildings += size(state.types[other])
    chosen = rng.randrange(buildings * amounts)
    place = chosen // amounts
    target: i64 = 0
    while target == seat or place >= size(state.types[target]):
        if target != seat:
            place -= size(state.types[target])
        target += 1
    building = nth(state.types[target], place)
    return ((target * TYPES + building) << AMOUNT_BITS) + chosen % amounts
