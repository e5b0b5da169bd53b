"""Random games of Dragon's Interest: that all accounts add up at every step, and how games end."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragonhall.rules.dragons_interest.events import GameEnded, InterestPaid
from dragonhall.rules.dragons_interest.facts import BUILDING_TYPES, JESTER, STACK_SIZE, Options
from dragonhall.rules.dragons_interest.state import State
from dragonhall.rules.dragons_interest.view import SeatView, View
from dragonhall.rules.journal import Entry
from tests.rules.dragons_interest_ledger import Ledger
from tests.rules.dragons_interest_tables import (
    COMPONENTS,
    SEATS,
    VARIANTS,
    Driver,
    variant_name,
)
from tests.rules.driver import seeded

SEAT_NUMBERS = st.sampled_from(SEATS)
OPTIONS = st.sampled_from(VARIANTS)
SEEDS = st.binary(min_size=32, max_size=32)
LUCK = st.integers(0, 2**32 - 1)
ROUNDS = 9


def driver_of(seats: int, options: Options, seed: bytes) -> Driver:
    return Driver(seats, options, seeded(seats, seed))


class Accounts:
    """The ledgers of all seats, and of one who is told everything, kept along with a game."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._own = [Ledger(driver.seats) for _ in range(driver.seats)]
        self._everybody = Ledger(driver.seats)
        self._read = 0

    def check(self) -> None:
        """Reads what was told since the last time, and compares it with the table."""
        driver = self._driver
        entries = [entry for told in driver.steps[self._read :] for entry in told.entries]
        self._read = len(driver.steps)
        self._everybody.read(known_events(entries))
        for viewer, ledger in enumerate(self._own):
            ledger.read(entry.event for entry in entries if entry.is_for(viewer))
            check_tokens(driver.state.view(viewer), viewer, ledger)
        check_pieces(driver.state, self._everybody)


def known_events(entries: list[Entry]) -> list[object]:
    """Every event once, with all that any seat knows of it: what is told apart is told first to those who know."""
    hidden = {place + 1 for place, entry in enumerate(entries) if not entry.is_for(None)}
    return [entry.event for place, entry in enumerate(entries) if place not in hidden]


def check_tokens(view: View, viewer: int, ledger: Ledger) -> None:
    """What a seat was told adds up to what it holds, and to what all see of the others' buildings."""
    own = view.seats[viewer]
    assert (own.gold, own.knights) == (ledger.tokens["gold"][viewer], ledger.tokens["knights"][viewer])
    assert [buildings_of(seat) for seat in view.seats] == [+kingdom for kingdom in ledger.buildings]
    assert [debts_of(seat) for seat in view.seats] == ledger.tucked


def buildings_of(seat: SeatView) -> Counter[str]:
    counts: dict[str, int] = dict(zip(BUILDING_TYPES, seat.buildings, strict=True))
    return +Counter(counts)


def debts_of(seat: SeatView) -> Counter[str]:
    debts: Counter[str] = Counter()
    for tucked in seat.tucked:
        debts[tucked.building] += tucked.value
    return debts


def check_pieces(state: State, everybody: Ledger) -> None:
    """No tile, no contract is ever lost or made; nobody ever holds less than nothing."""
    view = state.view(None)
    assert everybody.least == 0
    assert list(state.gold) == everybody.tokens["gold"]
    assert list(state.knights) == everybody.tokens["knights"]
    kingdoms = sum((buildings_of(seat) for seat in view.seats), Counter[str]())
    face_up = Counter(stack.building for stack in view.stacks if stack.face_up)
    for stack in view.stacks:
        assert everybody.turned_up[stack.building] + stack.size == STACK_SIZE
        where = (everybody.box, kingdoms, face_up)
        assert sum(pile[stack.building] for pile in where) == everybody.turned_up[stack.building]
    for seat in view.seats:
        revealed = [seat.revealed] if seat.revealed else []
        contracts = [*seat.hand, *revealed, *(tucked.contract for tucked in seat.tucked)]
        assert sorted(contracts, key=lambda contract: contract.number) == [JESTER, *COMPONENTS.contracts[:-1]]


@given(SEAT_NUMBERS, OPTIONS, SEEDS, LUCK)
def test_scores_follow_from_the_breakdown(seats: int, options: Options, seed: bytes, luck: int) -> None:
    for result in driver_of(seats, options, seed).finish(Random(luck)).state.outcome().results:
        made_of = result.breakdown
        assert result.score == len(made_of.types) + len(made_of.majorities)
        assert result.eliminated == made_of.ruined
        assert not made_of.ruined or (result.score, made_of.gold) == (0, 0)


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_random_games_keep_all_accounts(seats: int, options: Options, request: pytest.FixtureRequest) -> None:
    """``--games`` of them: tokens, tiles and contracts add up at every step, and every game ends in time."""
    ends: Counter[str] = Counter()
    games = max(1, request.config.getoption("--games") // len(VARIANTS))
    for game in range(games):
        driver, rng = driver_of(seats, options, game.to_bytes(32, "big")), Random(game)
        accounts = Accounts(driver)
        while driver.table.tickets:
            driver.step(rng)
            if len(driver.waiting) < 2:  # not after every secret answer
                accounts.check()
        ends[check_end(driver)] += 1
    print(f"{seats} seats, {options.start_player}: {dict(ends)}")


def check_end(driver: Driver) -> str:
    """Why a game ended, and that it did as soon as it had to."""
    told = driver.told(None)
    ended = told[-1]
    assert isinstance(ended, GameEnded)
    view = driver.state.view(None)
    assert view.round <= ROUNDS
    assert ended.stacks_empty == (view.round == ROUNDS)
    paid = [event for event in told if isinstance(event, InterestPaid)]
    ruined = [payment.seat for event in paid for payment in event.payments if payment.paid < payment.owed]
    assert list(ended.ruined) == ruined
    assert ruined or ended.completed or ended.stacks_empty
    return "ruin" if ruined else "ten buildings" if ended.completed else "stacks empty"
