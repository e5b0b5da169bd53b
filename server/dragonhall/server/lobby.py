"""The lobby: which games have changed, for those who watch it.

Like a stream of a game it is a cursor over a log, but a log that forgets: of each game only the newest change is kept,
and of all games only the newest `KEPT`. A watcher that is further behind has to begin again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dragonhall.server.store.base import GameLine

KEPT: Final = 10_000


class TooFarBehind(Exception):
    """The watcher missed changes that are no longer kept."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is new of a game."""

    number: int
    """From 1, ascending over all games."""
    line: GameLine
    """As it is now; of a game that was removed, as it was at last."""
    removed: bool


class Lobby:
    """The newest changes, oldest first."""

    def __init__(self) -> None:
        self._changes: OrderedDict[str, Change] = OrderedDict()
        self._forgotten = 0
        self._watchers: dict[Callable[[], None], None] = {}
        self.newest = 0
        """The newest change's number, from 1."""

    def changed(self, line: GameLine) -> None:
        """Notes a game's new line and wakes the watchers."""
        self._note(line, removed=False)

    def removed(self, line: GameLine) -> None:
        """Notes that a game is no longer kept, and wakes the watchers."""
        self._note(line, removed=True)

    def _note(self, line: GameLine, removed: bool) -> None:
        self.newest += 1
        self._changes[line.game_id] = Change(self.newest, line, removed)
        self._changes.move_to_end(line.game_id)
        if len(self._changes) > KEPT:
            _, forgotten = self._changes.popitem(last=False)
            self._forgotten = forgotten.number
        for wake in list(self._watchers):
            wake()

    def since(self, number: int) -> list[Change]:
        """The games changed after change ``number``, each once. Raises `TooFarBehind`."""
        if number < self._forgotten:
            raise TooFarBehind
        changes = []
        for change in reversed(self._changes.values()):
            if change.number <= number:
                break
            changes.append(change)
        return changes[::-1]

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Calls ``wake`` whenever a game has changed, until the returned function is called."""
        self._watchers[wake] = None
        return lambda: self._watchers.pop(wake, None)
