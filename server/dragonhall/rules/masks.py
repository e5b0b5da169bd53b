"""Bit masks: small sets of seats, of cards, of actions, in one number.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

_HIGH_BIT: Final = 1 << 61


def bit(place: i64) -> i64:
    """The mask of one bit, 0 to 61.

    For places above 30: compiled, ``1 << place`` has 32 bits only, since mypyc writes the 1 as a C ``int``.

    >>> bit(40) == 1 << 40
    True
    """
    return _HIGH_BIT >> (61 - place)


def _places() -> vec[i64]:
    places = vec[i64]([0] * _PRIME)
    for place in range(i64(62)):
        places[bit(place) % _PRIME] = place
    return places


_PRIME: Final = 67
"""Powers of 2 up to 2**65 leave different remainders."""
_PLACES: Final[vec[i64]] = _places()
"""By such a remainder: the power."""


def lowest(mask: i64) -> i64:
    """The lowest bit of a mask that is not empty.

    >>> lowest(0b1100)
    2
    """
    remainder = (mask & -mask) % _PRIME
    return _PLACES[remainder]


def size(mask: i64) -> i64:
    """The number of bits.

    >>> size(0b1101)
    3
    """
    bits: i64 = 0
    while mask:
        mask &= mask - 1
        bits += 1
    return bits


def nth(mask: i64, place: i64) -> i64:
    """The bit that has ``place`` bits of the mask below it.

    >>> [nth(0b11010, place) for place in range(3)]
    [1, 3, 4]
    """
    while place:
        mask &= mask - 1
        place -= 1
    return lowest(mask)
