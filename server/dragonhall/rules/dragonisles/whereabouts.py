"""Where adventurer cards can be, as far as one reader was told.

The adventurer deck is made up several times in a game. A card that a reader has not seen since then was in a certain
one of these decks, and can only be where cards of that deck went: its *pool*. Which pool a card is from is known, but
for wild cards, which are alike: if a seat that has unseen cards of two decks plays one, it may have come from either.
Then both are followed up, each as a hypothesis of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import factorial, prod
from typing import Any, Final

from dragonhall.rules.dragonisles.events import (
    AdventurerKept,
    AdventurersOffered,
    CardDrawn,
    CardsDiscarded,
    ChallengeEnded,
    ChallengeStarted,
    DeckShuffled,
    Event,
    HandDealt,
    TavernCardTaken,
    TavernRefilled,
)
from dragonhall.rules.dragonisles.facts import CARD_OF, WILD, WILDS, Adventurer
from dragonhall.rules.dragonisles.worlds import TO_DECK, TO_OFFER
from dragonhall.rules.errors import InconsistentKnowledge

Place = int
"""A seat, `TO_OFFER`, or `TO_DECK`."""
ON_TABLE: Final = -3
"""Place of cards that all see: in the Tavern, played, or discarded."""


class Pool:
    """The unseen cards of one deck, and how many of them are in each place."""

    def __init__(self, cards: list[int], slots: dict[Place, int]) -> None:
        self.cards = cards
        self.slots = slots

    def copy(self) -> Pool:
        """An independent copy."""
        return Pool(list(self.cards), dict(self.slots))

    def move(self, count: int, source: Place, target: Place) -> None:
        """So many unseen cards go from place to place."""
        if self.slots.get(source, 0) < count:
            raise InconsistentKnowledge("more cards were drawn than there were")
        self.slots[source] -= count
        self.slots[target] = self.slots.get(target, 0) + count

    def can_show(self, place: Place, card: int) -> bool:
        """Whether an unseen card at ``place`` may be this one."""
        return self.slots.get(place, 0) > 0 and card in self.cards

    def show(self, place: Place, card: int) -> None:
        """An unseen card at ``place`` turns out to be this one."""
        self.slots[place] -= 1
        self.cards.remove(card)


class Whereabouts:
    """One hypothesis: the pools, and the cards that the reader knows to be in a hand or on offer."""

    def __init__(self, seats: int) -> None:
        every_card = [*range(WILD), *[WILD] * WILDS]
        self.pools = [Pool(every_card, {TO_DECK: len(every_card)})]
        """The newest, to which the deck belongs, is the last."""
        self.known: dict[Place, list[int]] = {place: [] for place in (*range(seats), TO_OFFER)}
        self.discards: list[int] = []
        self._played: list[int] = []
        self._keeper: int | None = None
        """The seat that has kept a card on offer which the reader does not know."""

    def copy(self) -> Whereabouts:
        """An independent copy."""
        twin = Whereabouts(0)
        twin.pools = [pool.copy() for pool in self.pools]
        twin.known = {place: list(cards) for place, cards in self.known.items()}
        twin.discards = list(self.discards)
        twin._played = list(self._played)
        twin._keeper = self._keeper
        return twin

    def ways(self) -> int:
        """In how many ways the unseen cards can be in their places."""
        return prod(
            factorial(len(pool.cards))
            // prod(factorial(count) for place, count in pool.slots.items() if place != TO_DECK)
            for pool in self.pools
        )

    def _hand_dealt(self, event: HandDealt) -> Iterable[Whereabouts]:
        return self._drawn(event.seat, event.cards, event.count)

    def _card_drawn(self, event: CardDrawn) -> Iterable[Whereabouts]:
        return self._drawn(event.seat, None if event.card is None else (event.card,), 1)

    def _tavern_refilled(self, event: TavernRefilled) -> Iterable[Whereabouts]:
        return self._drawn(ON_TABLE, (event.card,), 1)

    def _tavern_card_taken(self, event: TavernCardTaken) -> Iterable[Whereabouts]:
        self.known[event.seat].append(CARD_OF[event.card])
        return (self,)

    def _challenge_started(self, event: ChallengeStarted) -> Iterable[Whereabouts]:
        self._played = _numbers(event.cards)
        return self._shown(event.seat, self._played)

    def _challenge_ended(self, event: ChallengeEnded) -> Iterable[Whereabouts]:
        if not event.succeeded:
            self.known[event.seat] += self._played
        return (self,)

    def _drawn(self, place: Place, cards: tuple[Adventurer, ...] | None, count: int) -> Iterator[Whereabouts]:
        """From the deck to a place."""
        self.pools[-1].move(count, TO_DECK, place)
        if cards is None:
            yield self
            return
        numbers = _numbers(cards)
        if place in self.known:
            self.known[place] += numbers
        for number in numbers:
            if not self.pools[-1].can_show(place, number):
                return
            self.pools[-1].show(place, number)
        yield self

    def _shown(self, place: Place, numbers: list[int]) -> Iterator[Whereabouts]:
        """These cards leave a place for all to see. A wild card that is known to be there goes before an unseen one."""
        if not numbers:
            yield self
            return
        number, rest = numbers[0], numbers[1:]
        if number in self.known[place]:
            self.known[place].remove(number)
            yield from self._shown(place, rest)
            return
        sources = [at for at, pool in enumerate(self.pools) if pool.can_show(place, number)]
        for at in sources:
            twin = self if at == sources[-1] else self.copy()
            twin.pools[at].show(place, number)
            yield from twin._shown(place, rest)

    def _cards_discarded(self, event: CardsDiscarded) -> Iterator[Whereabouts]:
        numbers = _numbers(event.cards)
        self.discards += numbers
        if event.cause == "played":
            yield self
            return
        for after in self._shown(TO_OFFER if event.cause == "trader" else event.seat, numbers):
            after._take_kept_card()
            yield after

    def _deck_shuffled(self, event: DeckShuffled) -> Iterable[Whereabouts]:
        """The discards are the deck. What was left of the one before is being drawn by the Trader."""
        if event.deck != "adventurers":
            return (self,)
        in_flight = self.pools[-1].slots.get(TO_DECK, 0)
        self.pools[-1].move(in_flight, TO_DECK, TO_OFFER)
        self.pools.append(Pool(self.discards, {TO_DECK: len(self.discards)}))
        self.discards = []
        return (self,)

    def _adventurers_offered(self, event: AdventurersOffered) -> Iterator[Whereabouts]:
        in_flight = sum(pool.slots.get(TO_OFFER, 0) for pool in self.pools)
        self.pools[-1].move(event.count - in_flight, TO_DECK, TO_OFFER)
        if event.cards is None:
            yield self
            return
        numbers = _numbers(event.cards)
        for after in self._shown(TO_OFFER, numbers):
            if not any(pool.slots.get(TO_OFFER, 0) for pool in after.pools):
                after.known[TO_OFFER] = list(numbers)
                yield after

    def _adventurer_kept(self, event: AdventurerKept) -> Iterable[Whereabouts]:
        if event.card is not None:
            self.known[TO_OFFER].remove(CARD_OF[event.card])
            self.known[event.seat].append(CARD_OF[event.card])
            return (self,)
        self._keeper = event.seat
        if sum(pool.slots.get(TO_OFFER, 0) for pool in self.pools) == 1:
            self._take_kept_card()  # there is no other one to be discarded
        return (self,)

    def _take_kept_card(self) -> None:
        """The last unseen card on offer is the one that was kept."""
        if self._keeper is not None:
            for pool in self.pools:
                pool.move(pool.slots.get(TO_OFFER, 0), TO_OFFER, self._keeper)
            self._keeper = None


def _numbers(cards: Iterable[Adventurer]) -> list[int]:
    return [CARD_OF[card] for card in cards]


_FOLLOW: Final[dict[type, Callable[[Whereabouts, Any], Iterable[Whereabouts]]]] = {
    HandDealt: Whereabouts._hand_dealt,
    CardDrawn: Whereabouts._card_drawn,
    TavernRefilled: Whereabouts._tavern_refilled,
    TavernCardTaken: Whereabouts._tavern_card_taken,
    ChallengeStarted: Whereabouts._challenge_started,
    ChallengeEnded: Whereabouts._challenge_ended,
    CardsDiscarded: Whereabouts._cards_discarded,
    DeckShuffled: Whereabouts._deck_shuffled,
    AdventurersOffered: Whereabouts._adventurers_offered,
    AdventurerKept: Whereabouts._adventurer_kept,
}
"""What a hypothesis becomes by an event: several where a wild card may have come from several decks, none if it is
wrong."""


def follow(seats: int, told: Iterable[Event]) -> list[Whereabouts]:
    """All hypotheses that fit what a reader was told. Raises `InconsistentKnowledge` if none does."""
    hypotheses = [Whereabouts(seats)]
    for event in told:
        step = _FOLLOW.get(type(event))
        if step is not None:
            hypotheses = [after for hypothesis in hypotheses for after in step(hypothesis, event)]
    if not hypotheses:
        raise InconsistentKnowledge("the events show a card where it cannot have been")
    return hypotheses
