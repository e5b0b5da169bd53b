"""What the greedy policy for Dragon's Interest knows, does where a player knows what is right, and how it wins."""

from __future__ import annotations

from random import Random
from typing import Any

import librt.random
import pytest

from dragonhall.bots.greedy.dragons_interest import GreedyDragonsInterest
from dragonhall.bots.greedy.dragons_interest.ledger import ledger_of
from dragonhall.bots.greedy.dragons_interest.road import Road
from dragonhall.bots.policy import Chair
from dragonhall.bots.random_policy import RandomPolicy
from dragonhall.rules.actions import ActionList
from dragonhall.rules.chance import SeededChance
from dragonhall.rules.dragons_interest import DRAGONS_INTEREST
from dragonhall.rules.dragons_interest.events import IncomeTaken
from dragonhall.rules.dragons_interest.facts import CASTLE, HARBOR, TEMPLE, TYPES, Options
from dragonhall.rules.dragons_interest.moves import (
    ANSWER,
    COMMIT,
    INVADED,
    OFFER,
    Accept,
    Commit,
    DiscardKnights,
    Match,
    Offer,
)
from dragonhall.rules.dragons_interest.state import State
from dragonhall.rules.game import legal_actions
from tests.bots.playing import Question, play

SEATS = (3, 4, 5)
GREEDY = GreedyDragonsInterest


def table(gold: list[int], knights: list[int], kingdoms: dict[int, list[int]]) -> tuple[State, list[Any]]:
    """Round 1 of 4 seats with these holdings, which all were told of, and kingdoms (seat -> types)."""
    state = DRAGONS_INTEREST.new(
        DRAGONS_INTEREST.default_components(), Options(first_seat=0), 4, SeededChance(bytes(32)), None
    )
    for seat in range(4):
        state.gold[seat], state.knights[seat] = gold[seat], knights[seat]
        for building in kingdoms.get(seat, []):
            state.add_building(seat, building)
    more = tuple(held - 3 for held in knights)
    return state, [IncomeTaken("gold", tuple(gold)), IncomeTaken("knights", more)]


def choice(state: State, seen: list[Any], seat: int = 0) -> Any:
    """What the greedy policy does in ``seat``."""
    chair = Chair(Options(first_seat=0), DRAGONS_INTEREST.default_components(), 4, seat)
    actions: ActionList = legal_actions(DRAGONS_INTEREST, state, seat)
    return actions[GREEDY(chair, Random(1)).choose(state.view(seat), seen, state.decision(seat), actions)]


def test_ledger_never_excludes_what_a_seat_holds() -> None:
    """In whole games, chests of others included; the own purse and all of them together are exact."""
    open_bounds = 0

    def check(question: Question, code: int) -> None:
        nonlocal open_bounds
        state, seat = question.state, question.chair.seat
        ledger = ledger_of(question.chair, question.seen, state.gold[seat], state.knights[seat])
        for token, held in (("gold", state.gold), ("knights", state.knights)):
            purses = ledger.purses["gold" if token == "gold" else "knights"]
            assert purses.low[seat] == held[seat] == purses.high[seat]
            chest = state.amount if state.stage == ANSWER and question.decision.chest.token == token else 0
            assert purses.total == sum(held) + chest
            for other in range(state.seats):
                more = chest if other == state.active else 0
                assert purses.low[other] <= held[other] + more <= purses.high[other]
                open_bounds += purses.low[other] < purses.high[other]

    for deal in range(3):
        play([GREEDY, RandomPolicy, GREEDY, RandomPolicy], Options(), deal, check, DRAGONS_INTEREST)
    assert open_bounds > 50


def test_road_knows_the_rulebooks_example() -> None:
    """Contracts 10 (castle) and 7 (harbor), one Calendar, both passed: 17 gold, and 16 are too few."""
    debts = tuple({CASTLE: 10, HARBOR: 7}.get(building, 0) for building in range(TYPES))
    shown = Road(range(TYPES), first=2, calendars=0, stack_size=5, payments=1, income=())
    assert shown.ruin(debts, 17) == [0.0]
    assert shown.ruin(debts, 16) == [1.0]
    to_come = Road(range(TYPES), first=None, calendars=1, stack_size=5, payments=1, income=())
    assert to_come.ruin(debts, 16) == [pytest.approx(1 / 5)]


def test_offers_a_little_more_than_the_target_can_match() -> None:
    state, seen = table([9] * 4, [6, 2, 2, 2], {0: [CASTLE], 1: [HARBOR, HARBOR], 2: [CASTLE], 3: [TEMPLE, TEMPLE]})
    state.active, state.activated = 0, CASTLE
    state.ask(OFFER, 0)
    offer = choice(state, seen)
    assert isinstance(offer, Offer)
    assert offer.amount == 3


@pytest.mark.parametrize(
    ("amount", "answer"), [(0, Match("temple")), (30, Accept())], ids=["a gift is taken", "a fortune is taken"]
)
def test_answers_an_offer_by_what_it_is_worth(amount: int, answer: Any) -> None:
    state, seen = table([30, 30, 9, 9], [3] * 4, {0: [CASTLE, CASTLE, CASTLE], 1: [TEMPLE], 2: [HARBOR], 3: [HARBOR]})
    state.tucked[HARBOR] = 1 << 10
    state.tucked[CASTLE] = 1 << 9
    state.active, state.activated, state.target, state.wanted, state.amount = 1, HARBOR, 0, CASTLE, amount
    state.gold[1] -= amount
    state.ask(ANSWER, 0)
    assert choice(state, seen) == answer


def test_does_not_commit_gold_that_it_will_owe() -> None:
    """No Generous Dragon, and the dragon passes the castle for certain: 14 gold are owed, and 14 held."""
    state, seen = table([14, 20, 20, 20], [3] * 4, {0: [CASTLE], 1: [CASTLE], 2: [CASTLE], 3: [CASTLE]})
    state.tucked[CASTLE] = 1 << 10
    state.generous = False
    state.untaken = state.takeable
    state.active, state.activated, state.amount = 1, 4, 3
    state.ask_all(COMMIT)
    assert choice(state, seen) == Commit(0)


def test_gives_knights_rather_than_the_only_building() -> None:
    state, seen = table([9] * 4, [6, 2, 2, 2], {seat: [CASTLE] for seat in range(4)} | {0: [HARBOR]})
    state.invasions = 1
    state.ask_all(INVADED)
    assert choice(state, seen) == DiscardKnights()


@pytest.mark.parametrize("seats", SEATS)
def test_another_hidden_world_changes_no_choice(seats: int) -> None:
    rng = Random(seats)
    differed = 0

    def check(question: Question, code: int) -> None:
        nonlocal differed
        if rng.random() > 0.2:
            return
        world = DRAGONS_INTEREST.sample(question.knowledge, librt.random.Random(rng.getrandbits(32)))
        differed += list(world.gold) != list(question.state.gold)
        assert question.ask(GREEDY, 1, world) == question.ask(GREEDY, 2) == code

    for deal in range(3):
        play([GREEDY] * seats, Options(), deal, check, DRAGONS_INTEREST)
    assert differed > 5


@pytest.mark.parametrize("seats", SEATS)
def test_one_greedy_among_random_bots_wins_and_is_hardly_ever_ruined(seats: int) -> None:
    """The same deals from every seat. By chance it would win one game in ``seats``."""
    deals, won, ruined = 5, 0.0, 0
    for seat in range(seats):
        policies = [GREEDY if place == seat else RandomPolicy for place in range(seats)]
        for deal in range(deals):
            outcome = play(policies, Options(), deal, game=DRAGONS_INTEREST)
            won += (seat in outcome.winners()) / len(outcome.winners())
            ruined += outcome.results[seat].eliminated
    assert won > 0.75 * seats * deals
    assert ruined <= 2
