"""Games that differ only in what one reader does not know, whatever the game: how they are played and compared.

What a reader may not know is worked out in each game's own module of worlds, from the rulebook and full states alone:
nothing of it asks views, events or beliefs, which are what is under test. A *moment* is a number of answers: the table
after so many of them.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from librt.random import Random as SamplingRandom

from dragonhall.rules.chance import Chance, ChanceOutcome, RecordedChance, SeededChance
from dragonhall.rules.game import Game, Knowledge
from dragonhall.rules.table import Step, Table, Ticket
from tests.leaks.messages import sent_at

Viewer = int | None
"""A seat; ``None`` for a spectator."""
Choose = Callable[[Any, int, Random], int]
"""The code that a seat, asked in a full state, answers."""


def viewers(seats: int) -> list[Viewer]:
    """Everyone who reads a game."""
    return [*range(seats), None]


class Answer(NamedTuple):
    """Who answered what."""

    seat: int
    action: Any


@dataclass(frozen=True)
class World:
    """A game from its inputs."""

    game: Game
    components: Any
    options: Any
    seats: int
    prepare: Callable[[Any], None] | None = None
    """Changes the state at the start, for a table that few games come to."""
    chance: tuple[ChanceOutcome, ...] = ()
    """Every outcome, in the order in which the game asks for them."""
    answers: tuple[Answer, ...] = ()

    def start(self, chance: Chance) -> tuple[Table, Step]:
        """The table at the start."""
        table = Table(self.game, self.components, self.options, self.seats, chance)
        step = table.start()
        if self.prepare is not None:
            self.prepare(table.state)
        return table, step

    def states(self) -> list[Any]:
        """The full state at every moment."""
        return [playing.table.state.copy() for playing in self.played()]

    def at(self, moment: int) -> Playing:
        """The game at a moment."""
        return next(islice(self.played(), moment, None))

    def state_at(self, moment: int) -> Any:
        """The full state at a moment."""
        return self.at(moment).table.state

    def played(self) -> Iterator[Playing]:
        """The game at every moment; it is one and the same that goes on."""
        playing = Playing(self)
        yield playing
        for answer in self.answers:
            playing.answer(answer)
            yield playing

    def sent_to(self, viewer: Viewer, attempts: Sequence[Any], moments: range) -> Iterator[list[bytes]]:
        """All that ``viewer`` is sent: one list of messages for each of ``moments``."""
        for moment, playing in enumerate(self.played()):
            if moment in moments:
                yield sent_at(playing.steps[-1], playing.table, viewer, attempts)
            if moment == moments.stop - 1:
                return

    def with_answers(self, changed: dict[int, Any]) -> World:
        """The same with other actions at the moments named, by the seats that answered there."""
        answers = list(self.answers)
        for moment, action in changed.items():
            answers[moment] = Answer(answers[moment].seat, action)
        return replace(self, answers=tuple(answers))


class Playing:
    """A world that is being played: the table now, and everything that was told at it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.table, start = world.start(RecordedChance(world.chance))
        self.steps: list[Step] = [start]

    def answer(self, answer: Answer) -> None:
        """The next answer."""
        ticket = self.table.tickets[answer.seat]
        code = self.table.check(answer.seat, ticket.decision_id, answer.action)
        self.steps.append(self.table.answer(answer.seat, ticket.decision_id, code))

    def knowledge(self, viewer: Viewer) -> Knowledge:
        """All that ``viewer`` can know."""
        told = [entry.event for step in self.steps for entry in step.entries if entry.is_for(viewer)]
        view = self.table.state.view(viewer)
        return Knowledge(self.world.components, self.world.options, viewer, view, told)

    def copy_table(self) -> Table:
        """The table as it is now; it does not go on with the game."""
        table = copy.copy(self.table)
        table.state, table.tickets = self.table.state.copy(), dict(self.table.tickets)
        return table

    def sampled(self, viewer: Viewer, rng: Random) -> Table:
        """The same table, with a full state that ``viewer`` believes in."""
        sampled = Table(self.world.game, None, None, self.world.seats, RecordedChance([]))  # is never set up
        sampled.state = state = self.world.game.sample(self.knowledge(viewer), SamplingRandom(rng.getrandbits(32)))
        for seat, ticket in self.table.tickets.items():
            known = ticket.decision if seat == viewer else state.decision(seat)
            sampled.tickets[seat] = Ticket(ticket.decision_id, seat, known, state.public_decision(seat))
        return sampled


def random_world(start: World, choose: Choose, rng: Random) -> World:
    """A whole game with fresh chance; seats that are asked together answer in any order."""
    table, step = start.start(SeededChance(rng.randbytes(32)))
    steps = [step]
    while table.tickets:
        seat = rng.choice(list(table.tickets))
        steps.append(table.answer(seat, table.tickets[seat].decision_id, choose(table.state, seat, rng)))
    chance = tuple(outcome for step in steps for outcome in step.chance)
    answers = tuple(Answer(step.seat, step.action) for step in steps if step.seat is not None)
    return replace(start, chance=chance, answers=answers)


@dataclass(frozen=True)
class Twin:
    """A world beside another one, and the moments at which some reader must not be able to tell the two apart."""

    world: World
    moments: range


class Proof:
    """Compares a world with its twins, and notes what was asked of whom when it did."""

    def __init__(self, world: World, attempts: Sequence[Any]) -> None:
        self.world = world
        self.tables: list[Table] = []
        """By moment."""
        self.steps: list[Step] = []
        for playing in world.played():
            self.tables.append(playing.copy_table())
            self.steps.append(playing.steps[-1])
        self.states: list[Any] = [table.state for table in self.tables]
        """By moment."""
        self.compared: Counter[type[Any]] = Counter()
        """How often each kind of decision was open at a moment that was compared."""
        self._attempts = attempts
        self._sent: dict[tuple[int, Viewer], list[bytes]] = {}

    def asked(self, moment: int) -> set[type[Any]]:
        """The kinds of decisions that are open."""
        return {type(ticket.decision) for ticket in self.tables[moment].tickets.values()}

    def ever_asked(self) -> set[type[Any]]:
        """The kinds of decisions that are open at any moment."""
        return set().union(*map(self.asked, range(len(self.tables))))

    def moments_asking(self, kind: type[Any]) -> list[int]:
        """The moments at which a kind of decision is open."""
        return [moment for moment in range(len(self.tables)) if kind in self.asked(moment)]

    def sent_to(self, viewer: Viewer, moment: int) -> list[bytes]:
        """All that ``viewer`` is sent."""
        if (moment, viewer) not in self._sent:
            self._sent[moment, viewer] = sent_at(self.steps[moment], self.tables[moment], viewer, self._attempts)
        return self._sent[moment, viewer]

    def difference(self, viewer: Viewer, twin: Twin) -> str | None:
        """Where ``viewer`` could tell a twin apart, at the moments at which it must not; ``None`` if nowhere."""
        others = twin.world.sent_to(viewer, self._attempts, twin.moments)
        for moment, theirs in zip(twin.moments, others, strict=True):
            mine = self.sent_to(viewer, moment)
            if theirs != mine:
                return f"viewer {viewer} after {moment} answers: {_first_unlike(mine, theirs)}"
            self.compared.update(self.asked(moment))
        return None

    def who_can_tell(self, world: World, moment: int) -> list[Viewer]:
        """Everyone who is sent something else in another world at a moment."""
        playing = world.at(moment)
        sent = {
            viewer: sent_at(playing.steps[-1], playing.table, viewer, self._attempts)
            for viewer in viewers(self.world.seats)
        }
        return [viewer for viewer, messages in sent.items() if messages != self.sent_to(viewer, moment)]

    def first_difference(self, viewer: Viewer, twins: Iterable[Twin]) -> str | None:
        """The first difference from any of several twins."""
        found = (self.difference(viewer, twin) for twin in twins)
        return next((difference for difference in found if difference), None)


def _first_unlike(mine: list[bytes], theirs: list[bytes]) -> str:
    unlike = (pair for pair in zip(mine, theirs, strict=False) if pair[0] != pair[1])
    return f"{len(mine)} and {len(theirs)} messages, first unlike {next(unlike, 'none')}"
