"""Who a bot is: one secret, from which everything it needs again after a restart is derived."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path
from typing import Final

_SECRET_BYTES: Final = 32


class InvalidIdentity(Exception):
    """A file that holds no bot's identity."""


class Identity:
    """A bot's secret and what follows from it.

    The request_id with which a bot takes a seat is derived from the secret. A bot that was killed and started again
    with the same secret asks for its seats with the same request_ids, and is given the same seat tokens again.
    """

    def __init__(self, secret: bytes, *, lasting: bool) -> None:
        self._secret = secret
        self.lasting = lasting
        """Whether an earlier process may have had the same secret."""

    @classmethod
    def fresh(cls) -> Identity:
        """A new one, for this process only."""
        return cls(secrets.token_bytes(_SECRET_BYTES), lasting=False)

    @classmethod
    def of_file(cls, path: Path) -> Identity:
        """The identity kept in ``path``: 64 hexadecimal digits. Created, for its owner's eyes only, if missing.

        Raises `InvalidIdentity` if the file holds something else, and `OSError`.
        """
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return cls(_read_secret(path), lasting=True)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            secret = secrets.token_bytes(_SECRET_BYTES)
            file.write(secret.hex() + "\n")
        return cls(secret, lasting=True)

    def request_id(self, game_id: str, seat: int, turn: int = 0) -> str:
        """The request_id for taking this seat: 64 hexadecimal digits.

        ``turn``: how often the bot has had it before and lost it again, as a substitute may.
        """
        return self._derive(f"request/{game_id}/{seat}" + (f"/{turn}" if turn else "")).hex()

    def nonce(self, game_id: str, seat: int) -> bytes:
        """The bot's share in the game's randomness: 32 bytes that nobody else can foresee."""
        return self._derive(f"nonce/{game_id}/{seat}")

    def default_seed(self) -> str:
        """The seed of a bot that was not given one."""
        return self._derive("seed").hex()

    def _derive(self, purpose: str) -> bytes:
        return hmac.digest(self._secret, b"dragonhall/bot/" + purpose.encode(), "sha256")


def decision_seed(bot_seed: str, seed_commitment: bytes, seat: int, decision_id: int) -> int:
    """The seed of the random numbers for one decision.

    It depends on the bot's seed and on what the game says of itself, not on which process thinks or on what it thought
    about before, so that a game with a given seed can be played again, also by a bot that is restarted in its midst.
    """
    text = hashlib.sha256(bot_seed.encode()).digest() + seed_commitment + b"%d/%d" % (seat, decision_id)
    return int.from_bytes(hashlib.sha256(text).digest())


def _read_secret(path: Path) -> bytes:
    try:
        secret = bytes.fromhex(path.read_text(encoding="ascii"))
    except ValueError:
        secret = b""
    if len(secret) != _SECRET_BYTES:
        raise InvalidIdentity(f"{path} must hold {2 * _SECRET_BYTES} hexadecimal digits; name a new file to create one")
    return secret
