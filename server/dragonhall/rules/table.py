"""A table: one game in progress, driven by answers to decision tickets.

The server's live games, `verify`, golden playthroughs and leak tests all drive a game through this one class, so
that they cannot disagree about ticket numbers, chance outcomes or who is told what.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any

from dragonhall.rules.chance import Chance, ChanceOutcome, NotedChance
from dragonhall.rules.errors import RulesError
from dragonhall.rules.forfeits import ends_game, with_forfeits
from dragonhall.rules.game import Game, Outcome, State
from dragonhall.rules.journal import Entry, Journal


class UnknownTicket(RulesError):
    """An answer to a decision that this seat is not asked (never was, or is no longer)."""


class CannotForfeit(RulesError):
    """A seat that has forfeited already, or a game that is over."""


class NothingToTakeBack(RulesError):
    """No answer has been given yet."""


@dataclass(frozen=True)
class Ticket:
    """One question to one seat. ``decision_id`` counts from 1 over the whole game."""

    decision_id: int
    seat: int
    decision: Any
    """The game's own dataclass: what is asked, as the seat knows it."""
    public_decision: Any
    """The same as everyone may know it."""


@dataclass(frozen=True)
class Step:
    """All that one cause (the start, one answer, or a forfeit) brought about. Told together or not at all."""

    seat: int | None
    """Who answered or forfeited (of several at once the first); ``None`` for the start."""
    decision_id: int
    """The ticket answered; 0 for the start and a forfeit."""
    action: Any
    """The typed action; ``None`` for the start and a forfeit."""
    chance: tuple[ChanceOutcome, ...]
    entries: tuple[Entry, ...]
    opened: tuple[Ticket, ...]
    """New tickets, in seat order."""


class Table:
    """A game in progress: its full state, the open tickets, and the steps that `start`, `answer`, `forfeit` return."""

    def __init__(self, game: Game, components: Any, options: Any, seats: int, chance: Chance) -> None:
        self.game = game
        self.components = components
        self.options = options
        self._seats = seats
        self._chance = NotedChance(chance)
        self._next_decision = 1
        self.state: State
        self.tickets: dict[int, Ticket] = {}
        """Open tickets by seat: a seat has one at most. None once the game is over."""
        self.forfeits: tuple[tuple[int, ...], ...] = ()
        """The seats that have forfeited, in that order, those together that did at once.

        Their decisions are asked like any others.
        """
        self._answers: list[tuple[int, int]] = []
        """Seat and code of every answer that stands."""

    def start(self) -> Step:
        """Sets the game up. Called once, before anything else. Raises `InvalidOptions`."""
        journal = Journal()
        self.state = self._new_state(journal)
        return self._step(None, 0, None, journal)

    def _new_state(self, journal: Journal | None) -> State:
        state: State = self.game.new(self.components, self.options, self._seats, self._chance, journal)
        return state

    def check(self, seat: int, decision_id: int, action: Any) -> int:
        """The code of a typed ``action``, if it may answer the ticket now; changes nothing.

        Raises `UnknownTicket` or `IllegalAction`.
        """
        self._ticket(seat, decision_id)
        return self.game.code(self.state, seat, action)

    def answer(self, seat: int, decision_id: int, code: int, tells: bool = True) -> Step:
        """Answers a ticket with an action's code. Whoever asks for a step that ``tells`` nothing has it sooner.

        Raises `UnknownTicket` or `IllegalAction`; then nothing has changed.
        """
        self._ticket(seat, decision_id)
        action = self.game.action(self.state, seat, code)
        journal = Journal() if tells else None
        self.state.apply(seat, code, self._chance, journal)
        self._answers.append((seat, code))
        del self.tickets[seat]
        return self._step(seat, decision_id, action, journal)

    def default_code(self, seat: int) -> int:
        """The code that a seat which is asked is taken to answer when it does not answer (`GameOf.default_action`)."""
        return self.game.default_action(self.state, seat)

    def forfeit(self, *seats: int) -> Step:
        """``seats`` are out of the running for good, all at once. With one other seat left or none, the game is over.

        They stay asked what they are asked: whoever drives the table answers for them. Raises `CannotForfeit`; then
        nothing has changed.
        """
        gone = set(chain(*self.forfeits))
        for seat in seats:
            if self.is_over() or seat in gone or not 0 <= seat < self._seats:
                raise CannotForfeit(f"seat {seat} cannot forfeit: it has already, or the game is over")
            gone.add(seat)
        self.forfeits = (*self.forfeits, seats)
        if self.is_over():
            self.tickets.clear()
        return self._step(seats[0], 0, None, Journal())

    def is_over(self) -> bool:
        """Whether the game was played to its end, or all seats but one have forfeited."""
        return self.state.is_over() or ends_game(self.forfeits, self._seats)

    def outcome(self) -> Outcome:
        """The result of a game that is over, forfeited seats last. Raises `ValueError` before."""
        if not self.is_over():
            raise ValueError("the game is not over: it has no outcome yet")
        result = self.state.outcome() if self.state.is_over() else self.state.standing()
        return with_forfeits(result, self.forfeits)

    def take_back(self, chance: Chance) -> Ticket:
        """Goes back to before the newest answer, and asks its seat anew: with the ticket that is returned.

        ``chance``: a source as it was at the start, since all is replayed. What others were asked then they are still
        asked, by the tickets that they have; decision ids are not used again. Seats that have forfeited since stay so.
        Raises `NothingToTakeBack`.
        """
        if not self._answers:
            raise NothingToTakeBack("no answer has been given that could be taken back")
        seat, _ = self._answers.pop()
        self._chance = NotedChance(chance)
        self.state = self._new_state(None)
        for answering, code in self._answers:
            self.state.apply(answering, code, self._chance, None)
        self._chance.take()
        asked = [other for other in self.state.pending() if other != seat]
        self.tickets = {other: self.tickets[other] for other in asked}
        return self._open(seat)

    def _ticket(self, seat: int, decision_id: int) -> Ticket:
        ticket = self.tickets.get(seat)
        if ticket is None or ticket.decision_id != decision_id:
            raise UnknownTicket(f"seat {seat} is not asked decision {decision_id}")
        return ticket

    def _open(self, seat: int) -> Ticket:
        ticket = Ticket(self._next_decision, seat, self.state.decision(seat), self.state.public_decision(seat))
        self._next_decision += 1
        self.tickets[seat] = ticket
        return ticket

    def _step(self, seat: int | None, decision_id: int, action: Any, journal: Journal | None) -> Step:
        opened = []
        for asked in () if self.is_over() else self.state.pending():
            if asked not in self.tickets:
                opened.append(self._open(asked))
        entries = () if journal is None else tuple(journal.entries)
        return Step(seat, decision_id, action, self._chance.take(), entries, tuple(opened))
