"""Answering after as long as it may take, whatever there is to decide: so that the time tells nothing.

Everybody sees how long a seat takes. Who answers at once has no choice, or an easy one; and what may be chosen, and
what is easy, depends on what the seat holds.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking.messages import Choice, Place, Question, Situation
from dragonhall.bots.thinking.thinker import Thinker, Thinkers


class Steady:
    """Where a bot thinks. Choices that were made early are held back for as long as their policies want
    (`SteadyPolicy`).

    Meanwhile nobody thinks about them: they wait on the event loop, and go with their question when it is dropped.
    """

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers

    @property
    def processes(self) -> int:
        """As where it thinks."""
        return self._thinkers.processes

    def seat(self, place: Place, game: str, chair: Chair) -> SteadySeat:
        """Somebody who thinks for a seat. Raises what `Thinkers.seat` raises."""
        return SteadySeat(self._thinkers.seat(place, game, chair))


class SteadySeat:
    """Thinks for one seat, and takes its time."""

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker

    async def choose(self, question: Question) -> Choice:
        """What the seat's policy chooses, no sooner than after its pace. Raises what `Thinker.choose` raises."""
        choice = await self._thinker.choose(question)
        held = choice.pace - choice.seconds
        if question.due is not None:
            held = min(held, question.due - time.monotonic())
        if held <= 0.0:
            return choice
        await asyncio.sleep(held)
        return replace(choice, held=held)

    def ponder(self, situation: Situation) -> None:
        """Others are asked."""
        self._thinker.ponder(situation)

    def rest(self) -> None:
        """Nothing is to be thought about for now."""
        self._thinker.rest()

    def sit_again(self) -> None:
        """What the seat was told does not hold any more."""
        self._thinker.sit_again()

    def leave(self) -> None:
        """Nothing more will be asked."""
        self._thinker.leave()
