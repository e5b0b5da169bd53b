"""One seat's policy, with its random numbers and what it was told: wherever it thinks."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from dragonhall.bots.choices import checked_position
from dragonhall.bots.mcts.searching import Effort, Findings, SearchingPolicy, SteadyPolicy
from dragonhall.bots.policy import Chair, ClockedPolicy, Policy, PolicyFactory
from dragonhall.bots.thinking.messages import Choice, Question


class Seated:
    """A policy that has sat down."""

    def __init__(self, make_policy: PolicyFactory, chair: Chair) -> None:
        """Raises what making the policy raises."""
        self._rng = Random(0)
        self._seen: list[Any] = []
        self._policy: Policy = make_policy(chair, self._rng)

    def choose(self, question: Question, effort: Effort) -> Choice:
        """What the policy chooses, and what was found if it searches.

        ``question``: with those events that it was not told yet. Raises what the policy raises, and `BadChoice`.
        """
        begin = time.perf_counter()
        position, findings = self._choose(question, effort)
        pace = self._policy.pace(effort.time_left) if isinstance(self._policy, SteadyPolicy) else 0.0
        return Choice(position, time.perf_counter() - begin, findings, pace)

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

    def forget(self) -> None:
        """Lets go of what the policy keeps between decisions for speed alone: there are many seats."""
        if isinstance(self._policy, SearchingPolicy):
            self._policy.forget()
