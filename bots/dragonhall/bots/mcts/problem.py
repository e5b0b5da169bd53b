"""What a search needs to know of a game: one decision of one seat, with a world in which it is tried out.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from dragonhall.rules.game import State

NONE: Final = -1
"""No seat, no action."""
WIN_WEIGHT: Final = 0.9
"""How much of a seat's utility is its share of the win. The rest is its rank: so that who cannot win plays on."""

_HALF: Final = 30
_HALF_MASK: Final = (1 << 30) - 1
_MASK: Final = (1 << 60) - 1
_FIRST_FACTOR: Final = 0x2545F491
_SECOND_FACTOR: Final = 0x1B873593


def mix(key: i64, number: i64) -> i64:
    """A key for all that went into ``key``, and then ``number``; 60 bits. Different inputs nearly always differ.

    No product here has more than 62 bits, so that it is the same number compiled and interpreted.

    >>> mix(mix(0, 1), 2) != mix(mix(0, 2), 1)
    True
    """
    mixed = (key & _HALF_MASK) * _FIRST_FACTOR + (key >> _HALF) * _SECOND_FACTOR & _MASK ^ number & _MASK
    mixed ^= mixed >> 31
    low = (mixed & _HALF_MASK) * _FIRST_FACTOR & _MASK
    high = (mixed >> _HALF ^ mixed & _HALF_MASK) * _SECOND_FACTOR & _MASK
    mixed = low + high + 0x5BD1E995 & _MASK
    mixed ^= mixed >> 31
    low = (mixed & _HALF_MASK) * _SECOND_FACTOR & _MASK
    mixed = low ^ mixed >> _HALF ^ (mixed & _HALF_MASK) << _HALF
    return mixed ^ mixed >> 29


@mypyc_attr(allow_interpreted_subclasses=True)
class Problem:
    """One decision of one seat. Inside it is the *world* that is being simulated: a full state that fits all that the
    seat knows, begun anew with each simulation.

    A game's problem says who chooses next in the world, what that seat can tell, which of its actions are worth a look,
    and how the world ends. It reads the deciding seat's `Knowledge` and nothing else.
    """

    def __init__(self, seats: int) -> None:
        self.seats: i64 = seats
        self.codes: vec[i64] = vec[i64]()
        """What `candidates` found: codes of legal actions, each once."""
        self.priors: vec[float] = vec[float]()
        """Of each of these how promising it is: a positive weight, on any scale."""
        self.utilities: vec[float] = vec[float]([0.0] * seats)
        """What `finish` found, by seat: how much the seat has of what it wants, 0 to 1; 1 is a win of its own."""
        self.ranks: vec[float] = vec[float]([0.0] * seats)
        """Likewise: the rank that the seat is expected to have, 1 to the number of seats; seats that tie have their
        places' mean."""

    def begin(self, rng: Random) -> None:
        """Begins a new simulation: in a world drawn from all that fit what the deciding seat knows."""
        raise NotImplementedError("a game's problem draws worlds")

    def state(self) -> State:
        """A full state, as the rules have it, that fits what the deciding seat knows: to read its legal actions off."""
        raise NotImplementedError("a game's problem has states that fit")

    def actor(self) -> i64:
        """The seat that chooses next in the world; `NONE` once the game is over there.

        Where seats choose together, they do it one after another, in any order: none of them can tell (see `key`).
        """
        raise NotImplementedError("a game's problem says who chooses")

    def in_secret(self) -> bool:
        """Whether the actor chooses together with others, so that it should not be easily foreseen."""
        return False

    def key(self) -> i64:
        """A number for what the actor can tell, made with `mix`; never 0.

        Worlds that the actor cannot tell apart have the same key: it must not depend on what others hold, or have
        chosen in secret. Worlds with the same key have the same `candidates`. Positions that the actor could tell
        apart may share one (an abstraction): their statistics are then shared.
        """
        raise NotImplementedError("a game's problem says what the actor knows")

    def candidates(self) -> None:
        """Finds the actor's actions that are worth a look, one at least: sets `codes` and `priors`.

        Depends on nothing that the actor cannot tell.
        """
        raise NotImplementedError("a game's problem says what may be done")

    def apply(self, code: i64, rng: Random) -> None:
        """Carries an action of the actor out in the world; ``rng`` stands in for the game's chance."""
        raise NotImplementedError("a game's problem carries actions out")

    def finish(self, rng: Random) -> None:
        """Plays on for as long as that is worth it, and says how it ends: by `settle` or `expect`."""
        raise NotImplementedError("a game's problem says how worlds end")

    # ---- How it ends

    def settle(self, standings: vec[i64], part: float) -> None:
        """The game is over: ``standings`` has a number for each seat, the greater the better; equal ones tie.

        Sets `utilities` and `ranks`. ``part``: how much that counts, 0 to 1; the rest is what was found before.
        """
        for seat in range(self.seats):
            better: i64 = 0
            alike: i64 = 0
            for other in range(self.seats):
                if standings[other] > standings[seat]:
                    better += 1
                elif standings[other] == standings[seat]:
                    alike += 1
            share = 1.0 / float(alike) if better == 0 else 0.0
            self._conclude(seat, share, 1.0 + float(better) + float(alike - 1) / 2.0, part)

    def expect(self, chances: vec[float], part: float) -> None:
        """The game goes on: ``chances`` to win, by seat, together 1. Each seat is before another one in proportion.

        Sets `utilities` and `ranks`; ``part`` as for `settle`.
        """
        for seat in range(self.seats):
            rank = 1.0
            for other in range(self.seats):
                if other != seat:
                    rank += chances[other] / (chances[seat] + chances[other] + 1e-12)
            self._conclude(seat, chances[seat], rank, part)

    def _conclude(self, seat: i64, share: float, rank: float, part: float) -> None:
        others = float(self.seats - 1)
        utility = WIN_WEIGHT * share + (1.0 - WIN_WEIGHT) * (float(self.seats) - rank) / others
        if part < 1.0:
            utility = part * utility + (1.0 - part) * self.utilities[seat]
            rank = part * rank + (1.0 - part) * self.ranks[seat]
        self.utilities[seat] = utility
        self.ranks[seat] = rank
