"""Worlds that fit what the deciding seat knows, drawn by how plausible they are.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragons_interest.amounts import Amounts
from dragonhall.rules.dragons_interest.state import State

_CHAINS: Final = 32
"""Drawings of what seats hold that are kept at the same time."""
_STEADY: Final = 4
"""Worlds that are drawn before a drawing is drawn anew."""


@final
class Worlds:
    """Draws worlds one after another.

    What seats hold comes from several chains of drawings. Now and then the next chain is offered a new drawing, even
    over all that fits, and takes it as its plausibility compares with that of the old one (Metropolis and Hastings).
    """

    def __init__(self, state: State, gold: Amounts, knights: Amounts, weighs: bool) -> None:
        """``state``: any one that fits. ``weighs``: by plausibility; else all drawings are as good."""
        self._state: State = state
        self._gold: Amounts = gold
        self._knights: Amounts = knights
        self._weighs: bool = weighs
        self._known: bool = gold.count == 0 and knights.count == 0
        self._seats: i64 = state.seats
        self._holdings: vec[i64] = vec[i64]([0] * (_CHAINS * 2 * state.seats))
        """By chain: the gold and the knights of every seat."""
        self._weights: vec[float] = vec[float]([-1.0] * _CHAINS)
        """By chain: how plausible its drawing is; negative before the first."""
        self._drawn: i64 = 0

    def draw(self, rng: Random) -> State:
        """A new world."""
        world = self._state.with_stacks_shuffled(rng)
        if not self._known:
            self._draw_holdings(world, rng)
        return world

    def _draw_holdings(self, world: State, rng: Random) -> None:
        chain = self._drawn % _CHAINS
        if self._weights[chain] < 0.0 or self._drawn // _CHAINS % _STEADY == 0:
            self._renew(chain, rng)
        self._drawn += 1
        base = chain * 2 * self._seats
        for seat in range(self._seats):
            world.gold[seat] = self._holdings[base + seat]
            world.knights[seat] = self._holdings[base + self._seats + seat]

    def _renew(self, chain: i64, rng: Random) -> None:
        self._gold.draw(rng)
        self._knights.draw(rng)
        weight = self._gold.plausibility() * self._knights.plausibility() if self._weighs else 1.0
        if self._weights[chain] >= 0.0 and rng.random() * self._weights[chain] >= weight:
            return
        self._weights[chain] = weight
        base = chain * 2 * self._seats
        for seat in range(self._seats):
            self._holdings[base + seat] = self._gold.holdings[seat]
            self._holdings[base + self._seats + seat] = self._knights.holdings[seat]
