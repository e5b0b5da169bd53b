"""One live game: a single writer over its log, and what is published of it.

An operation (an answer, a seat taken, …) is planned against the newest state, appended to the store, and published only
when it is durable. Operations of one game are carried out one after another; those of different games share the store's
commits. What readers see are published frames, so nobody can see ahead of the store.
"""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from dragonhall.rules.journal import Entry
from dragonhall.server.encoding import decode, encode
from dragonhall.server.lines import line_of
from dragonhall.server.log import Answered, Cause, LogEntry, Outage
from dragonhall.server.playthrough import ChanceOf, Frame, Playthrough, replay, seeded_chance
from dragonhall.server.published import Published
from dragonhall.server.refusal import Refusal
from dragonhall.server.store.base import Append, Fenced, GameLine, Request, RequestTaken, Store, StoreError
from dragonhall.server.trail import Delayed, Trail

T = TypeVar("T")

FRESH_US: Final = 60_000_000
"""The stored line says to a minute when something happened last."""


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


def _nothing_but_what_is_owed(_: Playthrough) -> Write[None] | None:
    return Write((), lambda _: None)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all live games of a server have in common."""

    store: Store
    summarise: Callable[[str, Playthrough], bytes]
    """What everyone may know of a game, to be found in its line and its frames."""
    consequence: Callable[[Playthrough], Cause | None]
    """What has to be written next by itself, asked after every write until there is nothing."""
    now_us: Callable[[], int]
    """The time of day: Unix time in microseconds."""
    on_change: Callable[[LiveGame], None]
    """Called when more of a game is published than answers: its summary is another one."""
    on_deadline: Callable[[str, int | None], None]
    """Called when a game's earliest deadline is another one, with its id."""
    chance_of: ChanceOf = seeded_chance


class LiveGame:
    """A game in memory."""

    def __init__(self, game_id: str, surroundings: Surroundings) -> None:
        self.game_id = game_id
        self.last_used = 0.0
        """In the loop's time; the hub keeps it."""
        self._surroundings = surroundings
        self._store = surroundings.store
        self._chance_of = surroundings.chance_of
        self._published = Published(self._chance_of)
        self._playthrough = Playthrough(self._chance_of)
        self._operations: deque[tuple[Plan[Any], asyncio.Future[Any]]] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._summary = b""
        """Of the newest state."""
        self._stored_line: GameLine | None = None
        """As the store has it; ``None``: not known."""
        self._doubtful = False
        """A write failed, so the store may hold more than is known here."""
        self._failing_since_us: int | None = None
        """When the first of the writes began that have failed since the last one that was done."""
        self._owed: list[tuple[int, int]] = []
        """Outages that have still to be written, so that nobody is charged for them."""
        self._readers: dict[Callable[[], None], None] = {}
        self._delayed: weakref.ref[Delayed] | None = None

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

    @property
    def deadline_us(self) -> int | None:
        """The earliest deadline, as published."""
        return self.head.deadline_us

    def now_us(self) -> int:
        """The time, never before the newest entry's, however the machine's clock is set."""
        now = self._surroundings.now_us()
        return now if self._is_new else max(now, self._published.log[-1].time_us)

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
        if revision <= self.head.revision and self._published.has_at_hand(revision):
            return next(self._published.frames(revision))
        for playthrough, frame in replay(self._published.log[:revision], self._chance_of):
            if frame.revision == revision:
                frame.summary = self._surroundings.summarise(self.game_id, playthrough)
                return frame
        raise IndexError(f"game {self.game_id} has no revision {revision}")

    def has_at_hand(self, first: int) -> bool:
        """Whether the published frames from revision ``first`` are there, and the log need not be replayed for them."""
        return self._published.has_at_hand(first)

    def frames(self, first: int) -> Iterator[Frame]:
        """The published frames from revision ``first``; each is good until the next is asked for."""
        return self._published.frames(first)

    def history(self) -> list[Entry]:
        """Every published entry from revision 1."""
        return self._published.history()

    def trail(self) -> Trail:
        """A trail of this game, of which nothing is read yet."""
        return Trail(self.game_id, self._surroundings.summarise, self._chance_of)

    def delayed(self) -> Delayed | Published:
        """The game as spectators see it, one for all who have it now; it is forgotten when nobody has it any more."""
        delay = self._playthrough.created.settings.spectator_delay
        if not delay:
            return self._published
        delayed = self._delayed() if self._delayed is not None else None
        if delayed is None:
            delayed = Delayed(self._published, self.trail(), delay)
            self._delayed = weakref.ref(delayed)
        return delayed

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

    def owe(self, from_us: int, to_us: int) -> None:
        """Nobody may be charged for this time: it is written down before anything else, if time counts in the game."""
        begin = min([from_us, *(begin for begin, end in self._owed if end >= from_us)])
        self._owed = [(earlier, end) for earlier, end in self._owed if end < from_us] + [(begin, to_us)]

    async def settle(self) -> None:
        """Writes down what is owed, if the store can; if not, it stays owed."""
        with suppress(StoreError):
            await self.carry_out(_nothing_but_what_is_owed)

    async def _write(self, plan: Plan[T]) -> T:
        if self._doubtful:
            await self._read_again()
        planned = plan(self._playthrough)
        if isinstance(planned, Write) and self._has_outages and await self._write_outages():
            planned = plan(self._playthrough)
        if not isinstance(planned, Write):
            return planned
        frames = await self._append(planned.causes, planned.request) if planned.causes else []
        if planned.refusal is not None:
            raise planned.refusal
        return planned.result(frames)

    @property
    def _has_outages(self) -> bool:
        """Whether there was time that may not be charged."""
        return bool(self._owed) or self._failing_since_us is not None

    async def _write_outages(self) -> bool:
        """Writes down time that may not be charged; whether there was any. Deadlines are others then."""
        if self._failing_since_us is not None:
            self.owe(self._failing_since_us, self.now_us())
        owed, self._owed = self._owed, []
        game = self._playthrough
        outages = [Outage(*stretch) for stretch in owed if game.is_timed and game.clocks.would_count(*stretch)]
        try:
            if outages:
                await self._append(outages)
        except BaseException:
            self._owed += owed
            raise
        return bool(outages)

    async def _append(self, causes: Sequence[Cause], request: Request | None = None) -> list[Frame]:
        """Writes causes and what follows from them, all or nothing, and publishes the frames that they made."""
        entries: list[LogEntry] = []
        frames: list[Frame] = []
        began_us = self.now_us()
        try:
            for cause in causes:
                self._advance(LogEntry(began_us, cause), entries, frames)
            while (following := self._surroundings.consequence(self._playthrough)) is not None:
                self._advance(LogEntry(began_us, following), entries, frames)
            append = self._to_append(entries, frames, request)
            await self._store.append(append)
        except BaseException as error:
            self._go_back(error, began_us)
            raise
        self._stored_line = append.line or self._stored_line
        self._failing_since_us = None
        self._publish(entries, frames)
        return frames

    def _advance(self, entry: LogEntry, entries: list[LogEntry], frames: list[Frame]) -> None:
        frame = self._playthrough.advance(entry).kept()
        if not isinstance(entry.cause, Answered) or frame.status.is_over:  # other answers change nothing in it
            summary = self._surroundings.summarise(self.game_id, self._playthrough)
            self._summary = self._summary if summary == self._summary else summary
        frame.summary = self._summary
        entries.append(entry)
        frames.append(frame)

    def _to_append(self, entries: list[LogEntry], frames: list[Frame], request: Request | None) -> Append:
        return Append(
            self.game_id,
            expected_revision=self._published.revision,
            entries=tuple(map(encode, entries)),
            line=self._line(frames[-1]) if self._is_line_old(frames[-1]) else None,
            request=request,
        )

    def _is_line_old(self, frame: Frame) -> bool:
        line = self._stored_line
        return (
            line is None
            or line.summary is not frame.summary
            or line.changed_us < self._playthrough.changed_us - FRESH_US
            or not _still_holds(line.deadline_us, frame.deadline_us)
        )

    def _publish(self, entries: list[LogEntry], frames: list[Frame]) -> None:
        before = None if self._is_new else self.head
        self._published.publish(entries, frames)
        for wake in list(self._readers):
            wake()
        head = self.head
        if before is None or head.summary is not before.summary:
            self._surroundings.on_change(self)
        if head.deadline_us != (None if before is None else before.deadline_us):
            self._surroundings.on_deadline(self.game_id, head.deadline_us)

    def _go_back(self, error: BaseException, began_us: int) -> None:
        """The write was not done: back to what is published. If the store failed, it is asked before the next write."""
        self._playthrough = Playthrough(self._chance_of)
        self._replay(self._published.log)
        self._summary = b"" if self._is_new else self.head.summary
        self._doubtful = not isinstance(error, RequestTaken)
        self._stored_line = None
        if isinstance(error, StoreError) and self._failing_since_us is None:
            self._failing_since_us = began_us
        if isinstance(error, Fenced):
            raise StoreError("another server has written to this game; try again") from error

    async def _read_again(self) -> None:
        """After a failed write: publishes what the store has and this server does not know of."""
        stored = await self._store.load(self.game_id, after=self._published.revision)
        entries: list[LogEntry] = []
        frames: list[Frame] = []
        for data in stored:
            self._advance(decode(data), entries, frames)
        self._doubtful = False
        if frames:
            self._publish(entries, frames)

    def restore(self, stored: list[bytes]) -> None:
        """Brings the game back from its whole log. Raises `UnreadableLog`."""
        log = [decode(data) for data in stored]
        self._replay(log[:-1])
        frame = self._playthrough.advance(log[-1])
        self._summary = frame.kept().summary = self._surroundings.summarise(self.game_id, self._playthrough)
        self._published.publish(log, [frame])
        self._stored_line = self.line()
        self._surroundings.on_deadline(self.game_id, self.deadline_us)

    def _replay(self, log: Sequence[LogEntry]) -> None:
        """Brings the playthrough to the log's end. What happened on the way is told by those who want to know."""
        self._playthrough.tells = False
        for entry in log:
            self._playthrough.advance(entry)
        self._playthrough.tells = True

    def _line(self, frame: Frame) -> GameLine:
        return line_of(self.game_id, self._playthrough, frame)


def _still_holds(stored_us: int | None, deadline_us: int | None) -> bool:
    """Whether a stored deadline, never later than the true one, may stay: most answers then touch the log alone."""
    if stored_us is None or deadline_us is None:
        return stored_us == deadline_us
    return stored_us <= deadline_us
