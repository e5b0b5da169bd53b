from __future__ import annotations

from random import Random

import pytest

from dragonhall.rules.dragons.facts import CardCount, Options
from dragonhall.rules.dragons.moves import Claim, Draw, Place, Play
from dragonhall.rules.dragons.view import Pile, SeatView, View
from tests.rules.dragons_tables import SEATS, VARIANTS, Driver, card, chance_of, variant_name

DEAL = ["cow", "sheep", "crown", "polish", "sword", "coins2", "helmet"]


def test_a_view_shows_the_table() -> None:
    driver = Driver(3, Options(extra_year=True), chance_of(DEAL)).play(Draw(), Place(1), Claim(0), Draw())
    nothing = SeatView(None, False, ())
    assert driver.state.view(None) == View(
        year=1,
        years=5,
        deck_size=21 - 5,
        piles=(
            Pile(1, card("cow"), (), claimed_by=1),
            Pile(2, card("polish"), (), claimed_by=None),
            Pile(1, card("crown"), (), claimed_by=None),
        ),
        seats=(nothing, SeatView(0, False, ()), nothing),
        active_seat=2,
        drawn=card("sword"),
        held=None,
    )


def test_open_piles_show_every_card_bottom_first() -> None:
    driver = Driver(3, Options(open_piles=True), chance_of(DEAL)).play(Draw(), Place(1), Draw(), Place(1))
    assert driver.state.view(None).piles[1] == Pile(
        3, card("sword"), (card("sheep"), card("polish"), card("sword")), claimed_by=None
    )


def test_without_open_piles_a_pile_shows_its_top_card_and_its_size_only() -> None:
    driver = Driver(3, Options(), chance_of(DEAL)).play(Draw(), Place(1), Draw(), Place(1))
    assert driver.state.view(None).piles[1] == Pile(3, card("sword"), (), claimed_by=None)


def test_hidden_cards_are_seen_by_their_seats_alone() -> None:
    driver = Driver(3, Options(hidden_card=True), chance_of(DEAL)).play(Draw())
    views = {viewer: driver.state.view(viewer) for viewer in (0, 1, 2, None)}
    assert {viewer: view.held for viewer, view in views.items()} == {
        0: card("polish"),
        1: card("sword"),
        2: card("coins2"),
        None: None,
    }
    assert {viewer: view.drawn for viewer, view in views.items()} == {0: card("helmet"), 1: None, 2: None, None: None}
    assert all(seat.holds_card for seat in views[None].seats)


def test_treasure_is_seen_by_everyone_from_the_years_end() -> None:
    driver = Driver(3, Options(), chance_of(DEAL)).play(Claim(1), Claim(2))
    seats = driver.state.view(None).seats
    assert seats[0].treasure == (CardCount(card("sheep"), 1),)
    assert seats[1].treasure == (CardCount(card("crown"), 1),)
    assert sum(count.count for count in seats[2].treasure) == 26 - 2


def test_after_the_game_the_table_is_empty() -> None:
    view = Driver(4, Options(hidden_card=True)).finish(Random(5)).state.view(0)
    assert (view.year, view.years, view.deck_size, view.piles) == (4, 4, 0, ())
    assert (view.active_seat, view.drawn, view.held) == (None, None, None)
    assert [(seat.claimed_pile, seat.holds_card) for seat in view.seats] == [(None, False)] * 4
    assert sum(count.count for seat in view.seats for count in seat.treasure) == 104


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_a_spectator_sees_what_every_seat_sees(seats: int, options: Options) -> None:
    driver = Driver(seats, options)
    rng = Random(13)
    for _ in driver.moments(rng):
        shared = driver.state.view(None)
        for seat in range(seats):
            own = vars(driver.state.view(seat))
            assert {field: own[field] for field, value in vars(shared).items() if value is not None} == {
                field: value for field, value in vars(shared).items() if value is not None
            }


@pytest.mark.parametrize("options", [Options(), Options(hidden_card=True)])
def test_play_and_place_put_the_card_on_top(options: Options) -> None:
    driver = Driver(3, options, chance_of(DEAL)).play(Draw())
    drawn = driver.state.view(0).drawn
    driver.act(Play("drawn", 2) if options.hidden_card else Place(2))
    assert driver.state.view(None).piles[2].top == drawn
