"""Games of Dragons in this process: policies around a table, each told what its seat may know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from dragonhall.bots.policy import Chair, PolicyFactory
from dragonhall.rules.chance import SeededChance
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons.facts import Options
from dragonhall.rules.dragons.state import State
from dragonhall.rules.game import Knowledge, Outcome
from dragonhall.rules.table import Table
from tests.rules.tables import COMPONENTS


@dataclass(frozen=True)
class Question:
    """One decision, as the seat that is asked knows it, with the full state behind it."""

    chair: Chair
    state: State
    seen: list[Any]
    decision: Any

    @property
    def knowledge(self) -> Knowledge:
        chair = self.chair
        return Knowledge(chair.components, chair.options, chair.seat, self.state.view(chair.seat), self.seen)

    def ask(self, make_policy: PolicyFactory, seed: int, world: State | None = None) -> int:
        """What a policy that has just sat down would choose here, or in another ``world``; a legal code."""
        state = world or self.state
        policy = make_policy(self.chair, Random(seed))
        codes = state.legal_actions(self.chair.seat)
        actions = [DRAGONS.action(state, self.chair.seat, code) for code in codes]
        view, decision = state.view(self.chair.seat), state.decision(self.chair.seat)
        return codes[policy.choose(view, self.seen, decision, actions)]


def play(
    policies: Sequence[PolicyFactory],
    options: Options,
    seed: int,
    on_question: Callable[[Question, int], None] = lambda question, code: None,
) -> Outcome:
    """One game. ``on_question`` is told every question and the code chosen, before it is carried out."""
    seats = len(policies)
    table = Table(DRAGONS, COMPONENTS, options, seats, SeededChance(seed.to_bytes(32)))
    chairs = [Chair(options, COMPONENTS, seats, seat) for seat in range(seats)]
    rngs = [Random(f"{seed}/{seat}") for seat in range(seats)]
    seated = [make(chair, rng) for make, chair, rng in zip(policies, chairs, rngs, strict=True)]
    seen: list[list[Any]] = [[] for _ in range(seats)]
    step = table.start()
    while True:
        for seat in range(seats):
            seen[seat] += [entry.event for entry in step.entries if entry.is_for(seat)]
        if table.state.is_over():
            return table.state.outcome()
        (ticket,) = table.tickets.values()
        seat, state = ticket.seat, table.state
        codes = state.legal_actions(seat)
        actions = [DRAGONS.action(state, seat, code) for code in codes]  # type: ignore[arg-type]
        chosen = codes[seated[seat].choose(state.view(seat), seen[seat], ticket.decision, actions)]
        assert isinstance(state, State)
        on_question(Question(chairs[seat], state, seen[seat], ticket.decision), chosen)
        step = table.answer(seat, ticket.decision_id, chosen)
