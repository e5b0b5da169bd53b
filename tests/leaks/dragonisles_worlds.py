"""Games of DragonIsles that differ only in what one reader does not know (`worlds` says how they are compared).

Hidden are the orders of the three decks, adventurer cards that other seats drew from the deck until they are played or
discarded, and treasures and adventurer cards on offer to another seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragonisles import DRAGONISLES
from dragonhall.rules.dragonisles.cards import card_list
from dragonhall.rules.dragonisles.facts import (
    APPROACHES,
    CARD_OF,
    CARDS,
    CHARACTERS,
    POTIONS,
    TRACK_NAMES,
    WILD,
    Options,
)
from dragonhall.rules.dragonisles.moves import (
    Action,
    Advance,
    Challenge,
    ChooseCharacter,
    Decline,
    Discard,
    Draw,
    DrawDecision,
    KeepAdventurer,
    KeepTreasure,
    Prepare,
    Reroll,
    TakeCoin,
    TakePotion,
    TurnDecision,
    UsePotion,
    UseTreasures,
)
from dragonhall.rules.dragonisles.player import one
from dragonhall.rules.dragonisles.setting import NONE
from dragonhall.rules.dragonisles.state import State
from tests.leaks.worlds import Proof, Twin, Viewer, World, random_world

COMPONENTS: Final = DRAGONISLES.default_components()
ADVENTURERS: Final = "dragonisles/adventurers"
ENCOUNTERS: Final = "dragonisles/encounters"
TREASURES: Final = "dragonisles/treasures"

_SOME: Final = (CARDS[0], CARDS[30], CARDS[WILD])
ATTEMPTS: list[Action] = [
    *(ChooseCharacter(character) for character in CHARACTERS[:2]),
    Prepare(),
    Decline(),
    *(Draw(place) for place in (None, 0, 1, 2)),
    *(UsePotion(potion, draw) for potion in POTIONS for draw in (False, True)),
    *(Challenge(place, "sneak", (card,)) for place in (0, 4) for card in _SOME),
    *(Challenge(1, approach, _SOME) for approach in APPROACHES[1:]),
    *(Discard((card,)) for card in _SOME),
    Discard(_SOME),
    *(KeepAdventurer(card) for card in _SOME),
    *(KeepTreasure(kind) for kind in (0, 3, len(COMPONENTS.treasures) - 1)),
    *(Advance(track) for track in TRACK_NAMES[:2]),
    UseTreasures((0,)),
    Reroll((1, 2)),
    *(TakePotion(seat, "boost") for seat in range(3)),
    *(TakeCoin(seat) for seat in (0, 2)),
]
"""What every seat tries at every moment; most of it is refused."""


def random_game(seats: int, options: Options, rng: Random, prepare: Callable[[Any], None] | None = None) -> World:
    """A whole random game, in which seats collect cards before they challenge."""
    return random_world(World(DRAGONISLES, COMPONENTS, options, seats, prepare), _choose, rng)


def _choose(state: State, seat: int, rng: Random) -> int:
    legal = state.legal_actions(seat)
    match state.decision(seat):
        case TurnDecision() if len(card_list(state.players[seat].hand)) < 6 and rng.random() < 0.8:
            return legal[0]
        case TurnDecision():
            return max(rng.sample(legal, min(8, len(legal))), key=lambda code: _size(state, seat, code))
        case DrawDecision() if rng.random() < 0.7:
            return next(code for code in legal if code >= 2)  # from the deck, if it has cards
    return rng.choice(legal)


def _size(state: State, seat: int, code: int) -> int:
    """How many cards a challenge plays."""
    action = DRAGONISLES.action(state, seat, code)
    return len(action.cards) if isinstance(action, Challenge) else 0


def with_few_supplies(state: State) -> None:
    """A table on which whoever earns a coin, and soon a potion, takes it from another seat (RL-10)."""
    state.potion_pile = one(0) + one(1) + one(2)
    state.coins_left = 0
    for player in state.players:
        player.coins = 2


# ---- Shuffles, and which of their cards a reader has not seen


@dataclass(frozen=True)
class Shuffle:
    """A deck was shuffled."""

    place: int
    """Among the world's outcomes of chance."""
    moment: int
    """When it happened."""
    order: tuple[int, ...]


Slot = tuple[Shuffle, int]
"""A card by the shuffle that it comes from and its position there."""


def shuffles(proof: Proof, stream: str) -> list[Shuffle]:
    """All shuffles of a deck."""
    outcomes = ((moment, outcome) for moment, step in enumerate(proof.steps) for outcome in step.chance)
    return [
        Shuffle(place, moment, outcome.order)
        for place, (moment, outcome) in enumerate(outcomes)
        if outcome.name == stream and outcome.order is not None
    ]


class Reader:
    """What one reader of a game has not seen, by moment: the cards that may as well lie in each other's places."""

    def __init__(self, proof: Proof, viewer: Viewer) -> None:
        self.proof = proof
        self.viewer = viewer
        self._shuffles = {stream: shuffles(proof, stream) for stream in (ADVENTURERS, ENCOUNTERS, TREASURES)}
        self._seen = list(self._adventurers_seen())
        """By moment: the adventurer cards seen since they were shuffled last; of wild ones it says nothing."""

    def with_unseen_cards_moved(self, moments: range, rng: Random) -> Twin:
        """The cards not seen at the last of ``moments`` are in each other's places."""
        orders: dict[int, list[int]] = {}
        for slots in self.unseen(moments[-1]):
            for (shuffle, position), (_, source) in zip(slots, rng.sample(slots, len(slots)), strict=True):
                orders.setdefault(shuffle.place, list(shuffle.order))[position] = shuffle.order[source]
        world = with_orders(self.proof.world, orders)
        return Twin(world.with_answers(self._kept_instead(moments[-1], orders)), moments)

    def unseen(self, moment: int) -> list[list[Slot]]:
        """By shuffle: the cards not seen since."""
        state: State = self.proof.states[moment]
        return [
            *self._undrawn(ENCOUNTERS, moment, state.encounters.drawn),
            *self._undrawn(TREASURES, moment, max(0, state.treasures.drawn - self._on_offer(state))),
            *self._unseen_adventurers(moment),
        ]

    def _on_offer(self, state: State) -> int:
        """Treasures that another seat has drawn and not yet chosen from."""
        offer = (state.treasure_offer, state.second_treasure)
        return 0 if state.active == self.viewer else sum(treasure != NONE for treasure in offer)

    def _undrawn(self, stream: str, moment: int, drawn: int) -> Iterator[list[Slot]]:
        """The cards that are still in a deck; shuffles that are still to come in whole."""
        past = [shuffle for shuffle in self._shuffles[stream] if shuffle.moment <= moment]
        for shuffle in self._shuffles[stream][max(0, len(past) - 1) :]:
            first = drawn if shuffle in past else 0
            yield [(shuffle, position) for position in range(first, len(shuffle.order))]

    def _unseen_adventurers(self, moment: int) -> Iterator[list[Slot]]:
        """Those in the deck, in other hands and on offer to others; shuffles that are still to come in whole.

        Nobody can say which one of several wild cards was played: once drawn, they count as seen.
        """
        known = {WILD} | self._seen[moment]
        in_deck: int = self.proof.states[moment].adventurers.size()
        for shuffle in reversed(self._shuffles[ADVENTURERS]):
            undrawn = in_deck if shuffle.moment <= moment else len(shuffle.order)
            drawn = len(shuffle.order) - undrawn
            slots = enumerate(shuffle.order)
            yield [(shuffle, position) for position, card in slots if position >= drawn or card not in known]
            if shuffle.moment <= moment:
                known, in_deck = known.union(shuffle.order), 0

    def _adventurers_seen(self) -> Iterator[set[int]]:
        seen: set[int] = set()
        for moment, state in enumerate(self.proof.states):
            seen |= _named(self.proof, moment)
            for shuffle in self._shuffles[ADVENTURERS]:
                if shuffle.moment == moment:
                    seen -= set(shuffle.order)
            seen |= _lying_open(state) | self._own(state)
            yield set(seen)

    def _own(self, state: State) -> set[int]:
        if self.viewer is None:
            return set()
        offer = state.adventurer_offer if state.active == self.viewer else 0
        return {*card_list(state.players[self.viewer].hand), *card_list(offer)}

    def _kept_instead(self, moment: int, orders: Mapping[int, list[int]]) -> dict[int, KeepAdventurer]:
        """Another seat may have kept a card that is another one now: its answers up to ``moment``."""
        unseen = {
            shuffle.order[position]: (shuffle, position)
            for slots in self._unseen_adventurers(moment)
            for shuffle, position in slots
            if shuffle.moment <= moment and shuffle.order[position] != WILD
        }
        instead = {}
        for kept, (seat, action) in enumerate(self.proof.world.answers[:moment]):
            if isinstance(action, KeepAdventurer) and seat != self.viewer and CARD_OF[action.card] in unseen:
                shuffle, position = unseen[CARD_OF[action.card]]
                if shuffle.moment <= kept:
                    instead[kept] = KeepAdventurer(CARDS[orders[shuffle.place][position]])
        return instead


def _named(proof: Proof, moment: int) -> set[int]:
    """The cards that everyone saw in the answer that led to ``moment``."""
    if moment == 0:
        return set()
    match proof.world.answers[moment - 1].action:
        case Challenge(cards=cards) | Discard(cards=cards):
            return {CARD_OF[card] for card in cards}
        case KeepAdventurer(card):
            return set(card_list(proof.states[moment - 1].adventurer_offer)) - {CARD_OF[card]}
    return set()


def _lying_open(state: State) -> set[int]:
    return {*state.tavern, *state.adventurers.discards, *card_list(state.played)}


def with_orders(world: World, orders: Mapping[int, Sequence[int]]) -> World:
    """The same game with other orders of some shuffles, by their places among the outcomes of chance."""
    chance = list(world.chance)
    for place, order in orders.items():
        chance[place] = ChanceOutcome(chance[place].name, order=tuple(order))
    return replace(world, chance=tuple(chance))


def with_the_last_card_instead(proof: Proof, stream: str, moment: int, back: int) -> World:
    """The same game, but the card drawn at ``moment`` (``back`` cards before the last one drawn) is the deck's last."""
    shuffle = next(shuffle for shuffle in reversed(shuffles(proof, stream)) if shuffle.moment <= moment)
    deck = getattr(proof.states[moment], stream.removeprefix("dragonisles/"))
    order, drawn = list(shuffle.order), deck.drawn - 1 - back
    last = max(position for position, card in enumerate(order) if card != order[drawn])
    order[drawn], order[last] = order[last], order[drawn]
    return with_orders(proof.world, {shuffle.place: order})
