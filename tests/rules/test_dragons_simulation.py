"""Random games of Dragons: where the cards are at every step, and what comes of them."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dragonhall.rules.dragons.events import YearEnded
from dragonhall.rules.dragons.facts import Options
from tests.rules.dragons_tables import COMPONENTS, Driver, all_cards
from tests.rules.driver import seeded

SEATS = st.integers(3, 6)
OPTIONS = st.builds(
    Options, extra_year=st.booleans(), open_piles=st.booleans(), hidden_card=st.booleans(), first_seat=st.just(None)
)
SEEDS = st.binary(min_size=32, max_size=32)
LUCK = st.integers(0, 2**32 - 1)


def driver_of(seats: int, options: Options, seed: bytes) -> Driver:
    return Driver(seats, options, seeded(seats, seed))


@given(SEATS, OPTIONS, SEEDS, LUCK)
def test_no_card_is_ever_lost_or_made(seats: int, options: Options, seed: bytes, luck: int) -> None:
    driver, rng = driver_of(seats, options, seed), Random(luck)
    for _ in driver.moments(rng):
        assert all_cards(driver.state) == COMPONENTS.cards()
    assert sum(driver.state.treasure) == 104


@given(SEATS, OPTIONS, SEEDS, LUCK)
def test_every_game_ends_within_the_cards_it_has(seats: int, options: Options, seed: bytes, luck: int) -> None:
    driver = driver_of(seats, options, seed).finish(Random(luck))
    years = 4 if seats <= 4 else 3
    assert len(driver.steps) - 1 <= 2 * 104 + (years + options.extra_year) * (seats - 1)


@given(SEATS, OPTIONS, SEEDS, LUCK)
def test_hauls_are_what_the_treasure_grows_by(seats: int, options: Options, seed: bytes, luck: int) -> None:
    driver = driver_of(seats, options, seed).finish(Random(luck))
    carried: list[list[object]] = [[] for _ in range(seats)]
    for event in driver.told(None):
        if isinstance(event, YearEnded):
            for haul in event.hauls:
                carried[haul.seat] += [
                    *haul.cards,
                    *haul.rest_of_deck,
                    *([haul.hidden_card] if haul.hidden_card else []),
                ]
    for seat, view in enumerate(driver.state.view(None).seats):
        assert {count.card: count.count for count in view.treasure} == {
            card: carried[seat].count(card) for card in carried[seat]
        }


@given(SEATS, OPTIONS, SEEDS, LUCK)
def test_a_seat_is_eliminated_by_famine_alone(seats: int, options: Options, seed: bytes, luck: int) -> None:
    for result in driver_of(seats, options, seed).finish(Random(luck)).state.outcome().results:
        assert result.eliminated == bool(result.breakdown.famines)
