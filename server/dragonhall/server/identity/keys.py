"""API keys: 256 random bits, of which a server is given the SHA-256 alone."""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import Final

PREFIX: Final = "dh_"
"""By which tools that look for leaked secrets know one."""


def new_key() -> str:
    """A key that nobody has had before: ``dh_`` and 43 characters of URL-safe base64."""
    return PREFIX + base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()


def key_hash(key: str) -> str:
    """What is kept of a key: its SHA-256, hexadecimal.

    A key is as random as its hash is long: it needs no salt, and how long a look-up of the hash takes tells nothing.
    """
    return hashlib.sha256(key.encode()).hexdigest()


def stanza(name: str, key: str) -> str:
    """What makes ``key`` known to a server: a part of its auth file."""
    return f'[[caller]]\nname = "{name}"\nkey_sha256 = "{key_hash(key)}"\ncreate = true\n'
