"""An issuer's public keys: fetched when needed, kept for a while, and fetched anew for a key that is not known."""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPMessage
from pathlib import Path
from typing import IO, Any, Final

logger = logging.getLogger("dragonhall.server")

Jwk = Mapping[str, Any]
"""A JSON Web Key, public."""

MAX_BYTES: Final = 1 << 20
TIMEOUT_SECONDS: Final = 10.0

STALE_SECONDS: Final = 86_400.0
"""So long keys are still used whose source is gone."""


class KeysUnavailable(Exception):
    """There are no keys, and they cannot be fetched now."""

    def __init__(self, retry_after_seconds: float) -> None:
        super().__init__("the issuer's keys cannot be had now")
        self.retry_after_seconds = retry_after_seconds


@dataclass(frozen=True, slots=True)
class Source:
    """Where keys come from, and how often they are asked for."""

    load: Callable[[], bytes]
    """Blocks; raises `OSError`."""
    keep_seconds: float
    """A key that was withdrawn is refused after this."""
    pause_seconds: float
    """Between two attempts at least, however many unknown keys are named."""


def source_of(place: str, ca: Path | None) -> Source:
    """Of an ``https://`` URL, or of a file."""
    if place.startswith("https://"):
        return Source(lambda: _fetched(place, ca), keep_seconds=600.0, pause_seconds=10.0)
    return Source(lambda: Path(place).read_bytes(), keep_seconds=5.0, pause_seconds=1.0)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Keys are trusted because of where they come from."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


def _fetched(url: str, ca: Path | None) -> bytes:
    context = ssl.create_default_context(cafile=ca)
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), _NoRedirects)
    with opener.open(url, timeout=TIMEOUT_SECONDS) as response:
        data: bytes = response.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise OSError(f"more than {MAX_BYTES} bytes")
    return data


class KeySet:
    """The keys of one source, for the tasks of one event loop. Fetching blocks a thread and not the loop."""

    def __init__(self, source: Source, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: seconds."""
        self._source = source
        self._clock = clock
        self._keys: dict[str | None, Jwk] = {}
        self._loaded_at = self._tried_at = -STALE_SECONDS
        self._refreshing = asyncio.Lock()

    async def find(self, key_id: str | None) -> Jwk | None:
        """The key of that id; without one, the only key that there is. Raises `KeysUnavailable`."""
        if self._age() >= self._source.keep_seconds or not self._has(key_id):
            await self._refresh(key_id)
        if self._age() >= STALE_SECONDS:
            raise KeysUnavailable(max(0.0, self._tried_at + self._source.pause_seconds - self._clock()))
        return self._find(key_id)

    def _find(self, key_id: str | None) -> Jwk | None:
        if key_id is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(key_id)

    def _has(self, key_id: str | None) -> bool:
        return self._find(key_id) is not None

    def _age(self) -> float:
        return self._clock() - self._loaded_at

    async def _refresh(self, key_id: str | None) -> None:
        async with self._refreshing:
            is_fresh = self._age() < self._source.keep_seconds and self._has(key_id)  # another task has seen to it
            if is_fresh or self._clock() - self._tried_at < self._source.pause_seconds:
                return
            self._tried_at = self._clock()
            try:
                self._keys = _parsed(await asyncio.to_thread(self._source.load))
                self._loaded_at = self._clock()
            except (OSError, ValueError, RecursionError) as error:
                logger.warning("event=oidc_keys_failed error=%r", str(error))


def _parsed(data: bytes) -> dict[str | None, Jwk]:
    """The public keys for signatures in a JSON Web Key Set, by their id. Raises `ValueError`."""
    whole = json.loads(data)
    keys = whole.get("keys") if isinstance(whole, dict) else None
    if not isinstance(keys, list):
        raise ValueError("it is not a JSON Web Key Set")
    usable = [key for key in keys if isinstance(key, dict) and _is_for_signatures(key)]
    return {key.get("kid"): key for key in usable}


def _is_for_signatures(key: Jwk) -> bool:
    is_named = isinstance(key.get("kid"), str | None)
    return is_named and key.get("kty") in ("RSA", "EC", "OKP") and key.get("use", "sig") == "sig"
