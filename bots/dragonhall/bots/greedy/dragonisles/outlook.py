"""What challenges are worth before they are begun: chances of success times worths, for hands as they are or may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from dragonhall.bots.greedy.dragonisles.appraisal import Appraisal
from dragonhall.bots.greedy.dragonisles.growth import best_of_draws
from dragonhall.bots.greedy.dragonisles.hand import GroupWorths, Hand, Planner, Prices, colours_of, hand_of, size
from dragonhall.bots.greedy.dragonisles.odds import chance_of_a_one, counted, success_chances
from dragonhall.rules.dragonisles.facts import (
    APPROACHES,
    MOST_DICE,
    QUEST_PLACES,
    Approach,
    Condition,
    Encounter,
    Target,
)

HOPELESS: Final = 0.02
"""A lower chance of success is none."""
PLANS: Final = 3
"""A hand is planned for so many challenges at most."""
MOST_CHARMS: Final = 2
"""Treasures for a rolled 1 that are counted in before the roll."""
BOOST: Final = 2
"""What a boost adds."""


class Prospect(NamedTuple):
    """A challenge with some number of cards, if it needs some total of the dice."""

    success: float
    """The chance to succeed, with as many boosts as it takes."""
    cost: float
    """The mean worth of the boosts used, less what treasures for a rolled 1 bring, succeed or not."""
    tries: float
    """How often it is tried on average from the next turn on, until it succeeds or another seat ends the game."""


class Outlook:
    """Challenges that may come, for one seat at one table."""

    def __init__(self, appraisal: Appraisal) -> None:
        self.appraisal = appraisal
        self.stock = appraisal.stock
        self._table = appraisal.table
        self._temper = appraisal.temper
        self._faces = self._table.components.dice_faces
        self._rerolls = self._table.track("rerolls")
        charms = self._table.charms()
        counts = Counter(counted(charms, MOST_CHARMS))
        self._extra_dice = counts["extra_die"]
        self._ones = counts.total() - self._extra_dice
        benefits = sum(map(self.stock.benefit, charms))
        self._benefits = [benefits * chance_of_a_one(self._faces, cards) for cards in range(MOST_DICE + 1)]
        self._prospects: dict[int, list[Prospect]] = {}
        self._planners: dict[int, Planner] = {}

    # ---- One challenge

    def prospects(self, encounter: Encounter, approach: Approach, target: Target) -> list[Prospect]:
        """Challenges of an encounter by an approach with 1, 2 ... 6 cards."""
        needed = max(0, target.target - self._table.bonus(encounter, approach))
        if needed not in self._prospects:
            self._prospects[needed] = [self._prospect(cards, needed) for cards in range(1, MOST_DICE + 1)]
        return self._prospects[needed]

    def _prospect(self, cards: int, needed: int) -> Prospect:
        chances = success_chances(self._faces, cards, self._rerolls, self._ones, self._extra_dice)
        boost = self.stock.potions["boost"]
        success, spent = _chance(chances, needed), 0.0
        for used in range(1, self._table.potions("boost") + 1):
            more = _chance(chances, needed - BOOST * used) - success
            success, spent = success + more, spent + more * used * boost
        going_on = self._table.going_on
        tries = going_on / (1 - going_on * (1 - success)) if success > HOPELESS else 0.0
        return Prospect(success, spent - self._benefits[cards], tries)

    # ---- Groups of cards

    @cached_property
    def planner(self) -> Planner:
        """Values hands for the Quest Board as it is."""
        return self._planner_for(range(QUEST_PLACES))

    def planner_without(self, place: int) -> Planner:
        """Values hands for the Quest Board without the encounter at one place."""
        if place not in self._planners:
            self._planners[place] = self._planner_for([other for other in range(QUEST_PLACES) if other != place])
        return self._planners[place]

    @cached_property
    def planner_for_fresh_board(self) -> Planner:
        """Values hands for a Quest Board that is drawn anew."""
        return self._planner(self._on_any_board)

    def _planner_for(self, places: Iterable[int]) -> Planner:
        stay = self._temper.staying ** (self._table.seats - 1)
        shown = [self._at_place[place] for place in places if place in self._at_place]
        if not shown:
            return self.planner_for_fresh_board
        first = [
            [stay * now + (1 - stay) * later for now, later in zip(_best_of(on_board), any_board, strict=True)]
            for on_board, any_board in zip(zip(*shown, strict=True), self._on_any_board, strict=True)
        ]
        return self._planner(first)

    def _planner(self, first: GroupWorths) -> Planner:
        temper, last = self._temper, self._table.to_win == 1
        return Planner(
            Prices(
                first=first,
                later=self._on_any_board,
                spare=0.0 if last else self.stock.spare,
                card=0.0 if last else self.stock.card,
                choice=temper.choice,
                plans=[temper.next_plan**before for before in range(min(PLANS, self._table.to_win))],
                limit=self._table.own.hand_limit,
            )
        )

    @cached_property
    def hand(self) -> Hand:
        """The own hand."""
        return hand_of(self._table.view.hand or ())

    @cached_property
    def _at_place(self) -> dict[int, GroupWorths]:
        """By place on the Quest Board: what groups are worth for the encounter there."""
        board = enumerate(self._table.view.quest_board)
        return {
            place: [self._groups(kind, approach) for approach in APPROACHES]
            for place, kind in board
            if kind is not None
        }

    @cached_property
    def _on_any_board(self) -> GroupWorths:
        """What groups are worth for the best of four encounters that are not known yet."""
        unseen = [(kind, number) for kind, number in enumerate(self._table.unseen_encounters()) if number]
        return [self._best_of_unseen(unseen, approach) for approach in APPROACHES]

    def _best_of_unseen(self, unseen: list[tuple[int, int]], approach: Approach) -> list[float]:
        groups = [self._groups(kind, approach) for kind, _ in unseen] or [[0.0] * (MOST_DICE + 1)]
        numbers = [number for _, number in unseen] or [1]
        return [best_of_draws(zip(worths, numbers, strict=True), QUEST_PLACES) for worths in zip(*groups, strict=True)]

    def _groups(self, kind: int, approach: Approach) -> list[float]:
        """What 0, 1 ... 6 cards are worth for an encounter, tried again and again while there is time."""
        encounter = self._table.components.encounters[kind]
        target = encounter.target(approach)
        if target is None:
            return [0.0] * (MOST_DICE + 1)
        gain, failure, turn = self.appraisal.success(encounter, target), self.stock.potion, self.stock.turn
        return [0.0] + [
            max(0.0, (success * gain + (1 - success) * failure - cost - turn) * tries)
            for success, cost, tries in self.prospects(encounter, approach, target)
        ]

    # ---- After a success

    def left(self, place: int, approach: Approach, cards: Hand, hand: Hand) -> float:
        """What a success with some cards leaves: the rest of the hand, and what treasures and the Warrior draw."""
        if self._table.to_win == 1:
            return 0.0
        return self.planner_without(place).worth(hand) + self._effects(approach, cards, size(hand))

    def _effects(self, approach: Approach, cards: Hand, in_hand: int) -> float:
        """Of treasures that help after a success, in order (RL-20)."""
        worth = self.stock.card if self._table.own.character == "warrior" else 0.0
        for kind in self._table.own.treasures:
            treasure = self._table.components.treasures[kind]
            if treasure.trigger == "success" and _fits(treasure.when, approach, cards, in_hand):
                worth += self.stock.benefit(treasure.benefit)
                in_hand += treasure.benefit == "draw_1"
        return worth

    # ---- Cards to come

    @cached_property
    def drawn(self) -> float:
        """What a card from the deck adds to the own hand, on average."""
        return self.drawn_to(self.hand)

    def drawn_to(self, hand: Hand) -> float:
        """What a card from the deck adds to a hand, on average."""
        unseen = self._table.unseen_adventurers()
        total = sum(unseen)
        if total == 0:
            return 0.0
        worth = sum(number * self.planner.worth(hand + (1 << card)) for card, number in enumerate(unseen) if number)
        return max(0.0, worth / total - self.planner.worth(hand))


def _best_of(groups: Iterable[Sequence[float]]) -> list[float]:
    """By number of cards, the best of all."""
    return [max(worths) for worths in zip(*groups, strict=True)]


def _fits(when: Condition | None, approach: Approach, cards: Hand, in_hand: int) -> bool:
    if when is None:
        return True
    if when.approach is not None:
        return when.approach == approach
    if when.hand_below is not None:
        return in_hand < when.hand_below
    return (1 if approach == "strike" else colours_of(cards)) >= (when.colours_at_least or 0)


def _chance(chances: tuple[float, ...], needed: int) -> float:
    return chances[min(max(needed, 0), len(chances) - 1)]
