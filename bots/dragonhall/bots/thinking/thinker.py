"""What a bot needs of whatever thinks for its seats."""

from __future__ import annotations

from typing import Protocol

from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking.messages import Choice, Place, Question, Situation


class Thinker(Protocol):
    """Thinks for one seat."""

    async def choose(self, question: Question) -> Choice:
        """What the seat's policy chooses. Raises what the policy raises, or `PolicyFailed`. May be cancelled."""
        ...

    def ponder(self, situation: Situation) -> None:
        """Others are asked, and this is what the seat knows now: it may be thought about, until anything else comes."""
        ...

    def rest(self) -> None:
        """Nothing is to be thought about in the seat for now."""
        ...

    def sit_again(self) -> None:
        """What the seat was told does not hold any more: another policy thinks from the next question on."""
        ...

    def leave(self) -> None:
        """Nothing more will be asked."""
        ...


class Thinkers(Protocol):
    """Where a bot thinks."""

    @property
    def processes(self) -> int:
        """In how many worker processes at most; 0: in its own."""
        ...

    def seat(self, place: Place, game: str, chair: Chair) -> Thinker:
        """Somebody who thinks for a seat of a game (one of `GAMES`)."""
        ...
