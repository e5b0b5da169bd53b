"""What a seat was told since the game's start, kept right when an answer is taken back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class History:
    """Events in order, without those of what was taken back."""

    def __init__(self, revision: int = 0, events: Iterable[Any] = ()) -> None:
        """``events``: all until ``revision``, as a snapshot brings them: of which revision each is, nobody knows."""
        self.events = list(events)
        self._known_until = revision
        self._starts: list[tuple[int, int]] = []
        """Of each later revision, and of the first event that it brought."""

    def add(self, revision: int, events: Iterable[Any]) -> None:
        """What one more revision brought."""
        self._starts.append((revision, len(self.events)))
        self.events += events

    def take_back(self, revision: int) -> bool:
        """Forgets what the newest answer brought, which made ``revision``.

        Returns whether that could be done; else it lies before the snapshot, and another one is needed.
        """
        if revision <= self._known_until:
            return False
        while self._starts and self._starts[-1][0] >= revision:
            _, start = self._starts.pop()
            del self.events[start:]
        return True
