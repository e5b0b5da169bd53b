"""Tables of Dragon's Interest for the tests: set up with known tiles, and driven by named actions or at random."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final, get_args

from dragonhall.rules.actions import code_at
from dragonhall.rules.chance import Chance, ChanceOutcome, RecordedChance
from dragonhall.rules.dragons_interest import DRAGONS_INTEREST, moves
from dragonhall.rules.dragons_interest.facts import (
    BUILDING_TYPES,
    EVENTS,
    FIRST_SEAT_STREAM,
    GENEROUS_DRAGON,
    JESTER,
    STACK_STREAMS,
    TYPES,
    BuildingType,
    Components,
    Contract,
    Options,
    default_components,
)
from dragonhall.rules.dragons_interest.moves import (
    ACTIVATE,
    BID,
    COMMIT,
    OFFER,
    Action,
    Activate,
    Bid,
    Offer,
    Pass,
    Take,
)
from dragonhall.rules.dragons_interest.state import State
from tests.rules.driver import Driver as AnyDriver
from tests.rules.driver import PlayedGame

COMPONENTS: Components = default_components()
SEATS = (3, 4, 5)
VARIANTS = [Options(), Options(start_player="fixed")]
Face = int | str
"""Gold, or the name of an event."""


def variant_name(options: Options) -> str:
    """As ``rotates``."""
    return options.start_player


def order(building: int, first: Sequence[Face]) -> tuple[int, ...]:
    """The shuffled faces of a type, beginning with these; first gold, then events of the others follow."""
    rest = COMPONENTS.tiles[building].shuffled_faces()
    faces = [GENEROUS_DRAGON + EVENTS.index(face) if face in EVENTS else int(face) for face in first]
    for face in faces:
        rest.remove(face)
    return (*faces, *rest)


def chance_of(seats: int = 3, first_seat: int = 0, /, **first: Sequence[Face]) -> RecordedChance:
    """Chance that turns up these tiles of a type first, after its starting tile, and draws the first start player."""
    used = [place for place in range(TYPES) if seats > 3 or BUILDING_TYPES[place] != "guild"]
    shuffles = [
        ChanceOutcome(STACK_STREAMS[place], order=order(place, first.get(BUILDING_TYPES[place], ()))) for place in used
    ]
    return RecordedChance([*shuffles, ChanceOutcome(FIRST_SEAT_STREAM, number=first_seat)])


def contract(number: int) -> Contract:
    """A contract by its number; 17 is the Jester."""
    return JESTER if number == 17 else Contract(number)


def long_game_choice(state: State, seat: int, rng: Random) -> int:
    """A random legal code. Three of four are such that nobody is ruined soon: low bids, small amounts, few passes."""
    runs = state.legal_runs(seat)
    if rng.random() < 0.75:
        if state.stage == BID:
            return runs[0].first
        if state.stage in (OFFER, COMMIT):
            run = rng.choice(runs)
            return run.first + rng.randrange(min(run.size, 4))
        if state.stage == ACTIVATE and len(runs) > 1:
            return rng.choice(runs[1:]).first
    return code_at(runs, rng.randrange(sum(run.size for run in runs)))


def everything(state: State) -> tuple[object, ...]:
    """All of a state as plain values, for comparing."""
    return (
        *(getattr(state, name) for name in NUMBERS),
        *(tuple(getattr(state, name)) for name in VECTORS),
        state.deal.seats,
        state.deal.rotates,
        tuple(state.deal.ring),
        tuple(state.deal.stacks),
        tuple(state.deal.values),
        state.deal.jester_needs,
        state.deal.contracts,
    )


NUMBERS = (
    "seats",
    "round",
    "stage",
    "waiting",
    "start_player",
    "active",
    "turned_up",
    "untaken",
    "takeable",
    "generous",
    "calendars",
    "invasions",
    "takers",
    "activated",
    "target",
    "wanted",
    "amount",
    "tied",
    "interest_waived",
    "dragon",
    "ruined",
)
VECTORS = ("gold", "knights", "buildings", "types", "tucked", "hands", "answers", "collected")


PLAYED: Final = PlayedGame(
    game=DRAGONS_INTEREST,
    components=COMPONENTS,
    decisions=get_args(moves.Decision),
    actions=get_args(moves.Action),
    variants={variant_name(options): options for options in VARIANTS},
    choose=long_game_choice,
    everything=everything,
    standing=lambda result: (
        not result.breakdown.ruined,
        result.score,
        result.breakdown.knights,
        result.breakdown.gold,
    ),
    later_chance=lambda: RecordedChance([]),
)


class Driver(AnyDriver[State]):
    """A table of Dragon's Interest. Unless chance is given, tiles come in the order of their faces."""

    def __init__(
        self,
        seats: int = 3,
        options: Options | None = None,
        chance: Chance | None = None,
        components: Components = COMPONENTS,
    ) -> None:
        super().__init__(PLAYED, seats, options, chance or chance_of(seats), components)

    def together(self, *actions: Action) -> list[Any]:
        """Every seat that is asked answers; returns the events of the last answer."""
        for seat, action in zip(self.waiting, actions, strict=True):
            events = self.act(action, seat)
        return events

    def bid(self, *numbers: int) -> list[Any]:
        """Every seat bids; 17 is the Jester."""
        return self.together(*(Bid(contract(number)) for number in numbers))

    def bid_and_take(self, *choices: tuple[int, BuildingType]) -> Driver:
        """Every seat bids a contract, and takes a tile when it is its turn."""
        self.bid(*(number for number, _ in choices))
        while self.state.view(None).stage == "take":
            self.act(Take(choices[self.waiting[0]][1]))
        return self

    def borrow(self, *types: BuildingType) -> Driver:
        """All seats bid their lowest contracts, and take these tiles, or any."""
        self.together(*(Bid(self.state.view(None).seats[seat].hand[0]) for seat in range(self.seats)))
        for name in types:
            self.act(Take(name))
        while self.state.view(None).stage == "take":
            self.act_code(self.state.legal_actions(self.asked)[0])
        return self

    def rest(self) -> Driver:
        """All seats pass until phase 2 is over."""
        while self.state.view(None).stage == "activate":
            self.act(Pass())
        return self

    def give(self, seat: int, gold: int | None = None, knights: int | None = None, **buildings: int) -> Driver:
        """Lets a seat hold this much, and have this many buildings of the types that are named."""
        state = self.state
        if gold is not None:
            state.gold[seat] = gold
        if knights is not None:
            state.knights[seat] = knights
        for name, count in buildings.items():
            place = BUILDING_TYPES.index(name)
            state.buildings[seat * TYPES + place] = count
            state.types[seat] = state.types[seat] & ~(1 << place) | (count > 0) << place
        return self

    def raze(self) -> Driver:
        """Takes all buildings away."""
        for seat in range(self.seats):
            self.give(seat, **dict.fromkeys(BUILDING_TYPES, 0))
        return self


def activating(seats: int = 3, first_seat: int = 0, /, **first: Sequence[Face]) -> Driver:
    """A table in phase 2 of the second round, where nobody has a building, ``first_seat`` is the start player."""
    chance = chance_of(seats, (first_seat - 1) % seats, **first)
    return Driver(seats, chance=chance).borrow().borrow().raze()


def exchange(seats: int = 4, amount: int = 3) -> Driver:
    """Seat 0 has 4 knights and offers some to seat 1 for its harbor, then accepts; the castle brought in the fourth."""
    driver = Driver(seats, chance=chance_of(seats, seats - 1, castle=[6], harbor=[6], temple=[6]))
    driver.bid_and_take((4, "castle"), (5, "harbor"), (6, "temple"), (7, "arena"))
    driver.bid_and_take((8, "castle"), (9, "harbor"), (10, "temple"), (11, "guild"))
    return driver.play(Activate("castle"), Offer(1, "harbor", amount))
