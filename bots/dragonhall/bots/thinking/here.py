"""Thinking on the bot's event loop: for policies that need less time than it takes to ask another process."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from dragonhall.bots.mcts.searching import Effort
from dragonhall.bots.policy import Chair, PolicyFactory
from dragonhall.bots.thinking.messages import Choice, Place, Question, Situation
from dragonhall.bots.thinking.seated import Seated
from dragonhall.bots.thinking.turns import Turns


class Here:
    """In this process, on its event loop."""

    processes: Final = 0

    def __init__(self, policies: Mapping[str, PolicyFactory]) -> None:
        """``policies``: what makes them, by game."""
        self._policies = policies
        self._turns = Turns()

    def seat(self, place: Place, game: str, chair: Chair) -> SeatHere:
        """Somebody who thinks for a seat. Raises what making the policy raises."""
        return SeatHere(place, self._policies[game], chair, self._turns)


class SeatHere:
    """Thinks for one seat, at once."""

    def __init__(self, place: Place, make_policy: PolicyFactory, chair: Chair, turns: Turns) -> None:
        self._place = place
        self._turns = turns
        self._make_policy = make_policy
        self._chair = chair
        self._told = 0
        self._seated = Seated(make_policy, chair)

    async def choose(self, question: Question) -> Choice:
        """Raises what the policy raises, and `BadChoice`."""
        news = replace(question, seen=question.seen[self._told :])
        self._told = len(question.seen)
        time_left = None if question.due is None else max(0.0, question.due - time.monotonic())
        return self._turns.choose(self._place, self._seated, news, Effort(time_left))

    def ponder(self, situation: Situation) -> None:
        """Not here: the event loop has other things to do."""

    def rest(self) -> None:
        """Nothing to be done."""

    def sit_again(self) -> None:
        """Raises what making the policy raises."""
        self._told = 0
        self._seated = Seated(self._make_policy, self._chair)

    def leave(self) -> None:
        """Nothing to be done."""
