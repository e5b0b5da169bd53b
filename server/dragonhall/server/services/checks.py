"""Checks of request fields: each returns the value, or raises a `Refusal` that names the field."""

from __future__ import annotations

import re
from typing import Final

from dragonhall.rules.chance import MAX_NONCE_BYTES, SEED_BYTES
from dragonhall.server.refusal import invalid_field

MAX_TITLE: Final = 200
MAX_PLAYER_NAME: Final = 64
MAX_CODE: Final = 128
REQUEST_ID_LENGTHS: Final = range(16, 65)
BOT_NAME: Final = re.compile(r"[a-z0-9_.-]{1,64}")


def text(field: str, value: str, longest: int, shortest: int = 0) -> str:
    """A text for people: its length in characters, and no control characters."""
    if not shortest <= len(value) <= longest:
        raise invalid_field(field, f"takes {shortest} to {longest} characters, this has {len(value)}")
    if not value.isprintable():
        raise invalid_field(field, "takes printable characters only")
    return value


def player_name(value: str) -> str:
    """How others see a player."""
    if not value.strip():
        raise invalid_field("player_name", f"is required: 1 to {MAX_PLAYER_NAME} characters, not only spaces")
    return text("player_name", value, MAX_PLAYER_NAME, 1)


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
