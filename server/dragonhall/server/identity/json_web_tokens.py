"""Checking JSON Web Tokens: signature, issuer, audience, times; and what their claims say of the caller."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from dragonhall.server.config import ConfigError
from dragonhall.server.identity.key_set import Jwk, KeySet, KeysUnavailable, source_of
from dragonhall.server.identity.oidc import Issuer
from dragonhall.server.refusal import Reason, Refusal

try:
    import jwt
except ImportError as error:
    raise ConfigError(
        'the auth file has [oidc], and what checks JSON Web Tokens is not installed: pip install "dragonhall[oidc]"'
    ) from error

MAX_TOKEN_LENGTH: Final = 8192
MAX_NAME_LENGTH: Final = 200
LEAST_RSA_BITS: Final = 2048

UNREADABLE: Final = (jwt.PyJWTError, ValueError, TypeError, ArithmeticError, RecursionError)
"""What reading a token may raise that somebody has made up: numbers without end, lists in lists in lists."""

WHY: Final[dict[type[Exception], str]] = {
    jwt.ExpiredSignatureError: "it has expired: get a new one",
    jwt.ImmatureSignatureError: "it is not valid yet: is this machine's clock, or its issuer's, off?",
    jwt.InvalidAudienceError: "it is meant for another audience",
    jwt.InvalidIssuerError: "it comes from another issuer",
    jwt.MissingRequiredClaimError: "it has to have the claims exp, iss and aud",
    jwt.InvalidSignatureError: "its signature is wrong",
}
"""What a caller is told; nothing of the token itself."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token says of its bearer."""

    name: str
    permissions: frozenset[str]
    expires: float
    """Unix time in seconds, the leeway added."""


class TokenChecker:
    """Checks the tokens of one issuer. Signatures are checked in threads: they take longer than anything else here."""

    def __init__(self, issuer: Issuer, keys: KeySet | None = None) -> None:
        self.issuer = issuer
        self._keys = keys or KeySet(source_of(issuer.keys, issuer.ca))

    async def check(self, token: str) -> Claims:
        """What a good token says. Raises `Refusal` (CREDENTIALS_INVALID) for every other."""
        if len(token) > MAX_TOKEN_LENGTH:
            raise refused(f"it is longer than {MAX_TOKEN_LENGTH} characters")
        try:
            header = jwt.get_unverified_header(token)
            algorithm = self._algorithm(header)
            key = await self._key(header, algorithm)
            claims = await asyncio.to_thread(self._verified, token, key, algorithm)
        except UNREADABLE as error:
            raise refused(WHY.get(type(error), "it is not one that can be read and checked")) from None
        return self._read(claims)

    def _algorithm(self, header: dict[str, Any]) -> str:
        algorithm = header.get("alg")
        if algorithm not in self.issuer.algorithms:
            raise refused(f"its algorithm is none of {', '.join(self.issuer.algorithms)}")
        if "crit" in header:
            raise refused("its header has critical extensions, and none is known here")
        return str(algorithm)

    async def _key(self, header: dict[str, Any], algorithm: str) -> Jwk:
        try:
            key = await self._keys.find(header.get("kid"))
        except KeysUnavailable as error:
            raise refused(f"{error}: repeat later", timedelta(seconds=error.retry_after_seconds)) from None
        if key is None or key.get("alg", algorithm) != algorithm:
            raise refused("it is not signed with one of the issuer's keys")
        return key

    def _verified(self, token: str, key: Jwk, algorithm: str) -> dict[str, Any]:
        """The claims of a good token. Raises `jwt.PyJWTError`. In a thread."""
        public = jwt.PyJWK(dict(key), algorithm)
        if getattr(public.key, "key_size", LEAST_RSA_BITS) < LEAST_RSA_BITS and key.get("kty") == "RSA":
            raise jwt.InvalidKeyError("too short")
        return jwt.decode(
            token,
            public,
            algorithms=[algorithm],
            audience=self.issuer.audiences,
            issuer=self.issuer.name,
            leeway=self.issuer.leeway_seconds,
            options={"require": ["exp", "iss", "aud"]},
        )

    def _read(self, claims: dict[str, Any]) -> Claims:
        name = claims.get(self.issuer.name_claim)
        if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME_LENGTH or not name.isprintable():
            raise refused(f"its claim {self.issuer.name_claim!r} is no text of 1 to {MAX_NAME_LENGTH} characters")
        given = claims.get(self.issuer.permissions_claim or "", "")
        permissions = given.split() if isinstance(given, str) else given if isinstance(given, list) else []
        return Claims(
            name,
            frozenset(each for each in permissions if isinstance(each, str)),
            float(claims["exp"]) + self.issuer.leeway_seconds,
        )


def refused(why: str, retry_after: timedelta | None = None) -> Refusal:
    """The token does not let its bearer in."""
    return Refusal(Reason.CREDENTIALS_INVALID, f"the JSON Web Token is refused: {why}", retry_after)
