from __future__ import annotations

from random import Random

import pytest

from dragonhall.rules.chance import SeededChance
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons.facts import Card, Options
from dragonhall.rules.dragons.moves import Claim, Draw, Place, PlacementDecision, TurnDecision
from dragonhall.rules.dragons_interest import DRAGONS_INTEREST
from dragonhall.rules.dragons_interest.facts import Options as Interest
from dragonhall.rules.errors import IllegalAction, InvalidOptions
from dragonhall.rules.journal import EVERYONE, Journal, viewer_bit
from dragonhall.rules.ranking import ranks
from dragonhall.rules.table import CannotForfeit, NothingToTakeBack, Step, Table, Ticket, UnknownTicket
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


# ---- Forfeits, default actions, and answers that are taken back


def test_a_forfeit_tells_nothing_and_leaves_the_seat_asked() -> None:
    driver = Driver(4, Options(first_seat=1))
    before = dict(driver.table.tickets)
    assert driver.table.forfeit(1) == Step(1, 0, None, (), (), ())
    assert (driver.table.forfeits, driver.table.tickets, driver.table.is_over()) == (((1,),), before, False)
    assert driver.act_code(driver.table.default_code(1)) != []


def test_with_a_single_seat_left_the_game_ends_scored_as_it_stands() -> None:
    driver = Driver(3, chance=chance_of(["cow", "coins5", "coins3"])).play(Claim(1))
    driver.table.forfeit(2)
    with pytest.raises(ValueError, match="not over"):
        driver.table.outcome()
    assert driver.table.forfeit(0).opened == ()
    assert (driver.table.is_over(), driver.table.tickets) == (True, {})
    results = driver.table.outcome().results
    assert [result.score for result in results] == [5, 0, 0]
    assert [(result.rank, result.forfeited) for result in results] == [(2, True), (1, False), (3, True)]


def test_a_game_that_is_played_to_its_end_ranks_those_last_that_forfeited() -> None:
    driver = Driver(5)
    driver.table.forfeit(3)
    driver.table.forfeit(0)
    driver.finish(Random(7))
    plain = driver.state.outcome().results
    results = driver.table.outcome().results
    assert [result.rank for result in results if result.forfeited] == [4, 5]
    others = [1, 2, 4]
    assert [results[seat].rank for seat in others] == ranks([-plain[seat].rank for seat in others])
    assert [(result.score, result.breakdown) for result in results] == [(one.score, one.breakdown) for one in plain]


def test_nobody_forfeits_twice_or_after_the_end() -> None:
    driver = Driver(3)
    driver.table.forfeit(1)
    for seat in (1, 3, -1):
        with pytest.raises(CannotForfeit, match=f"seat {seat} "):
            driver.table.forfeit(seat)
    driver.table.forfeit(2)
    with pytest.raises(CannotForfeit):
        driver.table.forfeit(0)
    assert driver.table.forfeits == ((1,), (2,))


def test_seats_that_forfeit_at_once_share_a_rank_before_those_that_did_earlier() -> None:
    driver = Driver(5)
    driver.table.forfeit(3)
    driver.table.forfeit(0, 2)
    driver.finish(Random(7))
    ranks_of = [result.rank for result in driver.table.outcome().results]
    assert (ranks_of[3], ranks_of[0], ranks_of[2]) == (5, 3, 3)
    assert {ranks_of[1], ranks_of[4]} <= {1, 2}


def test_when_all_that_are_left_forfeit_at_once_they_share_the_first_rank() -> None:
    driver = Driver(3)
    driver.table.forfeit(1)
    driver.table.forfeit(0, 2)
    results = driver.table.outcome().results
    assert [(result.rank, result.forfeited) for result in results] == [(1, True), (3, True), (1, True)]


@pytest.mark.parametrize("seats", [(0, 0), (0, 1), (0, 3)])
def test_of_seats_that_cannot_all_forfeit_none_does(seats: tuple[int, ...]) -> None:
    driver = Driver(3)
    driver.table.forfeit(1)
    with pytest.raises(CannotForfeit, match=f"seat {seats[1]} "):
        driver.table.forfeit(*seats)
    assert driver.table.forfeits == ((1,),)


def test_an_answer_that_is_taken_back_is_asked_under_a_new_number() -> None:
    driver = Driver(3, Options(first_seat=0)).play(Draw())
    before = everything(driver.state)
    driver.play(Place(1))
    opened = driver.steps[-1].opened[0].decision_id
    ticket = driver.table.take_back(SeededChance(bytes(32)))
    assert (ticket.seat, ticket.decision_id, ticket.decision) == (0, opened + 1, PlacementDecision(drawn(driver)))
    assert driver.table.tickets == {0: ticket}
    assert everything(driver.state) == before
    with pytest.raises(UnknownTicket):
        driver.table.answer(0, opened - 1, 1)
    assert driver.table.answer(0, opened + 1, 0).opened[0].decision_id == opened + 2


def drawn(driver: Driver) -> Card | None:
    return driver.state.view(0).drawn


def test_one_answer_after_another_can_be_taken_back_to_the_start() -> None:
    driver = Driver(3, Options(first_seat=0))
    states = [everything(driver.state)]
    for action in (Draw(), Place(0), Draw(), Place(2)):
        states.append(everything(driver.play(action).state))
    for state in reversed(states[:-1]):
        driver.table.take_back(SeededChance(bytes(32)))
        assert everything(driver.state) == state
    with pytest.raises(NothingToTakeBack):
        driver.table.take_back(SeededChance(bytes(32)))


def test_what_others_are_asked_together_with_it_stays_as_it_is() -> None:
    table = Table(DRAGONS_INTEREST, DRAGONS_INTEREST.default_components(), Interest(), 3, SeededChance(bytes(32)))
    table.start()
    tickets = dict(table.tickets)
    table.answer(2, 3, 0)
    table.answer(0, 1, 0)
    renewed = table.take_back(SeededChance(bytes(32)))
    assert table.tickets == {0: Ticket(4, 0, renewed.decision, renewed.public_decision), 1: tickets[1]}
    assert table.state.pending() == [0, 1]
