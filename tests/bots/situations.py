"""Situations of Dragons put on the table card by card, as one seat sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from dragonhall.bots.greedy.dragons import GreedyDragons
from dragonhall.bots.policy import Chair
from dragonhall.rules.dragons.events import CardPlaced, Event, YearStarted
from dragonhall.rules.dragons.facts import FACE_OF, FACES, CardCount, Options, card_counts, default_components
from dragonhall.rules.dragons.moves import Action, Claim, Decision, Draw, Place, PlacementDecision, Play, TurnDecision
from dragonhall.rules.dragons.view import Pile, SeatView, View
from tests.rules.dragons_tables import card

SEEDS = range(12)
"""Random numbers to choose with: a policy that only guesses does not make one choice with all of them."""


@dataclass(frozen=True)
class Situation:
    """Seat 0's turn. Cards are given by their names, separated by blanks, as ``"cow coins3 polish"``."""

    piles: Sequence[str]
    """The free piles; as many seats wait."""
    treasures: Sequence[str]
    """What each seat owns, the piles that it has claimed this year included."""
    deck: int = 0
    years: int = 4
    year: int = 4
    drawn: str = ""
    held: str = ""
    options: Options = field(default_factory=Options)

    @property
    def chair(self) -> Chair:
        return Chair(self.options, default_components(), len(self.treasures), 0)

    @property
    def view(self) -> View:
        """The seats behind those that wait have claimed piles of one coin each, which count for nothing here."""
        waiting, seats = len(self.piles), len(self.treasures)
        free = [Pile(len(names.split()), card(names.split()[-1]), (), None) for names in self.piles]
        claimed = [Pile(1, card("coins1"), (), seat) for seat in range(waiting, seats)]
        return View(
            year=self.year,
            years=self.years,
            deck_size=self.deck,
            piles=(*free, *claimed),
            seats=tuple(
                SeatView(seat if seat >= waiting else None, bool(self.held), _treasure(self.treasures[seat]))
                for seat in range(seats)
            ),
            active_seat=0,
            drawn=card(self.drawn) if self.drawn else None,
            held=card(self.held) if self.held else None,
        )

    @property
    def seen(self) -> list[Event]:
        """This year's cards, as they were placed."""
        contents = [names.split() for names in self.piles] + [["coins1"]] * (len(self.treasures) - len(self.piles))
        first = tuple(card(names[0]) for names in contents)
        placed = [CardPlaced(0, pile, card(name), None) for pile, names in enumerate(contents) for name in names[1:]]
        return [YearStarted(self.year, 0, first, self.deck + len(placed)), *placed]

    @property
    def decision(self) -> Decision:
        return PlacementDecision(card(self.drawn)) if self.drawn else TurnDecision()

    @property
    def actions(self) -> list[Action]:
        piles = range(len(self.piles))
        if not self.drawn:
            return [*([Draw()] if self.deck else []), *map(Claim, piles)]
        if not self.held:
            return [*map(Place, piles)]
        return [Play(which, pile) for which in ("drawn", "held") for pile in piles]


def choices(situation: Situation) -> set[Action]:
    """What the greedy policy does, over many random numbers."""
    chosen = set()
    for seed in SEEDS:
        policy = GreedyDragons(situation.chair, Random(seed))
        index = policy.choose(situation.view, situation.seen, situation.decision, situation.actions)
        chosen.add(situation.actions[index])
    return chosen


def _treasure(names: str) -> tuple[CardCount, ...]:
    counts = [0] * FACES
    for name in names.split():
        counts[FACE_OF[card(name)]] += 1
    return card_counts(counts)
