"""Random games: what must hold in every one of them, at every step."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from librt.random import Random as PlayoutRandom

from dragonhall.rules.chance import RandomChance, RecordedChance
from dragonhall.rules.dragonisles import DRAGONISLES, stage
from dragonhall.rules.dragonisles.cards import size
from dragonhall.rules.dragonisles.facts import LAST_ENCOUNTER, Options
from dragonhall.rules.dragonisles.state import State
from tests.rules.dragonisles_tables import (
    COMPONENTS,
    SEATS,
    VARIANTS,
    Driver,
    check_conservation,
    everything,
    varied_choice,
)
from tests.rules.driver import seeded

SEAT_NUMBERS = st.sampled_from(SEATS)
SEEDS = st.binary(min_size=32, max_size=32)
LUCK = st.integers(0, 2**32 - 1)


def check_invariants(state: State) -> None:
    """What holds whenever a seat is asked."""
    check_conservation(state)
    view = state.view(None)
    for seat, shown in enumerate(view.seats):
        player = state.players[seat]
        assert shown.hand_size == size(player.hand)
        assert len(shown.encounters) <= LAST_ENCOUNTER
        between = seat == state.active and advance_is_to_come(state)
        assert sum(shown.positions) == len(shown.encounters) - between
        if seat != state.active or state.asked == stage.TURN:
            assert shown.hand_size <= max(shown.hand_limit, 5)
    assert sum(len(seat.encounter_trophies) for seat in view.seats) <= 5
    assert sum(seat.coins for seat in view.seats) + view.coins_left == COMPONENTS.coin_supply


def advance_is_to_come(state: State) -> bool:
    """Between the taking of an encounter and the advance that it earns."""
    if state.asked == stage.ADVANCE:
        return True
    agenda = state.agenda
    while agenda:
        if agenda & stage.STAGE_MASK == stage.ADVANCE:
            return True
        agenda >>= stage.STAGE_BITS
    return False


@pytest.mark.parametrize("seats", SEATS)
def test_random_games_keep_every_card_and_token_and_end(seats: int, request: pytest.FixtureRequest) -> None:
    games = request.config.getoption("--games")
    for game in range(games):
        options = list(VARIANTS.values())[game % len(VARIANTS)]
        luck = PlayoutRandom(1000 * seats + game)
        chance, rng = RandomChance(luck), Random(game)
        state = DRAGONISLES.new(COMPONENTS, options, seats, chance, None)
        answers = 0
        while not state.is_over():
            if answers % 3 == 0:
                check_invariants(state)
            (seat,) = state.pending()
            state.apply(seat, varied_choice(state, seat, rng), chance, None)
            answers += 1
            assert answers < 10_000, "the longest of 4,000 games measured took 1,841 answers"
        check_invariants(state)
        won = [len(shown.encounters) for shown in state.view(None).seats]
        assert max(won) == LAST_ENCOUNTER
        assert won.count(LAST_ENCOUNTER) == 1
        assert state.outcome().winners()


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("seats", SEATS)
def test_a_copy_and_its_original_do_not_touch_each_other(seats: int, options: Options) -> None:
    driver, rng = Driver(seats, options, seeded(seats, b"c" * 32)), Random(seats)
    while driver.table.tickets:
        if rng.random() < 0.02 or driver.state.asked in (stage.KEEP_TREASURE, stage.ONES):
            original = everything(driver.state)
            twin, kept = driver.state.copy(), driver.state.copy()
            assert everything(twin) == original
            twin.play_out(PlayoutRandom(seats))
            assert twin.is_over()
            assert everything(driver.state) == original
            driver.step(rng)
            assert everything(kept) == original
        else:
            driver.step(rng)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_replaying_the_answers_leads_to_the_same_game(seats: int, options: Options) -> None:
    first = Driver(seats, options, seeded(seats, b"r" * 32)).finish(Random(seats))
    again = Driver(seats, options, seeded(seats, b"r" * 32))
    recorded = Driver(seats, options, RecordedChance([outcome for step in first.steps for outcome in step.chance]))
    for step in first.steps[1:]:
        again.act(step.action)
        recorded.act(step.action)
    assert again.steps == recorded.steps == first.steps
    assert everything(again.state) == everything(recorded.state) == everything(first.state)


@given(SEAT_NUMBERS, SEEDS, LUCK)
def test_ranks_and_scores_follow_from_the_breakdown(seats: int, seed: bytes, luck: int) -> None:
    chance = RandomChance(PlayoutRandom(luck))
    state = DRAGONISLES.new(COMPONENTS, Options(), seats, chance, None)
    state.play_out(PlayoutRandom(luck))
    outcome = state.outcome()
    assert [result.score for result in outcome.results] == state.points() == state.evaluate()
    for result in outcome.results:
        assert result.score == result.breakdown.score
        own = (result.score, result.breakdown.coin_value)
        better = [other for other in outcome.results if (other.score, other.breakdown.coin_value) > own]
        assert result.rank == 1 + len(better)


@pytest.mark.parametrize("seats", SEATS)
def test_a_playout_takes_legal_actions_only(seats: int) -> None:
    """Played beside it with the checks of `apply`, from the same random numbers."""
    for luck in range(3):
        unchecked = DRAGONISLES.new(COMPONENTS, Options(draft=True), seats, RandomChance(PlayoutRandom(luck)), None)
        checked = unchecked.copy()
        actions = unchecked.play_out(PlayoutRandom(luck))
        rng = PlayoutRandom(luck)
        chance = RandomChance(rng)
        for _ in range(actions):
            (seat,) = checked.pending()
            legal = checked.legal_actions(seat)
            checked.apply(seat, legal[rng.randrange(len(legal))], chance, None)
        assert checked.is_over()
        assert everything(checked) == everything(unchecked)


@pytest.mark.parametrize("seats", SEATS)
def test_what_everyone_is_told_adds_up_to_what_everyone_sees(seats: int) -> None:
    """Coins, potions and hand sizes, counted from the events a spectator is told."""
    from dragonhall.rules.dragonisles import events as told

    driver = Driver(seats, Options(), seeded(seats, b"t" * 32)).finish(Random(seats))
    coins, hands, potions = [0] * seats, [0] * seats, [0] * seats
    for event in driver.told(None):
        match event:
            case told.CoinEarned(seat):
                coins[seat] += 1
            case told.CoinTaken(seat, source):
                coins[seat] += 1
                coins[source] -= 1
            case told.PotionEarned(seat):
                potions[seat] += 1
            case told.PotionUsed(seat):
                potions[seat] -= 1
            case told.PotionTaken(seat, source):
                potions[seat] += 1
                potions[source] -= 1
            case told.HandDealt(seat, _, count):
                hands[seat] += count
            case told.CardDrawn(seat) | told.TavernCardTaken(seat) | told.AdventurerKept(seat):
                hands[seat] += 1
            case told.CardsDiscarded(seat, cards, "hand_limit" | "played"):
                hands[seat] -= len(cards)
    view = driver.state.view(None)
    assert [seat.coins for seat in view.seats] == coins
    assert [seat.hand_size for seat in view.seats] == hands
    assert [sum(vars(seat.potions).values()) for seat in view.seats] == potions
