"""What a seat of a simulated world looks at, of all that it may do: a few dozen answers out of thousands.

Hot: one source that CPython runs and mypyc compiles. Depends on the seat's own hand and on what all see.
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragonisles import hands
from dragonhall.bots.mcts.dragonisles.guide import Guide
from dragonhall.rules import masks
from dragonhall.rules.dragonisles import cards, choices, preparing, stage
from dragonhall.rules.dragonisles.combinations import rank_of_combination
from dragonhall.rules.dragonisles.facts import TRACKS, WILD
from dragonhall.rules.dragonisles.setting import MONK, REROLLS_TRACK
from dragonhall.rules.dragonisles.stages import STAGES
from dragonhall.rules.dragonisles.state import State

_TEMPERATURE: Final = 1.2
"""An action that promises so many victory points less than another has e times less of a prior."""
_WORSE: Final = 4.0
"""Challenges that promise so many victory points less than the best are not looked at."""
_MORE_TO_DISCARD: Final = 3
"""Discards are chosen among the cards that fit least: as many as have to go, and so many more."""
_MOST_POOL: Final = 10
_MOST_CHARMS: Final = 4
"""Kinds of treasures for a rolled 1 that are told apart."""


@final
class Candidates:
    """Finds the codes that are worth a look, with priors."""

    def __init__(self, guide: Guide, has_priors: bool = True) -> None:
        """Without ``has_priors`` one is as promising as another."""
        self._guide: Guide = guide
        self._has_priors: bool = has_priors
        self.codes: vec[i64] = vec[i64]()
        self.priors: vec[float] = vec[float]()

    def find(self, state: State) -> None:
        """For the seat whose turn it is: sets `codes` and `priors`."""
        self.codes = vec[i64]()
        self.priors = vec[float]()
        asked = state.asked
        if asked == stage.TURN:
            self._turn(state)
        elif asked == stage.DRAW:
            self._draw(state)
        elif asked == stage.HAND_LIMIT:
            self._discard(state)
        elif asked == stage.ONES:
            self._ones(state)
        elif asked == stage.REROLL:
            self._reroll(state)
        elif asked == stage.ADVANCE:
            self._advance(state)
        else:
            self._all(state)

    def _add(self, code: i64, prior: float) -> None:
        self.codes = append(self.codes, code)
        self.priors = append(self.priors, prior if self._has_priors else 1.0)

    def _all(self, state: State) -> None:
        """Everything; the guide's choice comes first."""
        asked = STAGES[state.asked]
        chosen = self._guide.choice(state)
        for place in range(asked.count(state)):
            code = asked.code_at(state, place)
            self._add(code, 2.0 if code == chosen else 1.0)

    # ---- A turn

    def _turn(self, state: State) -> None:
        guide, outlook, seat = self._guide, self._guide.outlook, state.active
        outlook.look(state, seat)
        prepare = outlook.prepare_worth(state, seat)
        best = prepare
        if outlook.best >= 0 and outlook.worths[outlook.best] > best:
            best = outlook.worths[outlook.best]
        self._add(preparing.PREPARE_CODE, exp((prepare - best) / _TEMPERATURE) + 0.1)
        self._potions(state, preparing.FIRST_TURN_POTION, guide.potion(state, best > prepare))
        for aim in range(outlook.aims):
            if outlook.worths[aim] > best - _WORSE:
                self._add(self._challenge(state, aim), exp((outlook.worths[aim] - best) / _TEMPERATURE))

    def _challenge(self, state: State, aim: i64) -> i64:
        guide = self._guide
        approach = guide.outlook.approaches[aim]
        rank = rank_of_combination(approach, state.player().hand, guide.played(state, aim))
        return preparing.FIRST_CHALLENGE + preparing.number_of_challenge(
            state, approach, guide.outlook.places[aim], rank
        )

    def _potions(self, state: State, first: i64, chosen: i64) -> None:
        """The Monk's card goes along, unless there is no room for it."""
        usable = preparing.draw_potions(state)
        monk = state.plays(MONK)
        full = state.excess() + 2 > 0
        for way in range(i64(4)):
            if usable >> way & 1 and (not monk or way & 1 == 1 or full):
                self._add(first + way, 1.0 if first + way == chosen else 0.3)

    def _draw(self, state: State) -> None:
        chosen = self._guide.draw(state)
        sources = STAGES[stage.DRAW]
        for place in range(sources.count(state)):
            code = sources.code_at(state, place)
            if code < preparing.FIRST_DRAW_POTION:
                self._add(code, 2.0 if code == chosen else 1.0)
        self._potions(state, preparing.FIRST_DRAW_POTION, 0)

    def _discard(self, state: State) -> None:
        """Of the cards that fit least all choices of as many as have to go; wild cards only if nothing else is left."""
        hand, excess = state.player().hand, state.excess()
        pool = vec[i64]()
        rest = hand & cards.COLOURED
        while rest and len(pool) < excess + _MORE_TO_DISCARD and len(pool) < _MOST_POOL:
            card = hands.least_used(rest + (hand >> WILD << WILD), self._guide.taste)
            pool = append(pool, card)
            rest -= masks.bit(card)
        if len(pool) <= excess:
            self._add(choices.rank_of_discard(hand, self._guide.discarded(state), excess), 1.0)
            return
        for chosen in range(i64(1), i64(1) << len(pool)):
            if masks.size(chosen) == excess:
                self._add_discard(hand, pool, chosen, excess)

    def _add_discard(self, hand: i64, pool: vec[i64], chosen: i64, excess: i64) -> None:
        discarded: i64 = 0
        late: i64 = 0
        for place in range(i64(len(pool))):
            if chosen >> place & 1:
                discarded += masks.bit(pool[place])
                late += place
        late -= excess * (excess - 1) // 2
        self._add(choices.rank_of_discard(hand, discarded, excess), exp(-0.45 * float(late)))

    # ---- A challenge

    def _ones(self, state: State) -> None:
        """Any kinds of treasure, with all copies, in the order of the kinds: it hardly matters which comes first."""
        kinds = vec[i64]()
        for kind in range(i64(len(state.setting.ones_treasures))):
            if state.unused >> (4 * kind) & 15 and len(kinds) < _MOST_CHARMS:
                kinds = append(kinds, kind)
        self._add(0, 0.3)
        every = i64(1) << len(kinds)
        for chosen in range(i64(1), every):
            sequence: i64 = 0
            steps: i64 = 0
            for place in range(i64(len(kinds))):
                if chosen >> place & 1:
                    for _ in range(state.unused >> (4 * kinds[place]) & 15):
                        sequence |= kinds[place] + 1 << steps
                        steps += 4
            self._add(choices.rank_of_sequence(state.unused, sequence), 1.0 if chosen == every - 1 else 0.5)

    def _reroll(self, state: State) -> None:
        """The lowest dice, any number of them: to reroll a higher one instead is never better."""
        chosen = self._guide.reroll(state)
        self._add(0, 2.0 if chosen == 0 else 0.5)
        part: i64 = 0
        face: i64 = 1
        rest = state.dice >> 4
        for _ in range(state.track(state.active, REROLLS_TRACK)):
            while rest and not rest & 15:
                rest >>= 4
                face += 1
            if rest == 0:
                return
            rest -= 1
            part += masks.bit(4 * face)
            self._add(part, 2.0 if chosen == part else 0.5)

    # ---- What is earned

    def _advance(self, state: State) -> None:
        player = state.player()
        for place in range(i64(TRACKS)):
            worth = self._guide.outlook.advance_worth(state, player, place)
            if worth >= 0.0:
                self._add(place, exp(worth / _TEMPERATURE))
