"""Who calls: what a call's metadata, certificate and address show, in this order."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import unquote

import grpc

from dragonhall.server.identity.callers import Callers
from dragonhall.server.identity.quotas import Share
from dragonhall.server.refusal import Reason, Refusal

Context = grpc.aio.ServicerContext[Any, Any]

NAMES_IN_CERTIFICATES: Final = ("x509_subject_alternative_name", "x509_common_name")
"""As gRPC calls them."""


class Doorman:
    """Finds the share of a call's caller."""

    def __init__(self, callers: Callers, asks_certificates: bool) -> None:
        """``asks_certificates``: whether clients have been asked for one, and have shown it."""
        self._callers = callers
        self._asks_certificates = asks_certificates

    async def share(self, context: Context) -> Share:
        """Of whoever calls. Raises `Refusal` (CREDENTIALS_INVALID): with bad credentials one is not anyone."""
        credential = _bearer(context) if self._callers.knows_any else None
        if credential is not None:
            return self._callers.remembered(credential) or await self._callers.check(credential)
        if self._asks_certificates:
            return self._callers.certified(_names(context))
        return self._callers.anonymous(_address(context.peer()))


def _bearer(context: Context) -> str | None:
    """The credential in ``authorization: Bearer …``. Raises `Refusal` for any other use of that key."""
    found = [value for key, value in context.invocation_metadata() or () if key == "authorization"]
    if not found:
        return None
    scheme, _, credential = str(found[0]).partition(" ")
    if len(found) > 1 or scheme.lower() != "bearer" or not credential:
        raise Refusal(
            Reason.CREDENTIALS_INVALID, 'the metadata "authorization" takes one value, "Bearer" and a key or token'
        )
    return credential.strip()


def _names(context: Context) -> list[str]:
    shown = context.auth_context()
    return [name.decode(errors="replace") for kind in NAMES_IN_CERTIFICATES for name in shown.get(kind, ())]


def _address(peer: str) -> str:
    """``192.0.2.1`` of ``ipv4:192.0.2.1:50000``, ``2001:db8::1`` of ``ipv6:%5B2001:db8::1%5D:50000``, or all of it."""
    if peer.startswith("ipv4:"):
        return peer[5 : peer.rindex(":")]
    if peer.startswith("ipv6:"):
        return unquote(peer[5 : peer.rindex(":")]).strip("[]").partition("%")[0]
    return peer
