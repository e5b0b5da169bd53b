"""Random games: what must hold in every one of them, at every step."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from librt.random import Random as PlayoutRandom

from dragonhall.rules.chance import RecordedChance, SeededChance, game_key
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons.events import YearEnded
from dragonhall.rules.dragons.facts import Options
from tests.rules.dragons_tables import COMPONENTS, Driver, all_cards, everything

SEATS = st.integers(3, 6)
OPTIONS = st.builds(
    Options, extra_year=st.booleans(), open_piles=st.booleans(), hidden_card=st.booleans(), first_seat=st.just(None)
)
SEEDS = st.binary(min_size=32, max_size=32)
LUCK = st.integers(0, 2**32 - 1)


def driver_of(seats: int, options: Options, seed: bytes) -> Driver:
    return Driver(seats, options, SeededChance(game_key(seed, [b""] * seats)))


@given(SEATS, OPTIONS, SEEDS, LUCK)
def test_no_card_is_ever_lost_or_made(seats: int, options: Options, seed: bytes, luck: int) -> None:
    driver, rng = driver_of(seats, options, seed), Random(luck)
    for _ in driver.moments(rng):
        assert all_cards(driver.state) == COMPONENTS.cards()
    assert sum(driver.state.treasure) == 104


@given(SEATS, OPTIONS, SEEDS, LUCK)
def test_every_game_ends_within_the_cards_it_has(seats: int, options: Options, seed: bytes, luck: int) -> None:
    driver, rng = driver_of(seats, options, seed), Random(luck)
    answers = 0
    years = 4 if seats <= 4 else 3
    while driver.table.tickets:
        driver.step(rng)
        answers += 1
    assert answers <= 2 * 104 + (years + options.extra_year) * (seats - 1)
    assert driver.state.pending() == []


@given(SEATS, OPTIONS, SEEDS, LUCK)
def test_a_copy_and_its_original_do_not_touch_each_other(seats: int, options: Options, seed: bytes, luck: int) -> None:
    driver, rng = driver_of(seats, options, seed), Random(luck)
    while driver.table.tickets:
        original = everything(driver.state)
        twin = driver.state.copy()
        assert everything(twin) == original
        twin.play_out(PlayoutRandom(luck))
        assert twin.is_over()
        assert everything(driver.state) == original
        kept = driver.state.copy()
        driver.step(rng)
        assert everything(kept) == original


@given(SEATS, OPTIONS, SEEDS, LUCK)
def test_replaying_the_answers_leads_to_the_same_game(seats: int, options: Options, seed: bytes, luck: int) -> None:
    first = driver_of(seats, options, seed).finish(Random(luck))
    again = driver_of(seats, options, seed)
    recorded = Driver(seats, options, RecordedChance([outcome for step in first.steps for outcome in step.chance]))
    for step in first.steps[1:]:
        again.act(step.action)
        recorded.act(step.action)
    assert again.steps == recorded.steps == first.steps
    assert everything(again.state) == everything(recorded.state) == everything(first.state)


@given(SEATS, OPTIONS, SEEDS, LUCK)
def test_undoing_by_replay_leads_back_to_every_earlier_state(
    seats: int, options: Options, seed: bytes, luck: int
) -> None:
    driver, rng = driver_of(seats, options, seed), Random(luck)
    states = [everything(driver.state)]
    while driver.table.tickets:
        driver.step(rng)
        states.append(everything(driver.state))
    answered = luck % len(states)
    again = driver_of(seats, options, seed)
    for step in driver.steps[1 : answered + 1]:
        again.act(step.action)
    assert everything(again.state) == states[answered]


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
def test_ranks_and_scores_follow_from_the_breakdown(seats: int, options: Options, seed: bytes, luck: int) -> None:
    outcome = driver_of(seats, options, seed).finish(Random(luck)).state.outcome()
    assert [result.seat for result in outcome.results] == list(range(seats))
    for result in outcome.results:
        assert result.score == result.breakdown.score
        assert result.eliminated == bool(result.breakdown.famines)
        better = [
            other
            for other in outcome.results
            if (not other.eliminated, other.score) > (not result.eliminated, result.score)
        ]
        assert result.rank == 1 + len(better)
    assert outcome.winners()


@given(SEATS, OPTIONS, SEEDS, LUCK)
def test_a_playout_takes_legal_actions_only(seats: int, options: Options, seed: bytes, luck: int) -> None:
    """Played beside it with the checks of `apply`, from the same random numbers."""
    unchecked = DRAGONS.new(COMPONENTS, options, seats, SeededChance(seed), None)
    checked = unchecked.copy()
    actions = unchecked.play_out(PlayoutRandom(luck))
    rng = PlayoutRandom(luck)
    for _ in range(actions):
        (seat,) = checked.pending()
        legal = checked.legal_actions(seat)
        checked.apply(seat, legal[rng.randrange(len(legal))], SeededChance(seed), None)
    assert checked.is_over()
    assert checked.outcome() == unchecked.outcome()
