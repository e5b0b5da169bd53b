"""What a search has found out so far: statistics of every decision that it came by.

A node is one decision of one seat as that seat knows it, found by its key; all seats' nodes are in one table. What is
counted at a node is worth for its own seat alone. So each seat chooses by what it can tell and for itself, also where
several choose together: information-set search with a tree for each seat, and decoupled selection.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.bots.mcts.problem import NONE

_FIRST_SLOTS: Final = 1 << 10
_MOST_NODES: Final = 1 << 20
"""With their edges some 300 MB."""


@final
class Tree:
    """Nodes and their edges. A node without edges was met once and not looked at more closely."""

    def __init__(self, most: int = _MOST_NODES) -> None:
        """``most``: once there are so many nodes, the tree is full."""
        self._most: i64 = most
        self._mask: i64 = _FIRST_SLOTS - 1
        self._slots: vec[i64] = vec[i64]([NONE] * _FIRST_SLOTS)
        """A hash table with open addressing: the node of the key that belongs here."""
        self.keys: vec[i64] = vec[i64]()
        """By node."""
        self.visits: vec[i64] = vec[i64]()
        """By node: how many simulations came by."""
        self.worth: vec[float] = vec[float]()
        """By node: the sum of what its seat had of them."""
        self.first_edge: vec[i64] = vec[i64]()
        """By node."""
        self.edges: vec[i64] = vec[i64]()
        """By node: how many there are; 0 before it is expanded."""
        self.edge_code: vec[i64] = vec[i64]()
        """By edge: the action."""
        self.edge_prior: vec[float] = vec[float]()
        """By edge: the share of the prior, the edges of a node in descending order."""
        self.edge_visits: vec[i64] = vec[i64]()
        """By edge."""
        self.edge_worth: vec[float] = vec[float]()
        """By edge: the sum of what the node's seat had of it."""
        self.edge_rank: vec[float] = vec[float]()
        """By edge: the sum of the ranks that the node's seat had."""
        self.edge_squares: vec[float] = vec[float]()
        """By edge: the sum of the squares of these ranks, for their spread."""

    def find(self, key: i64) -> i64:
        """The node of a key; `NONE` if there is none."""
        slot = key & self._mask
        node = self._slots[slot]
        while node != NONE and self.keys[node] != key:
            slot = slot + 1 & self._mask
            node = self._slots[slot]
        return node

    def is_full(self) -> bool:
        """Whether no more nodes should be added; what is there goes on counting."""
        return len(self.keys) >= self._most

    def add(self, key: i64) -> i64:
        """A new node, of a key that has none."""
        node: i64 = len(self.keys)
        self.keys = append(self.keys, key)
        self.visits = append(self.visits, 0)
        self.worth = append(self.worth, 0.0)
        self.first_edge = append(self.first_edge, 0)
        self.edges = append(self.edges, 0)
        if 2 * node > self._mask:
            self._grow()
        else:
            self._enter(node)
        return node

    def _enter(self, node: i64) -> None:
        slot = self.keys[node] & self._mask
        while self._slots[slot] != NONE:
            slot = slot + 1 & self._mask
        self._slots[slot] = node

    def _grow(self) -> None:
        """Twice the slots, and every node in one of them."""
        self._mask = 2 * self._mask + 1
        self._slots = vec[i64]([NONE] * (self._mask + 1))
        for node in range(i64(len(self.keys))):
            self._enter(node)

    def expand(self, node: i64, codes: vec[i64], priors: vec[float]) -> None:
        """Gives a node its edges: the most promising first; of equals, in the order given."""
        count: i64 = len(codes)
        total = 0.0
        for place in range(count):
            total += priors[place]
        first: i64 = len(self.edge_code)
        self.first_edge[node] = first
        self.edges[node] = count
        for place in range(count):
            self._append_edge(codes[place], priors[place] / total)
            self._move_up(first, first + place)

    def _append_edge(self, code: i64, prior: float) -> None:
        self.edge_code = append(self.edge_code, code)
        self.edge_prior = append(self.edge_prior, prior)
        self.edge_visits = append(self.edge_visits, 0)
        self.edge_worth = append(self.edge_worth, 0.0)
        self.edge_rank = append(self.edge_rank, 0.0)
        self.edge_squares = append(self.edge_squares, 0.0)

    def _move_up(self, first: i64, edge: i64) -> None:
        """Sorts a new edge in among those before it, from ``first`` on."""
        code, prior = self.edge_code[edge], self.edge_prior[edge]
        while edge > first and self.edge_prior[edge - 1] < prior:
            self.edge_code[edge] = self.edge_code[edge - 1]
            self.edge_prior[edge] = self.edge_prior[edge - 1]
            edge -= 1
        self.edge_code[edge] = code
        self.edge_prior[edge] = prior

    def has_edges(self, node: i64, codes: vec[i64]) -> bool:
        """Whether all ``codes`` are among the node's edges."""
        for code in codes:
            edge = self.first_edge[node]
            last = edge + self.edges[node]
            while edge < last and self.edge_code[edge] != code:
                edge += 1
            if edge == last:
                return False
        return True

    def credit(self, node: i64, edge: i64, worth: float, rank: float) -> None:
        """One more simulation came by, and took an edge, or was at its end (`NONE`)."""
        self.visits[node] += 1
        self.worth[node] += worth
        if edge == NONE:
            return
        self.edge_visits[edge] += 1
        self.edge_worth[edge] += worth
        self.edge_rank[edge] += rank
        self.edge_squares[edge] += rank * rank

    def most_visited(self, node: i64) -> i64:
        """The edge that most simulations took; of equals the more promising. `NONE` without edges."""
        best: i64 = NONE
        for edge in range(self.first_edge[node], self.first_edge[node] + self.edges[node]):
            if best == NONE or self.edge_visits[edge] > self.edge_visits[best]:
                best = edge
        return best
