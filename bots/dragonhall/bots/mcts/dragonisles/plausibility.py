"""How plausible the hands of other seats are: what they chose lately must have made sense with these cards.

Hot: one source that CPython runs and mypyc compiles. `past` finds out what was chosen, and how hands changed since.
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.random import Random
from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragonisles import hands
from dragonhall.bots.mcts.dragonisles.guide import Guide
from dragonhall.bots.mcts.dragonisles.temper import Temper
from dragonhall.rules import masks
from dragonhall.rules.dragonisles import cards
from dragonhall.rules.dragonisles.belief import Belief
from dragonhall.rules.dragonisles.facts import TAVERN_PLACES, WILD
from dragonhall.rules.dragonisles.setting import NONE
from dragonhall.rules.dragonisles.state import State

LEFT: Final = 0
"""Cards left the hand for all to see."""
CAME: Final = 1
"""Cards came to the hand for all to see."""
DREW: Final = 2
"""A card came to the hand that the reader did not see."""
PREPARED: Final = 3
CHALLENGED: Final = 4
TOOK: Final = 5
"""The seat drew a card, from Tavern or deck."""
DISCARDED: Final = 6
"""To keep the hand limit."""

_POINTS: Final = 1.0
"""Victory points given away that make a choice e times less plausible."""
_FIT: Final = 100.0
"""The same, of how cards fit together (`hands.Taste`)."""
_LEAST: Final = 0.1
"""No choice is less plausible than that: seats may know better than the guide, or be careless."""

_NO_REASON: Final = 100.0
"""What is given away by a challenge that the guide takes for hopeless."""
_WILD_FITS: Final = 1_000.0
"""How well a wild card fits any hand."""
_LOOKS: Final = 24
"""Worlds that are looked at to find out how plausible a choice is at the most."""
_MOST_PASSED: Final = 15
"""Worlds in a row that are passed over as implausible."""


@final
class Step:
    """Something that happened to a seat's hand, or that it chose."""

    def __init__(self, kind: i64, seat: i64, card_set: i64, table: State, place: i64) -> None:
        self.kind: i64 = kind
        self.seat: i64 = seat
        self.cards: i64 = card_set
        """`LEFT`, `CAME`, `CHALLENGED` and `DISCARDED`: which ones. `DREW`: those that it cannot have been."""
        self.table: State = table
        """A choice: the table as all saw it then, whatever hands it has."""
        self.place: i64 = place
        """`CHALLENGED`: on the Quest Board. `TOOK`: the code of the answer."""
        self.approach: i64 = 0
        self.most: float = 0.0
        """A choice: its plausibility with the hand with which it is the most plausible, of some."""


@final
class Plausibility:
    """Weighs hands by what their seats chose."""

    def __init__(self, guide: Guide, temper: Temper, steps: vec[Step]) -> None:
        """``steps``: seat after seat, the newest first."""
        self._guide: Guide = guide
        self._temper: Temper = temper
        self._steps: vec[Step] = steps
        self.tells: bool = len(steps) > 0
        """Whether there is anything to go by."""

    def compare(self, belief: Belief, rng: Random) -> None:
        """Looks at some worlds first: a choice that makes little sense with any hand tells nothing."""
        for _ in range(_LOOKS if self.tells else 0):
            self._weigh(belief.sample(rng), 0.0, True, rng)

    def of(self, world: State, least: float, rng: Random) -> float:
        """The plausibility of the hands in a world, above 0 and at most 1; or any number that is not above ``least``.

        Which of the unseen cards in a hand came last is drawn at random.
        """
        return self._weigh(world, least, False, rng)

    def _weigh(self, world: State, least: float, compares: bool, rng: Random) -> float:
        steps = self._steps
        plausible = 1.0
        seat: i64 = NONE
        hand: i64 = 0
        for at in range(i64(len(steps))):
            step = steps[at]
            if step.seat != seat:
                seat = step.seat
                hand = world.players[seat].hand
            if step.kind == LEFT:
                hand += step.cards
            elif step.kind == CAME:
                hand -= step.cards
            elif step.kind == DREW:
                hand -= _any_of(hand, step.cards, rng)
            else:
                weight = self._of_choice(step, hand)
                if compares and weight > step.most:
                    step.most = weight
                if weight < step.most:
                    plausible *= weight / step.most
                if plausible <= least:
                    return plausible
        return plausible

    def _of_choice(self, step: Step, hand: i64) -> float:
        """The plausibility of one choice with a hand."""
        given_away = self._given_away(step, hand)
        plausible = exp(-given_away) if given_away > 0.0 else 1.0
        return plausible if plausible > _LEAST else _LEAST

    def _given_away(self, step: Step, hand: i64) -> float:
        if step.kind == DISCARDED:
            return self._given_away_by_discard(step, hand)
        step.table.players[step.seat].hand = hand
        if step.kind == TOOK:
            return self._given_away_by_draw(step, hand)
        return self._given_away_by_turn(step, hand)

    def _given_away_by_turn(self, step: Step, hand: i64) -> float:
        """What the best that the guide sees promises more than what was done."""
        outlook = self._guide.outlook
        outlook.look(step.table, step.seat)
        prepare = outlook.prepare_worth(step.table, step.seat)
        best = prepare
        if outlook.best != NONE and outlook.worths[outlook.best] > best:
            best = outlook.worths[outlook.best]
        if step.kind == PREPARED:
            return (best - prepare) / _POINTS
        aim = self._aim_of(step)
        if aim == NONE:
            return _NO_REASON
        return (best - outlook.worths[aim]) / _POINTS + self._given_away_by_cards(step, hand, aim) / _FIT

    def _aim_of(self, step: Step) -> i64:
        """The challenge that was begun, as the guide sees it; with fewer dice, if it sees no sense in so many."""
        outlook = self._guide.outlook
        dice = cards.size(step.cards)
        found: i64 = NONE
        for aim in range(outlook.aims):
            alike = outlook.places[aim] == step.place and outlook.approaches[aim] == step.approach
            if alike and outlook.dice[aim] <= dice:
                found = aim
        return found

    def _given_away_by_cards(self, step: Step, hand: i64, aim: i64) -> float:
        """How much better the cards fit that were played than those that the guide would have played."""
        outlook, taste = self._guide.outlook, self._guide.taste
        dice, wilds = outlook.dice[aim], outlook.wilds[aim]
        if dice != cards.size(step.cards) or wilds != cards.wilds(step.cards):
            return 0.0
        picked = hands.picked(hand, step.approach, dice, wilds, taste)
        return hands.loss_of(hand, step.cards, taste) - hands.loss_of(hand, picked, taste)

    def _given_away_by_draw(self, step: Step, hand: i64) -> float:
        """A card of the Tavern counts by how well it fits, one from the deck as much as the guide asks for."""
        table, guide = step.table, self._guide
        best = self._temper.tavern * float(cards.size(hand)) + self._temper.deck
        done = best
        for place in range(i64(TAVERN_PLACES)):
            card = table.tavern[place]
            if card != NONE:
                use = _WILD_FITS if card == WILD else hands.use_of(hand, card, guide.taste)
                if use > best:
                    best = use
                if place == step.place:
                    done = use
        return (best - done) / _FIT

    def _given_away_by_discard(self, step: Step, hand: i64) -> float:
        """How much better the cards fit that were discarded than those that fit least."""
        taste = self._guide.taste
        kept = hand
        for _ in range(cards.size(step.cards)):
            kept -= masks.bit(hands.least_used(kept, taste))
        more = hands.loss_of(hand, step.cards, taste) - hands.loss_of(hand, hand - kept, taste)
        more += _WILD_FITS * float(cards.wilds(step.cards) - cards.wilds(hand - kept))
        return more / _FIT


def _any_of(hand: i64, others: i64, rng: Random) -> i64:
    """One card of a hand, drawn at random, that is not among ``others``; none if there is none."""
    coloured = hand & ~others & cards.COLOURED
    wilds = cards.wilds(hand) - cards.wilds(others)
    count = masks.size(coloured) + (wilds if wilds > 0 else 0)
    if count == 0:
        return 0
    place = rng.randrange(count)
    return masks.bit(cards.card_at(coloured, place))


@final
class Seeds:
    """The seeds of a problem's worlds, one after another: those of implausible worlds are passed over.

    A world is kept with its plausibility. So each that fits can come, the more often the more plausible it is.
    """

    def __init__(self, belief: Belief, plausibility: Plausibility, stride: i64) -> None:
        """``stride``: from seed to seed."""
        self._belief = belief
        self._plausibility = plausibility
        self._stride: i64 = stride
        self.begun: bool = False
        self._next: i64 = 0
        self._kept: vec[i64] = vec[i64]()
        self._rng: Random = Random(0)

    def begin_with(self, seed: i64) -> None:
        """The first seed."""
        self.begun = True
        self._next = seed
        self._rng.seed(seed)
        self._plausibility.compare(self._belief, self._rng)

    def at(self, place: i64) -> i64:
        """The seed at a place, from 0."""
        while len(self._kept) <= place:
            self._pass_over()
            self._kept = append(self._kept, self._next)
            self._next += self._stride
        return self._kept[place]

    def _pass_over(self) -> None:
        if not self._plausibility.tells:
            return
        for _ in range(_MOST_PASSED):
            self._rng.seed(self._next)
            world = self._belief.sample(self._rng)
            needed = self._rng.random()
            if self._plausibility.of(world, needed, self._rng) > needed:
                return
            self._next += self._stride
