"""DragonIsles' worlds are weighed by what others chose: what that was is told truly, and true hands gain by it."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from statistics import fmean
from typing import Any

import librt.random
import pytest
from librt.vecs import vec

from dragonhall.bots.kinds import BOT_KINDS
from dragonhall.bots.mcts.dragonisles.guide import Guide
from dragonhall.bots.mcts.dragonisles.past import steps_back
from dragonhall.bots.mcts.dragonisles.plausibility import (
    CAME,
    CHALLENGED,
    DREW,
    LEFT,
    PREPARED,
    Plausibility,
    Seeds,
    Step,
)
from dragonhall.bots.mcts.dragonisles.temper import Temper
from dragonhall.rules.dragonisles import DRAGONISLES, cards, stage
from dragonhall.rules.dragonisles.belief import Belief
from dragonhall.rules.dragonisles.state import State
from dragonhall.rules.game import Knowledge
from tests.bots.playing import Question, play

GREEDY = BOT_KINDS["dragonisles"]["greedy"]

Turns = dict[int, State]
"""By turn: the state in which its choice was made."""


def turns_of_games(games: int, seats: int) -> Iterator[tuple[Knowledge, State, Turns]]:
    """What the seat knows whose turn begins, and the truth."""
    found: list[tuple[Knowledge, State, Turns]] = []
    for seed in range(games):
        turns: Turns = {}

        def on_question(question: Question, code: int, turns: Turns = turns) -> None:
            if question.state.asked == stage.TURN:
                truth = question.state.copy()
                turns[truth.turn] = truth
                chair = question.chair
                knowledge = Knowledge(
                    chair.components, chair.options, chair.seat, truth.view(chair.seat), list(question.seen)
                )
                found.append((knowledge, truth, dict(turns)))

        play([GREEDY] * seats, DRAGONISLES.make_options({"draft": True}), seed, on_question, DRAGONISLES)
    yield from found


def as_all_see(table: State) -> list[Any]:
    """All of a table that bears on choices, but for hands."""
    belongings = [
        (
            *(player.character, player.cubes, player.potions, player.coins, player.symbols, player.variety_trophy),
            *(list(player.treasures), list(player.encounters)),
        )
        for player in table.players
    ]
    return [list(table.quest_board), list(table.tavern), list(table.trophies), belongings]


def weighing(knowledge: Knowledge) -> tuple[Belief, Plausibility]:
    belief = Belief(knowledge)
    world = belief.sample(librt.random.Random(0))
    temper = Temper()
    steps = steps_back(world, knowledge.viewer, knowledge.events)
    return belief, Plausibility(Guide(world.setting, temper), temper, steps)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_past_is_told_as_it_was(seats: int) -> None:
    """The table before each choice; and hands that changed since as it is told, by cards that may have been drawn."""
    kinds: set[int] = set()
    for knowledge, truth, turns in turns_of_games(2, seats):
        world = DRAGONISLES.sample(knowledge, librt.random.Random(1))
        hand, seat, drawn, cannot = 0, -1, 0, 0
        for step in steps_back(world, knowledge.viewer, knowledge.events):
            assert step.seat != knowledge.viewer
            if step.seat != seat:
                seat, hand, drawn, cannot = step.seat, truth.players[step.seat].hand, 0, cards.COLOURED
            if step.kind in (LEFT, CAME):
                hand += step.cards if step.kind == LEFT else -step.cards
            if step.kind == DREW:
                drawn, cannot = drawn + 1, cannot & step.cards
            if step.kind in (PREPARED, CHALLENGED):
                kinds.add(step.kind)
                then = turns[step.table.turn]
                assert then.active == seat
                assert as_all_see(step.table) == as_all_see(then)
                came = hand - then.players[seat].hand
                assert cards.holds(hand, then.players[seat].hand)
                assert cards.size(came) == drawn
                assert not came & cannot
                assert step.kind == PREPARED or cards.holds(then.players[seat].hand, step.cards)
    assert kinds == {PREPARED, CHALLENGED}


def test_every_world_that_fits_may_come_and_true_hands_are_the_likelier_for_what_was_chosen() -> None:
    gains = []
    rng = librt.random.Random(5)
    for knowledge, truth, _ in turns_of_games(2, 3):
        belief, plausibility = weighing(knowledge)
        plausibility.compare(belief, rng)
        true = [plausibility.of(truth, 0.0, rng) for _ in range(4)]
        others = [plausibility.of(belief.sample(rng), 0.0, rng) for _ in range(16)]
        assert all(0.0 < plausible <= 1.0 for plausible in true + others)
        gains.append(log(fmean(true) / fmean(others)))
    assert fmean(gains) > 0.05


def test_a_weighing_stops_as_soon_as_it_is_clear_that_a_world_is_passed_over() -> None:
    for knowledge, truth, _ in turns_of_games(1, 3):
        _, plausibility = weighing(knowledge)
        whole = plausibility.of(truth, 0.0, librt.random.Random(2))
        for least in (0.05, 0.5):
            stopped = plausibility.of(truth, least, librt.random.Random(2))
            assert stopped == whole or (stopped <= least and whole <= least)


def test_implausible_worlds_are_passed_over_alike_every_time() -> None:
    passed = 0
    for knowledge, _, _ in turns_of_games(1, 2):
        runs = []
        for _ in range(2):
            seeds = Seeds(*weighing(knowledge), 16)
            seeds.begin_with(1000)
            runs.append([seeds.at(place) for place in (9, *range(10))])
        assert runs[0] == runs[1]
        assert runs[0][1:] == sorted(set(runs[0]))
        passed += runs[0][0] > 1000 + 9 * 16
    assert passed > 5


def test_without_anything_to_go_by_no_world_is_passed_over() -> None:
    knowledge, _, _ = next(turns_of_games(1, 2))
    belief, _ = weighing(knowledge)
    temper = Temper()
    guide = Guide(belief.sample(librt.random.Random(0)).setting, temper)
    seeds = Seeds(belief, Plausibility(guide, temper, vec[Step]()), 16)
    seeds.begin_with(1000)
    assert [seeds.at(place) for place in range(5)] == [1000, 1016, 1032, 1048, 1064]
