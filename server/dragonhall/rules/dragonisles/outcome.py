"""How a game of DragonIsles ended: the scoring breakdown of every seat, and ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dragonhall.rules.dragonisles.scoring import (
    coin_points,
    encounter_points,
    encounter_trophy_points,
    scroll_points,
    trophy_track_points,
    variety_trophy_points,
)
from dragonhall.rules.game import Outcome, SeatResult
from dragonhall.rules.ranking import ranks

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State


@dataclass(frozen=True)
class Breakdown:
    """How a seat scored, step by step (Count Up Your Victory Points), in victory points."""

    encounters: int
    """Printed on the encounters won."""
    scrolls: int
    """1 a scroll."""
    encounter_trophies: int
    """3 each."""
    variety_trophy: int
    """5 or 0."""
    trophy_track: int
    """The trophies track's value for each trophy of both kinds; 0 without such a track."""
    coins: int
    """1 for each coin, 2 as the Pirate."""
    coin_value: int
    """Coins undoubled: breaks ties (RL-17). Not part of the score."""

    @property
    def score(self) -> int:
        """The sum of all victory points."""
        return (
            self.encounters
            + self.scrolls
            + self.encounter_trophies
            + self.variety_trophy
            + self.trophy_track
            + self.coins
        )


def breakdown(state: State, seat: int) -> Breakdown:
    """How a seat scores with what it has."""
    return Breakdown(
        encounters=encounter_points(state, seat),
        scrolls=scroll_points(state, seat),
        encounter_trophies=encounter_trophy_points(state, seat),
        variety_trophy=variety_trophy_points(state, seat),
        trophy_track=trophy_track_points(state, seat),
        coins=coin_points(state, seat),
        coin_value=state.players[seat].coins,
    )


def outcome(state: State) -> Outcome:
    """The result of a finished game. Equal scores: more coins, undoubled, win; then the rank is shared (RL-17)."""
    found = [breakdown(state, seat) for seat in range(state.seats)]
    places = ranks([(seat.score, seat.coin_value) for seat in found])
    return Outcome(
        tuple(
            SeatResult(seat=seat, score=found[seat].score, rank=places[seat], eliminated=False, breakdown=found[seat])
            for seat in range(state.seats)
        )
    )
