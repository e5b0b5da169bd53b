"""How long a decision may take, by clocks, banks, round trips, and by what else waits for the same worker."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from dragonhall.bots.mcts import budget
from dragonhall.bots.operating import addresses
from dragonhall.bots.operating.ledger import Ledger
from dragonhall.bots.operating.watcher import Arrival, Ending, Made
from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking import clock, inbox
from dragonhall.bots.thinking.clock import Clock, RoundTrips, time_for
from dragonhall.bots.thinking.inbox import share_of_time
from dragonhall.bots.thinking.messages import Choice
from dragonhall.rules.actions import ActionList
from dragonhall.rules.dragons.facts import Options, default_components
from dragonhall.rules.dragons.moves import Claim


@pytest.mark.parametrize(("module", "examples"), [(clock, 2), (inbox, 1), (addresses, 2), (budget, 2)])
def test_the_examples_in_the_docstrings_hold(module: ModuleType, examples: int) -> None:
    assert doctest.testmod(module) == (0, examples)


def test_the_reserve_follows_the_round_trips() -> None:
    trips = RoundTrips()
    unmeasured = trips.reserve
    for _ in range(50):
        trips.note(0.001)
    assert trips.reserve < unmeasured / 2
    for _ in range(50):
        trips.note(0.3)
    assert 0.3 < trips.reserve < 0.6


def test_an_outage_does_not_take_all_the_time_afterwards() -> None:
    trips = RoundTrips()
    for _ in range(20):
        trips.note(0.01)
    trips.note(3600.0)
    assert trips.reserve < 5.0
    for _ in range(30):
        trips.note(0.01)
    assert trips.reserve < 0.1


@pytest.mark.parametrize("increment", [0.0, 1.0])
def test_a_bank_lasts_however_many_decisions_there_are(increment: float) -> None:
    left, spent = 60.0, []
    for _ in range(500):
        spent.append(time_for(Clock(left, left, increment), elapsed=0.0, reserve=0.01))
        left += increment - spent[-1]
        assert left > 0
    assert spent[0] >= 3.0
    assert spent[-1] >= 0.8 * increment


def test_of_questions_that_wait_each_gets_its_share() -> None:
    now, dues = 0.0, [6.0, 6.0, 30.0]
    shares = []
    while dues:
        share = share_of_time(dues, now)
        assert share is not None
        shares.append(share)
        now += share
        assert now <= min(dues)
        dues.remove(min(dues))
    assert shares == [3.0, 3.0, 24.0]


def test_a_ledger_forgets_old_games_and_none_that_is_played() -> None:
    ledger = Ledger()
    made = Made(1, "decision", "view", ActionList([(Claim(0), 1)]), Choice(0, 0.1, pondered=7), 0.0)
    chair = Chair(Options(), default_components(), 3, 0)
    ledger.sat_down(("played", 0), "dragons", chair)
    for number in range(300):
        place = (f"g{number:03}", 0)
        ledger.sat_down(place, "dragons", chair)
        ledger.began(place, 1)
        ledger.decided(place, made)
        ledger.answered(place, Arrival.LATE if number < 2 else Arrival.STORED, 0.1)
        ledger.rose(place, Ending.FAILED if number == 7 else Ending.FINISHED)
    kept = [page.place[0] for page in ledger.pages()]
    assert kept == [*(f"g{number:03}" for number in range(44, 300)), "played"]
    totals = ledger.totals
    assert (totals.seats, totals.decisions, totals.late_answers, totals.faults) == (1, 300, 2, 1)
    assert totals.pondered == 300 * 7
    assert [page.place for page in ledger.pages("g100")] == [("g100", 0)]
    assert list(ledger.pages(seat=1)) == []
