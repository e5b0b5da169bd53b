"""Chance: where shuffles, draws by lot and dice come from, and how a player can check them.

The whole derivation, for readers in any language (test vectors: ``protos/vectors/randomness.json``):

1. The server draws a secret 32-byte *seed*. ``SHA-256(seed)`` is the *commitment*, public from the game's creation.
2. Each seat may add a *nonce* of 0 to 64 bytes when it sits down. The game's key is
   ``HMAC-SHA256(seed, "dragonhall/v1/key" || for each seat in order: one byte length || nonce)``.
3. Every use of chance has a name. Block *i* (from 0) of the stream *name* is
   ``HMAC-SHA256(key, name in UTF-8 || 0x00 || i as 8 bytes, big-endian)``; its 32 bytes are four big-endian
   64-bit words. A stream's words are used one after another, each once.
4. A *number below n* is ``word mod n`` of the next word that is less than ``2**64 - (2**64 mod n)``; words that are
   not are passed over.
5. A *shuffle* of ``items[0..n-1]`` goes down from ``i = n-1`` to ``1``: swap ``items[i]`` and
   ``items[number below i+1]``.

Streams do not share words, so one more die does not move a card. Bots and samplers never use them.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from librt.random import Random
from mypy_extensions import mypyc_attr

from dragonhall.rules.errors import ChanceMismatch

SEED_BYTES: Final = 32
MAX_NONCE_BYTES: Final = 64


def new_seed() -> bytes:
    """A fresh secret seed of 32 bytes from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> bytes:
    """The public promise of ``seed``: its SHA-256, 32 bytes."""
    _check_seed(seed)
    return hashlib.sha256(seed).digest()


def game_key(seed: bytes, nonces: Sequence[bytes]) -> bytes:
    """The key of a game's random streams (step 2 above).

    ``nonces`` has one entry a seat, in seat order; empty where the seat gave none.
    """
    _check_seed(seed)
    message = b"dragonhall/v1/key"
    for nonce in nonces:
        if len(nonce) > MAX_NONCE_BYTES:
            raise ValueError(f"a nonce has at most {MAX_NONCE_BYTES} bytes, this one has {len(nonce)}")
        message += bytes([len(nonce)]) + nonce
    return hmac.digest(seed, message, "sha256")


def _check_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, this one has {len(seed)}")


@dataclass(frozen=True)
class ChanceOutcome:
    """One outcome of chance, as a record writes it down: either ``order`` or ``number`` is set."""

    name: str
    """What it was for, as ``dragons/treasure``. Several outcomes may share a name."""
    order: tuple[int, ...] | None = None
    """The whole order that a shuffle came to, first item first."""
    number: int | None = None
    """A number drawn by lot, 0-based."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Chance:
    """A source of chance. `apply` and `new` of a game are given one and ask nothing else for luck."""

    def shuffle(self, name: str, items: list[int]) -> list[int]:
        """``items`` in a new order; ``items`` itself is left alone."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.number_below(name, i + 1)
            order[i], order[j] = order[j], order[i]
        return order

    def number(self, name: str, below: int) -> int:
        """A number from 0 to ``below - 1``, each as likely."""
        return self.number_below(name, below)

    def number_below(self, name: str, below: int) -> int:
        """The next number of the stream ``name``; what the two methods above are made of."""
        raise NotImplementedError("a source of chance says how it draws a number")


@mypyc_attr(allow_interpreted_subclasses=True)
class SeededChance(Chance):
    """Chance derived from a game's key: the same key gives the same outcomes on any machine."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._words: dict[str, list[int]] = {}
        self._blocks: dict[str, int] = {}

    def number_below(self, name: str, below: int) -> int:
        if not 0 < below <= 1 << 64:
            raise ValueError(f"a number below {below} cannot be drawn: 1 to 2**64 is the range")
        limit = (1 << 64) - (1 << 64) % below
        word = self._next_word(name)
        while word >= limit:
            word = self._next_word(name)
        return word % below

    def _next_word(self, name: str) -> int:
        words = self._words.get(name)
        if not words:
            words = self._words[name] = self._next_block(name)
        return words.pop()

    def _next_block(self, name: str) -> list[int]:
        i = self._blocks.get(name, 0)
        self._blocks[name] = i + 1
        block = hmac.digest(self._key, name.encode() + b"\0" + i.to_bytes(8, "big"), "sha256")
        return [int.from_bytes(block[k : k + 8], "big") for k in (24, 16, 8, 0)]


@final
class RandomChance(Chance):
    """Chance from a random number generator of the caller's own: for playouts and search, never for a served game."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def number(self, name: str, below: int) -> int:
        return self._rng.randrange(below)

    def number_below(self, name: str, below: int) -> int:
        return self._rng.randrange(below)


class NotedChance(Chance):
    """Passes another source on and notes every outcome, for the game's record."""

    def __init__(self, source: Chance) -> None:
        self._source = source
        self._noted: list[ChanceOutcome] = []

    def shuffle(self, name: str, items: list[int]) -> list[int]:
        order = self._source.shuffle(name, items)
        self._noted.append(ChanceOutcome(name, order=tuple(order)))
        return order

    def number(self, name: str, below: int) -> int:
        number = self._source.number(name, below)
        self._noted.append(ChanceOutcome(name, number=number))
        return number

    def number_below(self, name: str, below: int) -> int:
        return self._source.number_below(name, below)

    def take(self) -> tuple[ChanceOutcome, ...]:
        """The outcomes since the last call."""
        noted = tuple(self._noted)
        self._noted.clear()
        return noted


class RecordedChance(Chance):
    """Plays back outcomes that were written down, in their order, and checks that they fit."""

    def __init__(self, outcomes: Sequence[ChanceOutcome]) -> None:
        self._outcomes = list(outcomes)
        self._next = 0

    def shuffle(self, name: str, items: list[int]) -> list[int]:
        order = self._take(name).order
        if order is None or sorted(order) != sorted(items):
            raise ChanceMismatch(f"chance outcome {self._next - 1} ({name}) is not an order of its {len(items)} items")
        return list(order)

    def number(self, name: str, below: int) -> int:
        number = self._take(name).number
        if number is None or not 0 <= number < below:
            raise ChanceMismatch(f"chance outcome {self._next - 1} ({name}) is not a number from 0 to {below - 1}")
        return number

    def number_below(self, name: str, below: int) -> int:
        return self.number(name, below)

    def _take(self, name: str) -> ChanceOutcome:
        if self._next == len(self._outcomes):
            raise ChanceMismatch(f"the game asks for {name}, but no chance outcome is left")
        outcome = self._outcomes[self._next]
        self._next += 1
        if outcome.name != name:
            raise ChanceMismatch(f"chance outcome {self._next - 1} is {outcome.name}, but the game asks for {name}")
        return outcome
