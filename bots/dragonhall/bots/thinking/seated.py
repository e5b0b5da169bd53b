"""One seat's policy, with its random numbers and what it was told: wherever it thinks."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from dragonhall.bots.choices import checked_position
from dragonhall.bots.mcts.pondering import Pondering
from dragonhall.bots.mcts.searching import Effort, Findings, PonderingPolicy, SearchingPolicy, SteadyPolicy
from dragonhall.bots.policy import Chair, ClockedPolicy, Policy, PolicyFactory
from dragonhall.bots.thinking.messages import Choice, Question, Situation


class Seated:
    """A policy that has sat down."""

    def __init__(self, make_policy: PolicyFactory, chair: Chair) -> None:
        """Raises what making the policy raises."""
        self._rng = Random(0)
        self._seen: list[Any] = []
        self._policy: Policy = make_policy(chair, self._rng)
        self._view: Any = None
        """What the seat sees while others are asked."""
        self._pondering: Pondering | None = None
        self._pondered = 0
        """Simulations, since the seat was asked."""

    def choose(self, question: Question, effort: Effort, early: float = 0.0) -> Choice:
        """What the policy chooses, and what was found if it searches.

        ``question``: with those events that it was not told yet. ``early``: by so many seconds sooner than at a steady
        pace it has come to this question (`Turns`). Raises what the policy raises, and `BadChoice`.
        """
        begin = time.perf_counter()
        self.rest()
        pondered, self._pondered = self._pondered, 0
        position, findings = self._choose(question, effort)
        return Choice(position, time.perf_counter() - begin, findings, pondered, self._pace(effort.time_left, early))

    def _pace(self, time_left: float | None, early: float) -> float:
        if not isinstance(self._policy, SteadyPolicy) or self._policy.pace(None) == 0.0:
            return 0.0
        return early + self._policy.pace(None if time_left is None else time_left - early)

    def _choose(self, question: Question, effort: Effort) -> tuple[int, Findings | None]:
        self._seen += question.seen
        self._rng.seed(question.seed)
        policy, about = self._policy, (question.view, self._seen, question.decision, question.actions)
        if isinstance(policy, SearchingPolicy):
            findings = policy.search(*about, effort)
            return (findings.position if findings is not None else 0), findings
        if isinstance(policy, ClockedPolicy):
            return checked_position(policy.choose_within(*about, effort.time_left), question.actions), None
        return checked_position(policy.choose(*about), question.actions), None

    def learn(self, situation: Situation) -> None:
        """What happened while others are asked: something else to ponder.

        ``situation``: with those events that it was not told yet.
        """
        self._seen += situation.seen
        self._view, self._pondering = situation.view, None

    def ponder(self) -> bool:
        """Thinks for a moment about what may be asked next. Returns whether there is more to think about.

        Raises what the policy raises.
        """
        if not isinstance(self._policy, PonderingPolicy) or self._view is None:
            return False
        if self._pondering is None:
            self._pondering = self._policy.ponder(self._view, self._seen)
        if self._pondering is None:
            return False
        before = self._pondering.simulations
        goes_on = self._pondering.go_on()
        self._pondered += self._pondering.simulations - before
        return goes_on

    def rest(self) -> None:
        """There is nothing to ponder."""
        self._view = self._pondering = None

    def forget(self) -> None:
        """Lets go of what the policy keeps between decisions for speed alone: there are many seats."""
        self.rest()
        if isinstance(self._policy, SearchingPolicy):
            self._policy.forget()
