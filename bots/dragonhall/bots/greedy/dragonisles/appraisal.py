"""What is worth how much in DragonIsles, in victory points at the end: stock, treasures, trophies, tracks.

Everything that is used up or used again is worth less, the sooner the game may end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import exp, sqrt
from typing import Final

from dragonhall.bots.greedy.dragonisles.table import Table
from dragonhall.bots.greedy.dragonisles.temper import Temper
from dragonhall.rules.dragonisles.facts import (
    APPROACHES,
    ENCOUNTER_TYPES,
    POTIONS,
    Approach,
    Benefit,
    Bonus,
    Encounter,
    EncounterType,
    Potion,
    Reward,
    Target,
    Track,
    Treasure,
)
from dragonhall.rules.dragonisles.scoring import ENCOUNTER_TROPHY_POINTS, VARIETY_TROPHY_POINTS

HOLDING: Final = 0.6
"""To hold a trophy is as good as so many symbols more: ties do not move it."""
SYMBOLS: Final = 1.25
"""Of an encounter, on average."""
SHOWS_A_ONE: Final = 0.55
"""How often some die shows a 1, with the three to five dice of a usual challenge."""
TRIES: Final = 1.3
"""Challenges for a success."""
FEW_CARDS: Final = 0.35
MANY_COLOURS: Final = 0.5
"""How often a success leaves few cards in hand; how often it is made with three colours or more."""
REROLLED_PIPS: Final = (1.0, 0.6, 0.4, 0.3)
"""What a challenge gains by the right to reroll a first, second ... die."""
MARGIN: Final = 3.0
SATURATION: Final = 5.0
"""Cards: some in excess of what is needed are welcome; with so many too few, a card is worth its full price."""
BEST_OF_THREE: Final = 1.4
"""What the best one of three cards is worth, in cards."""
ONE_REROLLED: Final = 0.9
EXTRA_DIE: Final = 1.7
"""The same of treasures for a rolled 1."""


class Appraisal:
    """Worths for one seat at one table."""

    def __init__(self, table: Table, temper: Temper) -> None:
        self.table = table
        self.temper = temper
        self.lasting = 1 - exp(-table.rounds_left / temper.patience)
        """The part of its worth that what is kept in stock has, with so little time left."""
        self.later_successes = max(0.0, table.successes_left - 1)
        self.card = temper.card * self.lasting * self._scarcity()
        self.coin = table.coin_worth(table.me) + 0.05
        self.turn = temper.turn * self.lasting
        self._symbols = [table.symbols(seat) for seat in range(table.seats)]
        self._prizes = [ENCOUNTER_TROPHY_POINTS + table.track("trophies", seat) for seat in range(table.seats)]
        self._gains: dict[tuple[EncounterType, int], float] = {}

    # ---- Stock

    def _scarcity(self) -> float:
        """How much of its worth a card has: the less, the more cards there are for the encounters still to be won."""
        own = self.table.own
        stock = own.hand_size + 2 * own.potions.draw_two + own.potions.draw_one_and_clear
        missing = self.table.successes_left * self.temper.cards_a_success - stock
        return 1 - exp(-max(0.0, missing + MARGIN) / SATURATION)

    @cached_property
    def potion_worths(self) -> dict[Potion, float]:
        """By kind of potion."""
        monk = self.card if self.table.own.character == "monk" else 0.0
        return {
            "draw_two": 2 * self.card + monk,
            "draw_one_and_clear": self.card + self.temper.fresh_board * self.lasting + monk,
            "boost": self.temper.boost * self.lasting * self._boosts_wanted() + monk,
        }

    def _boosts_wanted(self) -> float:
        return min(1.0, self.table.successes_left / (1 + self.table.own.potions.boost))

    @cached_property
    def potion(self) -> float:
        """A potion of the pile; if it is empty, the best one of another seat."""
        pile = self.table.view.potion_pile
        counts = [int(getattr(pile, potion)) for potion in POTIONS]
        if sum(counts):
            worths = [self.potion_worths[potion] for potion in POTIONS]
            return sum(count * worth for count, worth in zip(counts, worths, strict=True)) / sum(counts)
        others = [seat for number, seat in enumerate(self.table.view.seats) if number != self.table.me]
        held = [p for p in POTIONS if any(getattr(seat.potions, p) for seat in others)]
        return max((self.potion_worths[potion] for potion in held), default=0.0)

    def benefit(self, benefit: Benefit | None) -> float:
        """What a treasure brings, once; of an extra die only what it does to the dice counts, elsewhere."""
        return {"coin": self.coin, "draw_1": self.card}.get(benefit or "", 0.0)

    # ---- Treasures

    @cached_property
    def treasure(self) -> float:
        """A treasure: the better one of two. The Trader has the best one of three cards besides."""
        unseen = self.table.unseen_treasures()
        worths = [(self.treasure_worth(kind), number) for kind, number in enumerate(unseen) if number]
        card = BEST_OF_THREE * self.card if self.table.own.character == "trader" else 0.0
        return card + (best_of_draws(worths, 2) if worths else 0.0)

    def treasure_worth(self, kind: int) -> float:
        """A treasure of a kind: what it does as often as there will be an occasion; a scroll at once."""
        treasure = self.table.components.treasures[kind]
        if treasure.scroll is not None:
            return 1 + self.symbols_gained(treasure.scroll, 1)
        if treasure.trigger == "rolled_one":
            pips = EXTRA_DIE if treasure.benefit == "extra_die" else ONE_REROLLED
            once = SHOWS_A_ONE * self.benefit(treasure.benefit) + pips * self.temper.pip
            return once * TRIES * self.later_successes
        return self.benefit(treasure.benefit) * self._fitting(treasure) * self.later_successes

    def _fitting(self, treasure: Treasure) -> float:
        """How many of the own successes fit its condition."""
        when = treasure.when
        if when is None:
            return 1.0
        if when.approach is not None:
            return self.approach_shares[when.approach]
        return FEW_CARDS if when.hand_below is not None else MANY_COLOURS

    @cached_property
    def approach_shares(self) -> dict[Approach, float]:
        """How many challenges are made by each approach: more by those with a bonus."""
        leanings = {approach: exp(0.35 * self.table.track(approach)) for approach in APPROACHES}
        return {approach: leaning / sum(leanings.values()) for approach, leaning in leanings.items()}

    # ---- Symbols

    def symbols_gained(self, kind: EncounterType, symbols: int) -> float:
        """More symbols of a type: the trophies that they bring nearer, and take from others."""
        key = (kind, symbols)
        if key not in self._gains:
            self._gains[key] = self._trophy_gain(kind, symbols) + self._variety_gain(kind)
        return self._gains[key]

    def _trophy_gain(self, kind: EncounterType, symbols: int) -> float:
        me, others = self.table.me, self.table.seats - 1
        place = ENCOUNTER_TYPES.index(kind)
        counts = [of_seat[place] for of_seat in self._symbols]
        holder = self._holder(kind)
        before = self._holding_chances(counts, holder)
        counts[me] += symbols
        if all(count < counts[me] for seat, count in enumerate(counts) if seat != me):
            holder = me
        after = self._holding_chances(counts, holder)
        moved = [prize * (a - b) for prize, a, b in zip(self._prizes, after, before, strict=True)]
        return moved[me] - self.temper.spite * (sum(moved) - moved[me]) / others

    def _holder(self, kind: EncounterType) -> int | None:
        seats = enumerate(self.table.view.seats)
        return next((number for number, seat in seats if kind in seat.encounter_trophies), None)

    def _holding_chances(self, counts: Sequence[int], holder: int | None) -> list[float]:
        """By seat: the chance to hold a trophy at the end, which grows exponentially with the lead in symbols."""
        to_come = self.table.rounds_left / self.temper.pace * SYMBOLS / len(ENCOUNTER_TYPES)
        scale = 0.35 + 0.9 * sqrt(to_come)
        leads = [count + (HOLDING if seat == holder else 0.0) for seat, count in enumerate(counts)]
        nobody = HOLDING if holder is None else 0.0
        top = max(*leads, nobody)
        strengths = [exp((lead - top) / scale) for lead in leads]
        unclaimed = exp((nobody - top) / scale) if holder is None else 0.0
        return [strength / (sum(strengths) + unclaimed) for strength in strengths]

    def _variety_gain(self, kind: EncounterType) -> float:
        own = self._symbols[self.table.me]
        if self.table.own.variety_trophy or own[ENCOUNTER_TYPES.index(kind)]:
            return 0.0
        missing = own.count(0)
        return self._variety(missing - 1) - self._variety(missing)

    def _variety(self, missing: int) -> float:
        """The variety trophy, while symbols of so many types are missing."""
        prize = VARIETY_TROPHY_POINTS + self.table.track("trophies")
        if missing == 0:
            return prize
        return prize / (1 + exp(1.4 * missing - self.later_successes))

    # ---- Experience

    @cached_property
    def advance(self) -> float:
        """The best advance there is."""
        return max(self.advance_worths(), default=0.0)

    def advance_worths(self) -> list[float]:
        """By track of the own board: to move its cube one space up; less than nothing if it is at the top."""
        return [
            self._advance(track, position)
            for track, position in zip(self.table.board.tracks, self.table.own.positions, strict=True)
        ]

    def _advance(self, track: Track, position: int) -> float:
        if position == len(track.values):
            return -1.0
        worth = self._space(track, position)
        if position + 1 < len(track.values) and self.later_successes >= 1:
            worth += self.temper.further_space * self._space(track, position + 1)
        return worth

    def _space(self, track: Track, position: int) -> float:
        more = track.value(position + 1) - track.value(position)
        return more * self._track_worth(track, position) + self.reward(track.rewards[position])

    def _track_worth(self, track: Track, position: int) -> float:
        """One more on a track."""
        if track.name == "trophies":
            return self._trophies_expected
        if track.name == "hand_limit":
            return 0.3 * self.card
        challenges = TRIES * self.later_successes
        if track.name == "rerolls":
            pips = REROLLED_PIPS[min(track.value(position), len(REROLLED_PIPS) - 1)]
            return pips * self.temper.pip * challenges
        share = 0.5 if track.name == "sea" else self.approach_shares[track.name]
        return share * self.temper.pip * challenges

    @cached_property
    def _trophies_expected(self) -> float:
        own = self._symbols[self.table.me]
        expected = 1.0 if self.table.own.variety_trophy else self._variety(own.count(0)) / self._prizes[self.table.me]
        for place, kind in enumerate(ENCOUNTER_TYPES):
            holder = self._holder(kind)
            counts = [of_seat[place] for of_seat in self._symbols]
            expected += self._holding_chances(counts, holder)[self.table.me]
        return expected

    def reward(self, reward: Reward | Bonus | None) -> float:
        """What an encounter or a track's space gives."""
        if reward is None:
            return 0.0
        if reward == "treasure":
            return self.treasure
        return self.coin if reward == "coin" else self.potion

    # ---- Encounters

    def encounter(self, encounter: Encounter, target: Target) -> float:
        """An encounter won by way of one of its targets."""
        return (
            encounter.victory_points
            + self.symbols_gained(encounter.type, encounter.symbols)
            + self.reward(target.bonus)
            + self.advance
        )

    def margin_of_ending(self, encounter: Encounter, target: Target) -> float:
        """By how many points the seat would be ahead of the best other if it won this encounter and the game ended."""
        me, place = self.table.me, ENCOUNTER_TYPES.index(encounter.type)
        scores = [float(self.table.score(seat)) for seat in range(self.table.seats)]
        scores[me] += encounter.victory_points + self.reward(target.bonus) + self.advance
        counts = [of_seat[place] for of_seat in self._symbols]
        counts[me] += encounter.symbols
        holder = self._holder(encounter.type)
        if holder != me and all(count < counts[me] for seat, count in enumerate(counts) if seat != me):
            scores[me] += self._prizes[me]
            if holder is not None:
                scores[holder] -= self._prizes[holder]
        if not self.table.own.variety_trophy and all(self._symbols[me][p] for p in range(5) if p != place):
            scores[me] += self._prizes[me] - ENCOUNTER_TROPHY_POINTS + VARIETY_TROPHY_POINTS
        return scores[me] - max(score for seat, score in enumerate(scores) if seat != me)


def best_of_draws(worths: Iterable[tuple[float, int]], draws: int) -> float:
    """The mean of the best of some draws, each of them equally likely one of all: worths with their numbers.

    >>> best_of_draws([(1.0, 1), (3.0, 1)], 2)
    2.5
    """
    ascending = sorted(worths)
    total = sum(number for _, number in ascending)
    mean, below = 0.0, 0
    for worth, number in ascending:
        at_most = below + number
        mean += worth * ((at_most / total) ** draws - (below / total) ** draws)
        below = at_most
    return mean
