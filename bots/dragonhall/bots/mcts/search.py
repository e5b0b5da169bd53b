"""Information-set Monte Carlo tree search.

Each simulation draws a world that fits what the deciding seat knows, goes down the tree as every seat in turn would
choose, meets a decision that is new, and lets the game's guide play on from there. Selection is PUCT (a mean, and a
bonus for what is promising and little tried), over a number of edges that grows with the visits (progressive widening).

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final, final

from librt.random import Random
from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.bots.mcts.problem import NONE, Problem
from dragonhall.bots.mcts.tree import Tree

MAX_DEPTH: Final = 64
"""Decisions that one simulation goes down the tree at most."""


@dataclass(frozen=True)
class Tuning:
    """How a search weighs what it does not know yet. Games have values of their own."""

    exploration: float = 0.7
    """How much what is promising and little tried counts against what has done well; utilities are 0 to 1."""
    doubt: float = 0.05
    """What was never tried is taken to be worth the node's mean, less this."""
    first_width: int = 6
    """Edges that are looked at in the beginning."""
    widening: float = 0.6
    """As many more edges as the node's visits to this power."""
    expand_at: int = 1
    """A decision gets a node's edges once it was met more often than this."""
    advice: float = 0.25
    """Share of the prior that the root's advised action is given."""


@final
class Search:
    """A search of one problem, that can go on for as long as one likes."""

    def __init__(self, problem: Problem, tree: Tree, tuning: Tuning) -> None:
        self.problem: Problem = problem
        self.tree: Tree = tree
        self.simulations: i64 = 0
        """How many there were."""
        self._exploration: float = tuning.exploration
        self._doubt: float = tuning.doubt
        self._first_width: i64 = tuning.first_width
        self._widening: float = tuning.widening
        self._expand_at: i64 = tuning.expand_at
        self._root: i64 = NONE
        """The deciding seat's own decision."""
        self._nodes: vec[i64] = vec[i64]([0] * MAX_DEPTH)
        self._taken: vec[i64] = vec[i64]([0] * MAX_DEPTH)
        self._seats: vec[i64] = vec[i64]([0] * MAX_DEPTH)

    def take_root(self, seat: i64, also: vec[i64], share: float, rng: Random) -> i64:
        """The node of the deciding seat's own decision, with its candidates; ``also`` are among them, each with a
        ``share`` of the prior at least.

        What it had been found to be worth before is dropped if it has no such edges yet.
        """
        problem, tree = self.problem, self.tree
        problem.begin(rng)
        while problem.actor() != seat:  # others who choose at the same time come first
            problem.candidates()
            problem.apply(problem.codes[0], rng)
        key = problem.key()
        node = tree.find(key)
        if node == NONE:
            node = tree.add(key)
        problem.candidates()
        codes, priors = problem.codes, problem.priors
        for code in also:
            codes, priors = with_share(codes, priors, code, share)
        if not tree.has_edges(node, codes):
            tree.expand(node, codes, priors)
        self._root = node
        return node

    def run(self, simulations: i64, rng: Random) -> None:
        """So many more simulations."""
        for _ in range(simulations):
            self._simulate(rng)
        self.simulations += simulations

    def _simulate(self, rng: Random) -> None:
        problem, tree = self.problem, self.tree
        problem.begin(rng)
        depth = self._descend(rng)
        problem.finish(rng)
        for step in range(depth):
            seat = self._seats[step]
            tree.credit(self._nodes[step], self._taken[step], problem.utilities[seat], problem.ranks[seat])

    def _descend(self, rng: Random) -> i64:
        """Goes down to the first decision after the root that is new. Returns the number of decisions on the way.

        Before the root come others who choose at the same time. What they hold differs from world to world, and so do
        their nodes: if a new one ended the simulation, few would reach the root.
        """
        problem, tree = self.problem, self.tree
        depth: i64 = 0
        below_root = self._root == NONE
        while depth < MAX_DEPTH:
            seat = problem.actor()
            if seat == NONE:
                break
            key = problem.key()
            node = tree.find(key)
            if node == NONE:
                if tree.is_full():
                    break
                node = tree.add(key)
            fresh = tree.edges[node] == 0
            self._nodes[depth] = node
            self._taken[depth] = NONE
            self._seats[depth] = seat
            depth += 1
            if fresh:
                if below_root and tree.visits[node] < self._expand_at:
                    break
                problem.candidates()
                tree.expand(node, problem.codes, problem.priors)
            edge = self._select(node, problem.in_secret(), rng)
            self._taken[depth - 1] = edge
            problem.apply(tree.edge_code[edge], rng)
            if fresh and below_root:
                break
            if node == self._root:
                below_root = True
        return depth

    def _select(self, node: i64, in_secret: bool, rng: Random) -> i64:
        """The edge that looks best for the node's own seat.

        ``in_secret``: with bonuses at random, around what they are otherwise. Seats that choose together would fall
        into step with one another: each would only ever meet one answer to each of its choices.
        """
        tree = self.tree
        first, count, visits = tree.first_edge[node], tree.edges[node], tree.visits[node]
        width = self._width(count, visits)
        mean = 0.5
        if visits > 0:
            mean = tree.worth[node] / float(visits)
        unknown = mean - self._doubt
        bonus = self._exploration * sqrt(float(visits + 1))
        best = first
        highest = -1.0
        for edge in range(first, first + width):
            tried = tree.edge_visits[edge]
            score = unknown
            if tried > 0:
                score = tree.edge_worth[edge] / float(tried)
            more = bonus * tree.edge_prior[edge] / float(tried + 1)
            score += 2.0 * more * rng.random() if in_secret else more
            if score > highest:
                highest = score
                best = edge
        return best

    def _width(self, count: i64, visits: i64) -> i64:
        if count <= self._first_width:
            return count
        width = self._first_width + i64(float(visits) ** self._widening)
        return count if width > count else width


def with_share(codes: vec[i64], priors: vec[float], code: i64, share: float) -> tuple[vec[i64], vec[float]]:
    """The same candidates with more prior for ``code``: a ``share`` of the whole more. It is added if it is none."""
    total = 0.0
    for prior in priors:
        total += prior
    more = total * share / (1.0 - share)
    codes, priors = codes[:], priors[:]
    for place in range(i64(len(codes))):
        if codes[place] == code:
            priors[place] += more
            return codes, priors
    return append(codes, code), append(priors, more)
