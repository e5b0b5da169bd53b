"""What is to be said of each seat when a turn begins: its *features*, that an estimate goes by.

Hot: one source that CPython runs and mypyc compiles. Points and the race to the eighth encounter, cards and challenges,
potions, tracks, treasures, symbols and trophies, the character, and what the other seats threaten.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragonisles.hands import WAYS
from dragonhall.bots.mcts.dragonisles.outlook import Outlook
from dragonhall.rules.dragonisles.facts import CHARACTERS, LAST_ENCOUNTER, QUEST_PLACES, TRACKS
from dragonhall.rules.dragonisles.player import Player, count_in
from dragonhall.rules.dragonisles.scoring import points
from dragonhall.rules.dragonisles.setting import (
    BOOST,
    COIN,
    DRAW_ONE_AND_CLEAR,
    DRAW_TWO,
    EXTRA_DIE,
    HAND_LIMIT_TRACK,
    NONE,
    ON_ROLLED_ONE,
    ON_SUCCESS,
    TRACK_KINDS,
    TROPHIES_TRACK,
    TYPES,
    Setting,
)
from dragonhall.rules.dragonisles.state import State

FEATURES: Final = 84
"""Of a seat."""
_MARGIN: Final = 2
_HAND: Final = 17
"""Places of features that bear on others' features, too."""
_LEADS: Final = 9
"""Kinds of standing with a trophy."""
_OF_OTHERS: Final = 7
"""Features of what other seats threaten: the last ones."""


@final
class Features:
    """Describes one world after another."""

    def __init__(self, setting: Setting, outlook: Outlook) -> None:
        self._setting: Setting = setting
        self._outlook: Outlook = outlook
        self.values: vec[float] = vec[float]([0.0] * (FEATURES * setting.seats))
        """What `find` found: at ``FEATURES * seat + feature``."""
        self._at: i64 = 0
        self._points: vec[i64] = vec[i64]([0] * setting.seats)
        self._hopes: vec[float] = vec[float]([0.0] * setting.seats)
        """By seat: what its best challenge promises."""
        self._ends: vec[float] = vec[float]([0.0] * setting.seats)
        """By seat: how likely it ends the game with its next turn, if it wants to."""

    def find(self, state: State) -> None:
        """Describes all seats of a world in which a turn begins."""
        for seat in range(state.seats):
            self._points[seat] = points(state, seat)
        for seat in range(state.seats):
            self._at = FEATURES * seat
            self._describe(state, seat)
        for seat in range(state.seats):
            self._at = FEATURES * (seat + 1) - _OF_OTHERS
            self._describe_others(state, seat)

    def _put(self, value: float) -> None:
        self.values[self._at] = value
        self._at += 1

    def _describe(self, state: State, seat: i64) -> None:
        player = state.players[seat]
        self._outlook.look(state, seat)
        self._put(1.0)
        self._describe_race(state, seat)
        self._describe_hand()
        self._put(float(count_in(player.potions, DRAW_TWO)))
        self._put(float(count_in(player.potions, DRAW_ONE_AND_CLEAR)))
        self._put(float(count_in(player.potions, BOOST)))
        for track in range(i64(TRACK_KINDS)):
            value = state.track(seat, track)
            self._put(float(value - 7 if track == HAND_LIMIT_TRACK else value) / 3.0)
        self._describe_treasures(player)
        self._describe_symbols(state, seat)
        for character in range(i64(len(CHARACTERS))):
            self._put(1.0 if player.character == character else 0.0)
        self._describe_leads(state, seat)
        self._describe_chances(state, seat)
        self._describe_prospects(state, seat)

    def _describe_race(self, state: State, seat: i64) -> None:
        """Points, and the way to the eighth encounter."""
        best: i64 = -1
        nearest: i64 = 0
        for other in range(state.seats):
            if other != seat:
                if self._points[other] > best:
                    best = self._points[other]
                won = len(state.players[other].encounters)
                if won > nearest:
                    nearest = won
        own_to_win = LAST_ENCOUNTER - len(state.players[seat].encounters)
        others_to_win = LAST_ENCOUNTER - nearest
        margin = float(self._points[seat] - best) / 10.0
        self._put(float(self._points[seat]) / 20.0)
        self._put(margin)
        self._put(margin if others_to_win <= 3 or own_to_win <= 3 else 0.0)
        self._put(margin if others_to_win <= 1 or own_to_win <= 1 else 0.0)
        self._put(1.0 if margin > 0.0 else 0.0)
        self._put(float(own_to_win) / 8.0)
        self._put(1.0 if own_to_win <= 1 else 0.0)
        self._put(1.0 if own_to_win <= 2 else 0.0)
        self._put(1.0 if own_to_win <= 3 else 0.0)
        self._put(float(others_to_win) / 8.0)
        self._put(1.0 if others_to_win <= 1 else 0.0)
        self._put(1.0 if others_to_win <= 2 else 0.0)
        self._put(1.0 if others_to_win <= 3 else 0.0)
        wait = _wait(state, seat)
        self._put(float(wait) / float(state.seats))
        self._put(1.0 if wait == 0 else 0.0)
        self._put(1.0 / float(state.seats))

    def _describe_hand(self) -> None:
        """Cards, and the challenges that they allow."""
        outlook = self._outlook
        reading = outlook.reading
        self._put(float(reading.size) / 8.0)
        self._put(float(reading.wilds))
        for approach in range(i64(3)):
            self._put(float(reading.most[approach * WAYS + reading.wilds]) / 4.0)
        self._put(float(reading.next_number) / 3.0)
        self._put(float(reading.next_colour) / 4.0)
        best = outlook.best
        if best == NONE:
            self._put(0.0)
            self._put(0.0)
            self._put(0.0)
            return
        self._put(_most(outlook.worths[best], 8.0) / 6.0)
        self._put(outlook.chances[best])
        second = 0.0
        for aim in range(outlook.aims):
            if outlook.places[aim] != outlook.places[best] and outlook.worths[aim] > second:
                second = outlook.worths[aim]
        self._put(_most(second, 8.0) / 6.0)

    def _describe_treasures(self, player: Player) -> None:
        setting = self._setting
        rerolling = 0.0
        extra = 0.0
        drawing = 0.0
        paying = 0.0
        treasures = player.treasures
        for at in range(i64(len(treasures))):
            treasure = treasures[at]
            if setting.trigger[treasure] == ON_ROLLED_ONE:
                if setting.benefit[treasure] == EXTRA_DIE:
                    extra += 1.0
                else:
                    rerolling += 1.0
            elif setting.trigger[treasure] == ON_SUCCESS:
                if setting.benefit[treasure] == COIN:
                    paying += 1.0
                else:
                    drawing += 1.0
        self._put(rerolling)
        self._put(extra)
        self._put(drawing)
        self._put(paying)

    def _describe_symbols(self, state: State, seat: i64) -> None:
        """Trophies held, safe or not, those within reach, and types for the variety trophy."""
        player = state.players[seat]
        held = 0.0
        safe = 0.0
        near = 0.0
        types = 0.0
        for kind in range(i64(TYPES)):
            own = count_in(player.symbols, kind)
            if own:
                types += 0.2
            others = _most_of_others(state, seat, kind)
            if state.trophies[kind] == seat:
                held += 1.0
                if own - others >= 2:
                    safe += 1.0
            elif own + 1 > others:
                near += 1.0
        self._put(held)
        self._put(safe)
        self._put(near)
        self._put(0.0 if player.variety_trophy else types)
        self._put(1.0 if types > 0.7 and not player.variety_trophy else 0.0)
        self._put(1.0 if player.variety_trophy else 0.0)
        self._put(held * float(self._points[seat]) / 20.0)

    def _describe_leads(self, state: State, seat: i64) -> None:
        """How many types there are in each standing, and how many are missing for the variety trophy."""
        first = self._at
        for _ in range(i64(_LEADS + TYPES)):
            self._put(0.0)
        missing: i64 = 0
        for kind in range(i64(TYPES)):
            if count_in(state.players[seat].symbols, kind) == 0:
                missing += 1
            self.values[first + _standing(state, seat, kind)] += 0.5
        if missing < TYPES and not state.players[seat].variety_trophy:
            self.values[first + _LEADS + missing] = 1.0

    def _describe_chances(self, state: State, seat: i64) -> None:
        """The three surest of the encounters that the hand may win, and what promises most points."""
        outlook, setting = self._outlook, self._setting
        surest = 0.0
        second = 0.0
        third = 0.0
        richest = 0.0
        for place in range(i64(QUEST_PLACES)):
            chance = 0.0
            for aim in range(outlook.aims):
                if outlook.places[aim] == place and outlook.chances[aim] > chance:
                    chance = outlook.chances[aim]
            if chance > 0.0:
                rich = chance * float(setting.victory_points[state.quest_board[place]])
                richest = rich if rich > richest else richest
            if chance > surest:
                third = second
                second = surest
                surest = chance
            elif chance > second:
                third = second
                second = chance
            elif chance > third:
                third = chance
        self._put(surest)
        self._put(second)
        self._put(third)
        self._put(richest / 4.0)
        last = len(state.players[seat].encounters) == LAST_ENCOUNTER - 1
        self._ends[seat] = surest if last else 0.0

    def _describe_prospects(self, state: State, seat: i64) -> None:
        """The end within reach, how long the game has lasted, and what grows with it."""
        outlook, player = self._outlook, state.players[seat]
        worth = 0.0
        if outlook.best != NONE:
            worth = outlook.worths[outlook.best]
        own_to_win = LAST_ENCOUNTER - len(player.encounters)
        self._hopes[seat] = _most(worth, 8.0) / 6.0
        self._put(self._ends[seat])
        self._put(worth / 12.0 if own_to_win == 1 else 0.0)
        self._put(float(state.turn) / float(20 * state.seats))
        advance = -1.0
        for place in range(i64(TRACKS)):
            more = outlook.advance_worth(state, player, place)
            advance = more if more > advance else advance
        self._put(advance / 4.0)
        self._put(float(len(player.treasures)) / 4.0)
        self._put(float(state.track(seat, TROPHIES_TRACK)) * float(own_to_win) / 8.0)

    def _describe_others(self, state: State, seat: i64) -> None:
        """Of all other seats the most that one of them threatens, and whether it comes first."""
        hope = 0.0
        end = 0.0
        hand = 0.0
        sooner = 0.0
        won = 0.0
        for other in range(state.seats):
            if other != seat:
                hope = self._hopes[other] if self._hopes[other] > hope else hope
                end = self._ends[other] if self._ends[other] > end else end
                held = self.values[FEATURES * other + _HAND]
                hand = held if held > hand else hand
                if _wait(state, other) < _wait(state, seat) and self._ends[other] > sooner:
                    sooner = self._ends[other]
                won += float(len(state.players[other].encounters)) / 8.0
        ahead = self.values[FEATURES * seat + _MARGIN] > 0.0
        self._put(hope)
        self._put(end)
        self._put(hand)
        self._put(sooner)
        self._put(won / float(state.seats - 1))
        self._put(sooner if ahead else 0.0)
        self._put(end if ahead else 0.0)


def _standing(state: State, seat: i64, kind: i64) -> i64:
    """0 to 2: the seat has a type's trophy, and is ahead by no symbol, one, or more; 3 and 4: nobody has it, and the
    seat has as many symbols as the best other, or not; 5 to 8: another one has it, who is no symbol ahead, one, two,
    or more."""
    lead = count_in(state.players[seat].symbols, kind) - _most_of_others(state, seat, kind)
    holder = state.trophies[kind]
    if holder == seat:
        return 0 if lead <= 0 else 1 if lead == 1 else 2
    if holder == NONE:
        return 3 if lead == 0 else 4
    return 5 if lead >= 0 else 6 if lead == -1 else 7 if lead == -2 else 8


def _most_of_others(state: State, seat: i64, kind: i64) -> i64:
    most: i64 = 0
    for other in range(state.seats):
        count = count_in(state.players[other].symbols, kind)
        if other != seat and count > most:
            most = count
    return most


def _wait(state: State, seat: i64) -> i64:
    """Turns until it is the seat's."""
    wait = seat - state.active
    return wait + state.seats if wait < 0 else wait


def _most(value: float, cap: float) -> float:
    return value if value < cap else cap
