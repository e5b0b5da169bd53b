"""The leak proof: games that differ only in what a reader does not know send it the same bytes, at every moment.

Planted leaks at the end show that the proof finds them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from librt.random import Random as SamplingRandom

from dragonhall.rules.dragons import belief, events, moves, view
from dragonhall.rules.dragons.facts import CARDS, Options
from dragonhall.rules.dragons.state import State
from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.journal import Journal
from dragonhall.rules.table import Table
from tests.leaks.dragons_worlds import (
    ATTEMPTS,
    first_difference,
    plays_with_two_cards,
    random_world,
    unknown_positions,
    with_the_other_card_played,
    with_unknown_cards_moved,
)
from tests.leaks.messages import shown
from tests.rules.tables import SEATS, VARIANTS, variant_name

HIDDEN = Options(hidden_card=True)


def viewers(seats: int) -> list[int | None]:
    return [*range(seats), None]


def find_leak_of_unseen_cards(seats: int, options: Options, seed: int, moments: int) -> str | None:
    """Moves the cards that a reader has not seen at some moments of a game, and looks for a difference up to then."""
    rng = Random(f"{seed} {seats} {options}")
    world = random_world(seats, options, rng)
    states = world.states()
    for viewer in viewers(seats):
        sent = list(world.sent_to(viewer))
        for answers in rng.sample(range(len(states)), moments):
            other = with_unknown_cards_moved(world, states[answers], viewer, rng)
            difference = first_difference(sent, other, viewer, answers)
            if difference:
                return difference
    return None


def find_leak_of_the_card_played(seats: int, options: Options, seed: int, choices: int) -> str | None:
    """Lets another seat, whose two cards are changed round, play the other of them, and looks for a difference."""
    rng = Random(f"{seed} {seats} {options}")
    world = random_world(seats, options, rng)
    states = world.states()
    for viewer in viewers(seats):
        sent = list(world.sent_to(viewer))
        for answer in rng.sample(plays_with_two_cards(world, states, viewer), choices):
            other = with_the_other_card_played(world, states, answer)
            difference = first_difference(sent, other, viewer, len(world.codes))
            if difference:
                return difference
    return None


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_unseen_cards_change_nothing_that_is_sent(seats: int, options: Options) -> None:
    assert find_leak_of_unseen_cards(seats, options, seed=1, moments=3) is None


@pytest.mark.parametrize("options", [options for options in VARIANTS if options.hidden_card], ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_which_card_another_seat_played_changes_nothing_that_is_sent(seats: int, options: Options) -> None:
    assert find_leak_of_the_card_played(seats, options, seed=2, choices=2) is None


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_a_reader_cannot_tell_a_sampled_world_from_the_real_one(seats: int, options: Options) -> None:
    rng = Random(f"3 {seats} {options}")
    world = random_world(seats, options, rng)
    driver = world.start()
    for code in world.codes:
        viewer = rng.choice(viewers(seats))
        sampled = Table(driver.table.game, None, options, seats, None)  # type: ignore[arg-type]  # is never set up
        sampled.state = belief.Belief(driver.knowledge(viewer)).sample(SamplingRandom(rng.getrandbits(32)))
        for seat, ticket in driver.table.tickets.items():
            decision = ticket.decision if seat == viewer else None
            sampled.tickets[seat] = type(ticket)(
                ticket.decision_id, seat, decision or sampled.state.decision(seat), sampled.state.public_decision(seat)
            )
        assert shown(sampled, viewer, ATTEMPTS) == shown(driver.table, viewer, ATTEMPTS)
        driver.act_code(code)


@pytest.mark.parametrize("seats", SEATS)
def test_the_worlds_compared_do_differ(seats: int) -> None:
    """Else the proof would prove nothing: at the start at least the decks are unknown, whoever looks."""
    rng = Random(4)
    world = random_world(seats, HIDDEN, rng)
    states = world.states()
    for viewer in viewers(seats):
        for answers in (0, len(states) // 2):
            assert with_unknown_cards_moved(world, states[answers], viewer, rng).order != world.order
            assert len(unknown_positions(states[answers], viewer)) > seats
        assert plays_with_two_cards(world, states, viewer)


def test_a_difference_is_found_by_those_who_see_it_and_by_nobody_else() -> None:
    """The seat that draws first draws another card: it knows, and nobody else."""
    rng = Random(5)
    world = random_world(4, HIDDEN, rng)
    while world.codes[0] != 0:
        world = random_world(4, HIDDEN, rng)
    seat, drawn = world.first_seat, world.states()[1].drawn
    order = list(world.order)
    last = max(position for position in range(104) if order[position] != order[drawn])
    order[drawn], order[last] = order[last], order[drawn]
    other = replace(world, order=tuple(order))
    found = {viewer: first_difference(list(world.sent_to(viewer)), other, viewer, 1) for viewer in viewers(4)}
    assert {viewer for viewer, difference in found.items() if difference} == {seat}


# ---- Planted leaks


def plant_all_held_cards_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "_held", lambda state, viewer: state.card(state.held[0]) if state.held[0] >= 0 else None)


def plant_drawn_card_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "_drawn", lambda state, viewer: state.card(state.drawn) if state.is_placing() else None)


def plant_what_is_held_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    """By one bit alone: who holds an animal does not seem to hold a card."""
    honest = view._seat

    def leaking(state: State, seat: int) -> view.SeatView:
        seen = honest(state, seat)
        animal = seen.holds_card and state.deal.order[state.held[seat]] < 2
        return replace(seen, holds_card=seen.holds_card and not animal)

    monkeypatch.setattr(view, "_seat", leaking)


def plant_drawn_card_in_events(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(state: State, journal: Journal) -> None:
        journal.tell(events.CardDrawn(state.active, state.card(state.drawn), state.deck_size()))

    monkeypatch.setattr(events, "tell_drawn", leaking)


def plant_an_event_more_for_some_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """By number alone: whoever draws an animal is said to have drawn twice."""
    honest = events.tell_drawn

    def leaking(state: State, journal: Journal) -> None:
        honest(state, journal)
        if state.deal.order[state.drawn] < 2:
            honest(state, journal)

    monkeypatch.setattr(events, "tell_drawn", leaking)


def plant_hidden_cards_in_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = moves.check_asked

    def leaking(state: State, seat: int) -> None:
        try:
            honest(state, seat)
        except IllegalAction as refused:
            raise IllegalAction(f"{refused.message}, who holds {CARDS[state.deal.order[-1]]}", refused.rule) from None

    monkeypatch.setattr(moves, "check_asked", leaking)


def plant_drawn_card_in_what_others_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Table._open

    def leaking(self: Table, seat: int) -> Any:
        ticket = honest(self, seat)
        ticket = type(ticket)(ticket.decision_id, seat, ticket.decision, ticket.decision)
        self.tickets[seat] = ticket
        return ticket

    monkeypatch.setattr(Table, "_open", leaking)


@pytest.mark.parametrize(
    "plant",
    [
        plant_all_held_cards_in_views,
        plant_drawn_card_in_views,
        plant_what_is_held_in_views,
        plant_drawn_card_in_events,
        plant_an_event_more_for_some_cards,
        plant_hidden_cards_in_refusals,
        plant_drawn_card_in_what_others_wait_for,
    ],
)
def test_a_planted_leak_is_found(plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert any(find_leak_of_unseen_cards(4, HIDDEN, seed, moments=4) for seed in range(3))


def test_a_planted_leak_of_the_card_played_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(state: State, pile: int, played: moves.HandCard, journal: Journal) -> None:
        journal.tell(events.CardPlaced(state.active, pile, state.card(state.pile_top[pile]), played))

    monkeypatch.setattr(events, "tell_placed", leaking)
    assert find_leak_of_the_card_played(4, HIDDEN, seed=0, choices=3)
    assert find_leak_of_unseen_cards(4, HIDDEN, seed=0, moments=3) is None
