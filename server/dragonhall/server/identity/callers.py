"""The callers of a server: from what a call shows to who it is and what that caller has left to use."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
import os
import stat
import time
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dragonhall.server.config import ConfigError, ServerConfig
from dragonhall.server.identity.auth_file import AuthFile, Known, read_auth_file, without_auth_file
from dragonhall.server.identity.keys import key_hash
from dragonhall.server.identity.quotas import Share, Shares
from dragonhall.server.refusal import Reason, Refusal

if TYPE_CHECKING:
    from dragonhall.server.identity.json_web_tokens import Claims, TokenChecker

logger = logging.getLogger("dragonhall.server")

LOOK_EVERY_SECONDS: Final = 2.0
"""The auth file, whether it has changed."""

TRUST_SECONDS: Final = 300.0
"""A token that was checked is not checked again for so long."""

DOTS_OF_A_TOKEN: Final = 2
"""A JSON Web Token has header, payload and signature; an API key has no dots."""

MAX_REMEMBERED: Final = 10_000
"""Tokens, and addresses, of which it is remembered whose they are."""


@dataclass(frozen=True, slots=True)
class _Checked:
    """A token that was found good."""

    known: Known
    until: float
    """Unix time in seconds."""


class Callers:
    """All callers of one server, in its event loop."""

    def __init__(self, config: ServerConfig, secret: bytes) -> None:
        """``secret``: the store's, by which addresses are hashed. Raises `ConfigError`."""
        self._path = config.auth
        self._limits = config.limits
        self._allow_imports = config.allow_imports
        self._secret = secret
        self._shares = Shares()
        self._stamp = _stamp(self._path)
        self._asked = asyncio.Event()
        self._checker: TokenChecker | None = None
        self._use(self._read())

    @property
    def knows_any(self) -> bool:
        """Whether credentials mean anything here."""
        return self._path is not None

    # Credentials

    def anonymous(self, address: str) -> Share:
        """Whoever shows none, told apart by the IP address; all programs of this machine's sockets are one."""
        known = self._by_address.get(address)
        if known is None:
            if len(self._by_address) >= MAX_REMEMBERED:
                self._by_address.clear()
            network = hmac.digest(self._secret, b"dragonhall/address\0" + _network(address).encode(), "sha256")
            known = self._by_address[address] = _named(self._file.anonymous, f"anonymous:{network.hex()[:12]}")
        return self._shares.of(known.caller, known.allowance)

    def certified(self, names: Iterable[str]) -> Share:
        """Whoever has a client certificate with these names. Raises `Refusal`."""
        first = None
        for name in names:
            first = first or name
            known = self._file.certificates.get(name)
            if known is not None:
                return self._shares.of(known.caller, known.allowance)
        if self._path is None and first is not None:
            known = _named(self._file.anonymous, f"cert:{first}")
            return self._shares.of(known.caller, known.allowance)
        raise Refusal(
            Reason.CREDENTIALS_INVALID, "the client certificate is nobody's here: show another, or an API key besides"
        )

    def remembered(self, credential: str) -> Share | None:
        """Whoever shows a key, or a token that was checked before; ``None``: `check` has to find out."""
        digest = key_hash(credential)
        known = self._file.keys.get(digest)
        if known is None:
            checked = self._checked.get(digest)
            if checked is None or checked.until < time.time():
                return None
            known = checked.known
        return self._shares.of(known.caller, known.allowance)

    async def check(self, credential: str) -> Share:
        """Whoever shows a token. Raises `Refusal` (CREDENTIALS_INVALID) for everything that is nobody's."""
        checker = self._checker
        if checker is None or credential.count(".") != DOTS_OF_A_TOKEN:
            raise Refusal(Reason.CREDENTIALS_INVALID, "this key or token is unknown here: get a valid one")
        claims = await checker.check(credential)
        known = self._bearer(claims)
        if checker is self._checker:  # else the auth file was read anew meanwhile
            self._remember(key_hash(credential), _Checked(known, min(claims.expires, time.time() + TRUST_SECONDS)))
        return self._shares.of(known.caller, known.allowance)

    def _bearer(self, claims: Claims) -> Known:
        base, given = self._file.by_token, claims.permissions
        bots = {each.removeprefix("bot:") for each in given if each.startswith("bot:")}
        caller = replace(
            base.caller,
            name=f"oidc:{claims.name}",
            may_create=base.caller.may_create or "create" in given,
            may_import=base.caller.may_import or "import" in given,
            refused_bots=base.caller.refused_bots - bots,
        )
        return replace(base, caller=caller)

    def _remember(self, digest: str, checked: _Checked) -> None:
        self._checked[digest] = checked
        if len(self._checked) > MAX_REMEMBERED:
            self._checked.popitem(last=False)

    # The auth file

    def reload(self) -> None:
        """`watch_file` reads the file at once, changed or not."""
        self._asked.set()

    async def watch_file(self) -> None:
        """Runs until cancelled: a changed auth file is read."""
        while self._path is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._asked.wait(), LOOK_EVERY_SECONDS)
            stamp = await asyncio.to_thread(_stamp, self._path)
            if self._asked.is_set() or stamp != self._stamp:
                self._asked.clear()
                self._stamp = stamp
                await self._read_anew()

    async def _read_anew(self) -> None:
        """What is wrong with the file is logged, and changes nothing: nobody is let in or shut out by an accident."""
        try:
            self._use(await asyncio.to_thread(self._read))
        except ConfigError as error:
            logger.error("event=auth_file_refused error=%r", str(error))

    def _read(self) -> AuthFile:
        if self._path is None:
            return without_auth_file(self._limits, self._allow_imports)
        _warn_if_others_may_write(self._path)
        return read_auth_file(self._path, self._limits, self._allow_imports)

    def _use(self, file: AuthFile) -> None:
        if file.issuer is None:
            self._checker = None
        elif self._checker is None or self._checker.issuer != file.issuer:
            from dragonhall.server.identity.json_web_tokens import TokenChecker  # an optional dependency

            self._checker = TokenChecker(file.issuer)
        self._file = file
        self._by_address: dict[str, Known] = {}
        self._checked: OrderedDict[str, _Checked] = OrderedDict()
        if self._path is not None:
            logger.info(
                "event=auth_file_read keys=%d certificates=%d oidc=%s",
                len(file.keys),
                len(file.certificates),
                file.issuer is not None,
            )


def _named(known: Known, name: str) -> Known:
    return replace(known, caller=replace(known.caller, name=name))


def _warn_if_others_may_write(path: Path) -> None:
    with suppress(OSError):  # reading it says what is wrong
        if os.name == "posix" and path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            advice = "whoever can write it can let anybody in: chmod go-w"
            logger.warning("event=auth_file_exposed file=%r advice=%r", str(path), advice)


def _stamp(path: Path | None) -> tuple[int, int, int] | None:
    """What changes when a file does; ``None``: there is none."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino) if found else None


def _network(address: str) -> str:
    """What one customer of a provider has: an IPv4 address, or a /64 of IPv6."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address  # a socket of this machine
    if isinstance(ip, ipaddress.IPv6Address):
        return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)
