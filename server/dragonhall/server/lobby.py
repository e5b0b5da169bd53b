"""The lobby: which games have changed, for those who watch it.

Like a stream of a game it is a cursor over a log, but a log that forgets: of each game only the newest change is kept,
and of all games only the newest `KEPT`. A watcher that is further behind has to begin again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from dragonhall.server.store.base import GameLine

KEPT: Final = 10_000


class TooFarBehind(Exception):
    """The watcher missed changes that are no longer kept."""


class Lobby:
    """The newest changes, oldest first."""

    def __init__(self) -> None:
        self._changes: OrderedDict[str, tuple[int, GameLine]] = OrderedDict()
        self._forgotten = 0
        self._watchers: dict[Callable[[], None], None] = {}
        self.newest = 0
        """The newest change's number, from 1."""

    def changed(self, line: GameLine) -> None:
        """Notes a game's new line and wakes the watchers."""
        self.newest += 1
        self._changes[line.game_id] = (self.newest, line)
        self._changes.move_to_end(line.game_id)
        if len(self._changes) > KEPT:
            _, (self._forgotten, _) = self._changes.popitem(last=False)
        for wake in list(self._watchers):
            wake()

    def since(self, number: int) -> list[GameLine]:
        """The games changed after change ``number``, each once. Raises `TooFarBehind`."""
        if number < self._forgotten:
            raise TooFarBehind
        lines = []
        for changed_at, line in reversed(self._changes.values()):
            if changed_at <= number:
                break
            lines.append(line)
        return lines[::-1]

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Calls ``wake`` whenever a game has changed, until the returned function is called."""
        self._watchers[wake] = None
        return lambda: self._watchers.pop(wake, None)
