"""What a store is: logs that only grow, one line about each game to find it by, and the answers to request ids.

A store knows bytes, not games. `Store.append` is the only write to a game; it is fenced by the log's length, so that of
two writers who believe to be the only one, one is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


class StoreError(Exception):
    """The store cannot do it now: disk full, file read-only, damaged… Nothing was changed. Reads may still work."""


class StoreUnusable(StoreError):
    """The store cannot be opened at all. The message says what to do."""


class Fenced(Exception):
    """The game's log is not as long as the writer believed: someone else has written to it. Nothing was changed."""


class RequestTaken(Exception):
    """The request id was used before: see `Store.find_request`. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """One line about a game, for lists and searches."""

    game_id: str
    revision: int
    """The newest."""
    status: int
    game: str
    """The rules' name, as ``dragons``."""
    free_bots: tuple[str, ...]
    """The bot names for which a seat is reserved and free."""
    summary: bytes
    """What everyone may know of the game but its revision, opaque to the store."""
    position: int = 0
    """Ascending in the order of creation; given by the store."""
    seats: int = 0
    open_seat: bool = False
    """Whether it waits and anyone may take a seat."""
    private: bool = False
    """Whether only those who know of it may find it."""
    match_key: bytes = b""
    """What quick matches look for; empty unless it has an open seat for them."""
    owner: str = ""
    """Whose quota it counts against; empty: nobody's, or it is over."""
    changed_us: int = 0
    """When its newest entry was written, to a minute (Unix time in microseconds)."""
    deadline_us: int | None = None
    """Not later than its earliest deadline (Unix time in microseconds); ``None``: nobody's clock runs."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request that was carried out, to be answered alike when it is repeated."""

    id_hash: bytes
    """SHA-256 of its request id."""
    digest: bytes
    """SHA-256 of its contents: another request under the same id is refused."""
    game_id: str
    seat: int
    """`NO_SEAT` if it was not about a seat."""
    revision: int
    """The newest revision that it made."""


NO_SEAT = -1


@dataclass(frozen=True, slots=True)
class Append:
    """One write: entries for the end of one game's log. All of it is done, or nothing."""

    game_id: str
    expected_revision: int
    """How long the log is now; 0 makes the game."""
    entries: tuple[bytes, ...]
    line: GameLine | None
    """The game's line from now on; ``None`` leaves all of it but the revision as it is."""
    request: Request | None = None


@dataclass(frozen=True, slots=True)
class LineFilter:
    """Which games are meant; empty fields mean any."""

    statuses: Collection[int] = ()
    game: str = ""
    free_bot: str = ""
    open_seat: bool = False
    """Only games that anyone may take a seat of."""
    seats: int = 0
    """0: any number."""
    with_private: bool = False
    """Private games too."""

    def matches(self, line: GameLine) -> bool:
        """Whether the game is meant."""
        return (
            (not self.statuses or line.status in self.statuses)
            and (not self.game or line.game == self.game)
            and (not self.free_bot or self.free_bot in line.free_bots)
            and (not self.open_seat or line.open_seat)
            and (not self.seats or line.seats == self.seats)
            and (not line.private or self.with_private)
        )


Stretch = tuple[int, int]
"""From when to when (Unix time in microseconds)."""


class Store(Protocol):
    """A store in use by one server. All methods belong to the event loop's thread; none blocks it."""

    @property
    def secret(self) -> bytes:
        """32 secret bytes, drawn when the store was made: tokens are derived from them."""
        ...

    @property
    def outages(self) -> Sequence[Stretch]:
        """When nothing could be written, oldest first: the server was down, or its writes failed."""
        ...

    @property
    def failing_since_us(self) -> int | None:
        """Since when writes have failed (Unix time in microseconds); ``None``: the last one was done."""
        ...

    def append(self, write: Append) -> asyncio.Future[None]:
        """Done when the write is durable. Fails with `Fenced`, `RequestTaken` or `StoreError`."""
        ...

    async def load(self, game_id: str, after: int = 0) -> list[bytes]:
        """A game's log from revision ``after + 1``; empty if there is no such game. Raises `StoreError`."""
        ...

    async def find_line(self, game_id: str) -> GameLine | None:
        """The line of one game. Raises `StoreError`."""
        ...

    async def lines(
        self, wanted: LineFilter, limit: int, before: int | None = None, after: int | None = None
    ) -> list[GameLine]:
        """At most ``limit`` lines: newest first from below position ``before``, or oldest first from above ``after``.

        With neither: the newest. Raises `StoreError`.
        """
        ...

    async def find_request(self, id_hash: bytes) -> Request | None:
        """What was done for a request id. Raises `StoreError`."""
        ...

    async def find_match(self, match_key: bytes) -> list[GameLine]:
        """The games with that key, oldest first. Raises `StoreError`."""
        ...

    async def count_owned(self, owner: str) -> int:
        """How many games count against that owner's quota. Raises `StoreError`."""
        ...

    async def deadlines(self) -> list[tuple[str, int]]:
        """The games of which somebody's clock runs. Raises `StoreError`.

        Each with a time that is not later than its earliest deadline, moved by the outages since it was noted.
        """
        ...

    async def stale(self, statuses: Collection[int], changed_before_us: int, limit: int) -> list[str]:
        """At most ``limit`` games in which nothing has happened since, longest ago first. Raises `StoreError`."""
        ...

    def remove(self, game_id: str) -> asyncio.Future[None]:
        """Forgets a game with all that belongs to it, its request ids too. Fails with `StoreError`."""
        ...

    async def begin_run(self) -> None:
        """The server is about to serve: if clocks ran when the one before ended, there was an outage until now.

        Raises `StoreError`.
        """
        ...

    def note_alive(self, now_us: int) -> asyncio.Future[None]:
        """Notes that the server runs at this time, so that the next one knows since when it did not.

        Fails with `StoreError`.
        """
        ...

    async def note_outage(self, from_us: int, to_us: int) -> None:
        """Notes a time in which the server did not run although it was not ended. Raises `StoreError`."""
        ...

    async def probe(self) -> None:
        """Writes something and takes it back, to find out whether writes can be done again. Raises `StoreError`."""
        ...

    async def counts(self) -> Mapping[int, int]:
        """How many games there are by status. Raises `StoreError`."""
        ...

    async def close(self) -> None:
        """Finishes the writes under way and lets go of the store."""
        ...
