"""What a seat may hope for: worths of encounters, treasures and experience, and all challenges that its hand allows.

Hot: one source that CPython runs and mypyc compiles. It looks at the seat's own hand and at what all see.
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragonisles import hands
from dragonhall.bots.mcts.dragonisles.hands import Reading
from dragonhall.bots.mcts.dragonisles.odds import DICE, Odds, charm_set, odds_of
from dragonhall.bots.mcts.dragonisles.temper import Temper
from dragonhall.rules.dragonisles.facts import CHARACTERS, LAST_ENCOUNTER, MOST_DICE, QUEST_PLACES, TRACKS
from dragonhall.rules.dragonisles.player import Player, count_in
from dragonhall.rules.dragonisles.scoring import ENCOUNTER_TROPHY_POINTS, VARIETY_TROPHY_POINTS, points
from dragonhall.rules.dragonisles.setting import (
    BOOST,
    COIN,
    EXTRA_DIE,
    HAND_LIMIT_TRACK,
    NONE,
    ON_ROLLED_ONE,
    PIRATE,
    POTION,
    REROLLS_TRACK,
    SEA,
    SEA_TRACK,
    SORCERER,
    SPACES,
    STRIKE,
    TREASURE,
    TROPHIES_TRACK,
    TYPES,
    Setting,
)
from dragonhall.rules.dragonisles.state import State

MOST_AIMS: Final = QUEST_PLACES * 3 * MOST_DICE
_SURE: Final = 0.995
"""With a higher chance of success no more dice are looked at."""


@final
class Outlook:
    """Looks at one seat after another."""

    def __init__(self, setting: Setting, temper: Temper) -> None:
        self._setting: Setting = setting
        self._temper: Temper = temper
        self.odds: Odds = odds_of(setting.components.dice_faces)
        self.reading: Reading = Reading()
        """Of the hand that was looked at last."""
        self.aims: i64 = 0
        """What `look` found: so many challenges that are not hopeless, in these lists."""
        self.places: vec[i64] = vec[i64]([0] * MOST_AIMS)
        self.approaches: vec[i64] = vec[i64]([0] * MOST_AIMS)
        self.dice: vec[i64] = vec[i64]([0] * MOST_AIMS)
        self.wilds: vec[i64] = vec[i64]([0] * MOST_AIMS)
        self.chances: vec[float] = vec[float]([0.0] * MOST_AIMS)
        self.worths: vec[float] = vec[float]([0.0] * MOST_AIMS)
        """Victory points promised, more than by doing nothing."""
        self.best: i64 = NONE
        """Place in these lists of the one that is worth most."""
        self._gains: vec[float] = vec[float]([0.0] * QUEST_PLACES)
        """By place on the Quest Board: what winning there promises."""
        self._eased: vec[i64] = vec[i64]([0] * QUEST_PLACES)
        """Likewise: what the seat's sea track takes off the target."""
        self._points: vec[i64] = vec[i64]([0] * setting.seats)
        """By seat: counted when the one that is looked at needs but one encounter more."""
        self._card: float = 0.0
        """What a card costs now."""
        self._lasts: float = 0.0
        """The part of its worth that what is kept has now."""
        self._lasting: vec[float] = vec[float]([0.0] * (LAST_ENCOUNTER + 1))
        self._advances: vec[float] = vec[float]([0.0] * (len(CHARACTERS) * TRACKS * SPACES))
        self.retune()

    def retune(self) -> None:
        """Works out anew what follows from the temper."""
        temper = self._temper
        for to_win in range(i64(LAST_ENCOUNTER + 1)):
            self._lasting[to_win] = 1.0 - exp(-float(to_win) * temper.pace / temper.patience)
        for character in range(i64(len(CHARACTERS))):
            for place in range(i64(TRACKS)):
                for position in range(i64(SPACES)):
                    self._advances[(character * TRACKS + place) * SPACES + position] = self._advance_worth(
                        character, place, position
                    )

    # ---- Worths

    def _advance_worth(self, character: i64, place: i64, position: i64) -> float:
        """To move a cube up from a position: the next space, and some of the one after it."""
        spaces = self._setting.track_spaces[character * TRACKS + place]
        if position >= spaces:
            return -1.0
        worth = self._space_worth(character, place, position)
        if position + 1 < spaces:
            worth += self._temper.further * self._space_worth(character, place, position + 1)
        return worth

    def _space_worth(self, character: i64, place: i64, position: i64) -> float:
        setting = self._setting
        at = (character * TRACKS + place) * SPACES + position
        more = float(setting.track_values[at + 1] - setting.track_values[at])
        return more * self._point_worth(character, place) + self.reward(character, setting.track_rewards[at + 1])

    def _point_worth(self, character: i64, place: i64) -> float:
        """One more on a track."""
        temper, track_place = self._temper, self._setting.track_place
        kinds: i64 = 7
        if track_place[character * kinds + HAND_LIMIT_TRACK] == place:
            return temper.room
        if track_place[character * kinds + TROPHIES_TRACK] == place:
            return temper.trophy_track
        if track_place[character * kinds + REROLLS_TRACK] == place:
            return temper.reroll
        return temper.sea if track_place[character * kinds + SEA_TRACK] == place else temper.pip

    def reward(self, character: i64, reward: i64) -> float:
        """What an encounter's bonus or a track's space earns."""
        if reward == TREASURE:
            return self._temper.treasure
        if reward == POTION:
            return self._temper.potion
        if reward == COIN:
            return 2.0 * self._temper.coin if character == PIRATE else self._temper.coin
        return 0.0

    def to_win(self, state: State) -> i64:
        """Encounters that the seat which is nearest to the end needs."""
        most: i64 = 0
        for seat in range(state.seats):
            won = len(state.players[seat].encounters)
            if won > most:
                most = won
        return LAST_ENCOUNTER - most

    def _gain(self, state: State, seat: i64, encounter: i64) -> float:
        """What winning an encounter promises, the bonus and the cards that it costs left out."""
        setting = self._setting
        kind = setting.type[encounter]
        worth = float(setting.victory_points[encounter])
        if len(state.players[seat].encounters) == LAST_ENCOUNTER - 1:
            return self._ending(state, seat, encounter)
        worth += self.symbols_worth(state, seat, kind, setting.symbols[encounter])
        return worth + self._temper.advance * self._lasts + self._temper.hurry

    def symbols_worth(self, state: State, seat: i64, kind: i64, symbols: i64) -> float:
        """What more symbols of a type promise: by its trophy, and by the variety trophy."""
        temper, player = self._temper, state.players[seat]
        more = state.track(seat, TROPHIES_TRACK)
        prize = float(ENCOUNTER_TROPHY_POINTS + more)
        holder = state.trophies[kind]
        worth = temper.symbol * prize * float(symbols)
        if holder != seat and self._most_of_others(state, seat, kind) < count_in(player.symbols, kind) + symbols:
            worth = temper.trophy * prize
            if holder != NONE:
                worth += temper.denied * float(ENCOUNTER_TROPHY_POINTS)
        if not player.variety_trophy and count_in(player.symbols, kind) == 0:
            part = temper.last_type
            for other in range(i64(TYPES)):
                if other != kind and count_in(player.symbols, other) == 0:
                    part *= temper.each_type
            worth += part * float(VARIETY_TROPHY_POINTS + more)
        return worth

    def _most_of_others(self, state: State, seat: i64, kind: i64) -> i64:
        most: i64 = 0
        for other in range(state.seats):
            if other != seat:
                count = count_in(state.players[other].symbols, kind)
                if count > most:
                    most = count
        return most

    def _ending(self, state: State, seat: i64, encounter: i64) -> float:
        """What it is worth to end the game with an encounter."""
        setting, player = self._setting, state.players[seat]
        kind = setting.type[encounter]
        own = self._points[seat] + setting.victory_points[encounter]
        holder = state.trophies[kind]
        taken = (
            holder != seat
            and self._most_of_others(state, seat, kind) < count_in(player.symbols, kind) + setting.symbols[encounter]
        )
        if taken:
            own += ENCOUNTER_TROPHY_POINTS + state.track(seat, TROPHIES_TRACK)
        best: i64 = 0
        for other in range(state.seats):
            if other != seat:
                theirs = self._points[other]
                if taken and other == holder:
                    theirs -= ENCOUNTER_TROPHY_POINTS + state.track(other, TROPHIES_TRACK)
                if theirs > best:
                    best = theirs
        margin = (float(own - best) + 1.0) / self._temper.sure_margin
        return self._temper.ending * (1.0 if margin > 1.0 else -1.0 if margin < -1.0 else margin)

    def advance_worth(self, state: State, player: Player, place: i64) -> float:
        """What it is worth to move the cube of a track; -1 if it is at the top."""
        return self._advances[(player.character * TRACKS + place) * SPACES + count_in(player.cubes, place)]

    def treasure_worth(self, state: State, treasure: i64) -> float:
        """A treasure for the seat whose turn it is."""
        setting, temper = self._setting, self._temper
        scroll = setting.scroll[treasure]
        if scroll != NONE:
            return temper.scroll * (1.0 + self.symbols_worth(state, state.active, scroll, 1))
        worth = temper.item
        if setting.trigger[treasure] == ON_ROLLED_ONE:
            worth = temper.charm
        elif setting.benefit[treasure] == COIN:
            worth = temper.pay * self.reward(state.player().character, COIN)
        return worth * self._lasting[self.to_win(state)]

    # ---- Challenges

    def look(self, state: State, seat: i64) -> None:
        """Looks for everything that a seat could challenge now."""
        self.reading.read(state.players[seat].hand)
        self.aims = 0
        self.best = NONE
        self._weigh_circumstances(state, seat)
        self._weigh_encounters(state, seat)
        self._look_for_aims(state, seat, self._page(state, seat))

    def _weigh_circumstances(self, state: State, seat: i64) -> None:
        """What bears on all challenges alike."""
        temper = self._temper
        self._lasts = self._lasting[self.to_win(state) - 1]
        full = float(self.reading.size) / float(state.track(seat, HAND_LIMIT_TRACK))
        self._card = temper.card * self._lasts * (1.0 - temper.crowd * full)

    def _weigh_encounters(self, state: State, seat: i64) -> None:
        """What bears on all challenges of one encounter alike."""
        board, category = state.quest_board, self._setting.category
        sea = state.track(seat, SEA_TRACK)
        if len(state.players[seat].encounters) == LAST_ENCOUNTER - 1:
            for other in range(state.seats):
                self._points[other] = points(state, other)
        for place in range(i64(QUEST_PLACES)):
            encounter = board[place]
            if encounter != NONE:
                self._gains[place] = self._gain(state, seat, encounter)
                self._eased[place] = sea if category[encounter] == SEA else 0

    def _page(self, state: State, seat: i64) -> i64:
        """The page of the odds that a seat challenges by."""
        player, setting = state.players[seat], self._setting
        ones: i64 = 0
        extra: i64 = 0
        treasures = player.treasures
        for at in range(i64(len(treasures))):
            treasure = treasures[at]
            if setting.trigger[treasure] == ON_ROLLED_ONE:
                if setting.benefit[treasure] == EXTRA_DIE:
                    extra += 1
                else:
                    ones += 1
        return self.odds.page(charm_set(ones, extra), state.track(seat, REROLLS_TRACK), count_in(player.potions, BOOST))

    def _look_for_aims(self, state: State, seat: i64, page: i64) -> None:
        """By every approach, then by place: compiled, lists in variables spare their reference counts."""
        board, target, eased, fewest = state.quest_board, self._setting.target, self._eased, self.odds.fewest
        for approach in range(i64(STRIKE + 1)):
            ways = approach * hands.WAYS + self.reading.wilds
            most = self.reading.most[ways]
            bonus = state.track(seat, approach)
            for place in range(i64(QUEST_PLACES)):
                encounter = board[place]
                at = 3 * encounter + approach
                if encounter != NONE and target[at]:
                    needed = target[at] - bonus - eased[place]
                    row = page + (needed if needed > 0 else 0)
                    if fewest[row] <= most:
                        reward = self.reward(state.players[seat].character, self._setting.bonus[at])
                        self._aim(place, approach, row, most, self._gains[place] + reward)

    def _aim(self, place: i64, approach: i64, row: i64, most: i64, gain: float) -> None:
        """One encounter by one approach, with every number of dice that is not hopeless by this row of the odds."""
        temper, lasting, card = self._temper, self._lasts, self._card
        wild, potion, boost = lasting * temper.wild, temper.potion, temper.boost
        chances, spent = self.odds.chances, self.odds.spent
        for dice in range(self.odds.fewest[row], most + 1):
            at = DICE * row + dice
            chance = chances[at]
            wilds = self.reading.wilds_for(approach, dice)
            cost = card * float(dice) + wild * float(wilds)
            worth = chance * (gain - cost) + (1.0 - chance) * potion * lasting - spent[at] * boost * lasting
            self._note(place, approach, dice, wilds, chance, worth)
            if chance >= _SURE:
                return

    def _note(self, place: i64, approach: i64, dice: i64, wilds: i64, chance: float, worth: float) -> None:
        at = self.aims
        self.places[at] = place
        self.approaches[at] = approach
        self.dice[at] = dice
        self.wilds[at] = wilds
        self.chances[at] = chance
        self.worths[at] = worth
        if self.best == NONE or worth > self.worths[self.best]:
            self.best = at
        self.aims = at + 1

    def prepare_worth(self, state: State, seat: i64) -> float:
        """What a PREPARE promises the seat that was looked at: its cards, as far as there is room."""
        draws: i64 = 3 if state.players[seat].character == SORCERER else 2
        room = state.track(seat, HAND_LIMIT_TRACK) - self.reading.size
        kept = float(draws)
        if room < draws:
            kept = float(room) + self._temper.overflow * float(draws - room)
        temper, lasting = self._temper, self._lasts
        worth = temper.prepare + (temper.card * kept + temper.small * float(room)) * lasting
        if self.best != NONE and self.worths[self.best] > 0.0:
            worth += temper.waiting * self.worths[self.best] * (1.0 - self.chances[self.best])
        return worth
