"""The leak proof of Dragons: games that differ only in what a reader does not know send it the same bytes.

Planted leaks at the end show that the proof finds them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from dragonhall.rules.dragons import events, moves, view
from dragonhall.rules.dragons.facts import CARDS, Options
from dragonhall.rules.dragons.moves import Draw, PlacementDecision, TurnDecision
from dragonhall.rules.dragons.state import State
from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.journal import Journal
from tests.leaks.dragons_worlds import (
    ATTEMPTS,
    plays_with_two_cards,
    random_game,
    treasure,
    unknown_positions,
    with_the_other_card_played,
    with_treasure,
    with_unseen_cards_moved,
)
from tests.leaks.messages import shown
from tests.leaks.plants import plant_a_seats_knowledge_in_what_others_wait_for
from tests.leaks.worlds import Proof, viewers
from tests.rules.dragons_tables import SEATS, VARIANTS, variant_name

HIDDEN = Options(hidden_card=True)


def random_proof(seats: int, options: Options, rng: Random) -> Proof:
    return Proof(random_game(seats, options, rng), ATTEMPTS)


def leak_of_unseen_cards(proof: Proof, moments: int, rng: Random) -> str | None:
    """Moves the cards that a reader has not seen at some moments of a game, and looks for a difference up to then."""
    for viewer in viewers(proof.world.seats):
        chosen = rng.sample(range(len(proof.states)), moments)
        twins = (with_unseen_cards_moved(proof, moment, viewer, rng) for moment in chosen)
        difference = proof.first_difference(viewer, twins)
        if difference:
            return difference
    return None


def leak_of_the_card_played(proof: Proof, choices: int, rng: Random) -> str | None:
    """Lets another seat, whose two cards are changed round, play the other of them, and looks for a difference."""
    for viewer in viewers(proof.world.seats):
        chosen = rng.sample(plays_with_two_cards(proof, viewer), choices)
        difference = proof.first_difference(viewer, (with_the_other_card_played(proof, moment) for moment in chosen))
        if difference:
            return difference
    return None


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_unseen_cards_change_nothing_that_is_sent(seats: int, options: Options) -> None:
    rng = Random(f"1 {seats} {options}")
    proof = random_proof(seats, options, rng)
    assert leak_of_unseen_cards(proof, 3, rng) is None
    assert set(proof.compared) == {TurnDecision, PlacementDecision}


@pytest.mark.parametrize("options", [options for options in VARIANTS if options.hidden_card], ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_which_card_another_seat_played_changes_nothing_that_is_sent(seats: int, options: Options) -> None:
    rng = Random(f"2 {seats} {options}")
    proof = random_proof(seats, options, rng)
    assert leak_of_the_card_played(proof, 2, rng) is None
    assert set(proof.compared) == {TurnDecision, PlacementDecision}


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_a_reader_cannot_tell_a_sampled_world_from_the_real_one(seats: int, options: Options) -> None:
    rng = Random(f"3 {seats} {options}")
    for playing in random_game(seats, options, rng).played():
        viewer = rng.choice(viewers(seats))
        sampled = playing.sampled(viewer, rng)
        assert shown(sampled, viewer, ATTEMPTS) == shown(playing.table, viewer, ATTEMPTS)


@pytest.mark.parametrize("seats", SEATS)
def test_the_worlds_compared_do_differ(seats: int) -> None:
    """Else the proof would prove nothing: at the start at least the decks are unknown, whoever looks."""
    rng = Random(4)
    proof = random_proof(seats, HIDDEN, rng)
    for viewer in viewers(seats):
        for moment in (0, len(proof.states) // 2):
            other = with_unseen_cards_moved(proof, moment, viewer, rng).world
            assert treasure(other) != treasure(proof.world)
            assert len(unknown_positions(proof.states[moment], viewer)) > seats
        assert plays_with_two_cards(proof, viewer)


def test_a_difference_is_found_by_those_who_see_it_and_by_nobody_else() -> None:
    """The seat that draws first draws another card: it knows, and nobody else."""
    rng = Random(5)
    proof = random_proof(4, HIDDEN, rng)
    while proof.world.answers[0].action != Draw():
        proof = random_proof(4, HIDDEN, rng)
    drawn, order = proof.states[1].drawn, list(treasure(proof.world))
    last = max(position for position in range(104) if order[position] != order[drawn])
    order[drawn], order[last] = order[last], order[drawn]
    assert proof.who_can_tell(with_treasure(proof.world, order), 1) == [proof.world.answers[0].seat]


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


@pytest.mark.parametrize(
    "plant",
    [
        plant_all_held_cards_in_views,
        plant_drawn_card_in_views,
        plant_what_is_held_in_views,
        plant_drawn_card_in_events,
        plant_an_event_more_for_some_cards,
        plant_hidden_cards_in_refusals,
        plant_a_seats_knowledge_in_what_others_wait_for,
    ],
)
def test_a_planted_leak_is_found(plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    rng = Random(6)
    assert any(leak_of_unseen_cards(random_proof(4, HIDDEN, rng), 4, rng) for _ in range(3))


def test_a_planted_leak_of_the_card_played_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(state: State, pile: int, played: moves.HandCard, journal: Journal) -> None:
        journal.tell(events.CardPlaced(state.active, pile, state.card(state.pile_top[pile]), played))

    monkeypatch.setattr(events, "tell_placed", leaking)
    rng = Random(7)
    proof = random_proof(4, HIDDEN, rng)
    assert leak_of_the_card_played(proof, 3, rng)
    assert leak_of_unseen_cards(proof, 3, rng) is None
