"""Playing on from a position: by chance, or by a policy that somebody brought."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random as PolicyRandom
from typing import Any, Final, Protocol

from librt.random import Random

from dragonhall.rules.actions import code_at
from dragonhall.rules.chance import RandomChance
from dragonhall.rules.game import Game, Knowledge, State, legal_actions
from dragonhall.rules.journal import Journal

GAMES_OWN: Final = "random"
"""The policy that every game has by itself."""


class Policy(Protocol):
    """Plays one seat: of bots' policies, that which matters here."""

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: Any) -> int:
        """The position in ``actions`` (`dragonhall.rules.actions.ActionList`) of the one to take."""
        ...


class PolicyMaker(Protocol):
    """Makes the policy of one seat. Has to be picklable, since it is called in another process."""

    def __call__(self, options: Any, components: Any, seats: int, seat: int, rng: PolicyRandom) -> Policy:
        """``rng``: all luck is to come from it."""
        ...


PlayOn = Callable[[State, int, int], int]
"""Plays a position on, given its state, which is used up, the seed of its luck, and the most decisions. Returns how
many there were."""


def by_chance(state: State, seed: int, most: int) -> int:
    """Every legal action is as likely."""
    return state.play_out(Random(seed), most)


class ByPolicy:
    """All seats play by one kind of policy.

    A seat's policy sees the world as that seat does. What it remembers is what the knowledge's reader was told until
    now, for what another seat was told is not known; and what the seat itself is told in the world.
    """

    def __init__(self, game: Game, knowledge: Knowledge, make: PolicyMaker) -> None:
        self._game = game
        self._knowledge = knowledge
        self._make = make

    def __call__(self, state: State, seed: int, most: int) -> int:
        chance, rng = RandomChance(Random(seed)), PolicyRandom(seed)
        seen = [list(self._knowledge.events) for _ in range(state.seats)]
        policies = [self._seated(state.seats, seat, rng) for seat in range(state.seats)]
        decisions = 0
        while decisions < most and (asked := state.pending()):
            seat = asked[0]
            actions = legal_actions(self._game, state, seat)
            choice = policies[seat].choose(state.view(seat), seen[seat], state.decision(seat), actions)
            code = code_at(state.legal_runs(seat), choice)
            journal = Journal()
            state.apply(seat, code, chance, journal)
            for entry in journal.entries:
                for hearer in range(state.seats):
                    if entry.is_for(hearer):
                        seen[hearer].append(entry.event)
            decisions += 1
        return decisions

    def _seated(self, seats: int, seat: int, rng: PolicyRandom) -> Policy:
        return self._make(self._knowledge.options, self._knowledge.components, seats, seat, rng)


def player(name: str, game: Game, knowledge: Knowledge, policies: Mapping[str, PolicyMaker]) -> PlayOn:
    """Who plays on, by name: that of a policy of this game, or empty for `GAMES_OWN`."""
    if name in ("", GAMES_OWN):
        return by_chance
    return ByPolicy(game, knowledge, policies[name])
