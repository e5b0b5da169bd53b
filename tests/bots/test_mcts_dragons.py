"""The search's Dragons: worlds that fit, keys that tell nothing, a guide that reckons like greedy, and honest play."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import librt.random
import pytest
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.greedy.dragons import GreedyDragons
from dragonhall.bots.greedy.dragons.race import Race as StepwiseRace
from dragonhall.bots.kinds import BOT_KINDS
from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.dragons import problem
from dragonhall.bots.mcts.dragons.hands import Hands
from dragonhall.bots.mcts.dragons.piles import Piles
from dragonhall.bots.mcts.dragons.problem import DragonsProblem
from dragonhall.bots.mcts.dragons.race import SPITE, Race
from dragonhall.bots.mcts.dragons.worth import Appraisal
from dragonhall.bots.mcts.levels import mcts_policies
from dragonhall.bots.mcts.problem import WIN_WEIGHT
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons.facts import FACE_OF, FACES, TOTAL_CARDS, Options
from dragonhall.rules.dragons.outcome import outcome
from tests.bots.playing import Question, play
from tests.rules.dragons_tables import COMPONENTS, SEATS, VARIANTS, card, variant_name

GREEDY = BOT_KINDS["dragons"]["greedy"]
MCTS = mcts_policies(Budget(simulations=24))["dragons"]
HIDDEN = Options(hidden_card=True)


def every(one_in: int, seed: object, check: Callable[[Question], None]) -> Callable[[Question, int], None]:
    """Checks some of the questions of a game that leave a choice."""
    rng = Random(str(seed))

    def ask(question: Question, code: int) -> None:
        if rng.randrange(one_in) == 0 and len(question.state.legal_actions(question.chair.seat)) > 1:
            check(question)

    return ask


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_every_world_is_one_that_the_seat_may_be_in(seats: int, options: Options) -> None:
    dice = librt.random.Random(seats)

    def check(question: Question) -> None:
        known, decision = question.knowledge, problem(question.knowledge)
        assert decision.state().view(known.viewer) == known.view
        orders = set()
        for _ in range(4):
            decision.begin(dice)
            world = decision.world
            assert world.view(known.viewer) == known.view
            this_year = list(world.deal.order)[: world.deck_end]
            assert all(this_year.count(face) <= COMPONENTS.counts[face] for face in range(FACES))
            assert min(this_year) >= 0
            orders.add(tuple(this_year))
        assert len(orders) > 1 or question.state.deck_size() < 3

    play([GREEDY] * seats, options, seats, every(20, (seats, options), check))


def test_every_legal_action_is_a_candidate_and_can_be_carried_out() -> None:
    dice = librt.random.Random(1)

    def check(question: Question) -> None:
        decision = problem(question.knowledge)
        decision.begin(dice)
        decision.candidates()
        assert sorted(decision.codes) == question.state.legal_actions(question.chair.seat)
        assert min(decision.priors) > 0
        for code in list(decision.codes):
            decision.begin(dice)
            decision.apply(code, dice)
            decision.finish(dice)
            assert sum(decision.ranks) == pytest.approx(question.chair.seats * (question.chair.seats + 1) / 2)

    play([GREEDY] * 4, HIDDEN, 3, every(10, "candidates", check))


def test_what_lies_where_is_kept_up_to_date() -> None:
    """The piles, card by card, are worth what they are worth if they are looked at as a whole."""
    dice = librt.random.Random(2)

    def check(question: Question) -> None:
        decision = problem(question.knowledge)
        decision.begin(dice)
        seats = question.chair.seats
        year = decision.world.year
        for _ in range(6):
            decision.candidates()
            decision.apply(decision.codes[dice.randrange(len(decision.codes))], dice)
            if decision.actor() < 0:
                return
        assert decision.world.year == year
        whole = Piles(decision.piles.appraisal)
        for pile in range(seats):
            for face in decision.world.pile_faces(pile):
                whole.lay(pile, face)
        assert whole.key == decision.piles.key
        assert list(whole.worth) == pytest.approx(list(decision.piles.worth))

    play([GREEDY] * 4, Options(), 4, every(10, "piles", check))


def test_no_key_tells_what_its_seat_cannot_know() -> None:
    dice = librt.random.Random(3)

    def check(question: Question) -> None:
        decision = problem(question.knowledge)
        decision.begin(dice)
        first = decision.key()
        decision.begin(dice)
        assert decision.key() == first
        for _ in range(4):
            decision.candidates()
            decision.apply(decision.codes[0], dice)
            actor = decision.actor()
            if actor < 0:
                return
            key, world = decision.key(), decision.world
            order = world.deal.order
            hidden = [world.held[seat] for seat in range(4) if seat != actor] + list(
                range(world.next_card, world.deck_end)
            )
            for position in hidden:
                face = order[position]
                order[position] = (face + 1) % FACES
                assert decision.key() == key
                order[position] = face
            order[world.held[actor]] = (order[world.held[actor]] + 1) % FACES
            assert decision.key() != key
            order[world.held[actor]] = (order[world.held[actor]] - 1) % FACES

    play([GREEDY] * 4, HIDDEN, 5, every(12, "keys", check))


@pytest.mark.parametrize("seats", SEATS)
def test_the_race_is_the_one_that_greedy_runs_step_by_step(seats: int) -> None:
    rng = Random(seats)
    for _ in range(300):
        piles = Piles(Appraisal(seats))
        for place in range(seats * seats):
            piles.worth[place] = rng.uniform(-3, 30)
        for seat in range(seats):
            piles.appraisal.card_worth[seat] = rng.uniform(0.5, 4)
        first = rng.randrange(seats)
        waiting = [(first + step) % seats for step in range(seats) if step == 0 or rng.random() < 0.8]
        free = sorted(rng.sample(range(seats), len(waiting)))
        deck, must_draw, me = rng.randrange(1, 20), rng.random() < 0.5, rng.choice(waiting)
        worth = {seat: [piles.worth[seat * seats + pile] for pile in range(seats)] for seat in waiting}
        cards = {seat: piles.appraisal.card_worth[seat] for seat in waiting}
        race = StepwiseRace(list(waiting), free, worth, cards, deck)
        home = race.run_after_draw() if must_draw else race.run()
        expected = home[me] - SPITE * sum(points for seat, points in home.items() if seat != me) / (seats - 1)
        found = Race(piles).run(first, _mask(waiting), _mask(free), deck, must_draw, me, 0.0)
        assert found == pytest.approx(expected)


def _mask(members: list[int]) -> int:
    return sum(1 << member for member in members)


def _appraised(treasures: list[str], later: int) -> Appraisal:
    """What cards are worth to seats that own these, with so many cards to come of which nothing is known."""
    owned = _owned(treasures)
    unseen = list(COMPONENTS.counts)
    for place, count in enumerate(owned):
        unseen[place % FACES] -= count
    appraisal = Appraisal(len(treasures))
    appraisal.appraise(owned, vec[i64](unseen), vec[i64]([0] * FACES), sum(unseen) - later, later)
    return appraisal


def _owned(treasures: list[str]) -> vec[i64]:
    owned = [0] * (FACES * len(treasures))
    for seat, names in enumerate(treasures):
        for name in names.split():
            owned[seat * FACES + FACE_OF[card(name)]] += 1
    return vec[i64](owned)


@pytest.mark.parametrize(
    ("name", "more", "less"),
    [
        ("polish", "polish polish polish", "polish"),
        ("one_ring", "", "one_ring"),
        ("crown", "crown crown", "crown"),
        ("breastplate", "sword helmet shield", "sword"),
        ("cow", "cow", "cow cow cow sheep sheep"),
        ("pink_gem", "pink_gem", ""),
    ],
)
def test_a_card_is_worth_more_to_who_needs_it(name: str, more: str, less: str) -> None:
    fed = "cow sheep"
    appraisal = _appraised([more, less, fed + " pink_gem", fed], later=26)
    face = FACE_OF[card(name)]
    assert appraisal.card_value(0, face) > appraisal.card_value(1, face) + 0.5


def test_a_held_card_is_likely_one_that_its_seat_likes() -> None:
    appraisal = _appraised(["", "polish polish polish polish", "", ""], later=52)
    polish, coin = FACE_OF[card("polish")], FACE_OF[card("coins1")]
    dice = librt.random.Random(4)

    def share(hands: Hands) -> float:
        faces = vec[i64]([coin, polish])
        return sum(hands.pick(1, faces, 0, dice) for _ in range(2000)) / 2000

    assert share(Hands(appraisal, 0)) == pytest.approx(0.5, abs=0.05)
    assert share(Hands(appraisal, 0b0010)) > 0.6
    assert share(Hands(appraisal, 0b1101)) == pytest.approx(0.5, abs=0.05)


def weighed(seats: int, at_the_end: bool, treasures: list[str]) -> DragonsProblem:
    """A problem that has found how a game ends in which the seats own these treasures."""
    decision: DragonsProblem | None = None

    def keep(question: Question, code: int) -> None:
        nonlocal decision
        decision = decision or problem(question.knowledge)

    play([GREEDY] * seats, Options(), 1, keep)
    assert decision is not None
    if at_the_end:
        decision.settle(decision.prospects.standings(_owned(treasures)), 1.0)
    else:
        decision.prospects.estimate(_owned(treasures), 52, 0)
        decision.expect(decision.prospects.chances, 1.0)
    return decision


TREASURES = {
    3: ["cow cow sheep coins5", "cow sheep polish polish", "cow cow sheep"],
    4: ["cow cow sheep coins5 coins4", "cow sheep polish polish", "cow cow sheep", "coins5 coins4 coins4 coins3"],
    5: ["cow sheep coins5", "cow sheep", "cow sheep", "cow sheep", "coins5 coins4 coins4 sheep"],
    6: ["cow sheep coins5", "cow sheep", "cow sheep", "cow sheep", "cow sheep", "coins5 coins4 coins4"],
}


@pytest.mark.parametrize("seats", SEATS)
def test_at_the_end_ranks_are_the_rules_own(seats: int) -> None:
    treasures = TREASURES[seats]
    found = weighed(seats, True, treasures)
    results = outcome(_owned(treasures), seats).results
    for result in results:
        alike = sum(other.rank == result.rank for other in results)
        rank = result.rank + (alike - 1) / 2
        assert found.ranks[result.seat] == rank
        share, standing = (1 / alike if result.rank == 1 else 0), (seats - rank) / (seats - 1)
        assert found.utilities[result.seat] == pytest.approx(WIN_WEIGHT * share + (1 - WIN_WEIGHT) * standing)


@pytest.mark.parametrize("seats", SEATS)
def test_before_the_end_who_has_more_is_likelier_to_win(seats: int) -> None:
    found = weighed(seats, False, TREASURES[seats])
    chances = found.prospects.chances
    assert sum(chances) == pytest.approx(1)
    assert sum(found.ranks) == pytest.approx(seats * (seats + 1) / 2)
    assert chances[0] > chances[2] + 0.03
    assert found.ranks[0] < found.ranks[2]


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("options", [Options(), HIDDEN], ids=variant_name)
def test_another_hidden_world_changes_no_choice(seats: int, options: Options) -> None:
    rng = Random(f"{seats}/{options}")
    differed = 0

    def check(question: Question) -> None:
        nonlocal differed
        world = DRAGONS.sample(question.knowledge, librt.random.Random(rng.getrandbits(32)))
        differed += list(world.deal.order) != list(question.state.deal.order)
        seed = rng.getrandbits(32)
        assert question.ask(MCTS, seed, world) == question.ask(MCTS, seed)

    play([GREEDY] * seats, options, seats, every(12, (seats, options), check))
    assert differed > 3


CHOICES = {
    "plain": "020100020100020002020200000202010002000220000020102001",
    "hidden_card": "05010301203020202103010204000002030102030002031",
}
"""Of a game's first decisions, the codes that were chosen: interpreted and compiled the same ones."""


@pytest.mark.parametrize("options", [Options(), HIDDEN], ids=variant_name)
def test_the_same_choices_on_every_machine(options: Options) -> None:
    chosen: list[str] = []

    def note(question: Question, code: int) -> None:
        if question.chair.seat == 0:
            chosen.append(str(code))

    play([MCTS, GreedyDragons, GreedyDragons], options, 7, note)
    assert "".join(chosen) == CHOICES[variant_name(options)]


def test_all_cards_are_there_when_worlds_are_played_to_the_end() -> None:
    dice = librt.random.Random(6)

    def check(question: Question) -> None:
        decision = problem(question.knowledge, without={"evaluation"})
        decision.begin(dice)
        assert sorted(decision.world.deal.order) == sorted(COMPONENTS.cards())
        decision.finish(dice)
        assert decision.world.is_over()
        assert sum(decision.world.treasure) == TOTAL_CARDS

    play([GREEDY] * 4, HIDDEN, 2, every(40, "end", check))
