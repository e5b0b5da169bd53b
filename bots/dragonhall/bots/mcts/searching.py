"""What whoever lets a policy search gives it and gets from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dragonhall.bots.mcts.pondering import Pondering
from dragonhall.bots.mcts.thoughts import Thoughts, merged
from dragonhall.rules.actions import ActionList, Run, index_of


@dataclass(frozen=True)
class Effort:
    """What one decision may cost, beside what the policy's own budget says."""

    time_left: float | None = None
    """Seconds; ``None``: no limit."""
    parts: int = 1
    """So many processes search for this decision at the same time, each with a part of the simulations."""
    goes_on: Callable[[], bool] = lambda: True
    """Asked every now and then; after a no, nobody needs the result any more."""


@dataclass(frozen=True)
class Findings:
    """What was found, by codes, and the codes of all legal actions."""

    thoughts: Thoughts
    runs: Sequence[Run]

    @property
    def position(self) -> int:
        """Of the choice among the legal actions."""
        return index_of(self.runs, self.thoughts.choice)

    def together_with(self, others: Sequence[Findings]) -> Findings:
        """What several searches of the same decision have found together."""
        return Findings(merged([self.thoughts, *(other.thoughts for other in others)]), self.runs)


@runtime_checkable
class SearchingPolicy(Protocol):
    """A policy that searches: it can be stopped, share a decision with others like it, and tell what it found."""

    def search(
        self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList, effort: Effort
    ) -> Findings | None:
        """As `Policy.choose`; ``None`` if there is only one action, about which nothing is to be found out."""
        ...

    def forget(self) -> None:
        """Lets go of what it keeps between decisions for speed alone."""
        ...


@runtime_checkable
class PonderingPolicy(Protocol):
    """A policy that can think while others are asked."""

    def ponder(self, view: Any, seen: Sequence[Any]) -> Pondering | None:
        """Thinking about what it may be asked next, bit by bit; ``None``: nothing would come of it.

        ``view`` and ``seen`` as for `Policy.choose`. Of what is found, some helps the next search.
        """
        ...


@runtime_checkable
class SteadyPolicy(Protocol):
    """A policy that needs less time where there is little to decide, and does not want others to see that."""

    def pace(self, time_left: float | None) -> float:
        """The seconds after which it has chosen, whatever there is to decide; 0: it does not matter.

        ``time_left``: the seconds that the decision may take; ``None``: no limit.
        """
        ...
