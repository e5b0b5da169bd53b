"""Beliefs: full states of Dragons that fit all that one seat knows.

Everything public and the seat's own cards are settled by its events; all other cards, namely the rest of this year's
deck, the later decks, and with ``hidden_card`` the cards in other hands, may lie in any order, each as likely. What the
choices of other seats may tell about their hands is left to whoever uses the samples.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.chance import Chance
from dragonhall.rules.dragons.events import (
    CardDrawn,
    CardPlaced,
    Event,
    HiddenCardDealt,
    LastPileTaken,
    PileClaimed,
    YearEnded,
    YearStarted,
)
from dragonhall.rules.dragons.facts import FACE_OF, FACES, TOTAL_CARDS, Card, Components, Options, check_options
from dragonhall.rules.dragons.moves import DRAW, FIRST_CLAIM
from dragonhall.rules.dragons.state import State, deal_cards, empty_table
from dragonhall.rules.dragons.view import View
from dragonhall.rules.errors import IllegalAction, InconsistentKnowledge
from dragonhall.rules.game import Knowledge

UNKNOWN: Final = -1
"""In place of a face: the card is not known."""


class Belief:
    """What one seat (or spectator) can tell about a game: made once, sampled as often as wanted."""

    def __init__(self, knowledge: Knowledge) -> None:
        """Raises `InconsistentKnowledge` if the events do not lead to the view."""
        view: View = knowledge.view
        self.state = _retold(knowledge.options, len(view.seats), knowledge.events)
        """What is settled, with `UNKNOWN` as the face of every card that is not. To read only."""
        order = list(self.state.deal.order)
        self.unknown = vec[i64]([position for position, face in enumerate(order) if face == UNKNOWN])
        """The positions of the cards that are not settled, ascending."""
        self.unseen = vec[i64](_unseen_faces(knowledge.components, order))
        """The faces of these cards, ascending: which one lies where is all that is unknown."""
        if self._shown_to(knowledge.viewer) != view:
            raise InconsistentKnowledge("the events do not lead to the view: give all of them, and the newest view")

    def sample(self, rng: Random) -> State:
        """A full state that fits, each that fits as likely."""
        return self.state.dealt_anew(self.unknown, self.unseen, rng)

    def _shown_to(self, viewer: int | None) -> View:
        """What is seen by settled cards alone: a face that there is not stands for all others."""
        no_faces = vec[i64]([FACES] * len(self.unknown))
        try:
            return self.state.dealt_anew(self.unknown, no_faces, Random(0)).view(viewer)
        except IndexError:
            raise InconsistentKnowledge("the events do not tell all cards that the view shows") from None


def _unseen_faces(components: Components, order: list[int]) -> list[int]:
    counts = list(components.counts)
    for face in order:
        if face != UNKNOWN:
            counts[face] -= 1
    if min(counts) < 0:
        raise InconsistentKnowledge("the events show more cards of a kind than the component set has")
    return [face for face, count in enumerate(counts) for _ in range(count)]


def _retold(options: Options, seats: int, told: Iterable[Event]) -> State:
    """The state that the events lead to, with `UNKNOWN` for every card that they do not settle."""
    check_options(options, seats)
    story = _Story(empty_table(deal_cards(options, seats, [UNKNOWN] * TOTAL_CARDS)))
    try:
        for event in told:
            story.follow(event)
    except (IllegalAction, LookupError, ValueError) as error:
        raise InconsistentKnowledge(f"the events do not follow from one another: {error}") from None
    if story.state.year == 0:
        raise InconsistentKnowledge("there are no events: give all that the seat was told since the start")
    return story.state


class _Story:
    """Plays a game after its events, and writes each card that they show to its place in the order."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._closing_claim: PileClaimed | None = None
        """The claim that ends the year, held back until its events have shown what is carried home."""

    def follow(self, event: Event) -> None:
        match event:
            case YearStarted():
                self._year_started(event)
            case HiddenCardDealt(seat, card):
                self._settle(self.state.held[seat], card)
            case CardDrawn(seat, card):
                self._act(seat, DRAW)
                self._settle(self.state.drawn, card)
            case CardPlaced():
                self._placed(event)
            case PileClaimed():
                self._claimed(event)
            case LastPileTaken(_, _, rest_of_deck):
                deck = range(self.state.next_card, self.state.deck_end)
                for position, card in zip(deck, rest_of_deck, strict=True):
                    self._settle(position, card)
            case YearEnded():
                self._year_ended(event)

    def _year_started(self, event: YearStarted) -> None:
        if event.year == 1:
            self.state.begin_year(event.first_seat, None)
        for pile, card in zip(range(self.state.seats), event.first_cards, strict=True):
            self._settle(self.state.pile_top[pile], card)

    def _placed(self, event: CardPlaced) -> None:
        """Which of its two cards another seat plays is unknown, and nothing depends on it: say, the drawn one."""
        held = event.played == "held"
        self._settle(self.state.held[event.seat] if held else self.state.drawn, event.card)
        self._act(event.seat, event.pile + self.state.seats if held else event.pile)

    def _claimed(self, event: PileClaimed) -> None:
        if int(self.state.waiting_seats).bit_count() == 2:
            self._closing_claim = event
        else:
            self._act(event.seat, FIRST_CLAIM + event.pile)

    def _year_ended(self, event: YearEnded) -> None:
        for haul in event.hauls:
            self._settle(self.state.held[haul.seat], haul.hidden_card)
        if self._closing_claim is None:
            raise ValueError("a year ended without its last claim")
        self._act(self._closing_claim.seat, FIRST_CLAIM + self._closing_claim.pile)
        self._closing_claim = None

    def _act(self, seat: int, code: int) -> None:
        self.state.apply(seat, code, _NO_CHANCE, None)

    def _settle(self, position: int, card: Card | None) -> None:
        if card is None:
            return
        if position < 0 or self.state.deal.order[position] not in (UNKNOWN, FACE_OF[card]):
            raise ValueError(f"a card cannot have been {card}")
        self.state.deal.order[position] = FACE_OF[card]


_NO_CHANCE = Chance()
