"""Leaks that can be planted in any game, to show that a proof finds them."""

from __future__ import annotations

from typing import Any

import pytest

from dragonhall.rules.journal import Journal
from dragonhall.rules.table import Step, Table, Ticket


def plant_a_seats_knowledge_in_what_others_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everyone is told what is asked of a seat as that seat knows it."""
    honest = Table._open

    def leaking(self: Table, seat: int) -> Ticket:
        ticket = honest(self, seat)
        self.tickets[seat] = told = Ticket(ticket.decision_id, seat, ticket.decision, ticket.decision)
        return told

    monkeypatch.setattr(Table, "_open", leaking)


def plant_forced_answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat that has one legal action only is not asked: others see at once what follows."""
    honest = Table._step

    def leaking(self: Table, seat: int | None, decision_id: int, action: Any, journal: Journal) -> Step:
        for asked in self.state.pending():
            forced = self.state.legal_actions(asked)
            if asked not in self.tickets and len(forced) == 1:
                self.state.apply(asked, forced[0], self._chance, journal)
        return honest(self, seat, decision_id, action, journal)

    monkeypatch.setattr(Table, "_step", leaking)


def plant_secret_answers_told_at_once(monkeypatch: pytest.MonkeyPatch, event_of: Any) -> None:
    """What a seat answers while others still choose is told to everyone, as the event that ``event_of`` makes of it."""
    honest = Table._step

    def leaking(self: Table, seat: int | None, decision_id: int, action: Any, journal: Journal) -> Step:
        if seat is not None and not journal.entries:
            journal.tell(event_of(seat, action))
        return honest(self, seat, decision_id, action, journal)

    monkeypatch.setattr(Table, "_step", leaking)
