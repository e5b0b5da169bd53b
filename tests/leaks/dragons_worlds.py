"""Games of Dragons that differ only in what one reader does not know.

What a reader may not know is worked out here from the rulebook and full states alone. Nothing of this asks views,
events or beliefs, which are what is under test.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from dragonhall.rules.chance import ChanceOutcome, RecordedChance
from dragonhall.rules.dragons.facts import Options
from dragonhall.rules.dragons.moves import Action, Claim, Draw, Place, Play
from dragonhall.rules.dragons.state import NONE, State
from tests.leaks.messages import shown, told_by
from tests.rules.tables import COMPONENTS, Driver, long_game_choice

PILES = (0, 1, 2, 6)
ATTEMPTS: list[Action] = [
    Draw(),
    *(Claim(pile) for pile in PILES),
    *(Place(pile) for pile in PILES),
    *(Play("drawn", pile) for pile in PILES),
    *(Play("held", pile) for pile in PILES),
]
"""What every seat tries at every moment; most of it is refused."""


@dataclass(frozen=True)
class World:
    """A game from its inputs: the order of the cards, who begins, and every answer's code."""

    seats: int
    options: Options
    order: tuple[int, ...]
    first_seat: int
    codes: tuple[int, ...]

    def start(self) -> Driver:
        """The game before its first answer."""
        chance = [
            ChanceOutcome("dragons/treasure", order=self.order),
            ChanceOutcome("dragons/first_seat", number=self.first_seat),
        ]
        return Driver(self.seats, self.options, RecordedChance(chance))

    def states(self) -> list[State]:
        """The full state before each answer, and at the end."""
        driver = self.start()
        states = [driver.state.copy()]
        for code in self.codes:
            driver.act_code(code)
            states.append(driver.state.copy())
        return states

    def sent_to(self, viewer: int | None) -> Iterator[list[bytes]]:
        """All that ``viewer`` is sent: one list of messages at the start, and one an answer."""
        driver = self.start()
        for code in (None, *self.codes):
            if code is not None:
                driver.act_code(code)
            yield told_by(driver.steps[-1], driver.table, viewer) + shown(driver.table, viewer, ATTEMPTS)


def random_world(seats: int, options: Options, rng: Random) -> World:
    """A whole random game."""
    order = COMPONENTS.cards()
    rng.shuffle(order)
    start = World(seats, options, tuple(order), rng.randrange(seats), ())
    driver, codes = start.start(), []
    while driver.table.tickets:
        codes.append(long_game_choice(driver.state, rng))
        driver.act_code(codes[-1])
    return World(seats, options, tuple(order), start.first_seat, tuple(codes))


def unknown_positions(state: State, viewer: int | None) -> list[int]:
    """Where the cards lie that ``viewer`` has not seen: in the decks, and in other hands."""
    unknown = list(range(state.next_card, len(state.deal.order)))
    unknown += [card for seat, card in enumerate(state.held) if card != NONE and seat != viewer]
    if state.deal.hidden_card and state.drawn != NONE and state.active != viewer:
        unknown.append(state.drawn)
    return unknown


def with_unknown_cards_moved(world: World, state: State, viewer: int | None, rng: Random) -> World:
    """The same game with the cards that ``viewer`` has not seen at ``state`` in other places."""
    positions = unknown_positions(state, viewer)
    moved = rng.sample(positions, len(positions))
    order = list(world.order)
    for position, source in zip(positions, moved, strict=True):
        order[position] = world.order[source]
    return World(world.seats, world.options, tuple(order), world.first_seat, world.codes)


def plays_with_two_cards(world: World, states: list[State], viewer: int | None) -> list[int]:
    """Which answers were another seat's choice between its two cards in hand."""
    placing = [state.deal.hidden_card and state.drawn != NONE and state.active != viewer for state in states[:-1]]
    return [answer for answer, chosen in enumerate(placing) if chosen]


def with_the_other_card_played(world: World, states: list[State], answer: int) -> World:
    """The same game, but the seat held what it drew and drew what it held, and so played the other of the two."""
    state = states[answer]
    held, drawn = state.held[state.active], state.drawn
    order = list(world.order)
    order[held], order[drawn] = order[drawn], order[held]
    code = world.codes[answer]
    other = code - world.seats if code >= world.seats else code + world.seats
    codes = (*world.codes[:answer], other, *world.codes[answer + 1 :])
    return World(world.seats, world.options, tuple(order), world.first_seat, codes)


def first_difference(sent: list[list[bytes]], other: World, viewer: int | None, answers: int) -> str | None:
    """Where ``viewer``, who was sent ``sent``, could tell ``other`` apart within ``answers``; ``None`` if nowhere."""
    for answered, (messages, others) in enumerate(zip(sent[: answers + 1], other.sent_to(viewer), strict=False)):
        if messages != others:
            which = [at for at, (left, right) in enumerate(zip(messages, others, strict=False)) if left != right]
            return (
                f"viewer {viewer} after {answered} answers: {len(messages)} and {len(others)} messages, unlike {which}"
            )
    return None
