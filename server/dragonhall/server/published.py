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

MOST_BEGUN: Final = 2
"""Replays of one game that are kept while their readers are busy with what they got."""


class Source(Protocol):
    """A game as a reader sees it."""

    @property
    def head(self) -> Frame:
        """The newest frame that may be read."""

    def has_at_hand(self, first: int) -> bool:
        """Whether the frames from revision ``first`` are there, and the log need not be replayed for them."""

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
        self._begun: dict[int, Iterator[Frame]] = {}
        """Replays that somebody began who reads in parts, by the revision that comes next."""

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

    def has_at_hand(self, first: int) -> bool:
        """Whether the frames from revision ``first`` are there, and the log need not be replayed for them."""
        return first >= self._frames[0].revision

    def frames(self, first: int) -> Iterator[Frame]:
        """The frames from revision ``first``; each is good until the next is asked for."""
        if first > self.head.revision:
            return iter(())
        if self.has_at_hand(first):
            return iter(list(self._frames)[first - self._frames[0].revision :])
        return self._past(first)

    def _past(self, first: int) -> Iterator[Frame]:
        """Frames replayed from the log. Whoever stops in between and asks for the rest goes on where the replay is."""
        frames = self._begun.pop(first, None)
        if frames is None:
            frames = (frame for _, frame in replay(self.log, self._chance_of))
        for frame in frames:
            if frame.revision >= first:
                try:
                    yield frame
                except GeneratorExit:  # that is enough for now
                    self._keep(frame.revision + 1, frames)
                    raise

    def _keep(self, following: int, frames: Iterator[Frame]) -> None:
        if following <= self.revision:
            self._begun[following] = frames
        if len(self._begun) > MOST_BEGUN:
            del self._begun[next(iter(self._begun))]

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
