"""Thinking about what may come while others are asked: a search that begins at their decisions."""

from __future__ import annotations

import time
from typing import Final

from librt.random import Random

from dragonhall.bots.mcts.search import Search
from dragonhall.bots.mcts.tree import Tree

_SLICE_SECONDS: Final = 0.005
"""So long whoever asks something may have to wait."""
_MOST_IN_SLICE: Final = 4096


class Pondering:
    """A search without a decision of the own seat at its root. What it finds of the own decisions further down stays in
    the tree, for when one of them is asked."""

    def __init__(self, search: Search, tree: Tree, rng: Random, seconds: float, most_nodes: int) -> None:
        """At most for ``seconds`` altogether, and until the tree has ``most_nodes``, never more."""
        self._search = search
        self._tree = tree
        self._rng = rng
        self._left = seconds
        self._most_nodes = most_nodes
        self._slice = 1

    @property
    def simulations(self) -> int:
        """How many there were."""
        return self._search.simulations

    def go_on(self) -> bool:
        """Some milliseconds more, or a single simulation. Returns whether there may be more after that."""
        count = min(self._slice, self._room())  # a simulation adds a node at most
        if count <= 0:
            return False
        begin = time.perf_counter()
        self._search.run(count, self._rng)
        spent = time.perf_counter() - begin
        self._left -= spent
        self._slice = max(1, min(_MOST_IN_SLICE, int(_SLICE_SECONDS * count / spent)))
        return self._left > 0.0 and self._room() > 0

    def _room(self) -> int:
        return self._most_nodes - len(self._tree.keys)
