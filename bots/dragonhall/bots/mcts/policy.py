"""The MCTS bot: it thinks about every decision by searching worlds that fit what it knows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.pondering import Pondering
from dragonhall.bots.mcts.searching import Effort, Findings
from dragonhall.bots.mcts.think import Method, Mind
from dragonhall.bots.policy import Chair, PolicyFactory
from dragonhall.rules.actions import ActionList, code_at
from dragonhall.rules.game import Knowledge

_TIMES_PONDERED: Final = 5.0
"""Of the time for a decision: others may take for ever."""


class MctsPolicy:
    """Plays one seat of a game. With a budget of simulations alone it plays a game the same way every time."""

    thinks_long = True

    def __init__(
        self,
        method: Method,
        budget: Budget,
        advisor: PolicyFactory,
        chair: Chair,
        rng: Random,
        keeps_tree: bool | None = None,
    ) -> None:
        """``advisor`` makes the policy that is asked for advice first, which the search looks into more closely.

        ``keeps_tree``: goes on from what it found for earlier decisions; ``None``: if the budget is of time.
        """
        self._chair = chair
        self._rng = rng
        self._budget = budget
        self._advisor = advisor(chair, rng)
        self._ponders = method.ponders
        self._in_secret = method.has_secrets(chair.options)
        self._mind = Mind(method, budget.simulations is None if keeps_tree is None else keeps_tree)

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        """The position in ``actions`` of what the search tried most."""
        return self.choose_within(view, seen, decision, actions, None)

    def choose_within(
        self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList, time_left: float | None
    ) -> int:
        """The same, in less than ``time_left`` seconds, if that is given."""
        findings = self.search(view, seen, decision, actions, Effort(time_left))
        return findings.position if findings is not None else 0

    def search(
        self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList, effort: Effort
    ) -> Findings | None:
        """What the search finds; ``None`` if there is only one action."""
        begin = time.perf_counter()
        advised = self._advisor.choose(view, seen, decision, actions)
        if len(actions) == 1:
            return None
        chair = self._chair
        study = self._mind.study(Knowledge(chair.components, chair.options, chair.seat, view, seen))
        left = None if effort.time_left is None else effort.time_left - (time.perf_counter() - begin)
        thoughts = study.think(
            self._rng.getrandbits(62),
            self._budget.shared(effort.parts).within(left),
            also=[code_at(study.runs, advised)],
            goes_on=effort.goes_on,
        )
        return Findings(thoughts, study.runs)

    def ponder(self, view: Any, seen: Sequence[Any]) -> Pondering | None:
        """Thinks about what it may be asked next, from what it sees while others are asked: at most five times as long
        as about a decision, until the next thing happens. ``None`` for a budget of simulations, and for games in which
        it does not pay (`Method.ponders`)."""
        chair, seconds = self._chair, self._budget.seconds
        if seconds is None or not self._ponders:
            return None
        knowledge = Knowledge(chair.components, chair.options, chair.seat, view, seen)
        return self._mind.ponder(knowledge, self._rng.getrandbits(62), _TIMES_PONDERED * seconds)

    def pace(self, time_left: float | None) -> float:
        """As `SteadyPolicy` has it: where others do not see all that the seat sees, and the budget is of time."""
        return self._budget.pace(time_left) if self._in_secret else 0.0

    def forget(self) -> None:
        """Lets go of what it keeps between decisions, which may be 50 MB."""
        self._mind.forget()
