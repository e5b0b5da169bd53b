"""How a game of DragonIsles ended: the scoring breakdown of every seat, and ranks."""

from __future__ import annotations

from dataclasses import dataclass


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
