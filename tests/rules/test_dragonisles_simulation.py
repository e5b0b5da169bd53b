"""Random games of DragonIsles: where cards and tokens are at every step, and that games end."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from librt.random import Random as PlayoutRandom

from dragonhall.rules.chance import RandomChance
from dragonhall.rules.dragonisles import DRAGONISLES, stage
from dragonhall.rules.dragonisles import events as told
from dragonhall.rules.dragonisles.cards import size
from dragonhall.rules.dragonisles.facts import LAST_ENCOUNTER, Options
from dragonhall.rules.dragonisles.state import State
from tests.rules.dragonisles_tables import (
    COMPONENTS,
    SEATS,
    VARIANTS,
    Driver,
    check_conservation,
    varied_choice,
)
from tests.rules.driver import seeded

SEAT_NUMBERS = st.sampled_from(SEATS)
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


@given(SEAT_NUMBERS, LUCK)
def test_scores_are_the_points_that_a_state_has(seats: int, luck: int) -> None:
    chance = RandomChance(PlayoutRandom(luck))
    state = DRAGONISLES.new(COMPONENTS, Options(), seats, chance, None)
    state.play_out(PlayoutRandom(luck))
    assert [result.score for result in state.outcome().results] == state.points() == state.evaluate()


@pytest.mark.parametrize("seats", SEATS)
def test_what_everyone_is_told_adds_up_to_what_everyone_sees(seats: int) -> None:
    """Coins, potions and hand sizes, counted from the events a spectator is told."""
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
