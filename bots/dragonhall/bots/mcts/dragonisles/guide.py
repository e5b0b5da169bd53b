"""The guide: a policy for every seat of a simulated world, in the manner of greedy, a thousand times as fast.

Hot: one source that CPython runs and mypyc compiles. It looks at the own hand and at what all see, even where it plays
a seat whose hand the search made up.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from dragonhall.bots.mcts.dragonisles import hands
from dragonhall.bots.mcts.dragonisles.hands import Taste
from dragonhall.bots.mcts.dragonisles.odds import DICE
from dragonhall.bots.mcts.dragonisles.outlook import Outlook
from dragonhall.bots.mcts.dragonisles.temper import Temper
from dragonhall.rules import masks
from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles import adventurers, cards, choices, preparing, stage
from dragonhall.rules.dragonisles.facts import (
    TAVERN_PLACES,
    TRACKS,
    WILD,
)
from dragonhall.rules.dragonisles.player import count_in
from dragonhall.rules.dragonisles.setting import (
    BOOST,
    DRAW_ONE_AND_CLEAR,
    DRAW_TWO,
    MONK,
    NONE,
    REROLLS_TRACK,
    SORCERER,
    Setting,
)
from dragonhall.rules.dragonisles.state import BOOST_VALUE, State

_FAVOURITES: Final = (4, 3, 0, 2, 1)
"""Characters, best first: as greedy has them."""


@final
class Guide:
    """Plays any seat of a world."""

    def __init__(self, setting: Setting, temper: Temper) -> None:
        self._setting: Setting = setting
        self._temper: Temper = temper
        self.outlook: Outlook = Outlook(setting, temper)
        self.taste: Taste = Taste(temper.colour, temper.number, temper.near, temper.twice)

    # ---- Choices

    def play(self, state: State, chance: Chance) -> None:
        """Answers the question that is open, whatever it is."""
        asked = state.asked
        if asked == stage.TURN:
            self._turn(state, chance)
        elif asked == stage.HAND_LIMIT:
            self._discard(state, chance)
        else:
            state.carry_out(self.choice(state), chance, None)

    def choice(self, state: State) -> i64:
        """The code of its answer, but at a turn's beginning, and at a hand limit."""
        asked = state.asked
        if asked == stage.DRAW:
            return self.draw(state)
        if asked == stage.REROLL:
            return self.reroll(state)
        if asked == stage.BOOST:
            return self.boost(state)
        if asked == stage.ONES:
            return self.use(state)
        return self._earning(state)

    def _earning(self, state: State) -> i64:
        asked = state.asked
        if asked == stage.ADVANCE:
            return self.advance(state)
        if asked == stage.KEEP_TREASURE:
            return self.keep_treasure(state)
        if asked == stage.KEEP_ADVENTURER:
            return self.keep_adventurer(state)
        return self._first(state)

    def _first(self, state: State) -> i64:
        """From the seat that sits first; of characters the one that won most."""
        if state.asked == stage.CHOOSE_CHARACTER:
            free = masks.bit(0)
            for at in range(len(_FAVOURITES)):
                free = i64(_FAVOURITES[at])
                if self._is_free(state, free):
                    return free
        if state.asked == stage.TAKE_COIN:
            return self._lowest_coin(state)
        return self._best_potion(state)

    def _is_free(self, state: State, character: i64) -> bool:
        taken = False
        for seat in range(state.seats):
            taken = taken or state.players[seat].character == character
        return not taken

    def _lowest_coin(self, state: State) -> i64:
        seat: i64 = 0
        while seat == state.active or state.players[seat].coins == 0:
            seat += 1
        return seat

    def _best_potion(self, state: State) -> i64:
        best: i64 = NONE
        for seat in range(state.seats):
            for kind in range(i64(3)):
                if seat != state.active and count_in(state.players[seat].potions, kind):
                    best = 3 * seat + kind
        return best

    # ---- A turn

    def _turn(self, state: State, chance: Chance) -> None:
        seat, outlook = state.active, self.outlook
        outlook.look(state, seat)
        prepare = outlook.prepare_worth(state, seat)
        challenges = outlook.best != NONE and outlook.worths[outlook.best] > prepare
        potion = self.potion(state, challenges)
        if potion:
            state.carry_out(potion, chance, None)
        elif challenges:
            self.challenge(state, outlook.best, chance)
        else:
            state.carry_out(preparing.PREPARE_CODE, chance, None)

    def potion(self, state: State, challenges: bool) -> i64:
        """The code of a draw potion that is to be used first; 0 for none. For the seat that was looked at."""
        player = state.player()
        if player.potions & 0xFFFF == 0:
            return 0
        monk: i64 = 1 if player.character == MONK else 0
        room = state.excess()
        if not challenges:
            room += 3 if player.character == SORCERER else 2
        if count_in(player.potions, DRAW_TWO) and room + 2 + monk <= 0:
            return preparing.FIRST_TURN_POTION + monk
        outlook = self.outlook
        poor = outlook.best == NONE or outlook.worths[outlook.best] < self._temper.clear
        if poor and count_in(player.potions, DRAW_ONE_AND_CLEAR) and room + 1 + monk <= 0:
            return preparing.FIRST_TURN_POTION + 2 + monk
        return 0

    def played(self, state: State, aim: i64) -> i64:
        """The cards for a challenge that was found."""
        outlook = self.outlook
        return hands.picked(
            state.player().hand, outlook.approaches[aim], outlook.dice[aim], outlook.wilds[aim], self.taste
        )

    def challenge(self, state: State, aim: i64, chance: Chance) -> None:
        """Begins a challenge that was found."""
        outlook = self.outlook
        played = self.played(state, aim)
        preparing.begin_challenge(state, outlook.approaches[aim], outlook.places[aim], played, None)
        state.go_on(chance, None)

    def draw(self, state: State) -> i64:
        """A card of the Tavern that fits well, or one from the deck."""
        hand = state.player().hand
        best: i64 = preparing.FROM_DECK
        most = self._temper.tavern * float(cards.size(hand)) + self._temper.deck
        for place in range(i64(TAVERN_PLACES)):
            card = state.tavern[place]
            if card != NONE:
                use = 10_000.0 if card == WILD else hands.use_of(hand, card, self.taste)
                if use > most:
                    most = use
                    best = place
        if best == preparing.FROM_DECK and not adventurers.deck_can_give(state):
            return 0 if state.tavern[0] != NONE else 1
        return best

    def _discard(self, state: State, chance: Chance) -> None:
        preparing.discard_excess(state, self.discarded(state), chance, None)
        state.go_on(chance, None)

    def discarded(self, state: State) -> i64:
        """One after another the cards that fit least."""
        hand = state.player().hand
        for _ in range(state.excess()):
            hand -= masks.bit(hands.least_used(hand, self.taste))
        return state.player().hand - hand

    # ---- A challenge

    def use(self, state: State) -> i64:
        """All treasures for a rolled 1."""
        sequence: i64 = 0
        steps: i64 = 0
        for kind in range(i64(len(self._setting.ones_treasures))):
            for _ in range(state.unused >> (4 * kind) & 15):
                sequence |= kind + 1 << steps
                steps += 4
        return choices.rank_of_sequence(state.unused, sequence)

    def reroll(self, state: State) -> i64:
        """Of the lowest dice as many as give the best chance."""
        missing = state.target() - state.total()
        boosts = count_in(state.player().potions, BOOST)
        if missing <= 0:
            return 0
        most = state.track(state.active, REROLLS_TRACK)
        odds = self.outlook.odds
        page = odds.page(0, 0, boosts)
        best: i64 = 0
        highest = 1.0 if missing <= BOOST_VALUE * boosts else 0.0
        highest -= 0.05 * float((missing + 1) // BOOST_VALUE)
        part: i64 = 0
        lifted: i64 = 0
        face: i64 = 1
        rest = state.dice >> 4
        for dice in range(i64(1), most + 1):
            while rest and not rest & 15:
                rest >>= 4
                face += 1
            if rest == 0:
                break
            rest -= 1
            part += masks.bit(4 * face)
            lifted += face
            at = DICE * (page + missing + lifted) + dice
            hope = odds.chances[at] - 0.05 * odds.spent[at]
            if hope > highest:
                highest = hope
                best = part
        return best

    def boost(self, state: State) -> i64:
        """Boosts if they make the challenge succeed."""
        missing = state.target() - state.total()
        if missing <= 0 or missing > BOOST_VALUE * count_in(state.player().potions, BOOST):
            return 0
        return 2 if state.player().character == MONK else 1

    # ---- What is earned

    def advance(self, state: State) -> i64:
        """The track whose next space is worth most."""
        player = state.player()
        best: i64 = 0
        most = -2.0
        for place in range(i64(TRACKS)):
            worth = self.outlook.advance_worth(state, player, place)
            if worth > most:
                most = worth
                best = place
        return best

    def keep_treasure(self, state: State) -> i64:
        """The better one."""
        if state.second_treasure == NONE:
            return 0
        first = self.outlook.treasure_worth(state, state.treasure_offer)
        second = self.outlook.treasure_worth(state, state.second_treasure)
        return 1 if second > first else 0

    def keep_adventurer(self, state: State) -> i64:
        """The one that fits best."""
        hand, offer = state.player().hand, state.adventurer_offer
        coloured = masks.size(offer & cards.COLOURED)
        if cards.wilds(offer):
            return coloured
        best: i64 = 0
        most = -1000.0
        for at in range(coloured):
            use = hands.use_of(hand, cards.card_at(offer, at), self.taste)
            if use > most:
                most = use
                best = at
        return best
