"""The MCTS bot: it thinks about every decision by searching worlds that fit what it knows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import Any

from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.think import Method, Mind
from dragonhall.bots.mcts.thoughts import Thoughts
from dragonhall.bots.policy import Chair, PolicyFactory
from dragonhall.rules.actions import ActionList, code_at, index_of
from dragonhall.rules.game import Knowledge


class MctsPolicy:
    """Plays one seat of a game. With a budget of simulations alone it plays a game the same way every time."""

    thinks_long = True

    def __init__(self, method: Method, budget: Budget, advisor: PolicyFactory, chair: Chair, rng: Random) -> None:
        """``advisor`` makes the policy that is asked for advice first, which the search looks into more closely."""
        self._chair = chair
        self._rng = rng
        self._budget = budget
        self._advisor = advisor(chair, rng)
        self._mind = Mind(method, keeps_tree=budget.simulations is None)
        self.thoughts: Thoughts | None = None
        """About the newest decision that there was something to think about."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        """The position in ``actions`` of what the search tried most."""
        return self.choose_within(view, seen, decision, actions, None)

    def choose_within(
        self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList, time_left: float | None
    ) -> int:
        """The same, in less than ``time_left`` seconds, if that is given."""
        advised = self._advisor.choose(view, seen, decision, actions)
        if len(actions) == 1:
            return 0
        begin = time.perf_counter()
        chair = self._chair
        study = self._mind.study(Knowledge(chair.components, chair.options, chair.seat, view, seen))
        left = None if time_left is None else time_left - (time.perf_counter() - begin)
        self.thoughts = study.think(
            self._rng.getrandbits(62), self._budget.within(left), also=[code_at(study.runs, advised)]
        )
        return index_of(study.runs, self.thoughts.choice)
