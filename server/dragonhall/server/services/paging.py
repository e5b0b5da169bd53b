"""Page tokens: where a list goes on, which nobody can read, make up, or take to another list.

A token is a position in the store, sealed with the store's secret. Positions count private games too, which is nobody's
business; and a token holds after a restart, and when the game that it was made for has been removed.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from typing import Final

from dragonhall.server.refusal import invalid_field
from dragonhall.server.store.base import LineFilter

_TAG_BYTES: Final = 16
_POSITION_BYTES: Final = 8


def page_token(secret: bytes, wanted: LineFilter, position: int) -> str:
    """The token for the page of games that match ``wanted`` from below ``position``."""
    plain = position.to_bytes(_POSITION_BYTES, "big")
    tag = _tag(secret, wanted, plain)
    return base64.urlsafe_b64encode(tag + _masked(secret, tag, plain)).decode()


def position_of(secret: bytes, wanted: LineFilter, token: str) -> int:
    """The position of a `page_token`. Raises `Refusal` for one that was not made with this secret for this filter."""
    try:
        sealed = base64.b64decode(token.encode(), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError):
        sealed = b""
    tag, masked = sealed[:_TAG_BYTES], sealed[_TAG_BYTES:]
    plain = _masked(secret, tag, masked)
    if len(masked) != _POSITION_BYTES or not hmac.compare_digest(tag, _tag(secret, wanted, plain)):
        raise invalid_field(
            "page_token",
            "is none that this server gave for this filter: send next_page_token of the page before with the same"
            " filter, or none to begin at the first page",
        )
    return int.from_bytes(plain, "big")


def _tag(secret: bytes, wanted: LineFilter, plain: bytes) -> bytes:
    """Proves that the token is one of ours, for this filter. Whose private games are listed is asked for each page."""
    conditions = repr((tuple(wanted.statuses), wanted.game, wanted.free_bot, wanted.open_seat, wanted.seats))
    return hmac.digest(secret, b"dragonhall/page\0" + plain + conditions.encode(), "sha256")[:_TAG_BYTES]


def _masked(secret: bytes, tag: bytes, data: bytes) -> bytes:
    """Hides a position, and shows it again: the mask is another one for each tag."""
    mask = hmac.digest(secret, b"dragonhall/page mask\0" + tag, "sha256")
    return bytes(one ^ other for one, other in zip(data, mask, strict=False))
