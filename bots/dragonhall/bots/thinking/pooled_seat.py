"""Thinking for one seat in worker processes that may die."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Protocol

from dragonhall.bots.thinking.messages import Ask, Choice, News, Place, Ponder, Question, Rest, Seating, Situation
from dragonhall.bots.thinking.process import PolicyFailed, WorkerDied, WorkerProcess

_log: Final = logging.getLogger("dragonhall.bots")

_MOST_DEATHS: Final = 2
"""So many workers may die while they think about a question: then it is the question that kills them."""


class Home(Protocol):
    """Where a seat's policy is: a worker's place in a pool."""

    async def worker(self) -> WorkerProcess:
        """The process, alive. Raises `PolicyFailed`."""
        ...

    def tell(self, message: News) -> None:
        """Tells the process, if there is one."""
        ...

    def leave(self, place: Place) -> None:
        """Nothing more is asked in a seat."""
        ...


class PooledSeat:
    """Thinks for one seat: in one worker, or in several at once, whose findings are added up."""

    def __init__(
        self, place: Place, seating: Seating, homes: Sequence[Home], numbers: Iterator[int], ponders: bool
    ) -> None:
        """``numbers``: of the questions, unique in the pool."""
        self._ponders = ponders
        self._parts = [_Part(place, seating, home, numbers) for home in homes]

    async def choose(self, question: Question) -> Choice:
        """What the seat's policy chooses. Raises `PolicyFailed`. Cancelled, the workers stop thinking, too."""
        parts = self._parts if len(question.actions) > 1 else self._parts[:1]
        for part in self._parts[len(parts) :]:
            part.rest()
        shares = [replace(question, seed=question.seed + place) for place in range(len(parts))]
        asked = [asyncio.create_task(part.choose(share, len(parts))) for part, share in zip(parts, shares, strict=True)]
        try:
            return _together(await asyncio.gather(*asked))
        finally:
            for task in asked:
                task.cancel()

    def ponder(self, situation: Situation) -> None:
        """Others are asked: in each worker that has thought for the seat it may think on, when nobody asks anything."""
        if self._ponders:
            for part in self._parts:
                part.ponder(situation)

    def rest(self) -> None:
        """Nothing is to be thought about for now."""
        for part in self._parts:
            part.rest()

    def sit_again(self) -> None:
        """What the seat was told does not hold any more: another policy thinks from the next question on."""
        for part in self._parts:
            part.sit_again()

    def leave(self) -> None:
        """Nothing more will be asked."""
        for part in self._parts:
            part.leave()


class _Part:
    """The policy in one of the workers."""

    def __init__(self, place: Place, seating: Seating, home: Home, numbers: Iterator[int]) -> None:
        self._place = place
        self._seating = seating
        self._home = home
        self._numbers = numbers
        self._worker: WorkerProcess | None = None
        """Who was told something and remembers it."""
        self._told = 0
        """How many events."""
        self._asked = False
        """And has not answered."""

    async def choose(self, question: Question, parts: int) -> Choice:
        deaths = 0
        while True:
            try:
                return await self._ask(await self._home.worker(), question, parts)
            except WorkerDied as error:
                deaths += error.was_thinking
                if deaths == _MOST_DEATHS:
                    raise PolicyFailed(f"{deaths} times a policy has ended its process: {error}") from error
                _log.warning("%s; it is started again, and seat %d of game %s asked again", error, *self._place[::-1])

    async def _ask(self, worker: WorkerProcess, question: Question, parts: int) -> Choice:
        knows = worker is self._worker
        news = replace(question, seen=question.seen[self._told :] if knows else question.seen)
        self._worker, self._told, self._asked = worker, len(question.seen), True
        try:
            return await worker.ask(
                Ask(next(self._numbers), self._place, news, parts, None if knows else self._seating)
            )
        except BaseException:
            self.sit_again()  # a question that was dropped may never have been read
            raise
        finally:
            self._asked = False

    def ponder(self, situation: Situation) -> None:
        if self._worker is None or self._asked:
            return
        self._worker.tell(Ponder(self._place, replace(situation, seen=situation.seen[self._told :])))
        self._told = len(situation.seen)

    def rest(self) -> None:
        self._home.tell(Rest(self._place))

    def sit_again(self) -> None:
        self._worker = None
        self.rest()

    def leave(self) -> None:
        self._home.leave(self._place)


def _together(choices: Sequence[Choice]) -> Choice:
    """One choice, from what several workers found."""
    first = choices[0]
    found = [choice.findings for choice in choices if choice.findings is not None]
    if len(found) < 2:
        return first
    findings = found[0].together_with(found[1:])
    seconds, pace = max(choice.seconds for choice in choices), max(choice.pace for choice in choices)
    return Choice(findings.position, seconds, findings, sum(choice.pondered for choice in choices), pace)
