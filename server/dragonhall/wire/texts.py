"""Texts that came from anybody, made fit for a terminal: a name must not clear somebody's screen, or turn it around."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_BEYOND_ASCII: Final = re.compile(r"[^\n -~]")
"""Characters that may be none that is printed."""


def printable(text: str, kept: str = "") -> str:
    """The text with a sign for every character that is not for people, but for those that are ``kept``.

    >>> printable("Ann\\x9b2J\\u202e\\n", kept="\\n")
    'Ann�2J�\\n'
    """
    return "".join(sign if sign.isprintable() or sign in kept else "\N{REPLACEMENT CHARACTER}" for sign in text)


def json_text(data: Any, indent: int | None = None) -> str:
    """Plain data as JSON. All that is not for people is escaped, not only what JSON insists on; so it reads back alike.

    >>> json_text({"name": "Zoë\\x9b2J"})
    '{"name": "Zoë\\\\u009b2J"}'
    """
    return _BEYOND_ASCII.sub(_escaped, json.dumps(data, indent=indent, ensure_ascii=False))


def _escaped(found: re.Match[str]) -> str:
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]
