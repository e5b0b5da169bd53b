"""Where the sandbox's luck comes from: random numbers for each world, for its moves, and for each playout in it."""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct
from typing import Final

_NUMBERS: Final = Struct("<QII")


def world_luck(seed: int, world: int) -> int:
    """The seed by which a world is drawn: 63 bits, as all seeds here."""
    return _derived(b"world", seed, world, 0)


def moves_luck(seed: int, world: int) -> int:
    """The seed of the chance that moves in a world ask for."""
    return _derived(b"moves", seed, world, 0)


def playout_luck(seed: int, world: int, playout: int) -> int:
    """The seed of a playout: the same whatever moves it begins after."""
    return _derived(b"playout", seed, world, playout)


def _derived(purpose: bytes, seed: int, world: int, playout: int) -> int:
    digest = blake2b(_NUMBERS.pack(seed, world, playout), digest_size=8, person=purpose).digest()
    return int.from_bytes(digest, "little") >> 1
