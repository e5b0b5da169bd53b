"""A trail: a game read from its log, behind its head.

Spectators who are told late follow one, replays have one each, and whoever asks what was known at a revision reads one
to there. It has a playthrough of its own (some 60 KiB while a game is played), so it is made only when it is needed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from dragonhall.rules.journal import Entry
from dragonhall.server.log import Answered, LogEntry
from dragonhall.server.playthrough import ChanceOf, Frame, Playthrough
from dragonhall.server.published import WINDOW, Published


class Trail(Published):
    """What has been read so far. Nothing at first."""

    def __init__(self, game_id: str, summarise: Callable[[str, Playthrough], bytes], chance_of: ChanceOf) -> None:
        super().__init__(chance_of)
        self._game_id = game_id
        self._summarise = summarise
        self._playthrough = Playthrough(chance_of)
        self._summary: bytes | None = None
        """Of the newest frame; ``None``: not made yet."""

    def read(self, entries: Sequence[LogEntry]) -> None:
        """Reads the log's next entries. Raises as `Playthrough.advance`."""
        frames = []
        for i, entry in enumerate(entries):
            frame = self._playthrough.advance(entry)
            if not isinstance(entry.cause, Answered) or frame.status.is_over:  # other answers change nothing in it
                self._summary = None
            if len(entries) - i <= WINDOW:
                frame.kept().summary = self._newest_summary()
                frames.append(frame)
        self.publish(entries, frames)

    def _newest_summary(self) -> bytes:
        if self._summary is None:
            self._summary = self._summarise(self._game_id, self._playthrough)
        return self._summary


class Delayed:
    """A game as spectators see it who are not told of the newest answers; once it is over they are told all.

    It follows when it is looked at. Every answer counts, also one that was taken back: what was told stays told.
    """

    def __init__(self, published: Published, trail: Trail, delay: int) -> None:
        self._published = published
        self._trail = trail
        self._seen = 0
        """The newest revision that was looked at."""
        self._untold: deque[int] = deque(maxlen=delay)
        """The revisions of the newest answers."""

    @property
    def head(self) -> Frame:
        """The newest frame that may be read."""
        return self._followed().head

    def has_at_hand(self, first: int) -> bool:
        """Whether the frames from revision ``first`` are there, and the log need not be replayed for them."""
        return self._followed().has_at_hand(first)

    def frames(self, first: int) -> Iterator[Frame]:
        """The frames from revision ``first``; each is good until the next is asked for."""
        return self._followed().frames(first)

    def history(self) -> list[Entry]:
        """Every entry from revision 1 that still holds."""
        return self._followed().history()

    def _followed(self) -> Trail:
        log = self._published.log
        if self._seen < len(log):
            for revision in range(self._seen + 1, len(log) + 1):
                if isinstance(log[revision - 1].cause, Answered):
                    self._untold.append(revision)
            self._seen = len(log)
            self._trail.read(log[self._trail.revision : self._newest_told()])
        return self._trail

    def _newest_told(self) -> int:
        if self._published.head.status.is_over or not self._untold:
            return self._seen
        return self._untold[0] - 1
