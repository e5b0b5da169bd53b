"""One live game: a single writer over its log, and what is published of it.

An operation (an answer, a seat taken, …) is planned against the newest state, appended to the store, and published only
when it is durable. Operations of one game are carried out one after another; those of different games share the store's
commits. What readers see are published frames, so nobody can see ahead of the store.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from dragonhall.rules.journal import Entry
from dragonhall.server.encoding import decode, encode
from dragonhall.server.log import Answered, Cause, LogEntry
from dragonhall.server.playthrough import ChanceOf, Frame, Playthrough, Status, replay, seeded_chance
from dragonhall.server.published import Published
from dragonhall.server.refusal import Refusal
from dragonhall.server.store.base import Append, Fenced, GameLine, Request, RequestTaken, Store, StoreError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Write(Generic[T]):
    """What an operation wants written, and its result once that is durable."""

    causes: tuple[Cause, ...]
    result: Callable[[list[Frame]], T]
    """Of the frames that the causes made."""
    request: Request | None = None
    refusal: Refusal | None = None
    """Raised in place of a result, once it is written: whoever asked came too late."""


Plan = Callable[[Playthrough], "Write[T] | T"]
"""An operation, planned against the newest state. Raises `Refusal`; a result instead of a `Write` writes nothing."""


class LiveGame:
    """A game in memory."""

    def __init__(
        self,
        game_id: str,
        store: Store,
        summarise: Callable[[str, Playthrough], bytes],
        on_change: Callable[[LiveGame], None],
        chance_of: ChanceOf = seeded_chance,
    ) -> None:
        self.game_id = game_id
        self.last_used = 0.0
        """In the loop's time; the hub keeps it."""
        self._store = store
        self._summarise = summarise
        self._on_change = on_change
        self._chance_of = chance_of
        self._published = Published(chance_of)
        self._playthrough = Playthrough(chance_of)
        self._operations: deque[tuple[Plan[Any], asyncio.Future[Any]]] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._summary = b""
        """Of the newest state."""
        self._doubtful = False
        """A write failed, so the store may hold more than is known here."""
        self._readers: dict[Callable[[], None], None] = {}

    # Reading

    @property
    def head(self) -> Frame:
        """The newest published frame."""
        return self._published.head

    @property
    def playthrough(self) -> Playthrough:
        """The game's facts for whoever checks a token; may be a write ahead of `head`."""
        return self._playthrough

    @property
    def _is_new(self) -> bool:
        """Whether nothing is published yet."""
        return self._published.revision == 0

    @property
    def is_busy(self) -> bool:
        """Whether anybody reads or writes it: it has to stay in memory."""
        return bool(self._readers) or self._worker is not None

    def line(self) -> GameLine:
        """The game's line, as published."""
        return self._line(self.head)

    def log(self, after: int = 0) -> list[LogEntry]:
        """The published log, after its first ``after`` entries."""
        return self._published.log[after:]

    async def at(self, revision: int) -> Frame:
        """The frame of a stored revision, its summary included: published already, or being published."""
        if revision > self.head.revision:
            await self.carry_out(lambda _: None)  # comes after whatever is being written
        for playthrough, frame in replay(self._published.log[:revision], self._chance_of):
            if frame.revision == revision:
                frame.summary = self._summarise(self.game_id, playthrough)
                return frame
        raise IndexError(f"game {self.game_id} has no revision {revision}")

    def frames(self, first: int) -> Iterator[Frame]:
        """The published frames from revision ``first``; each is good until the next is asked for."""
        return self._published.frames(first)

    def history(self) -> list[Entry]:
        """Every published entry from revision 1."""
        return self._published.history()

    def subscribe(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Calls ``wake`` whenever something is published, until the returned function is called."""
        self._readers[wake] = None
        return lambda: self._readers.pop(wake, None)

    # Writing

    def carry_out(self, plan: Plan[T]) -> asyncio.Future[T]:
        """Carries an operation out in its turn. Fails with what the plan raises, `RequestTaken` or `StoreError`.

        Once begun it is carried out whether or not anybody still waits for it.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._operations.append((plan, done))
        if self._worker is None:
            self._worker = asyncio.create_task(self._work())
        return done

    async def _work(self) -> None:
        while self._operations:
            plan, done = self._operations.popleft()
            try:
                result = await self._write(plan)
            except Exception as error:
                if not done.cancelled():
                    done.set_exception(error)
            else:
                if not done.cancelled():
                    done.set_result(result)
        self._worker = None

    async def _write(self, plan: Plan[T]) -> T:
        if self._doubtful:
            await self._read_again()
        planned = plan(self._playthrough)
        if not isinstance(planned, Write):
            return planned
        entries = [LogEntry(self._now_us(), cause) for cause in planned.causes]
        try:
            frames = [self._advance(entry) for entry in entries]
            await self._store.append(self._to_append(entries, frames, planned.request))
        except BaseException as error:
            self._go_back(error)
            raise
        self._publish(entries, frames)
        if planned.refusal is not None:
            raise planned.refusal
        return planned.result(frames)

    def _advance(self, entry: LogEntry) -> Frame:
        frame = self._playthrough.advance(entry).kept()
        if not isinstance(entry.cause, Answered) or frame.status.is_over:  # other answers change nothing in it
            self._summary = self._summarise(self.game_id, self._playthrough)
        frame.summary = self._summary
        return frame

    def _to_append(self, entries: list[LogEntry], frames: list[Frame], request: Request | None) -> Append:
        changed = self._is_new or frames[-1].summary is not self.head.summary
        return Append(
            self.game_id,
            expected_revision=self._published.revision,
            entries=tuple(map(encode, entries)),
            line=self._line(frames[-1]) if changed else None,
            request=request,
        )

    def _publish(self, entries: list[LogEntry], frames: list[Frame]) -> None:
        before = None if self._is_new else self.head.summary
        self._published.publish(entries, frames)
        for wake in list(self._readers):
            wake()
        if self.head.summary is not before:
            self._on_change(self)

    def _go_back(self, error: BaseException) -> None:
        """The write was not done: back to what is published. If the store failed, it is asked before the next write."""
        self._playthrough = Playthrough(self._chance_of)
        for entry in self._published.log:
            self._playthrough.advance(entry)
        self._summary = b"" if self._is_new else self.head.summary
        self._doubtful = not isinstance(error, RequestTaken)
        if isinstance(error, Fenced):
            raise StoreError("another server has written to this game; try again") from error

    async def _read_again(self) -> None:
        """After a failed write: publishes what the store has and this server does not know of."""
        entries = [decode(data) for data in await self._store.load(self.game_id, after=self._published.revision)]
        frames = [self._advance(entry) for entry in entries]
        self._doubtful = False
        if frames:
            self._publish(entries, frames)

    def restore(self, stored: list[bytes]) -> None:
        """Brings the game back from its whole log. Raises `UnreadableLog`."""
        log = [decode(data) for data in stored]
        for entry in log:
            frame = self._playthrough.advance(entry)
        self._summary = frame.kept().summary = self._summarise(self.game_id, self._playthrough)
        self._published.publish(log, [frame])

    def _line(self, frame: Frame) -> GameLine:
        playthrough = self._playthrough
        free_bots = tuple(
            seat.created.bot_name for seat in playthrough.seats if seat.created.bot_name and seat.taken is None
        )
        return GameLine(
            self.game_id,
            frame.revision,
            frame.status,
            playthrough.created.game,
            free_bots if frame.status is Status.WAITING else (),
            frame.summary,
        )

    def _now_us(self) -> int:
        """The time, never before the newest entry's, however the machine's clock is set."""
        now = time.time_ns() // 1000
        return now if self._is_new else max(now, self._published.log[-1].time_us)
