from __future__ import annotations

from random import Random

import pytest

from dragonhall.rules.chance import SeededChance
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons.facts import Options
from dragonhall.rules.dragons.moves import Claim, Draw, Place, PlacementDecision, TurnDecision
from dragonhall.rules.errors import IllegalAction, InvalidOptions
from dragonhall.rules.journal import EVERYONE, Journal, viewer_bit
from dragonhall.rules.table import Table, Ticket, UnknownTicket
from tests.rules.dragons_tables import COMPONENTS, Driver, chance_of, everything


def test_the_start_is_answer_to_nobody_and_opens_ticket_1() -> None:
    step = Driver(3, chance=chance_of(first_seat=2)).steps[0]
    assert (step.seat, step.decision_id, step.action) == (None, 0, None)
    assert [outcome.name for outcome in step.chance] == ["dragons/treasure", "dragons/first_seat"]
    assert step.opened == (Ticket(1, 2, TurnDecision(), TurnDecision()),)


def test_tickets_count_up_over_the_whole_game() -> None:
    driver = Driver(4).finish(Random(2))
    opened = [ticket.decision_id for step in driver.steps for ticket in step.opened]
    assert opened == list(range(1, len(opened) + 1))
    assert [step.decision_id for step in driver.steps[1:]] == opened


def test_a_step_says_who_answered_what() -> None:
    driver = Driver(3, Options(hidden_card=True, first_seat=1)).play(Draw())
    step = driver.steps[1]
    assert (step.seat, step.decision_id, step.action, step.chance) == (1, 1, Draw(), ())
    drawn = driver.state.view(1).drawn
    assert step.opened == (Ticket(2, 1, PlacementDecision(drawn), PlacementDecision(None)),)


@pytest.mark.parametrize(("seat", "decision_id"), [(0, 2), (0, 0), (0, -1), (1, 3), (7, 3), (-1, 3), (0, 4)])
def test_an_unknown_ticket_is_refused_without_a_trace(seat: int, decision_id: int) -> None:
    driver = Driver(3, Options(first_seat=1)).play(Claim(0), Draw())  # seat 2 holds ticket 3
    untouched, tickets = everything(driver.state), dict(driver.table.tickets)
    with pytest.raises(UnknownTicket, match=f"seat {seat} is not asked decision {decision_id}"):
        driver.table.answer(seat, decision_id, 0)
    with pytest.raises(UnknownTicket):
        driver.table.check(seat, decision_id, Place(1))
    assert everything(driver.state) == untouched
    assert driver.table.tickets == tickets


def test_an_answered_ticket_is_no_longer_known() -> None:
    driver = Driver(3, Options(first_seat=0)).play(Draw())
    with pytest.raises(UnknownTicket):
        driver.table.answer(0, 1, 0)


def test_an_illegal_answer_leaves_the_ticket_open() -> None:
    driver = Driver(3, Options(first_seat=0))
    untouched = everything(driver.state)
    for code in (-1, 4, 99):
        with pytest.raises(IllegalAction):
            driver.table.answer(0, 1, code)
    assert everything(driver.state) == untouched
    assert driver.table.answer(0, 1, 0).decision_id == 1


def test_checking_changes_nothing() -> None:
    driver = Driver(3, Options(first_seat=0))
    untouched = everything(driver.state)
    assert driver.table.check(0, 1, Claim(2)) == 3
    assert everything(driver.state) == untouched
    assert set(driver.table.tickets) == {0}


def test_no_ticket_is_open_when_the_game_is_over() -> None:
    driver = Driver(5).finish(Random(4))
    assert driver.table.tickets == {}
    assert driver.steps[-1].opened == ()


def test_a_table_that_cannot_be_set_up_says_why() -> None:
    with pytest.raises(InvalidOptions):
        Table(DRAGONS, COMPONENTS, Options(), 2, SeededChance(bytes(32))).start()


def test_a_journal_says_who_is_told() -> None:
    journal = Journal()
    journal.tell("all")
    journal.tell_only(1, "one")
    journal.tell_others(1, "others")
    told = {viewer: [entry.event for entry in journal.entries if entry.is_for(viewer)] for viewer in (0, 1, 29, None)}
    assert told == {0: ["all", "others"], 1: ["all", "one"], 29: ["all", "others"], None: ["all", "others"]}
    assert journal.entries[0].audience == EVERYONE
    assert viewer_bit(3) == 8
