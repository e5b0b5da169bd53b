"""Who calls, and over what: keys and tokens that name the caller, and TLS."""

from __future__ import annotations

import inspect
import ipaddress
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Final

import grpc

TokenProvider = Callable[[], str | Awaitable[str]]
"""Returns the caller's newest JSON Web Token; asked before every call, so it has to keep one while it is good."""

DEFAULT_TARGET: Final = "127.0.0.1:7350"
"""Where ``dragonhall serve`` serves unless it is told otherwise."""

_SCHEME: Final = re.compile(r"^(dns:(//[^/]*/)?|ipv4:|ipv6:)")
_HEADER: Final = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True)
class Tls:
    """How to trust a server, and to be trusted by it. All in PEM."""

    root_certificates: bytes | None = None
    """Of the authorities that may vouch for the server; ``None``: those that come with gRPC, the public ones."""
    certificate_chain: bytes | None = None
    """The client's own, where the server asks for one (mTLS); with ``private_key``."""
    private_key: bytes | None = field(default=None, repr=False)
    """Of the client's certificate. A secret."""
    server_name: str = ""
    """The name in the server's certificate, if it is not the target's host."""

    def __post_init__(self) -> None:
        if (self.certificate_chain is None) != (self.private_key is None):
            raise ValueError("a client's certificate_chain and its private_key are given together or not at all")

    @classmethod
    def of_files(
        cls,
        *,
        root_certificates: str | PathLike[str] | None = None,
        certificate_chain: str | PathLike[str] | None = None,
        private_key: str | PathLike[str] | None = None,
        server_name: str = "",
    ) -> Tls:
        """The same from PEM files. Raises `OSError`, and `ValueError` as the constructor does."""
        return cls(_content(root_certificates), _content(certificate_chain), _content(private_key), server_name)

    def credentials(self) -> grpc.ChannelCredentials:
        """What gRPC makes a channel with."""
        return grpc.ssl_channel_credentials(self.root_certificates, self.private_key, self.certificate_chain)


class Access:
    """What a caller names itself with: nothing, an API key, or a token. Sent as ``authorization: Bearer …``."""

    def __init__(self, api_key: str | None = None, token: str | TokenProvider | None = None) -> None:
        if api_key is not None and token is not None:
            raise ValueError("a caller has an api_key or a token, not both")
        self._secret = api_key if api_key is not None else token
        if isinstance(self._secret, str):
            self._secret = _checked(self._secret)

    @property
    def is_named(self) -> bool:
        """Whether there is a secret to send."""
        return self._secret is not None

    async def metadata(self) -> tuple[tuple[str, str], ...]:
        """A call's metadata. Raises what the token's provider raises, and `ValueError` if that gives no token."""
        if self._secret is None:
            return ()
        secret = self._secret if isinstance(self._secret, str) else self._secret()
        if inspect.isawaitable(secret):
            secret = await secret
        return (("authorization", f"Bearer {_checked(secret)}"),)


def _content(path: str | PathLike[str] | None) -> bytes | None:
    return Path(path).read_bytes() if path is not None else None


def _checked(secret: str) -> str:
    if not _HEADER.fullmatch(secret):
        raise ValueError("an API key or token is visible ASCII characters without white space")  # and is not told here
    return secret


def is_loopback(target: str) -> bool:
    """Whether what is sent to ``target`` stays on this machine.

    >>> [is_loopback(target) for target in ("localhost:1", "127.0.0.1:1", "dns:///[::1]:1", "unix:/run/hall.sock")]
    [True, True, True, True]
    >>> [is_loopback(target) for target in ("games.example:443", "10.0.0.7:7350", "localhost.example:1")]
    [False, False, False]
    """
    if target.startswith(("unix:", "unix-abstract:")):
        return True
    address = _SCHEME.sub("", target)
    host = address.rpartition(":")[0] if ":" in address else address
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
