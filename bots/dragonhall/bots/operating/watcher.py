"""What happens in a bot, for whoever counts it or keeps it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking.messages import Choice, Place
from dragonhall.rules.actions import ActionList


class Ending(StrEnum):
    """How it ends that a seat is played."""

    FINISHED = "finished"
    """The game has."""
    ABORTED = "aborted"
    """The game was."""
    LEFT = "left"
    """It is another's, or the bot stops or comes back to it."""
    FAILED = "failed"
    """For a fault of the bot."""


class Arrival(StrEnum):
    """What became of an answer."""

    STORED = "stored"
    LATE = "late"
    """The seat's time had run out."""
    OVERTAKEN = "overtaken"
    """The game has ended meanwhile, or the seat or the question is another."""


@dataclass(frozen=True)
class Made:
    """A decision that was made."""

    decision_id: int
    decision: Any
    """What was asked."""
    view: Any
    """What the seat saw then."""
    actions: ActionList
    """All that was legal."""
    choice: Choice
    waited: float
    """Seconds from the question to the choice, without those in which its policy thought or the choice was held
    back."""


class Watcher:
    """Is told what the bot does, as it happens. This one takes no notice."""

    def sat_down(self, place: Place, game: str, chair: Chair) -> None:
        """A seat of a game (of `GAMES`) is played from now on."""

    def began(self, place: Place, decision_id: int) -> None:
        """The seat's policy is asked."""

    def dropped(self, place: Place, decision_id: int) -> None:
        """Nobody needs its answer any more."""

    def decided(self, place: Place, made: Made) -> None:
        """It has chosen."""

    def answered(self, place: Place, arrival: Arrival, seconds: float) -> None:
        """The server has said what became of the answer, so many seconds after it was sent."""

    def rose(self, place: Place, ending: Ending) -> None:
        """The seat is not played any more."""

    def worker_died(self) -> None:
        """A worker process ended that should not have."""


class Watchers(Watcher):
    """Tells several."""

    def __init__(self, watchers: Iterable[Watcher] = ()) -> None:
        self._watchers = list(watchers)

    def add(self, watcher: Watcher) -> None:
        """One more, from now on."""
        self._watchers.append(watcher)

    def sat_down(self, place: Place, game: str, chair: Chair) -> None:
        for watcher in self._watchers:
            watcher.sat_down(place, game, chair)

    def began(self, place: Place, decision_id: int) -> None:
        for watcher in self._watchers:
            watcher.began(place, decision_id)

    def dropped(self, place: Place, decision_id: int) -> None:
        for watcher in self._watchers:
            watcher.dropped(place, decision_id)

    def decided(self, place: Place, made: Made) -> None:
        for watcher in self._watchers:
            watcher.decided(place, made)

    def answered(self, place: Place, arrival: Arrival, seconds: float) -> None:
        for watcher in self._watchers:
            watcher.answered(place, arrival, seconds)

    def rose(self, place: Place, ending: Ending) -> None:
        for watcher in self._watchers:
            watcher.rose(place, ending)

    def worker_died(self) -> None:
        for watcher in self._watchers:
            watcher.worker_died()
