"""How chance follows from seed and nonces, written a second time: from protos/vectors/README.md alone."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any


def game_key(seed: bytes, nonces: list[bytes]) -> bytes:
    message = b"dragonhall/v1/key" + b"".join(bytes([len(nonce)]) + nonce for nonce in nonces)
    return hmac.new(seed, message, hashlib.sha256).digest()


def words(key: bytes, name: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.new(key, name.encode("utf-8") + b"\x00" + block.to_bytes(8, "big"), hashlib.sha256).digest()
        for at in range(0, 32, 8):
            yield int.from_bytes(digest[at : at + 8], "big")
        block += 1


def number_below(stream: Iterator[int], below: int) -> int:
    while True:
        word = next(stream)
        if not passed_over(word, below):
            return word % below


def passed_over(word: int, below: int) -> bool:
    return word >= 2**64 - 2**64 % below


def shuffled(stream: Iterator[int], items: list[Any]) -> list[Any]:
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = number_below(stream, i + 1)
        items[i], items[j] = items[j], items[i]
    return items
