"""Games in this process: policies around a table, each told what its seat may know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from dragonhall.bots.policy import Chair, Policy, PolicyFactory
from dragonhall.rules.actions import code_at
from dragonhall.rules.chance import SeededChance
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.game import Game, Knowledge, Outcome, State, legal_actions
from dragonhall.rules.table import Table


@dataclass(frozen=True)
class Question:
    """One decision, as the seat that is asked knows it, with the full state behind it."""

    game: Game
    chair: Chair
    state: Any
    """The game's own state."""
    seen: list[Any]
    decision: Any

    @property
    def knowledge(self) -> Knowledge:
        chair = self.chair
        return Knowledge(chair.components, chair.options, chair.seat, self.state.view(chair.seat), self.seen)

    def ask(self, make_policy: PolicyFactory, seed: int, world: State | None = None) -> int:
        """What a policy that has just sat down would choose here, or in another ``world``; a legal code."""
        return self.put_to(make_policy(self.chair, Random(seed)), world or self.state)

    def put_to(self, policy: Policy, state: State) -> int:
        """What ``policy`` chooses; a legal code."""
        seat = self.chair.seat
        actions = legal_actions(self.game, state, seat)
        choice = policy.choose(state.view(seat), self.seen, state.decision(seat), actions)
        return code_at(state.legal_runs(seat), choice)


def play(
    policies: Sequence[PolicyFactory],
    options: Any,
    seed: int,
    on_question: Callable[[Question, int], None] = lambda question, code: None,
    game: Game = DRAGONS,
) -> Outcome:
    """One game. ``on_question`` is told every question and the code chosen, before it is carried out."""
    seats, components = len(policies), game.default_components()
    table = Table(game, components, options, seats, SeededChance(seed.to_bytes(32)))
    chairs = [Chair(options, components, seats, seat) for seat in range(seats)]
    rngs = [Random(f"{seed}/{seat}") for seat in range(seats)]
    seated = [make(chair, rng) for make, chair, rng in zip(policies, chairs, rngs, strict=True)]
    seen: list[list[Any]] = [[] for _ in range(seats)]
    step = table.start()
    while True:
        for seat in range(seats):
            seen[seat] += [entry.event for entry in step.entries if entry.is_for(seat)]
        if table.state.is_over():
            return table.state.outcome()
        ticket = next(iter(table.tickets.values()))
        seat = ticket.seat
        question = Question(game, chairs[seat], table.state, seen[seat], ticket.decision)
        chosen = question.put_to(seated[seat], table.state)
        on_question(question, chosen)
        step = table.answer(seat, ticket.decision_id, chosen)
