"""What a server has to know of an OpenID Connect issuer to check its JSON Web Tokens: the auth file's ``[oidc]``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dragonhall.server.identity.table import Table

ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
"""Signatures by a private key, checked with a public one: with a shared secret, whoever checks could sign."""

ALGORITHM: Final = re.compile("|".join(ALGORITHMS))


@dataclass(frozen=True, slots=True)
class Issuer:
    """An issuer, and how its tokens are read."""

    name: str
    """``issuer``: exactly as in the tokens' ``iss``."""
    audiences: tuple[str, ...]
    """``audience``: one of these has to be in ``aud``."""
    keys: str
    """``keys``: its JSON Web Key Set, as an ``https://`` URL or a file."""
    ca: Path | None
    """``keys_ca``: the certificates (PEM) by which the URL's server is known; absent: the system's."""
    algorithms: tuple[str, ...]
    """``algorithms``: absent: all of `ALGORITHMS`."""
    leeway_seconds: int
    """``leeway_seconds``: how far its clock may be off. Absent: 30."""
    name_claim: str
    """``name``: the claim that tells callers apart; absent: ``sub``. The caller is called ``oidc:`` and its text."""
    permissions_claim: str | None
    """``permissions``: the claim that gives more than the table does to all: ``create``, ``import``, ``bot:NAME``, in a
    list or in a text with spaces between them."""

    @staticmethod
    def read(table: Table, folder: Path) -> Issuer:
        """From the auth file, which lies in ``folder``. Raises `ConfigError`."""
        algorithms = table.texts("algorithms", ALGORITHM, ALGORITHMS)
        audiences = table.texts("audience")
        if not audiences:
            raise table.wrong("audience", "is needed: who issues tokens for others, too, would let all of them in")
        if not algorithms:
            raise table.wrong("algorithms", "name one at least, or leave it out")
        return Issuer(
            name=table.text("issuer"),
            audiences=tuple(audiences),
            keys=_keys(table, folder),
            ca=_file(table, "keys_ca", folder) if "keys_ca" in table else None,
            algorithms=tuple(algorithms),
            leeway_seconds=table.whole_number("leeway_seconds", 30),
            name_claim=table.text("name", default="sub"),
            permissions_claim=table.text("permissions") if "permissions" in table else None,
        )


def _keys(table: Table, folder: Path) -> str:
    keys = table.text("keys")
    if keys.startswith("https://"):
        return keys
    if "://" in keys:
        raise table.wrong("keys", "has to be a file or begin with https://, for keys are trusted as they come")
    return str(_file(table, "keys", folder))


def _file(table: Table, key: str, folder: Path) -> Path:
    path = folder / table.text(key)
    if not path.is_file():
        raise table.wrong(key, f"there is no file {path}")
    return path
