"""Checks of request fields: each returns the value, or raises a `Refusal` that names the field."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from google.protobuf.duration_pb2 import Duration

from dragonhall.rules.chance import MAX_NONCE_BYTES, SEED_BYTES
from dragonhall.server.refusal import invalid_field

MAX_TITLE: Final = 200
MAX_PLAYER_NAME: Final = 64
MAX_CODE: Final = 128
REQUEST_ID_LENGTHS: Final = range(16, 65)
REFUSED_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode's general categories of characters that no text for people holds: they would break its line, turn its writing
direction around, or mean nothing."""
TAKEN_ALL_THE_SAME: Final = frozenset("\u200c\u200d") | frozenset(map(chr, range(0xE0020, 0xE0080)))
"""Joiners, without which many scripts and emoji cannot be written, and the tags of flags."""
BOT_NAME: Final = re.compile(r"[a-z0-9_.-]{1,64}")


def text(field: str, value: str, longest: int, shortest: int = 0) -> str:
    """A text for people, as ``game_service.proto`` has them."""
    if not shortest <= len(value) <= longest:
        raise invalid_field(field, f"takes {shortest} to {longest} characters, this has {len(value)}")
    for character in value:
        if unicodedata.category(character) in REFUSED_CATEGORIES and character not in TAKEN_ALL_THE_SAME:
            raise invalid_field(field, f"cannot hold U+{ord(character):04X}: a control, a separator, or unassigned")
    if value != value.strip():
        raise invalid_field(field, "begins or ends with white space: leave that away")
    if value and not any(unicodedata.category(character)[0] in "LNPS" for character in value):
        raise invalid_field(field, "has nothing to see: give a letter, number, punctuation mark or symbol")
    return value


def player_name(value: str) -> str:
    """How others see a player."""
    return text("player_name", value, MAX_PLAYER_NAME, 1)


def invitation_code(value: str) -> str:
    """What may be an invitation code, or nothing."""
    if len(value) > MAX_CODE:
        raise invalid_field("invitation_code", f"takes at most {MAX_CODE} characters, this has {len(value)}")
    return value


def bot_name(field: str, value: str) -> str:
    """A bot's name."""
    if not BOT_NAME.fullmatch(value):
        raise invalid_field(field, 'takes 1 to 64 characters of a-z, 0-9, "-", "_" and "."')
    return value


def request_id(value: str) -> str:
    """A request id, or nothing."""
    if value and len(value) not in REQUEST_ID_LENGTHS:
        raise invalid_field("request_id", f"takes 16 to 64 characters, this has {len(value)}")
    return value


def nonce(value: bytes) -> bytes:
    """A seat's share in the game's randomness."""
    if len(value) > MAX_NONCE_BYTES:
        raise invalid_field("nonce", f"takes at most {MAX_NONCE_BYTES} bytes, this has {len(value)}")
    return value


def seed(value: bytes) -> bytes:
    """A seed, or nothing."""
    if len(value) not in (0, SEED_BYTES):
        raise invalid_field("seed", f"takes exactly {SEED_BYTES} bytes or none, this has {len(value)}")
    return value


def duration_us(field: str, value: Duration, least: int, most: int) -> int:
    """A duration in whole microseconds, of ``least`` to ``most``."""
    microseconds = value.seconds * 1_000_000 + value.nanos // 1000
    if not 0 <= value.nanos < 1_000_000_000 or not least <= microseconds <= most:
        raise invalid_field(field, f"takes {least / 1e6:g} to {most / 1e6:g} seconds")
    return microseconds
