"""How likely each seat of a world is to win: what a search goes by that does not play to the end.

Hot: one source that CPython runs and mypyc compiles. What is looked at are the *features* of each seat when a turn
begins. A small network, fitted to games that the guide played against itself, makes the seat's strength of them.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragonisles.hands import WAYS
from dragonhall.bots.mcts.dragonisles.outlook import Outlook
from dragonhall.bots.mcts.network import Network, to_chances
from dragonhall.rules.dragonisles.facts import LAST_ENCOUNTER
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
    TYPES,
    Setting,
)
from dragonhall.rules.dragonisles.state import State

FEATURES: Final = 53
"""Of a seat."""


@final
class Worth:
    """Weighs one world after another."""

    def __init__(self, setting: Setting, outlook: Outlook, network: Network) -> None:
        self._setting: Setting = setting
        self._outlook: Outlook = outlook
        self._network: Network = network
        self.features: vec[float] = vec[float]([0.0] * FEATURES)
        """Of the seat that was looked at last."""
        self._points: vec[i64] = vec[i64]([0] * setting.seats)
        self._at: i64 = 0
        self.chances: vec[float] = vec[float]([0.0] * setting.seats)
        """By seat: to win; what `weigh` found."""

    def weigh(self, state: State) -> None:
        """Weighs a world in which a turn begins."""
        self._count(state)
        for seat in range(state.seats):
            self.describe(state, seat)
            self.chances[seat] = self._network.strength(self.features, 0, FEATURES)
        to_chances(self.chances)

    # ---- Features

    def _count(self, state: State) -> None:
        for seat in range(state.seats):
            self._points[seat] = points(state, seat)

    def describe(self, state: State, seat: i64) -> None:
        """Finds the features of a seat; its points, and all others', were counted."""
        self._at = 0
        self._put(1.0)
        self._describe_race(state, seat)
        self._describe_hand(state, seat)
        player = state.players[seat]
        self._put(float(count_in(player.potions, DRAW_TWO)))
        self._put(float(count_in(player.potions, DRAW_ONE_AND_CLEAR)))
        self._put(float(count_in(player.potions, BOOST)))
        for track in range(i64(TRACK_KINDS)):
            value = state.track(seat, track)
            self._put(float(value - 7 if track == HAND_LIMIT_TRACK else value) / 3.0)
        self._describe_treasures(player)
        self._describe_symbols(state, seat)
        for character in range(i64(5)):
            self._put(1.0 if player.character == character else 0.0)

    def _put(self, value: float) -> None:
        self.features[self._at] = value
        self._at += 1

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
        wait = seat - state.active
        if wait < 0:
            wait += state.seats
        self._put(float(wait) / float(state.seats))
        self._put(1.0 if wait == 0 else 0.0)
        self._put(1.0 / float(state.seats))

    def _describe_hand(self, state: State, seat: i64) -> None:
        """Cards, and the challenges that they allow."""
        outlook = self._outlook
        outlook.look(state, seat)
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
            others: i64 = 0
            for other in range(state.seats):
                count = count_in(state.players[other].symbols, kind)
                if other != seat and count > others:
                    others = count
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


def _most(value: float, cap: float) -> float:
    return value if value < cap else cap
