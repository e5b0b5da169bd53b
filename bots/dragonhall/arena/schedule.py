"""Who sits where, with which deal.

Mirrored games take the luck of the deal and of the seat out of a comparison: each deal is played once with every
rotation of the line-up, so that over a deal everybody has had every seat with the same cards behind it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dragonhall.rules.chance import SEED_BYTES


@dataclass(frozen=True)
class Pairing:
    """One game to be played."""

    number: int
    """Its place in the schedule, from 0."""
    deal: int
    """From 0. Games of one deal have the same seed."""
    rotation: int
    """By how many seats the line-up has moved on, from 0."""
    seats: tuple[str, ...]
    """Bot names, in seat order."""
    seed: bytes
    """32 bytes."""


class Schedule(Iterator[Pairing]):
    """All games of ``deals`` deals between the bots of ``line_up``, in order: an iterator with a position.

    A schedule that was interrupted goes on with ``Schedule(..., position=games done)``.

    >>> schedule = Schedule(("greedy", "random", "random"), deals=2, base_seed=bytes(32))
    >>> [" ".join(pairing.seats) for pairing in schedule][:3]
    ['greedy random random', 'random greedy random', 'random random greedy']
    >>> schedule.position, schedule.total
    (6, 6)

    Rotations that would seat everybody the same again are left out; each bot still has each seat equally often:

    >>> Schedule(("greedy", "random", "greedy", "random"), deals=1, base_seed=bytes(32)).total
    2
    """

    def __init__(self, line_up: Sequence[str], deals: int, base_seed: bytes, position: int = 0) -> None:
        """Raises ValueError for an empty line-up, a base seed that is not 32 bytes, or a position out of range."""
        if not line_up:
            raise ValueError("a line-up has at least one seat")
        if len(base_seed) != SEED_BYTES:
            raise ValueError(f"a base seed has {SEED_BYTES} bytes, this one has {len(base_seed)}")
        self._rotations = distinct_rotations(line_up)
        self._base_seed = base_seed
        self.total = deals * len(self._rotations)
        """Games in all."""
        if not 0 <= position <= self.total:
            raise ValueError(f"position {position} is not within the schedule's {self.total} games")
        self.position = position
        """Games handed out so far."""

    @property
    def games_per_deal(self) -> int:
        """How often each deal is played."""
        return len(self._rotations)

    def __next__(self) -> Pairing:
        if self.position >= self.total:
            raise StopIteration
        number = self.position
        self.position += 1
        deal, rotation = divmod(number, len(self._rotations))
        return Pairing(number, deal, rotation, self._rotations[rotation], deal_seed(self._base_seed, deal))


def distinct_rotations(line_up: Sequence[str]) -> list[tuple[str, ...]]:
    """Every rotation of the line-up that differs from the ones before, beginning with the line-up itself.

    >>> distinct_rotations(("a", "b", "b"))
    [('a', 'b', 'b'), ('b', 'a', 'b'), ('b', 'b', 'a')]
    """
    rotations = [
        tuple(line_up[(seat - by) % len(line_up)] for seat in range(len(line_up))) for by in range(len(line_up))
    ]
    return list(dict.fromkeys(rotations))


def deal_seed(base_seed: bytes, deal: int) -> bytes:
    """The seed of one deal: SHA-256 of ``"dragonhall/arena/deal"``, the base seed, and the deal's number in 8 bytes.

    >>> deal_seed(bytes(32), 0).hex()[:16]
    '774f86da9b2538d5'
    """
    return hashlib.sha256(b"dragonhall/arena/deal" + base_seed + deal.to_bytes(8, "big")).digest()
