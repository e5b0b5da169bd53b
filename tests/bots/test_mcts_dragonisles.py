"""The search of DragonIsles: its worlds fit what a seat knows, and it knows nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import log
from random import Random
from statistics import fmean
from typing import Any

import librt.random
import pytest

from dragonhall.bots.greedy.dragonisles import GreedyDragonIsles
from dragonhall.bots.kinds import BOT_KINDS
from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.dragonisles import problem
from dragonhall.bots.mcts.dragonisles.guide import Guide
from dragonhall.bots.mcts.dragonisles.outlook import Outlook
from dragonhall.bots.mcts.dragonisles.temper import Temper
from dragonhall.bots.mcts.dragonisles.worth import Worth
from dragonhall.bots.mcts.methods import METHODS
from dragonhall.bots.mcts.policy import MctsPolicy
from dragonhall.bots.mcts.weights import network_of
from dragonhall.bots.policy import PolicyFactory
from dragonhall.rules.chance import RandomChance
from dragonhall.rules.dragonisles import DRAGONISLES, stage
from dragonhall.rules.dragonisles.component_set import default_components
from dragonhall.rules.dragonisles.setting import setting_of
from dragonhall.rules.dragonisles.state import State
from tests.bots.playing import Question, play

GREEDY: PolicyFactory = BOT_KINDS["dragonisles"]["greedy"]
MCTS: PolicyFactory = partial(MctsPolicy, METHODS["dragonisles"], Budget(simulations=12), GreedyDragonIsles)
TABLES = [(2, {}), (3, {"draft": True}), (4, {}), (5, {"draft": True})]


def ask_around(seats: int, values: dict[str, bool], part: float, check: Callable[[Question, int, Random], None]) -> int:
    """Puts some of the questions of a greedy game to ``check``. Returns how many."""
    rng, checked = Random(seats), 0

    def on_question(question: Question, code: int) -> None:
        nonlocal checked
        if rng.random() < part:
            checked += 1
            check(question, code, rng)

    play([GREEDY] * seats, DRAGONISLES.make_options(values), seats, on_question, DRAGONISLES)
    return checked


@pytest.mark.parametrize(("seats", "values"), TABLES)
def test_worlds_show_the_seat_what_it_sees(seats: int, values: dict[str, bool]) -> None:
    """And the seat cannot tell them apart: the root has one key, whatever is hidden."""
    hands: set[Any] = set()

    def check(question: Question, code: int, rng: Random) -> None:
        view = question.state.view(question.chair.seat)
        found = problem(question.knowledge)
        chance = librt.random.Random(rng.getrandbits(32))
        keys = set()
        for _ in range(6):
            found.begin(chance)
            found.draw_world(code)
            world = found.state()
            assert world.view(question.chair.seat) == view
            hands.add(tuple(player.hand for player in world.players))
            keys.add(found.key())
        assert len(keys) == 1

    assert ask_around(seats, values, 0.3, check) > 5
    assert len(hands) > 25


@pytest.mark.parametrize(("seats", "values"), TABLES)
def test_candidates_are_legal_and_priors_are_weights(seats: int, values: dict[str, bool]) -> None:
    stages: set[int] = set()

    def check(question: Question, code: int, rng: Random) -> None:
        found = problem(question.knowledge)
        found.begin(librt.random.Random(1))
        found.candidates()
        stages.add(question.state.asked)
        assert len(found.codes) == len(set(found.codes)) == len(found.priors) > 0
        assert all(question.state.is_legal(question.chair.seat, each) for each in found.codes)
        assert all(prior > 0 for prior in found.priors)

    ask_around(seats, values, 1.0, check)
    assert stages >= {stage.TURN, stage.DRAW, stage.ADVANCE, stage.KEEP_TREASURE}


@pytest.mark.parametrize(("seats", "values"), TABLES)
def test_another_hidden_world_changes_no_choice(seats: int, values: dict[str, bool]) -> None:
    differed = 0

    def check(question: Question, code: int, rng: Random) -> None:
        nonlocal differed
        world = DRAGONISLES.sample(question.knowledge, librt.random.Random(rng.getrandbits(32)))
        differed += any(world.view(seat) != question.state.view(seat) for seat in range(seats))
        seed = rng.getrandbits(32)
        assert question.ask(MCTS, seed, world) == question.ask(MCTS, seed)

    ask_around(seats, values, 0.2, check)
    assert differed > 5


def test_answers_meet_the_same_worlds() -> None:
    """What differs between two answers is due to them and not to luck."""

    def check(question: Question, code: int, rng: Random) -> None:
        found = problem(question.knowledge)
        found.begin(librt.random.Random(3))
        found.candidates()
        met: list[list[Any]] = []
        for each in list(found.codes)[:2]:
            worlds = []
            for _ in range(3):
                found.begin(librt.random.Random(3))
                found.draw_world(each)
                worlds.append([tuple(player.hand for player in found.state().players), found.state().adventurers.order])
            met.append(worlds)
        assert all(worlds == met[0] for worlds in met)
        assert met[0][0] != met[0][1]

    assert ask_around(3, {}, 0.1, check) > 3


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_guide_plays_every_game_to_its_end(seats: int) -> None:
    """It never asks for what is not legal: the rules' own checks stand in its way."""
    components, options = default_components(), DRAGONISLES.make_options({"draft": True})
    guide = Guide(setting_of(components, seats), Temper())
    for seed in range(5):
        chance = RandomChance(librt.random.Random(seed))
        state: State = DRAGONISLES.new(components, options, seats, chance, None)
        for _ in range(200 * seats):
            if state.is_over():
                break
            if state.asked not in (stage.TURN, stage.HAND_LIMIT):
                assert state.is_legal(state.active, guide.choice(state))
            guide.play(state, chance)
        assert state.is_over()


def test_worlds_end_with_ranks_and_shares_that_add_up() -> None:
    def check(question: Question, code: int, rng: Random) -> None:
        for without in (frozenset[str](), {"estimate"}, {"playouts"}, {"guide"}, {"priors", "luck"}):
            found = problem(question.knowledge, without)
            chance = librt.random.Random(rng.getrandbits(32))
            found.begin(chance)
            found.apply(code, chance)
            found.finish(chance)
            assert sum(found.ranks) == pytest.approx(6)
            assert sum(found.utilities) == pytest.approx(0.9 + 0.1 * 3 / 2)

    assert ask_around(3, {}, 0.2, check) > 5


@pytest.mark.parametrize("seats", [2, 3])
def test_the_estimate_foresees_who_wins(seats: int) -> None:
    """Chances add up to 1, and the winners of greedy bots' games are given more than an even share, on average."""
    setting = setting_of(default_components(), seats)
    network = network_of("dragonhall.bots.mcts.dragonisles")
    worth = Worth(setting, Outlook(setting, Temper()), network)
    surprises: list[float] = []
    for seed in range(8):
        estimates: list[list[float]] = []

        def weigh(question: Question, code: int, estimates: list[list[float]] = estimates) -> None:
            if question.state.asked == stage.TURN:
                worth.weigh(question.state)
                estimates.append(list(worth.chances))

        outcome = play([GREEDY] * seats, DRAGONISLES.make_options({}), seed, weigh, DRAGONISLES)
        assert len(estimates) > 7 * seats
        for chances in estimates:
            assert sum(chances) == pytest.approx(1)
            surprises.append(-log(sum(chances[seat] for seat in outcome.winners())))
    assert fmean(surprises) < 0.8 * log(seats)
