"""A playthrough: everything about a game, as a pure function of its log.

`Playthrough.advance` takes the log's entries one after another and gives back one `Frame` each: what that revision
brought and how the table stands after it. Live games, resumed streams, records and restarts all come through here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from dragonhall.rules import GAMES
from dragonhall.rules.actions import index_of
from dragonhall.rules.chance import Chance, SeededChance, game_key
from dragonhall.rules.game import Outcome, State
from dragonhall.rules.journal import EVERYONE, Entry
from dragonhall.rules.table import Step, Table, Ticket
from dragonhall.server.log import (
    Aborted,
    Answered,
    Created,
    CreatedSeat,
    LogEntry,
    SeatLeft,
    SeatTaken,
    Started,
    UnreadableLog,
)


class Status(IntEnum):
    """Where a game stands; names and numbers are those of ``dragonhall.v1.GameStatus``."""

    WAITING = 1
    RUNNING = 2
    FINISHED = 3
    ABORTED = 4

    @property
    def is_over(self) -> bool:
        """Whether the log has its last entry."""
        return self in (Status.FINISHED, Status.ABORTED)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat now: as created, and who sits on it."""

    seat: int
    created: CreatedSeat
    taken: SeatTaken | None = None


@dataclass(frozen=True, slots=True)
class SeatAnswered:
    """Event: a seat answered a simultaneous decision."""

    seat: int


@dataclass(frozen=True, slots=True)
class Finished:
    """Event: the game is over and its seed revealed."""

    outcome: Outcome
    seed: bytes


@dataclass(frozen=True, slots=True)
class SeatFilled:
    """Event: a seat as it is now that it is taken."""

    seat: Seat


Happening = SeatFilled | SeatLeft | Started | SeatAnswered | Finished | Aborted
"""The events that are the service's own; all others are the game's."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that stands."""

    seat: int
    revision: int
    index: int
    """The action's position among the legal actions of its time."""
    action: Any


@dataclass(slots=True)
class Frame:
    """One revision: what it brought, and how the table stands after it."""

    revision: int
    status: Status
    seats: tuple[Seat, ...]
    entries: tuple[Entry, ...]
    """What happened, in order, with audiences: `Happening`s and the game's own events."""
    tickets: tuple[Ticket, ...]
    """All that is asked now, in seat order."""
    state: State | None
    """The table after the revision; ``None`` before the start. Only good until the next `advance`, unless `kept`."""
    step: Step | None = None
    """The table's step, if the cause was the start or an answer."""
    summary: bytes = b""
    """What everyone may know of the game, as the services wrote it down."""
    rendered: dict[Any, bytes] = field(default_factory=dict)
    """Messages made of this frame, by reader."""
    history: list[Entry] | None = None
    """Every entry up to and with this revision, if anybody has asked for it."""

    def kept(self) -> Frame:
        """This frame, good for as long as it is wanted."""
        if self.state is not None:
            self.state = self.state.copy()
        return self

    @property
    def is_public(self) -> bool:
        """Whether everyone is told the same of what happened."""
        return all(entry.audience == EVERYONE for entry in self.entries)

    def ticket_of(self, seat: int | None) -> Ticket | None:
        """What ``seat`` is asked now."""
        return next((ticket for ticket in self.tickets if ticket.seat == seat), None)


ChanceOf = Callable[[Created, Sequence[bytes]], Chance]
"""Where a game's chance comes from, given how it was created and the seats' nonces."""


def seeded_chance(created: Created, nonces: Sequence[bytes]) -> Chance:
    """Chance as the game's seed and nonces have it: the only one outside of tests."""
    return SeededChance(game_key(created.seed, nonces))


class Playthrough:
    """A game as far as its log has been read. Starts before revision 1."""

    created: Created

    def __init__(self, chance_of: ChanceOf = seeded_chance) -> None:
        self._chance_of = chance_of
        self.revision = 0
        self.status = Status.WAITING
        self.seats: tuple[Seat, ...] = ()
        self.table: Table | None = None
        self.answers: dict[int, Answer] = {}
        """By decision id."""
        self.outcome: Outcome | None = None
        self.created_us = 0
        self.started_us: int | None = None
        self.ended_us: int | None = None
        self._simultaneous: set[int] = set()

    def advance(self, entry: LogEntry) -> Frame:
        """Reads the log's next entry.

        Raises `UnreadableLog` for an entry that cannot follow, and what the rules raise for an answer that they refuse;
        the playthrough is of no more use then.
        """
        self.revision += 1
        match entry.cause:
            case Answered() as answered:
                return self._answered(answered, entry.time_us)
            case Started():
                return self._started(entry.time_us)
            case SeatTaken() as taken:
                return self._seat_taken(taken)
            case SeatLeft(seat) as left:
                self._change_seat(Seat(seat, self.seats[seat].created))
                return self._frame(left)
            case Created() as created:
                return self._created(created, entry.time_us)
            case Aborted() as aborted:
                self.status, self.ended_us = Status.ABORTED, entry.time_us
                return self._frame(aborted)
        raise UnreadableLog(f"this server does not go on from {type(entry.cause).__name__}")

    def _created(self, created: Created, time_us: int) -> Frame:
        version = GAMES[created.game].rules_version
        if created.rules_version != version:
            raise UnreadableLog(
                f"it belongs to rules version {created.rules_version} of {created.game}, "
                f"this server has version {version}"
            )
        self.created, self.created_us = created, time_us
        self.seats = tuple(Seat(i, seat) for i, seat in enumerate(created.seats))
        return self._frame()

    def _seat_taken(self, taken: SeatTaken) -> Frame:
        seat = Seat(taken.seat, self.seats[taken.seat].created, taken)
        self._change_seat(seat)
        return self._frame(SeatFilled(seat))

    def _change_seat(self, seat: Seat) -> None:
        self.seats = (*self.seats[: seat.seat], seat, *self.seats[seat.seat + 1 :])

    def _started(self, time_us: int) -> Frame:
        created = self.created
        game = GAMES[created.game]
        nonces = [seat.taken.nonce if seat.taken else b"" for seat in self.seats]
        chance = self._chance_of(created, nonces)
        self.table = Table(game, created.components, created.options, len(self.seats), chance)
        step = self.table.start()
        self.status, self.started_us = Status.RUNNING, time_us
        self._note_simultaneous()
        return self._frame(Started(), step=step)

    def _answered(self, answered: Answered, time_us: int) -> Frame:
        table = self.running_table()
        index = answered.index
        if index is None:
            index = index_of(table.state.legal_runs(answered.seat), answered.code)
        step = table.answer(answered.seat, answered.decision_id, answered.code)
        self.answers[answered.decision_id] = Answer(answered.seat, self.revision, index, step.action)
        happenings: list[Happening] = []
        if answered.decision_id in self._simultaneous:
            happenings.append(SeatAnswered(answered.seat))
        self._note_simultaneous()
        if table.state.is_over():
            self.status, self.ended_us = Status.FINISHED, time_us
            self.outcome = table.state.outcome()
        return self._frame(*happenings, step=step)

    def running_table(self) -> Table:
        """The table of a game that has started. Raises `UnreadableLog` before."""
        if self.table is None:
            raise UnreadableLog("the log has an answer before the game's start")
        return self.table

    def _note_simultaneous(self) -> None:
        assert self.table is not None
        if len(self.table.tickets) > 1:
            self._simultaneous.update(ticket.decision_id for ticket in self.table.tickets.values())

    def _frame(self, *happenings: Happening, step: Step | None = None) -> Frame:
        entries = [Entry(happening, EVERYONE) for happening in happenings]
        if step is not None:
            entries.extend(step.entries)
        if self.outcome is not None:
            entries.append(Entry(Finished(self.outcome, self.created.seed), EVERYONE))
        table = self.table
        asked = table.tickets.values() if table is not None and self.status is Status.RUNNING else ()
        tickets = tuple(sorted(asked, key=lambda ticket: ticket.seat))
        state = None if table is None else table.state
        return Frame(self.revision, self.status, self.seats, tuple(entries), tickets, state, step)


def replay(log: Iterable[LogEntry], chance_of: ChanceOf = seeded_chance) -> Iterator[tuple[Playthrough, Frame]]:
    """Each revision's frame in turn, with the playthrough as it is then. Raises as `Playthrough.advance`."""
    playthrough = Playthrough(chance_of)
    for entry in log:
        yield playthrough, playthrough.advance(entry)
