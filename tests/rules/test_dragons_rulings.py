"""Every ruling of Dragons by its id: what the printed rules leave open, decided once."""

from __future__ import annotations

from random import Random

import pytest

from dragonhall.rules.chance import SeededChance, game_key
from dragonhall.rules.dragons.events import CardDrawn, Haul, HiddenCardDealt, LastPileTaken, YearEnded, YearStarted
from dragonhall.rules.dragons.facts import Options, deck_sizes
from dragonhall.rules.dragons.moves import Claim, Draw, Place, Play
from dragonhall.rules.dragons.outcome import breakdowns, outcome
from dragonhall.rules.errors import IllegalAction
from tests.rules.dragons_tables import SEATS, Driver, card, chance_of, names, owned

HIDDEN = Options(hidden_card=True)


@pytest.mark.parametrize(
    ("seats", "extra_year", "sizes"),
    [
        (3, False, [26, 26, 26, 26]),
        (4, False, [26, 26, 26, 26]),
        (3, True, [21, 21, 21, 21, 20]),
        (4, True, [21, 21, 21, 21, 20]),
        (5, False, [35, 35, 34]),
        (6, False, [35, 35, 34]),
        (5, True, [26, 26, 26, 26]),
        (6, True, [26, 26, 26, 26]),
    ],
)
def test_rd1_decks_differ_by_at_most_one_card_the_larger_ones_first(
    seats: int, extra_year: bool, sizes: list[int]
) -> None:
    """RD-1."""
    assert deck_sizes(seats, extra_year) == sizes
    driver = Driver(seats, Options(extra_year=extra_year)).finish(Random(1))
    started = [event for event in driver.told(None) if isinstance(event, YearStarted)]
    assert [event.deck_size + seats for event in started] == sizes


@pytest.mark.parametrize("seats", SEATS)
def test_rd2_the_first_player_is_drawn_from_the_seed(seats: int) -> None:
    """RD-2."""

    def first_seat(seed: int) -> int:
        key = game_key(seed.to_bytes(32, "big"), [b""] * seats)
        return Driver(seats, chance=SeededChance(key)).asked

    assert {first_seat(seed) for seed in range(60)} == set(range(seats))
    assert [first_seat(seed) for seed in range(20)] == [first_seat(seed) for seed in range(20)]


@pytest.mark.parametrize("first_seat", range(4))
def test_rd2_unless_it_is_given_at_creation(first_seat: int) -> None:
    """RD-2."""
    driver = Driver(4, Options(first_seat=first_seat))
    assert driver.asked == first_seat
    assert [outcome.name for outcome in driver.steps[0].chance] == ["dragons/treasure"]


@pytest.mark.parametrize("first_seat", range(3))
def test_rd3_hidden_cards_are_dealt_in_seat_order_from_the_first_player(first_seat: int) -> None:
    """RD-3."""
    cards = ["cow", "cow", "cow", "crown", "scepter", "bracelet"]
    driver = Driver(3, HIDDEN, chance_of(cards, first_seat))
    own = {seat: [e for e in driver.told(seat) if isinstance(e, HiddenCardDealt) and e.card] for seat in range(3)}
    dealt = [first_seat, (first_seat + 1) % 3, (first_seat + 2) % 3]
    assert {seat: events[0].card for seat, events in own.items()} == {
        seat: card(name) for seat, name in zip(dealt, ("crown", "scepter", "bracelet"), strict=True)
    }
    assert [e.seat for e in driver.told(None) if isinstance(e, HiddenCardDealt)] == dealt


def test_rd3_hidden_cards_come_from_each_years_own_deck() -> None:
    """RD-3."""
    driver = Driver(6, HIDDEN).finish(Random(3))
    told = driver.told(None)
    dealt = [event for event in told if isinstance(event, HiddenCardDealt)]
    assert len(dealt) == 3 * 6
    started = [at for at, event in enumerate(told) if isinstance(event, YearStarted)]
    for at in started:
        year = told[at]
        assert isinstance(year, YearStarted)
        assert [event.seat for event in told[at + 1 : at + 7] if isinstance(event, HiddenCardDealt)] == [
            (year.first_seat + step) % 6 for step in range(6)
        ]
    first_draws = [event for event in told if isinstance(event, CardDrawn)][:1]
    assert [event.deck_size for event in first_draws] == [35 - 6 - 6 - 1]


@pytest.mark.parametrize("options", [Options(first_seat=0), Options(first_seat=0, hidden_card=True)])
def test_rd4_when_the_deck_is_empty_a_seat_must_claim(options: Options) -> None:
    """RD-4."""
    driver = Driver(3, options)
    place = Play("drawn", 0) if options.hidden_card else Place(0)
    for _ in range(26 - (6 if options.hidden_card else 3)):
        driver.play(Draw(), place)
    assert driver.state.view(None).deck_size == 0
    seat = driver.asked
    assert driver.state.legal_actions(seat) == [1, 2, 3]
    with pytest.raises(IllegalAction) as refused:
        driver.act(Draw())
    assert refused.value.rule == "RD-4"
    claimed = driver.play(Claim(0), Claim(1)).told(None)
    assert [event.rest_of_deck for event in claimed if isinstance(event, LastPileTaken)] == [()]
    assert driver.state.year == 2


def test_rd5_a_tie_for_gems_divides_the_12_rounded_down() -> None:
    """RD-5."""
    two = breakdowns(owned({"cow": 1, "blue_gem": 2}, {"cow": 1, "blue_gem": 2}, {"cow": 1, "blue_gem": 1}), 3)
    assert [seat.blue_gems for seat in two] == [6, 6, 0]
    five = breakdowns(owned(*[{"cow": 1, "sheep": 1, "pink_gem": 1}] * 5), 5)
    assert [seat.pink_gems for seat in five] == [2] * 5


def test_rd5_each_colour_is_divided_apart() -> None:
    """RD-5."""
    gems = [{"cow": 1, "blue_gem": 3, "pink_gem": 1}, {"cow": 1, "pink_gem": 1}, {"cow": 1, "pink_gem": 1}]
    found = breakdowns(owned(*gems), 3)
    assert [(seat.blue_gems, seat.pink_gems) for seat in found] == [(12, 4), (0, 4), (0, 4)]


def test_rd6_without_a_gem_of_a_colour_nobody_scores_it() -> None:
    """RD-6."""
    found = breakdowns(owned({"cow": 1}, {"cow": 1}, {"cow": 1, "pink_gem": 1}), 3)
    assert [seat.blue_gems for seat in found] == [0, 0, 0]


def test_rd6_gems_of_an_eliminated_seat_do_not_count() -> None:
    """RD-6."""
    found = breakdowns(owned({"blue_gem": 7}, {"cow": 1}, {"cow": 2, "pink_gem": 1}), 3)
    assert [seat.famines for seat in found] == [("animals",), (), ()]
    assert [seat.blue_gems for seat in found] == [0, 0, 0]


def test_rd7_an_eliminated_seat_is_scored_without_gems_and_ranks_last() -> None:
    """RD-7."""
    result = outcome(owned({"polish": 8, "blue_gem": 7, "pink_gem": 7}, {"cow": 1, "coins1": 1}, {"cow": 2}), 3)
    assert [(seat.score, seat.rank, seat.eliminated) for seat in result.results] == [
        (64, 3, True),
        (1, 1, False),
        (0, 2, False),
    ]


def test_rd7_eliminated_seats_rank_among_each_other_by_score() -> None:
    """RD-7."""
    rich_without_cows = {"sheep": 2, "polish": 2}
    poor_without_sheep = {"cow": 2, "coins3": 1}
    others = {"cow": 1, "sheep": 1}
    result = outcome(owned(rich_without_cows, poor_without_sheep, others, others, others), 5)
    assert [(seat.rank, seat.eliminated) for seat in result.results] == [
        (4, True),
        (5, True),
        (1, False),
        (1, False),
        (1, False),
    ]


def test_rd8_equal_scores_share_the_rank_and_the_win() -> None:
    """RD-8."""
    result = outcome(owned({"cow": 1, "coins5": 1}, {"cow": 1, "coins3": 1}, {"cow": 1, "coins5": 1}, {"cow": 1}), 4)
    assert [seat.rank for seat in result.results] == [1, 3, 1, 4]
    assert result.winners() == (0, 2)


def test_the_last_remaining_seat_takes_the_last_pile_the_rest_of_the_deck_and_its_hidden_card() -> None:
    first = ["cow", "sheep", "crown", "one_ring", "sword", "helmet", "polish"]
    driver = Driver(3, Options(hidden_card=True, extra_year=True), chance_of(first))
    driver.play(Draw(), Play("held", 1))  # seat 0 plays its one_ring and holds the polish
    events = driver.act(Claim(1)) + driver.act(Claim(0))
    last = next(event for event in events if isinstance(event, LastPileTaken))
    assert (last.seat, last.pile, len(last.rest_of_deck)) == (0, 2, 21 - 7)
    ended = next(event for event in events if isinstance(event, YearEnded))
    assert ended.hauls[0] == Haul(0, 2, (card("crown"),), last.rest_of_deck, card("polish"))
    assert ended.hauls[1] == Haul(1, 1, (card("sheep"), card("one_ring")), (), card("sword"))
    assert ended.hauls[2] == Haul(2, 0, (card("cow"),), (), card("helmet"))
    treasure = driver.state.view(None).seats[1].treasure
    assert names(count.card for count in treasure) == ["sheep", "one_ring", "sword"]


def test_the_next_year_begins_left_of_the_last_remaining_seat() -> None:
    driver = Driver(4, Options(first_seat=1))
    driver.play(Claim(0), Claim(1), Claim(2))  # seats 1, 2, 3: seat 0 remains
    assert driver.state.year == 2
    assert driver.asked == 1
    driver.play(Draw(), Place(0), Claim(0), Claim(1), Claim(2))  # seat 1 draws; 2, 3, 0 claim: seat 1 remains
    assert driver.asked == 2


def test_turns_pass_over_seats_that_have_a_pile() -> None:
    driver = Driver(4, Options(first_seat=3))
    driver.play(Claim(0))
    seats = []
    for _ in range(4):
        seats.append(driver.asked)
        driver.play(Draw(), Place(1))
    assert seats == [0, 1, 2, 0]
