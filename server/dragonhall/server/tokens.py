"""Tokens: what proves a role. The store keeps their hashes alone.

A token is 32 bytes in URL-safe base64 (43 characters). Where the request carries a ``request_id``, the token is derived
from it and the store's secret, so that a repeated request gets the same token although nobody has kept it; otherwise
it is drawn at random.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import Final

SECRET_BYTES: Final = 32
MAX_TOKEN_LENGTH: Final = 128
"""Longer texts are no tokens of ours and are not even hashed."""


class TokenMaker:
    """Makes the tokens of one request."""

    def __init__(self, secret: bytes, request_id: str) -> None:
        self._secret = secret
        self._request_id = request_id

    def token(self, purpose: str) -> str:
        """The token for ``purpose``, as ``host``; with a request id the same one each time."""
        if not self._request_id:
            return _text(secrets.token_bytes(SECRET_BYTES))
        return derived(self._secret, purpose, self._request_id)


def derived(secret: bytes, purpose: str, known: str) -> str:
    """The token for ``purpose`` that follows from something ``known`` to whoever asks: the same one each time."""
    message = b"\0".join((b"dragonhall/token", purpose.encode(), known.encode()))
    return _text(hmac.digest(secret, message, "sha256"))


def token_hash(token: str) -> bytes:
    """What is kept of a token, an invitation code or a request id: its SHA-256."""
    return hashlib.sha256(token.encode()).digest()


def matches(token: str, kept: bytes) -> bool:
    """Whether ``token`` is the one whose hash was ``kept``; takes as long whatever the answer."""
    return hmac.compare_digest(token_hash(token), kept)


def find_hash(token: str, kept: Iterable[bytes]) -> int | None:
    """The position in ``kept`` of the hash of ``token``; every hash is compared, whatever the answer."""
    wanted = token_hash(token)
    found = None
    for i, candidate in enumerate(kept):
        if hmac.compare_digest(wanted, candidate):
            found = i
    return found


def _text(token: bytes) -> str:
    return base64.urlsafe_b64encode(token).rstrip(b"=").decode()
