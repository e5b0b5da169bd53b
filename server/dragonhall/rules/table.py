"""A table: one game in progress, driven by answers to decision tickets.

The server's live games, `verify`, golden playthroughs and leak tests all drive a game through this one class, so
that they cannot disagree about ticket numbers, chance outcomes or who is told what.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dragonhall.rules.chance import Chance, ChanceOutcome, NotedChance
from dragonhall.rules.errors import RulesError
from dragonhall.rules.game import Game, State
from dragonhall.rules.journal import Entry, Journal


class UnknownTicket(RulesError):
    """An answer to a decision that this seat is not asked (never was, or is no longer)."""


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
    """All that one cause (the start, or one answer) brought about. Told together or not at all."""

    seat: int | None
    """Who answered; ``None`` for the start."""
    decision_id: int
    """The ticket answered; 0 for the start."""
    action: Any
    """The typed action; ``None`` for the start."""
    chance: tuple[ChanceOutcome, ...]
    entries: tuple[Entry, ...]
    opened: tuple[Ticket, ...]
    """New tickets, in seat order."""


class Table:
    """A game in progress: its full state, the open tickets, and the steps that `start` and `answer` return."""

    def __init__(self, game: Game, components: Any, options: Any, seats: int, chance: Chance) -> None:
        self.game = game
        self._components = components
        self._options = options
        self._seats = seats
        self._chance = NotedChance(chance)
        self._next_decision = 1
        self.state: State
        self.tickets: dict[int, Ticket] = {}
        """Open tickets by seat: a seat has one at most."""

    def start(self) -> Step:
        """Sets the game up. Called once, before anything else. Raises `InvalidOptions`."""
        journal = Journal()
        self.state = self.game.new(self._components, self._options, self._seats, self._chance, journal)
        return self._step(None, 0, None, journal)

    def check(self, seat: int, decision_id: int, action: Any) -> int:
        """The code of a typed ``action``, if it may answer the ticket now; changes nothing.

        Raises `UnknownTicket` or `IllegalAction`.
        """
        self._ticket(seat, decision_id)
        return self.game.code(self.state, seat, action)

    def answer(self, seat: int, decision_id: int, code: int) -> Step:
        """Answers a ticket with an action's code.

        Raises `UnknownTicket` or `IllegalAction`; then nothing has changed.
        """
        self._ticket(seat, decision_id)
        action = self.game.action(self.state, seat, code)
        journal = Journal()
        self.state.apply(seat, code, self._chance, journal)
        del self.tickets[seat]
        return self._step(seat, decision_id, action, journal)

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

    def _step(self, seat: int | None, decision_id: int, action: Any, journal: Journal) -> Step:
        opened = []
        for asked in self.state.pending():
            if asked not in self.tickets:
                opened.append(self._open(asked))
        return Step(seat, decision_id, action, self._chance.take(), tuple(journal.entries), tuple(opened))
