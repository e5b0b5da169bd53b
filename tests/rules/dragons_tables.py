"""Tables of Dragons for the tests: set up with known cards, and driven by named actions or at random."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from random import Random
from typing import Final, get_args

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.chance import Chance, ChanceOutcome, RecordedChance
from dragonhall.rules.dragons import DRAGONS, moves
from dragonhall.rules.dragons.facts import FACE_OF, FACES, Card, Components, Options, default_components
from dragonhall.rules.dragons.moves import DRAW
from dragonhall.rules.dragons.state import State
from tests.rules.driver import Driver as AnyDriver
from tests.rules.driver import PlayedGame

COMPONENTS: Components = default_components()

VARIANTS = [
    Options(extra_year=extra_year, open_piles=open_piles, hidden_card=hidden_card)
    for extra_year, open_piles, hidden_card in product((False, True), repeat=3)
]
"""All combinations of the variants."""

SEATS = (3, 4, 5, 6)

FIRST_SEAT_0 = ChanceOutcome("dragons/first_seat", number=0)


def variant_name(options: Options) -> str:
    """As ``extra_year+hidden_card``, or ``plain``."""
    on = [name for name in ("extra_year", "open_piles", "hidden_card") if getattr(options, name)]
    return "+".join(on) or "plain"


def card(text: str) -> Card:
    """A card from a short name: its kind, or ``coins3``."""
    if text.startswith("coins"):
        return Card("coins", int(text.removeprefix("coins")))
    return Card(text)


def order(first: Iterable[str]) -> tuple[int, ...]:
    """All cards of the default set, beginning with these; the others follow in face order."""
    faces = [FACE_OF[card(name)] for name in first]
    rest = COMPONENTS.cards()
    for face in faces:
        rest.remove(face)
    return (*faces, *rest)


def chance_of(first: Iterable[str] = (), first_seat: int = 0) -> RecordedChance:
    """Chance that deals these cards first and lets ``first_seat`` begin."""
    return RecordedChance(
        [ChanceOutcome("dragons/treasure", order=order(first)), ChanceOutcome("dragons/first_seat", number=first_seat)]
    )


def long_game_choice(state: State, seat: int, rng: Random) -> int:
    """A random legal code; three turns of four draw if they can."""
    legal = state.legal_actions(seat)
    if not state.is_placing() and legal[0] == DRAW and rng.random() < 0.75:
        return DRAW
    return rng.choice(legal)


def owned(*seats: Mapping[str, int]) -> vec[i64]:
    """A treasure in which each seat owns these cards."""
    counts = [0] * (len(seats) * FACES)
    for seat, cards in enumerate(seats):
        for name, count in cards.items():
            counts[seat * FACES + FACE_OF[card(name)]] = count
    return vec[i64](counts)


def everything(state: State) -> tuple[object, ...]:
    """All of a state as plain values, for comparing."""
    return (
        list(state.deal.order),
        list(state.deal.deck_ends),
        state.deal.hidden_card,
        state.deal.open_piles,
        state.seats,
        state.year,
        state.next_card,
        state.deck_end,
        state.active,
        state.waiting_seats,
        state.free_piles,
        state.drawn,
        list(state.below),
        list(state.pile_top),
        list(state.pile_owner),
        list(state.held),
        list(state.treasure),
    )


def all_cards(state: State) -> list[int]:
    """The face of every card, wherever it lies now: it must always be the component set."""
    faces = list(state.deal.order[state.deck_end :])
    faces += state.deck_faces()
    for pile in range(state.seats):
        faces += state.pile_faces(pile)
    faces += [state.deal.order[position] for position in (*state.held, state.drawn) if position >= 0]
    faces += [face % FACES for face, count in enumerate(state.treasure) for _ in range(count)]
    return sorted(faces)


def names(cards: Iterable[Card]) -> list[str]:
    """Short names of cards."""
    return [f"coins{c.coins}" if c.coins else c.kind for c in cards]


PLAYED: Final = PlayedGame(
    game=DRAGONS,
    components=COMPONENTS,
    decisions=get_args(moves.Decision),
    actions=get_args(moves.Action),
    variants={variant_name(options): options for options in VARIANTS},
    choose=long_game_choice,
    everything=everything,
    standing=lambda result: (not result.breakdown.famines, result.score),
    later_chance=lambda: RecordedChance([]),
)


class Driver(AnyDriver[State]):
    """A table of Dragons."""

    def __init__(self, seats: int, options: Options | None = None, chance: Chance | None = None) -> None:
        super().__init__(PLAYED, seats, options, chance)
