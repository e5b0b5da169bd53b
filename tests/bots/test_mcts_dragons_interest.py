"""The search's idea of Dragon's Interest: what it lets seats know, and what it takes for possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from random import Random

import librt.random
import pytest

from dragonhall.bots import BOT_KINDS
from dragonhall.bots.mcts import dragons_interest
from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.dragons_interest.problem import InterestProblem
from dragonhall.bots.mcts.methods import METHODS
from dragonhall.bots.mcts.policy import MctsPolicy
from dragonhall.bots.mcts.problem import NONE
from dragonhall.rules.dragons_interest import DRAGONS_INTEREST
from dragonhall.rules.dragons_interest.facts import Options
from dragonhall.rules.dragons_interest.moves import ACCEPT, AMOUNTS, OFFER, PASS, Accept, Pass
from tests.bots.playing import Question, play
from tests.rules.dragons_interest_tables import exchange

GREEDY = BOT_KINDS["dragons_interest"]["greedy"]
SEATS = (3, 4, 5)
MCTS = partial(MctsPolicy, METHODS["dragons_interest"], Budget(simulations=16), GREEDY)


def questions(seats: int, seed: int, start_player: str = "rotates") -> list[Question]:
    """All that is asked in a game of greedy bots where there is a choice, each with a state of its own."""
    found: list[Question] = []

    def keep(question: Question, code: int) -> None:
        if sum(run.size for run in question.state.legal_runs(question.chair.seat)) > 1:
            state = question.state.copy()
            found.append(Question(question.game, question.chair, state, list(question.seen), question.decision))

    options = DRAGONS_INTEREST.make_options({"start_player": start_player})
    play([GREEDY] * seats, options, seed, keep, DRAGONS_INTEREST)
    return found


def rng(seed: object) -> librt.random.Random:
    return librt.random.Random(Random(f"{seed}").getrandbits(32))


def problem_of(question: Question) -> InterestProblem:
    return dragons_interest.problem(question.knowledge)


def begun(question: Question, seed: object) -> InterestProblem:
    """With a world in which it is the asked seat's turn."""
    problem = problem_of(question)
    luck = rng(seed)
    problem.begin(luck)
    while problem.actor() != question.chair.seat:
        problem.candidates()
        problem.apply(problem.codes[0], luck)
    return problem


@pytest.mark.parametrize("seats", SEATS)
def test_worlds_look_to_the_seat_as_the_table_does(seats: int) -> None:
    for number, question in enumerate(questions(seats, 1)):
        problem, luck, view = problem_of(question), rng(number), question.knowledge.view
        for _ in range(8):
            problem.begin(luck)
            world = problem.state()
            assert world.view(question.chair.seat) == view
            assert world.decision(question.chair.seat) == question.decision
            assert sum(world.gold) == sum(question.state.gold)
            assert sum(world.knights) == sum(question.state.knights)


@pytest.mark.parametrize("start_player", ["rotates", "fixed"])
def test_worlds_cover_what_others_hold(start_player: str) -> None:
    """With three seats there is one amount at a time to be guessed; what was held is among what is drawn."""
    hidden = 0
    for number, question in enumerate(questions(3, 3, start_player)[::5]):
        problem, luck = problem_of(question), rng(number)
        drawn = set()
        for _ in range(3000):
            problem.begin(luck)
            drawn.add(tuple(problem.state().gold))
        if 1 < len(drawn) < 30:
            hidden += 1
            assert tuple(question.state.gold) in drawn
    assert hidden


def test_worlds_are_drawn_by_how_plausible_they_are() -> None:
    """Seat 1 held 3 knights and sold its harbor: likely for 4, which it could not match."""
    knowledge = exchange(amount=4).play(Accept(), Pass()).knowledge(2)
    drawn = {}
    for without in ("", "weights"):
        problem, luck = dragons_interest.problem(knowledge, {without}), rng(without)
        amounts: Counter[int] = Counter()
        for _ in range(12_000):
            problem.begin(luck)
            amounts[problem.state().knights[1] - 3] += 1
        assert set(amounts) == set(range(6))
        drawn[without] = amounts[4] / 12_000
    assert 0.6 < drawn[""] < 0.85
    assert 0.1 < drawn["weights"] < 0.25


@pytest.mark.parametrize("seats", SEATS)
def test_a_seat_does_not_know_what_others_hold(seats: int) -> None:
    """One key and the same candidates for the deciding seat in all worlds."""
    differed = 0
    for number, question in enumerate(questions(seats, 2)[::3]):
        known, worlds = set(), set()
        for seed in range(4):
            problem = begun(question, f"{number}/{seed}")
            problem.candidates()
            known.add((problem.key(), tuple(problem.codes), tuple(problem.priors)))
            worlds.add((tuple(problem.state().gold), tuple(problem.state().knights)))
        assert len(known) == 1
        differed += len(worlds) > 1
    assert differed > 3


@pytest.mark.parametrize("seats", SEATS)
def test_nobody_knows_what_others_choose_at_the_same_time(seats: int) -> None:
    """Whatever those do who come before it in the search: who holds the same has the same key and candidates."""
    tried = 0
    for number, question in enumerate(questions(seats, 4)[::2]):
        problem = problem_of(question)
        known: dict[tuple[int, int, int], set[tuple[int, ...]]] = {}
        for seed in range(4):
            chosen, luck = Random(seed), rng(number)
            problem.begin(luck)
            asked = _secret(problem)
            while problem.in_secret() and _secret(problem) == asked:
                problem.candidates()
                state, actor = problem.state(), problem.actor()
                seen = known.setdefault((actor, state.gold[actor], state.knights[actor]), set())
                seen.add((problem.key(), *problem.codes))
                problem.apply(chosen.choice(list(problem.codes)), luck)
        assert all(len(seen) == 1 for seen in known.values())
        tried += len(known) > 0
    assert tried > 10


def _secret(problem: InterestProblem) -> tuple[int, int, int]:
    """What is chosen in secret: a bid, a commitment, what an Invasion takes."""
    state = problem.state()
    return state.round, state.stage, state.invasions


def test_third_seats_do_not_know_what_was_in_the_chest() -> None:
    """Nor do they know it any better of an offer that the search only thinks of."""
    tried = 0
    for number, question in enumerate(questions(4, 5)):
        if question.state.stage != OFFER:
            continue
        seen = set()
        keys = set()
        for code in _offers_for_one_building(question):
            problem = begun(question, number)
            target = code // AMOUNTS // 6
            problem.apply(code, rng(0))
            if problem.actor() == target:
                problem.apply(ACCEPT, rng(0))
            while problem.actor() in (question.chair.seat, target) and not problem.in_secret():
                problem.apply(PASS, rng(0))
            if problem.actor() != NONE and not problem.in_secret():
                keys.add(problem.key())
                seen.add(code)
        assert len(keys) <= 1
        tried += len(seen) > 1
    assert tried


def _offers_for_one_building(question: Question) -> Iterator[int]:
    """Of different amounts, all of which the target has to accept."""
    state, seat = question.state, question.chair.seat
    for run in state.legal_runs(seat):
        held = state.spendable(run.first // AMOUNTS // 6)
        if run.size > held + 2:
            return islice(iter(range(run.first + held + 1, run.first + run.size)), 4)
    return iter(())


@pytest.mark.parametrize("seats", SEATS)
def test_candidates_are_legal_and_no_two_alike_on_every_way_down(seats: int) -> None:
    for number, question in enumerate(questions(seats, 6)[::6]):
        problem, luck, chosen = problem_of(question), rng(number), Random(number)
        for _ in range(6):
            problem.begin(luck)
            for _ in range(40):
                if problem.actor() == NONE:
                    break
                problem.candidates()
                codes, state, actor = list(problem.codes), problem.state(), problem.actor()
                assert codes
                assert len(set(codes)) == len(codes) == len(problem.priors)
                assert min(problem.priors) > 0
                if actor in state.pending():
                    assert all(state.is_legal(actor, code) for code in codes)
                problem.apply(chosen.choice(codes), luck)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("without", ["", "evaluation", "guide"])
def test_worlds_end_with_one_win_to_share(seats: int, without: str) -> None:
    for number, question in enumerate(questions(seats, 7)[::10]):
        problem, luck = dragons_interest.problem(question.knowledge, {without}), rng(number)
        for _ in range(4):
            problem.begin(luck)
            problem.finish(luck)
            assert all(0 <= utility <= 1 for utility in problem.utilities)
            assert sum(problem.ranks) == pytest.approx(seats * (seats + 1) / 2, abs=1e-6)
            assert sum(problem.utilities) == pytest.approx(0.9 + 0.1 * seats / 2, abs=1e-6)


@pytest.mark.parametrize("seats", SEATS)
def test_another_hidden_world_changes_no_choice(seats: int) -> None:
    differed = 0
    for number, question in enumerate(questions(seats, 8)[::10]):
        world = DRAGONS_INTEREST.sample(question.knowledge, rng(number))
        differed += any(world.view(seat) != question.state.view(seat) for seat in range(seats))
        assert question.ask(MCTS, number, world) == question.ask(MCTS, number)
    assert differed


CHOICES = (
    "0 2 1 1 0 2 17825820 0 2 2 3 12582917 0 0 3 3 1 8388610 0 0 4 3 0 2 4 6291469 5 0 6 6 1 0 4 9 5 1 15728643 1 1 10"
    " 1 1 6291463 6 5 3 0"
)
"""Of a game's decisions with a choice, the codes that were chosen: interpreted and compiled the same ones."""


def test_the_same_choices_on_every_machine() -> None:
    chosen: list[str] = []

    def note(question: Question, code: int) -> None:
        if question.chair.seat == 0 and sum(run.size for run in question.state.legal_runs(0)) > 1:
            chosen.append(str(code))

    play([MCTS, GREEDY, GREEDY], Options(), 9, note, DRAGONS_INTEREST)
    assert " ".join(chosen) == CHOICES
