"""A table of any game for the tests: driven by named actions or at random, with everything that it has told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Self, TypeVar, cast

from dragonhall.rules.chance import Chance, SeededChance, game_key
from dragonhall.rules.game import Game, Knowledge, SeatResult
from dragonhall.rules.table import Step, Table

S = TypeVar("S")


@dataclass(frozen=True)
class PlayedGame:
    """A game, and how its tests play it."""

    game: Game
    components: Any
    """The default set."""
    decisions: tuple[type, ...]
    """Everything that a seat may be asked."""
    actions: tuple[type, ...]
    """Everything that it may answer."""
    variants: Mapping[str, Any]
    """Options by a short name, such as any number of seats can play with."""
    choose: Callable[[Any, int, Random], int]
    """A random legal code for a state's seat, such that games are long and reach every corner."""
    everything: Callable[[Any], tuple[object, ...]]
    """All of a state as plain values, for comparing."""
    standing: Callable[[SeatResult], tuple[int, ...]]
    """What seats are ranked by, the greatest first (and nothing of `dragonhall.rules.ranking`)."""
    later_chance: Callable[[], Chance]
    """Chance that knows no more than what the game asks for after its start."""
    rare: frozenset[type] = frozenset()
    """Decisions and actions that few random games come to."""

    @property
    def seats(self) -> range:
        """The numbers of seats."""
        return range(self.game.min_seats, self.game.max_seats + 1)


class Driver(Generic[S]):
    """A table with everything that it has told."""

    def __init__(
        self,
        played: PlayedGame,
        seats: int,
        options: Any = None,
        chance: Chance | None = None,
        components: Any = None,
    ) -> None:
        """What is not given is the game's default; chance is then that of one fixed seed."""
        self.played = played
        self.seats = seats
        self.options = played.game.make_options({}) if options is None else options
        self.components = played.components if components is None else components
        chance = SeededChance(bytes(32)) if chance is None else chance
        self.table = Table(played.game, self.components, self.options, seats, chance)
        self.steps: list[Step] = [self.table.start()]

    @property
    def state(self) -> S:
        return cast(S, self.table.state)

    @property
    def waiting(self) -> list[int]:
        """The seats that are asked and have not answered."""
        return sorted(self.table.tickets)

    @property
    def asked(self) -> int:
        """The only seat that is asked."""
        (seat,) = self.table.tickets
        return seat

    def act(self, action: Any, seat: int | None = None) -> list[Any]:
        """``seat``, or the only one that is asked, takes ``action``; returns the events, whoever saw them."""
        seat = self.asked if seat is None else seat
        return self.act_code(self.table.check(seat, self.table.tickets[seat].decision_id, action), seat)

    def act_code(self, code: int, seat: int | None = None) -> list[Any]:
        """The same with the action's code."""
        seat = self.asked if seat is None else seat
        step = self.table.answer(seat, self.table.tickets[seat].decision_id, code)
        self.steps.append(step)
        return [entry.event for entry in step.entries]

    def play(self, *actions: Any) -> Self:
        """Takes one action after another, each by the first seat that is asked."""
        for action in actions:
            self.act(action, self.waiting[0])
        return self

    def step(self, rng: Random) -> list[Any]:
        """One of the seats that are asked answers at random."""
        seat = self.asked if len(self.table.tickets) == 1 else rng.choice(self.waiting)
        return self.act_code(self.played.choose(self.state, seat, rng), seat)

    def moments(self, rng: Random) -> Iterator[Self]:
        """Plays on at random to the end: the table before each answer."""
        while self.table.tickets:
            yield self
            self.step(rng)

    def finish(self, rng: Random) -> Self:
        """Plays on at random to the end."""
        for _ in self.moments(rng):
            pass
        return self

    def told(self, viewer: int | None) -> list[Any]:
        """Every event that ``viewer`` was told."""
        return [entry.event for step in self.steps for entry in step.entries if entry.is_for(viewer)]

    def knowledge(self, viewer: int | None) -> Knowledge:
        """All that ``viewer`` can know."""
        return Knowledge(self.components, self.options, viewer, self.table.state.view(viewer), self.told(viewer))


def seeded(seats: int, seed: bytes) -> SeededChance:
    """Chance as a served game has it, from 32 bytes."""
    return SeededChance(game_key(seed, [b""] * seats))
