"""The search itself, on games whose best play is known."""

from __future__ import annotations

import math

import pytest
from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.budget import Budget, InvalidBudget, spend
from dragonhall.bots.mcts.network import Network, to_chances
from dragonhall.bots.mcts.problem import NONE, mix
from dragonhall.bots.mcts.search import Search, Tuning, with_share
from dragonhall.bots.mcts.thoughts import Thoughts, merged, thoughts_of
from dragonhall.bots.mcts.tree import Tree
from tests.bots.small_games import Auction, GuessOrTake, MatchingPennies, SecretHoldings, SmallGame, TicTacToe, searched


def thoughts(game: SmallGame, seat: int, simulations: int, seed: int = 1, tuning: Tuning | None = None) -> Thoughts:
    search, root = searched(game, seat, simulations, seed, tuning)
    return thoughts_of(search, root, 0.0)


def test_does_not_act_on_what_it_cannot_know() -> None:
    """Every single world says: guess. Over all of them a guess is worth a half (no strategy fusion)."""
    found = thoughts(GuessOrTake(), 0, 3000)
    assert found.choice == 2
    guess = found.line(0)
    assert guess is not None
    assert guess.utility == pytest.approx(0.5, abs=0.15)


def test_seats_that_choose_together_do_not_see_each_other() -> None:
    """If seat 1 saw what seat 0 chose, it would always win."""
    first = thoughts(MatchingPennies(), 0, 4000)
    assert sum(line.worth for line in first.lines) / first.simulations == pytest.approx(0.5, abs=0.1)
    for seat in range(2):
        visits = [line.visits for line in thoughts(MatchingPennies(), seat, 4000).lines]
        assert min(visits) > 0.2 * sum(visits)


def test_every_simulation_reaches_the_root() -> None:
    """Also past others who choose at the same time, and hold something else in nearly every world."""
    found = thoughts(SecretHoldings(), 1, 300)
    assert sum(line.visits for line in found.lines) == 300
    assert found.choice == 1


@pytest.mark.parametrize(
    ("moves", "best"),
    [([0, 3, 1, 4], 2), ([0, 3, 1], 2), ([4, 0, 8], 2)],
    ids=["wins at once", "stops a win", "takes the corner that threatens and stops"],
)
def test_finds_the_only_good_move(moves: list[int], best: int) -> None:
    choices = {thoughts(TicTacToe(moves), len(moves) % 2, 2000, seed).choice for seed in range(5)}
    if moves == [4, 0, 8]:
        assert choices <= {2, 6}
    else:
        assert choices == {best}


def test_says_what_a_decision_is_worth() -> None:
    """With best play on both sides nobody wins tic-tac-toe."""
    found = thoughts(TicTacToe([]), 0, 20_000)
    assert found.lines[0].utility == pytest.approx(0.5, abs=0.12)
    assert found.expected_rank == pytest.approx(1.5, abs=0.12)


def test_width_grows_with_visits() -> None:
    """What looks unpromising is looked at too, but later."""
    narrow = thoughts(Auction(), 0, 10, tuning=Tuning(first_width=4, widening=0.3))
    assert {line.code for line in narrow.lines if line.visits} <= set(range(7))
    wide = thoughts(Auction(), 0, 20_000, tuning=Tuning(doubt=0.0))
    assert wide.choice > 100


@pytest.mark.parametrize("seed", range(3))
def test_same_seed_same_thoughts(seed: int) -> None:
    assert thoughts(TicTacToe([4]), 1, 500, seed) == thoughts(TicTacToe([4]), 1, 500, seed)


def test_other_seeds_other_thoughts() -> None:
    assert thoughts(TicTacToe([4]), 1, 500, 1) != thoughts(TicTacToe([4]), 1, 500, 2)


def test_every_simulation_is_counted() -> None:
    found = thoughts(TicTacToe([]), 0, 777)
    assert found.simulations == 777
    assert sum(line.visits for line in found.lines) == 777
    assert sum(line.prior for line in found.lines) == pytest.approx(1)


def test_goes_on_from_an_earlier_decision() -> None:
    """A tree that is kept knows what it was asked before."""
    tree, rng = Tree(), Random(1)
    before = Search(TicTacToe([]), tree, Tuning())
    before.take_root(0, vec[i64](), 0.1, rng)
    before.run(2000, rng)
    search = Search(TicTacToe([4, 0]), tree, Tuning())
    root = search.take_root(0, vec[i64](), 0.1, rng)
    assert tree.visits[root] > 10


def test_an_action_that_was_not_considered_is_added_to_a_kept_node() -> None:
    tree, rng = Tree(), Random(1)
    search = Search(GuessOrTake(), tree, Tuning())
    root = search.take_root(0, vec[i64](), 0.1, rng)
    assert search.take_root(0, vec[i64]([7]), 0.25, rng) == root
    codes = [tree.edge_code[edge] for edge in range(tree.first_edge[root], tree.first_edge[root] + tree.edges[root])]
    assert sorted(codes) == [0, 1, 2, 7]


def test_share_of_the_prior() -> None:
    codes, priors = with_share(vec[i64]([4, 5]), vec[float]([1.0, 3.0]), 4, 0.5)
    assert (list(codes), list(priors)) == ([4, 5], [5.0, 3.0])
    codes, priors = with_share(vec[i64]([4, 5]), vec[float]([1.0, 3.0]), 9, 0.2)
    assert (list(codes), list(priors)) == ([4, 5, 9], [1.0, 3.0, 1.0])


def test_table_of_many_keys() -> None:
    tree = Tree()
    keys = [mix(1, number) for number in range(50_000)]
    assert [tree.add(key) for key in keys] == list(range(50_000))
    assert all(tree.find(key) == node for node, key in enumerate(keys))
    assert tree.find(mix(2, 1)) == NONE


def test_a_full_tree_is_searched_on_without_growing() -> None:
    tree, rng = Tree(most=50), Random(1)
    search = Search(TicTacToe([0, 3, 1]), tree, Tuning())
    root = search.take_root(1, vec[i64](), 0.1, rng)
    search.run(3000, rng)
    assert len(tree.keys) == 50
    assert thoughts_of(search, root, 0).choice == 2


def test_keys_differ_and_fit() -> None:
    keys = {mix(mix(first, second), third) for first in range(60) for second in range(60) for third in range(60)}
    assert len(keys) == 60**3
    assert all(0 < key < 1 << 60 for key in keys)
    large = {mix(1 << 59, 1 << place) for place in range(60)} | {mix((1 << 60) - 1, (1 << 60) - 1)}
    assert len(large) == 61
    low_bits = {mix(1, number) & 1023 for number in range(4096)}
    assert len(low_bits) > 950


def test_merged_searches_add_up() -> None:
    parts = [thoughts(TicTacToe([]), 0, 300, seed) for seed in range(3)]
    whole = merged(parts)
    assert whole.simulations == 900
    for line in whole.lines:
        same = [found for part in parts if (found := part.line(line.code)) is not None]
        assert line.visits == sum(found.visits for found in same)
        assert line.rank == pytest.approx(sum(found.rank for found in same))
    assert [line.visits for line in whole.lines] == sorted((line.visits for line in whole.lines), reverse=True)


def test_spread_of_ranks() -> None:
    line = thoughts(GuessOrTake(), 0, 2000).lines[0]
    assert line.rank_error == pytest.approx(0)
    never_tried = thoughts(Auction(), 0, 3).lines[-1]
    assert math.isnan(never_tried.utility)
    assert math.isnan(never_tried.expected_rank)
    assert math.isnan(never_tried.rank_error)


def spent(budget: Budget, game: SmallGame, seat: int = 0) -> Search:
    search, rng = Search(game, Tree(), Tuning()), Random(1)
    spend(budget, search, search.take_root(seat, vec[i64](), 0.1, rng), rng)
    return search


def test_budget_of_simulations_is_kept_exactly() -> None:
    assert spent(Budget(simulations=123), MatchingPennies()).simulations == 123


def test_budget_of_time_ends() -> None:
    """Whatever was said of simulations: the clock comes first."""
    assert 0 < spent(Budget(simulations=1 << 40, seconds=0.05), MatchingPennies()).simulations < 1 << 20


def test_stops_when_nothing_can_change_the_choice() -> None:
    assert spent(Budget(simulations=5000), TicTacToe([0, 3, 1, 4])).simulations < 5000


def test_whoever_waits_no_more_is_heeded() -> None:
    search, rng = Search(TicTacToe([]), Tree(), Tuning()), Random(1)
    root, answers = search.take_root(0, vec[i64](), 0.1, rng), iter([True, True, False])
    spend(Budget(simulations=1 << 30), search, root, rng, lambda: next(answers))
    assert search.simulations == 32


def test_budget_within_the_time_left() -> None:
    assert Budget(seconds=5).within(None).seconds == 5
    assert Budget(seconds=5).within(1).seconds == pytest.approx(0.9)
    assert Budget(seconds=0.5).within(10).seconds == 0.5
    assert Budget(simulations=10).within(1) == Budget(simulations=10, seconds=0.9)
    assert Budget(simulations=10).within(-3).seconds == 0


def test_a_late_thought_still_has_a_choice() -> None:
    search, rng = Search(TicTacToe([]), Tree(), Tuning()), Random(1)
    root = search.take_root(0, vec[i64](), 0.1, rng)
    spend(Budget(seconds=0), search, root, rng)
    assert thoughts_of(search, root, 0).choice in range(9)


def test_shared_budget() -> None:
    assert Budget(simulations=1001).shared(4) == Budget(simulations=251)
    assert Budget(seconds=1).shared(4) == Budget(seconds=1)


@pytest.mark.parametrize("text", ["", "0", "-5", "1.5", "s", "1e3", "10 s", "1ms"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(InvalidBudget, match="no budget"):
        Budget.of_text(text)


def test_a_budget_has_a_limit() -> None:
    with pytest.raises(InvalidBudget, match="limits"):
        Budget()


class Ending(SmallGame):
    """Only ends."""


def test_what_a_result_is_worth() -> None:
    """Shares of the win first; the rank breaks what is left."""
    game = Ending(4)
    game.settle(vec[i64]([7, 9, 7, 9]), 1.0)
    assert list(game.ranks) == [3.5, 1.5, 3.5, 1.5]
    assert list(game.utilities) == pytest.approx([0.1 / 6, 0.45 + 0.25 / 3, 0.1 / 6, 0.45 + 0.25 / 3])
    game.settle(vec[i64]([3, 2, 1, 0]), 1.0)
    assert list(game.ranks) == [1, 2, 3, 4]
    assert [game.utilities[0], game.utilities[3]] == pytest.approx([1, 0])


def test_what_chances_are_worth() -> None:
    game = Ending(3)
    game.expect(vec[float]([1.0, 0.0, 0.0]), 1.0)
    assert list(game.ranks) == pytest.approx([1, 2, 2], abs=1.1)
    game.expect(vec[float]([1 / 3, 1 / 3, 1 / 3]), 1.0)
    assert list(game.ranks) == pytest.approx([2, 2, 2])
    assert sum(game.ranks) == pytest.approx(6)


def test_a_result_that_counts_in_part() -> None:
    game = Ending(2)
    game.expect(vec[float]([0.5, 0.5]), 1.0)
    game.settle(vec[i64]([1, 0]), 0.5)
    assert list(game.ranks) == pytest.approx([1.25, 1.75])
    assert list(game.utilities) == pytest.approx([0.75, 0.25])


def test_strength_of_a_seat() -> None:
    """Units are excited by features, and count only if they are."""
    network = Network(vec[float]([1.0, -1.0, 2.0, 0.5]), vec[float]([10.0, 100.0]))
    assert network.strength(vec[float]([9.0, 1.0, 1.0]), 1, 2) == pytest.approx(10 * 3.0)
    assert network.strength(vec[float]([0.0, 4.0]), 0, 2) == pytest.approx(10 * 8.0 + 100 * 2.0)


def test_chances_of_strengths() -> None:
    strengths = vec[float]([1000.0, 1000.0, 999.0])
    to_chances(strengths)
    assert sum(strengths) == pytest.approx(1)
    assert strengths[0] == strengths[1] == pytest.approx(strengths[2] * math.e)
