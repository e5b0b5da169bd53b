"""What may be read of a game: its log as far as it is told, and the newest frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from dragonhall.rules.journal import Entry
from dragonhall.server.happenings import Undone
from dragonhall.server.log import LogEntry
from dragonhall.server.playthrough import ChanceOf, Frame, replay, seeded_chance

WINDOW: Final = 8
"""Newest frames kept for readers that are a little behind; older ones are replayed from the log."""


class Source(Protocol):
    """A game as a reader sees it."""

    @property
    def head(self) -> Frame:
        """The newest frame that may be read."""

    def frames(self, first: int) -> Iterator[Frame]:
        """The frames from revision ``first``; each is good until the next is asked for."""

    def history(self) -> list[Entry]:
        """Every entry from revision 1 that was not taken back."""


class Published:
    """A log, and the frames that it made."""

    def __init__(self, chance_of: ChanceOf = seeded_chance) -> None:
        self.log: list[LogEntry] = []
        self._chance_of = chance_of
        self._frames: deque[Frame] = deque(maxlen=WINDOW)

    def publish(self, entries: Iterable[LogEntry], frames: Iterable[Frame]) -> None:
        """Adds entries, and the kept frames that the newest of them made."""
        self.log.extend(entries)
        self._frames.extend(frames)

    @property
    def revision(self) -> int:
        """The newest revision; 0: none yet."""
        return len(self.log)

    @property
    def head(self) -> Frame:
        """The newest frame."""
        return self._frames[-1]

    def frames(self, first: int) -> Iterator[Frame]:
        """The frames from revision ``first``; each is good until the next is asked for."""
        if first > self.head.revision:
            return iter(())
        if first >= self._frames[0].revision:
            return iter(list(self._frames)[first - self._frames[0].revision :])
        return (frame for _, frame in replay(list(self.log), self._chance_of) if frame.revision >= first)

    def history(self) -> list[Entry]:
        """Every entry from revision 1 that was not taken back. Replayed once for all who ask at the same revision."""
        head = self.head
        if head.history is None:
            head.history = [entry for entries in self._standing().values() for entry in entries]
        return head.history

    def _standing(self) -> dict[int, tuple[Entry, ...]]:
        """What each revision brought, without those that were undone."""
        standing: dict[int, tuple[Entry, ...]] = {}
        for frame in self.frames(1):
            standing[frame.revision] = frame.entries
            for entry in frame.entries:
                if isinstance(entry.event, Undone):
                    del standing[entry.event.undone_revision]
        return standing


def what_holds(frames: Iterable[Frame]) -> list[Entry]:
    """The entries of frames, in order, without what was taken back."""
    entries: dict[int, tuple[Entry, ...]] = {}
    for frame in frames:
        entries[frame.revision] = frame.entries
        for entry in frame.entries:
            if isinstance(entry.event, Undone):
                del entries[entry.event.undone_revision]
    return [entry for of_revision in entries.values() for entry in of_revision]
