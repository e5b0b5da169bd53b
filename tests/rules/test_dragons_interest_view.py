from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from dragonhall.rules.dragons_interest.facts import JESTER, Contract, Tile
from dragonhall.rules.dragons_interest.moves import (
    Activate,
    Bid,
    Chest,
    Commit,
    Contest,
    DiscardKnights,
    Offer,
    Take,
)
from dragonhall.rules.dragons_interest.view import SeatView, StackView, TuckedContract, View
from tests.rules.dragons_interest_tables import SEATS, Driver, Face, activating, chance_of
from tests.rules.driver import seeded

ALL = (*(Contract(number) for number in range(4, 15)), JESTER)


def test_a_view_shows_the_table() -> None:
    driver = Driver(3, chance=chance_of(3, 1, arena=[15]))
    driver.bid(9, 17, 14)
    driver.play(Take("temple"), Take("castle"))
    assert driver.state.view(0) == View(
        round=1,
        stage="take",
        start_player=1,
        deciding=(0,),
        active_seat=0,
        seats=(
            SeatView(
                buildings=(0, 0, 0, 0, 0, 0),
                tucked=(),
                hand=tuple(contract for contract in ALL if contract != Contract(9)),
                revealed=Contract(9),
                collected=0,
                ruined=False,
                gold=0,
                knights=6,
            ),
            SeatView(
                buildings=(0, 0, 1, 0, 0, 0),
                tucked=(TuckedContract("temple", JESTER, 17),),
                hand=ALL[:-1],
                revealed=None,
                collected=11,
                ruined=False,
                gold=None,
                knights=None,
            ),
            SeatView(
                buildings=(1, 0, 0, 0, 0, 0),
                tucked=(TuckedContract("castle", Contract(14), 14),),
                hand=(*ALL[:10], JESTER),
                revealed=None,
                collected=10,
                ruined=False,
                gold=None,
                knights=None,
            ),
        ),
        stacks=(
            StackView("castle", 9, None),
            StackView("harbor", 9, Tile("harbor", 9)),
            StackView("temple", 9, None),
            StackView("city_hall", 9, Tile("city_hall", event="generous_dragon")),
            StackView("arena", 9, Tile("arena", 15)),
        ),
        dragon_passes_next="castle",
        take_order=(0,),
        chest=None,
        contest=None,
        invasions=(),
        interest_waived=False,
        own_answer=None,
    )


def test_a_secret_bid_is_seen_by_its_seat_alone() -> None:
    driver = Driver(3)
    before = {viewer: driver.state.view(viewer) for viewer in (0, 1, 2, None)}
    driver.act(Bid(Contract(8)), 1)
    for viewer, view in before.items():
        own = Bid(Contract(8)) if viewer == 1 else None
        assert driver.state.view(viewer) == replace(view, deciding=(0, 2), own_answer=own)


def test_a_bid_that_is_not_revealed_is_still_in_hand() -> None:
    driver = Driver(3)
    driver.act(Bid(Contract(8)), 1)
    assert driver.state.view(1).seats[1].hand == ALL


def test_the_amount_in_the_chest_is_seen_by_the_two_seats_alone() -> None:
    driver = activating(4).give(0, knights=6, castle=1).give(2, arena=1)
    driver.play(Activate("castle"), Offer(2, "arena", 5))
    known, hidden = Chest(0, 2, "arena", "knights", 5), Chest(0, 2, "arena", "knights", None)
    views = {viewer: driver.state.view(viewer) for viewer in (0, 1, 2, 3, None)}
    assert {viewer: view.chest for viewer, view in views.items()} == {
        0: known,
        1: hidden,
        2: known,
        3: hidden,
        None: hidden,
    }
    assert all((view.active_seat, view.deciding) == (0, (2,)) for view in views.values())
    assert views[0].seats[0].knights == 6 + 1 - 5


def test_commitments_are_seen_once_all_are_in() -> None:
    driver = activating(3).give(0, gold=9, knights=4, arena=1).give(1, knights=4).give(2, knights=4)
    driver.act(Activate("arena"))
    contest = Contest(0, "arena", "gold", 6, "knights", ())
    driver.act(Commit(3), 2)
    for viewer in (0, 1, 2, None):
        view = driver.state.view(viewer)
        assert (view.contest, view.deciding) == (contest, (0, 1))
        assert view.own_answer == (Commit(3) if viewer == 2 else None)
    assert driver.state.view(2).seats[2].knights == 4
    driver.together(Commit(3), Commit(1))
    assert driver.state.view(None).contest == replace(contest, commitments=(3, 1, 3))
    assert driver.state.view(2).own_answer is None


def test_what_is_discarded_at_an_invasion_is_seen_once_all_have_chosen() -> None:
    driver = Driver(3, chance=chance_of(3, 2, harbor=[6, "invasion"])).borrow().borrow().raze()
    driver.give(0, knights=3, castle=1).give(1, knights=3, castle=1).give(2, knights=3).rest()
    before = {viewer: driver.state.view(viewer) for viewer in (0, 1, 2, None)}
    assert before[None].invasions == ("harbor",)
    assert before[None].deciding == (0, 1)
    driver.act(DiscardKnights(), 0)
    for viewer, view in before.items():
        own = DiscardKnights() if viewer == 0 else None
        assert driver.state.view(viewer) == replace(view, deciding=(1,), own_answer=own)


def test_an_invasion_that_the_setup_turns_up_is_seen_as_a_tile_but_not_suffered() -> None:
    """Only one that phase 3 turns up is (rulebook, phase 3)."""
    driver = Driver(4, chance=chance_of(4, guild=["invasion"]))
    first_round = driver.state.view(None)
    assert first_round.stacks[4].face_up == Tile("guild", event="invasion")
    assert (first_round.stage, first_round.invasions) == ("bid", ())
    driver.borrow()
    assert (driver.state.view(None).round, driver.state.view(None).stage) == (2, "bid")


@pytest.mark.parametrize("waived", [False, True])
def test_at_an_invasion_is_seen_whether_interest_is_waived(waived: bool) -> None:
    arena: list[Face] = [7, "generous_dragon"] if waived else [7]
    driver = Driver(3, chance=chance_of(3, harbor=[6, "invasion"], arena=arena)).borrow().borrow().rest()
    assert driver.state.view(None).stage == "invasion"
    assert driver.state.view(None).interest_waived == waived


def test_at_the_end_all_screens_are_lifted() -> None:
    state = Driver(4, chance=seeded(4, b"v" * 32)).finish(Random(5)).state
    view = state.view(None)
    assert (view.stage, view.deciding, view.active_seat) == ("over", (), None)
    assert [(seat.gold, seat.knights) for seat in view.seats] == list(zip(state.gold, state.knights, strict=True))
    assert [seat.ruined for seat in view.seats] == [result.eliminated for result in state.outcome().results]
    assert {state.view(viewer) for viewer in (0, 1, 2, 3)} == {view}


def as_all_see_it(view: View) -> View:
    """A view without what its reader alone may know."""
    chest = view.chest and replace(view.chest, amount=None)
    seats = tuple(replace(seat, gold=None, knights=None) for seat in view.seats)
    return replace(view, seats=seats, chest=chest, own_answer=None)


@pytest.mark.parametrize("seats", SEATS)
def test_a_spectator_sees_what_every_seat_sees(seats: int) -> None:
    driver = Driver(seats, chance=seeded(seats, b"s" * 32))
    rng = Random(13)
    for _ in driver.moments(rng):
        shared = driver.state.view(None)
        assert all(as_all_see_it(driver.state.view(seat)) == shared for seat in range(seats))
        assert shared.stage == "take" or not any(seat.collected or seat.revealed for seat in shared.seats)
        assert [seat for seat in range(seats) if driver.state.view(seat).own_answer is not None] == [
            seat for seat in range(seats) if len(shared.deciding) and has_answered(driver, seat)
        ]


def has_answered(driver: Driver, seat: int) -> bool:
    """Whether a seat was asked what others are still asked."""
    view: Any = driver.state.view(None)
    asked = view.stage in ("bid", "commit") or (view.stage == "invasion" and any(view.seats[seat].buildings))
    return asked and seat not in view.deciding
