"""A playthrough: everything about a game, as a pure function of its log.

`Playthrough.advance` takes the log's entries one after another and gives back one `Frame` each: what that revision
brought and how the table stands after it. Live games, resumed streams, records and restarts all come through here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, Final

from dragonhall.rules import GAMES
from dragonhall.rules.actions import index_of
from dragonhall.rules.chance import Chance, SeededChance, game_key
from dragonhall.rules.game import Outcome, State
from dragonhall.rules.journal import EVERYONE, Entry
from dragonhall.rules.table import Step, Table, Ticket
from dragonhall.server.clocks import IN_CHARGE, Clocks, Spent
from dragonhall.server.happenings import (
    Finished,
    Happening,
    Seat,
    SeatAnswered,
    SeatChanged,
    SeatFilled,
    ServerWasDown,
    TimeRanOut,
    Undone,
    UndoRequested,
    WasAborted,
)
from dragonhall.server.log import (
    Aborted,
    Answered,
    AnswerUndone,
    Cause,
    Created,
    LogEntry,
    Outage,
    SeatLeft,
    SeatSubstituted,
    SeatTaken,
    SeatTakenBack,
    SeatVacated,
    Started,
    UndoAgreed,
    UndoAsked,
    UndoEnded,
    UnreadableLog,
)
from dragonhall.server.settings import AbortCause, AbsenceCause, AbsencePolicy, AnsweredBy, SeatState
from dragonhall.server.undoing import Undoing

STATE_OF_ABSENT: Final = {
    AbsencePolicy.DEFAULT_ACTION: SeatState.AWAY,
    AbsencePolicy.SUBSTITUTE: SeatState.VACANT,
    AbsencePolicy.FORFEIT: SeatState.FORFEITED,
}
"""What becomes of a seat that its player leaves."""


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
class Answer:
    """An answer that stands."""

    seat: int
    revision: int
    index: int
    """The action's position among the legal actions of its time."""
    action: Any
    by: AnsweredBy = AnsweredBy.SEAT


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
    """The table's step, if the cause was the start, an answer or a forfeit."""
    deadlines: Mapping[int, int] = field(default_factory=dict)
    """When answers are due (Unix time in microseconds), by seat: of those that are asked and have a limit."""
    banks: Mapping[int, int] | None = None
    """What each seat's bank has left, in microseconds; ``None`` in a game without banks, or that does not run."""
    undo: UndoRequested | None = None
    """The request to take an answer back that stands, with the seats that have to agree now."""
    spent: Spent | None = None
    """The clock's ledger of the answer, if the cause was one."""
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

    @property
    def deadline_us(self) -> int | None:
        """The earliest deadline."""
        return min(self.deadlines.values()) if self.deadlines else None

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
    clocks: Clocks

    def __init__(self, chance_of: ChanceOf = seeded_chance) -> None:
        self._chance_of = chance_of
        self.revision = 0
        self.status = Status.WAITING
        self.seats: tuple[Seat, ...] = ()
        self.table: Table | None = None
        self.answers: dict[int, Answer] = {}
        """By decision id. Without what was taken back."""
        self.undoing: Undoing | None = None
        """What may be taken back; ``None`` in games where nothing may."""
        self.outcome: Outcome | None = None
        self.abort_cause: AbortCause | None = None
        self.created_us = 0
        self.changed_us = 0
        """When the newest entry was accepted."""
        self.started_us: int | None = None
        self.ended_us: int | None = None
        self.tells = True
        """Whether frames say what the game's events were. Without them a game is sooner where it was."""
        self._simultaneous: set[int] = set()
        self._out_of_time: list[TimeRanOut] = []
        """Of the simultaneous decision that is open: to be told when it is resolved."""

    def advance(self, entry: LogEntry) -> Frame:
        """Reads the log's next entry.

        Raises `UnreadableLog` for an entry that cannot follow, and what the rules raise for an answer that they refuse;
        the playthrough is of no more use then.
        """
        self.revision += 1
        self.changed_us = entry.time_us
        return ADVANCES[type(entry.cause)](self, entry.cause, entry.time_us)

    @property
    def is_timed(self) -> bool:
        """Whether time counts: the running game has a time control, or a substitute is waited for."""
        if self.status is not Status.RUNNING:
            return False
        return self.created.settings.time_control is not None or bool(self.clocks.deadlines)

    def running_table(self) -> Table:
        """The table of a game that has started. Raises `UnreadableLog` before."""
        if self.table is None:
            raise UnreadableLog("the log has an answer before the game's start")
        return self.table

    # Before the start, and the end

    def _created(self, created: Created, time_us: int) -> Frame:
        version = GAMES[created.game].rules_version
        if created.rules_version != version:
            raise UnreadableLog(
                f"it belongs to rules version {created.rules_version} of {created.game}, "
                f"this server has version {version}"
            )
        self.created, self.created_us = created, time_us
        self.seats = tuple(Seat(i, seat) for i, seat in enumerate(created.seats))
        self.clocks = Clocks(created.settings.time_control, len(self.seats), created.substitute_wait_us)
        self.undoing = Undoing(GAMES[created.game]) if created.settings.allow_undo else None
        return self._frame()

    def _seat_taken(self, taken: SeatTaken, _: int) -> Frame:
        seat = replace(self.seats[taken.seat], taken=taken, state=SeatState.PLAYING)
        self._set_seat(seat)
        return self._frame(SeatFilled(seat))

    def _seat_left(self, left: SeatLeft, _: int) -> Frame:
        self._set_seat(Seat(left.seat, self.seats[left.seat].created))
        return self._frame(left)

    def _set_seat(self, seat: Seat) -> None:
        self.seats = (*self.seats[: seat.seat], seat, *self.seats[seat.seat + 1 :])

    def _started(self, started: Started, time_us: int) -> Frame:
        created = self.created
        self.table = Table(
            GAMES[created.game], created.components, created.options, len(self.seats), self._new_chance()
        )
        step = self.table.start()
        self.status, self.started_us = Status.RUNNING, time_us
        self._ask(step.opened, time_us)
        return self._frame(started, step=step)

    def _new_chance(self) -> Chance:
        return self._chance_of(self.created, [seat.taken.nonce if seat.taken else b"" for seat in self.seats])

    def _aborted(self, aborted: Aborted, time_us: int) -> Frame:
        self.status, self.ended_us, self.abort_cause = Status.ABORTED, time_us, aborted.cause
        return self._frame(WasAborted(aborted.cause, self.created.seed))

    def _end_if_over(self, time_us: int) -> None:
        table = self.running_table()
        if table.is_over():
            self.status, self.ended_us = Status.FINISHED, time_us
            self.outcome = table.outcome()

    # Answers

    def _answered(self, answered: Answered, time_us: int) -> Frame:
        table = self.running_table()
        index = answered.index
        if index is None:
            index = index_of(table.state.legal_runs(answered.seat), answered.code)
        tells = self.tells or self.undoing is not None  # whether an answer can be taken back depends on its events
        step = table.answer(answered.seat, answered.decision_id, answered.code, tells)
        spent = self.clocks.answer(answered.seat, min(answered.arrived_us or time_us, time_us))
        self.answers[answered.decision_id] = Answer(answered.seat, self.revision, index, step.action, answered.by)
        if self.undoing is not None:
            self.undoing.answered(self.revision, answered, step, self.clocks.left_us(answered.seat))
        self._ask(step.opened, time_us)
        self._end_if_over(time_us)
        return self._frame(*self._told_of(answered, step), step=step, spent=spent)

    def _ask(self, opened: Sequence[Ticket], time_us: int) -> None:
        self.clocks.ask([ticket.seat for ticket in opened], time_us)
        self._note_simultaneous(opened)

    def _note_simultaneous(self, opened: Sequence[Ticket]) -> None:
        if len(self.running_table().tickets) > 1:
            self._simultaneous.update(ticket.decision_id for ticket in opened)

    def _told_of(self, answered: Answered, step: Step) -> list[Happening]:
        """What is told of an answer besides what the game tells; of a late one, when nobody can use it any more."""
        told: list[Happening] = []
        if answered.decision_id in self._simultaneous:
            told.append(SeatAnswered(answered.seat))
        if answered.by is AnsweredBy.TIME:
            self._out_of_time.append(TimeRanOut(answered.seat, answered.decision_id))
        if len(self.running_table().tickets) == len(step.opened):
            told += self._out_of_time
            self._out_of_time = []
        return told

    # Who plays

    def _vacated(self, vacated: SeatVacated, time_us: int) -> Frame:
        settings = self.created.settings
        state = STATE_OF_ABSENT[settings.absence]
        awaited = settings.substitute_bot if state is SeatState.VACANT else ""
        seats = [
            replace(self.seats[seat], state=state, substitute=awaited, substitute_taken=None) for seat in vacated.seats
        ]
        step = self.running_table().forfeit(*vacated.seats) if state is SeatState.FORFEITED else None
        self._end_if_over(time_us)
        return self._changed(seats, time_us, vacated.cause, step)

    def _substituted(self, bot: SeatSubstituted, time_us: int) -> Frame:
        state = SeatState.SUBSTITUTED
        seat = replace(self.seats[bot.seat], state=state, substitute=bot.player_name, substitute_taken=bot)
        return self._changed([seat], time_us)

    def _taken_back(self, back: SeatTakenBack, time_us: int) -> Frame:
        seat = replace(self.seats[back.seat], state=SeatState.PLAYING, substitute="", substitute_taken=None)
        return self._changed([seat], time_us)

    def _changed(
        self, seats: Sequence[Seat], time_us: int, cause: AbsenceCause | None = None, step: Step | None = None
    ) -> Frame:
        for seat in seats:
            self._set_seat(seat)
            self.clocks.change(seat.seat, seat.state, time_us)
        return self._frame(*(SeatChanged(seat, cause) for seat in seats), step=step)

    def _outage(self, outage: Outage, _: int) -> Frame:
        return self._frame(ServerWasDown(self.clocks.note_outage(outage.from_us, outage.to_us)))

    # Taking back

    def _undo_asked(self, asked: UndoAsked, _: int) -> Frame:
        self._allowed_undoing().asked(self.revision)
        request = self._undo_request()
        return self._frame(*([request] if request is not None else []))

    def _undo_agreed(self, agreed: UndoAgreed, _: int) -> Frame:
        self._allowed_undoing().agreed(self.revision, agreed.seat)
        return self._frame(agreed)

    def _undo_ended(self, ended: UndoEnded, _: int) -> Frame:
        self._allowed_undoing().ended()
        return self._frame(ended)

    def _undone(self, undone: AnswerUndone, time_us: int) -> Frame:
        given = self._allowed_undoing().undone(self.revision)
        table = self.running_table()
        asked_before = set(table.tickets)
        ticket = table.take_back(self._new_chance())
        for seat in asked_before - set(table.tickets):
            self.clocks.close(seat)
        self.clocks.ask_again(ticket.seat, time_us, given.left_us)
        self._note_simultaneous([ticket])
        del self.answers[given.decision_id]
        return self._frame(Undone(given.seat, given.decision_id, given.revision))

    def _allowed_undoing(self) -> Undoing:
        if self.undoing is None:
            raise UnreadableLog("the log takes back an answer in a game in which none may be")
        return self.undoing

    def _undo_request(self) -> UndoRequested | None:
        """The request that stands, as everyone is told of it."""
        if self.undoing is None or self.undoing.request is None:
            return None
        given = self.undoing.request.given
        missing = self.undoing.missing(seat.seat for seat in self.seats if seat.state in IN_CHARGE)
        return UndoRequested(given.seat, given.decision_id, given.revision, missing)

    def _frame(self, *happenings: Happening, step: Step | None = None, spent: Spent | None = None) -> Frame:
        entries = [Entry(happening, EVERYONE) for happening in happenings]
        if step is not None:
            entries.extend(step.entries)
        if self.outcome is not None:
            entries.append(Entry(Finished(self.outcome, self.created.seed), EVERYONE))
        table = self.table
        runs = table is not None and self.status is Status.RUNNING
        return Frame(
            self.revision,
            self.status,
            self.seats,
            tuple(entries),
            tickets=tuple(sorted(table.tickets.values(), key=lambda ticket: ticket.seat)) if table and runs else (),
            state=None if table is None else table.state,
            step=step,
            deadlines=self.clocks.deadlines if runs else NO_DEADLINES,
            banks=self.clocks.banks if runs else None,
            undo=self._undo_request() if runs else None,
            spent=spent,
        )


NO_DEADLINES: Final[Mapping[int, int]] = {}


ADVANCES: Final[Mapping[type[Cause], Callable[[Playthrough, Any, int], Frame]]] = {
    Created: Playthrough._created,
    SeatTaken: Playthrough._seat_taken,
    SeatLeft: Playthrough._seat_left,
    Started: Playthrough._started,
    Answered: Playthrough._answered,
    Aborted: Playthrough._aborted,
    SeatVacated: Playthrough._vacated,
    SeatSubstituted: Playthrough._substituted,
    SeatTakenBack: Playthrough._taken_back,
    Outage: Playthrough._outage,
    UndoAsked: Playthrough._undo_asked,
    UndoAgreed: Playthrough._undo_agreed,
    UndoEnded: Playthrough._undo_ended,
    AnswerUndone: Playthrough._undone,
}
"""How each cause is read: given the playthrough, the cause and the entry's time."""


def replay(log: Iterable[LogEntry], chance_of: ChanceOf = seeded_chance) -> Iterator[tuple[Playthrough, Frame]]:
    """Each revision's frame in turn, with the playthrough as it is then. Raises as `Playthrough.advance`."""
    playthrough = Playthrough(chance_of)
    for entry in log:
        yield playthrough, playthrough.advance(entry)
