"""Games of Dragons that differ only in what one reader does not know (`worlds` says how they are compared)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons.facts import Options
from dragonhall.rules.dragons.moves import Action, Claim, Draw, Place, Play
from dragonhall.rules.dragons.state import NONE, State
from tests.leaks.worlds import Proof, Twin, Viewer, World, random_world
from tests.rules.dragons_tables import COMPONENTS, long_game_choice

PILES = (0, 1, 2, 6)
ATTEMPTS: list[Action] = [
    Draw(),
    *(Claim(pile) for pile in PILES),
    *(Place(pile) for pile in PILES),
    *(Play("drawn", pile) for pile in PILES),
    *(Play("held", pile) for pile in PILES),
]
"""What every seat tries at every moment; most of it is refused."""


def random_game(seats: int, options: Options, rng: Random) -> World:
    """A whole random game."""
    start = World(DRAGONS, COMPONENTS, options, seats)
    return random_world(start, long_game_choice, rng)


def treasure(world: World) -> tuple[int, ...]:
    """The order of all cards."""
    order = world.chance[0].order
    assert order is not None
    return order


def with_treasure(world: World, order: list[int]) -> World:
    """The same game with the cards in another order."""
    return replace(world, chance=(ChanceOutcome("dragons/treasure", order=tuple(order)), *world.chance[1:]))


def unknown_positions(state: State, viewer: Viewer) -> list[int]:
    """Where the cards lie that ``viewer`` has not seen: in the decks, and in other hands."""
    unknown = list(range(state.next_card, len(state.deal.order)))
    unknown += [card for seat, card in enumerate(state.held) if card != NONE and seat != viewer]
    if state.deal.hidden_card and state.drawn != NONE and state.active != viewer:
        unknown.append(state.drawn)
    return unknown


def with_unseen_cards_moved(proof: Proof, moment: int, viewer: Viewer, rng: Random) -> Twin:
    """The cards that ``viewer`` has not seen at ``moment`` are in other places: it cannot tell up to then."""
    positions = unknown_positions(proof.states[moment], viewer)
    order = list(treasure(proof.world))
    for position, source in zip(positions, rng.sample(positions, len(positions)), strict=True):
        order[position] = treasure(proof.world)[source]
    return Twin(with_treasure(proof.world, order), range(moment + 1))


def plays_with_two_cards(proof: Proof, viewer: Viewer) -> list[int]:
    """The moments of another seat's choice between its two cards in hand."""
    placing = [state.deal.hidden_card and state.drawn != NONE and state.active != viewer for state in proof.states[:-1]]
    return [moment for moment, chosen in enumerate(placing) if chosen]


def with_the_other_card_played(proof: Proof, moment: int) -> Twin:
    """The seat held what it drew and drew what it held, and so played the other: nobody else can ever tell."""
    state, order = proof.states[moment], list(treasure(proof.world))
    held, drawn = state.held[state.active], state.drawn
    order[held], order[drawn] = order[drawn], order[held]
    played = proof.world.answers[moment].action
    other = Play("held" if played.card == "drawn" else "drawn", played.pile)
    world = with_treasure(proof.world.with_answers({moment: other}), order)
    return Twin(world, range(len(proof.states)))
