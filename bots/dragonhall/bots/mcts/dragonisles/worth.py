"""How likely each seat of a world is to win: an estimate in place of some of what is to come.

Hot: one source that CPython runs and mypyc compiles. A small network makes a seat's strength of its `features`. It was
fitted to games that the guide played to their end, from positions of its own, of variants of it, and of greedy bots.
"""

from __future__ import annotations

from typing import final

from librt.vecs import vec

from dragonhall.bots.mcts.dragonisles.features import FEATURES, Features
from dragonhall.bots.mcts.dragonisles.outlook import Outlook
from dragonhall.bots.mcts.network import Network, to_chances
from dragonhall.rules.dragonisles.setting import Setting
from dragonhall.rules.dragonisles.state import State


@final
class Worth:
    """Weighs one world after another."""

    def __init__(self, setting: Setting, outlook: Outlook, network: Network) -> None:
        self._features: Features = Features(setting, outlook)
        self._network: Network = network
        self.chances: vec[float] = vec[float]([0.0] * setting.seats)
        """By seat: to win; what `weigh` found."""

    def weigh(self, state: State) -> None:
        """Weighs a world in which a turn begins."""
        self._features.find(state)
        for seat in range(state.seats):
            self.chances[seat] = self._network.strength(self._features.values, FEATURES * seat, FEATURES)
        to_chances(self.chances)
