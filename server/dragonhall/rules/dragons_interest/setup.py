"""How a game of Dragon's Interest begins: shuffled stacks, starting supplies, the first start player."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.chance import Chance
from dragonhall.rules.dragons_interest import rounds
from dragonhall.rules.dragons_interest.facts import (
    BUILDING_TYPES,
    CONTRACTS,
    FIRST_SEAT_STREAM,
    GUILD,
    MIN_SEATS,
    STACK_STREAMS,
    TYPES,
    Components,
    Options,
    check_options,
    starting_gold,
    starting_knights,
)
from dragonhall.rules.dragons_interest.state import Deal, State
from dragonhall.rules.journal import Journal


def deal_tiles(components: Components, options: Options, seats: int, stacks: list[int]) -> Deal:
    """What is settled by the component set and the options, with the tiles of all types in the order ``stacks``.

    ``stacks``: faces, 10 for each type in the order of `BUILDING_TYPES`, first the tile that is turned up first. A game
    of 3 seats has no guild.
    """
    ring = [BUILDING_TYPES.index(name) for name in components.ring]
    return Deal(
        seats,
        options.start_player == "rotates",
        vec[i64]([building for building in ring if _is_used(building, seats)]),
        vec[i64](stacks),
        vec[i64]([*components.numbers, components.jester_value]),
        sum(1 << components.numbers.index(number) for number in components.jester_needs_any_of),
        components.contracts,
    )


def _is_used(building: int, seats: int) -> bool:
    return building != GUILD or seats > MIN_SEATS


def seated(deal: Deal) -> State:
    """A state before its first round: every seat has its starting supplies and all contracts."""
    seats = deal.seats
    return State(
        deal,
        gold=_filled(seats, starting_gold(seats)),
        knights=_filled(seats, starting_knights(seats)),
        buildings=_filled(seats * TYPES, 0),
        types=_filled(seats, 0),
        tucked=_filled(seats * TYPES, 0),
        hands=_filled(seats, (1 << CONTRACTS) - 1),
        answers=_filled(seats, 0),
        collected=_filled(seats, 0),
    )


def _filled(size: int, value: int) -> vec[i64]:
    return vec[i64]([value] * size)


def new_game(components: Components, options: Options, seats: int, chance: Chance, journal: Journal | None) -> State:
    """Shuffles the stacks, settles who is the first start player (RI-2), and begins the first round.

    Asks ``chance`` for the shuffle of each stack that is in the game (`STACK_STREAMS`), by type; then, unless the
    options say who begins, for the first start player (`FIRST_SEAT_STREAM`). Raises `InvalidOptions`.
    """
    check_options(options, seats)
    stacks: list[int] = []
    for building, tiles in enumerate(components.tiles):
        faces = tiles.shuffled_faces()
        if _is_used(building, seats):
            faces = chance.shuffle(STACK_STREAMS[building], faces)
        stacks += faces if tiles.start is None else [tiles.start, *faces]
    first_seat = options.first_seat
    if first_seat is None:
        first_seat = chance.number(FIRST_SEAT_STREAM, seats)
    state = seated(deal_tiles(components, options, seats, stacks))
    rounds.turn_up_tiles(state, journal)
    rounds.begin_round(state, first_seat, journal)
    return state
