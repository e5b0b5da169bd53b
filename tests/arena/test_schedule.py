"""Schedules: everybody has every seat with the same cards, and the same seed gives the same schedule."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragonhall.arena import Schedule

SEED = bytes(range(32))
LINE_UPS = st.lists(st.sampled_from("abc"), min_size=1, max_size=6).map(tuple)


@given(LINE_UPS, st.integers(1, 4))
def test_over_a_deal_every_bot_has_every_seat_equally_often(line_up: tuple[str, ...], deals: int) -> None:
    games = list(Schedule(line_up, deals, SEED))
    for deal in range(deals):
        of_deal = [game for game in games if game.deal == deal]
        assert len({game.seed for game in of_deal}) == 1
        for bot in set(line_up):
            times = Counter(seat for game in of_deal for seat, name in enumerate(game.seats) if name == bot)
            assert len({times[seat] for seat in range(len(line_up))}) == 1


@given(LINE_UPS)
def test_neighbours_stay_neighbours(line_up: tuple[str, ...]) -> None:
    """Rotated, not permuted: who sits after whom is part of the line-up."""
    twice = "".join(line_up * 2)
    assert all("".join(game.seats) in twice for game in Schedule(line_up, 1, SEED))


@given(LINE_UPS, st.integers(1, 4), st.data())
def test_a_schedule_goes_on_from_a_position_as_if_never_interrupted(
    line_up: tuple[str, ...], deals: int, data: st.DataObject
) -> None:
    whole = list(Schedule(line_up, deals, SEED))
    begun = Schedule(line_up, deals, SEED)
    done = [next(begun) for _ in range(data.draw(st.integers(0, begun.total)))]
    assert begun.position == len(done)
    assert done + list(Schedule(line_up, deals, SEED, position=begun.position)) == whole


def test_deals_differ_and_depend_on_the_seed_alone() -> None:
    seeds = [game.seed for game in Schedule(("a",), 100, SEED)]
    assert len(set(seeds)) == 100
    assert seeds == [game.seed for game in Schedule(("b",), 100, SEED)]
    assert set(seeds).isdisjoint(game.seed for game in Schedule(("a",), 100, bytes(32)))


@pytest.mark.parametrize(
    ("line_up", "seed", "position", "says"),
    [
        ((), SEED, 0, "at least one seat"),
        (("a",), b"short", 0, "32 bytes, this one has 5"),
        (("a", "b"), SEED, 3, "position 3 is not within the schedule's 2 games"),
    ],
)
def test_schedules_that_cannot_be_are_refused(line_up: tuple[str, ...], seed: bytes, position: int, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Schedule(line_up, 1, seed, position)
