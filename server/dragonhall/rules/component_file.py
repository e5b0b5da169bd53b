"""Reading a component set from its TOML file: what all games share.

Every function takes a table's ``data`` and the ``key`` wanted; ``path`` is how the error names it (``cards.cow``), the
key itself unless given. All raise `InvalidComponents`, whose message says what to write.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from dragonhall.rules.errors import InvalidComponents

MAX_VERSION: Final = 2**32 - 1
_ID: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
"""A key that TOML wants no quotes around."""
_MAX_TEXT: Final = 64
"""Characters of a name in a component set."""


def read_toml(text: str) -> dict[str, Any]:
    """The file's data. A byte order mark at the beginning, as some editors write it, is passed over."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise InvalidComponents("toml", f"the text is not TOML: {error}") from None


def read_id(data: Mapping[str, Any]) -> str:
    """The set's id: 1 to 64 of ``a-z 0-9 . _ -``, beginning with a letter or digit."""
    set_id = data.get("id")
    if not isinstance(set_id, str) or not _ID.fullmatch(set_id):
        raise InvalidComponents("id", "write 1 to 64 of a-z, 0-9, '.', '_' and '-', not starting with a sign")
    return set_id


def read_version(data: Mapping[str, Any]) -> int:
    """The set's version, from 1."""
    return whole_number(data, "version", least=1, most=MAX_VERSION)


def check_keys(data: Mapping[str, Any], known: Iterable[str], prefix: str = "") -> None:
    """No other keys than ``known`` are in ``data``; an error names one as ``prefix`` and the key."""
    names = list(known)
    for key in data:
        if key not in names:
            raise InvalidComponents(prefix + _named(key), f"unknown; these may be written here: {', '.join(names)}")


def _named(key: str) -> str:
    """A key as an error names it: as it is if it needs no quotes, else with them, without control characters, and cut.

    >>> _named("cow"), _named("a red\\n cow")
    ('cow', "'a red\\\\n cow'")
    """
    if len(key) <= _MAX_TEXT and _BARE_KEY.fullmatch(key):
        return key
    return repr(key if len(key) <= _MAX_TEXT else key[:_MAX_TEXT] + "…")


def table(data: Mapping[str, Any], key: str, path: str | None = None, *, required: bool = True) -> Mapping[str, Any]:
    """A table; an empty one if it is absent and not ``required``."""
    if key not in data and not required:
        return {}
    found = data.get(key)
    if not isinstance(found, Mapping):
        where = path or key
        how = f"write {key} = {{ … }}" if "[" in where else f"begin it with a line [{where}]"
        raise InvalidComponents(where, f"must be a table: {how}")
    return found


def tables(data: Mapping[str, Any], key: str, path: str | None = None) -> Sequence[Mapping[str, Any]]:
    """An array of tables, at least one."""
    found = data.get(key)
    where = path or key
    if not isinstance(found, list) or not found or not all(isinstance(item, Mapping) for item in found):
        raise InvalidComponents(where, f"must be tables: begin each with a line [[{where}]]")
    return found


def whole_number(data: Mapping[str, Any], key: str, path: str | None = None, *, least: int, most: int) -> int:
    """A whole number from ``least`` to ``most``."""
    where = path or key
    if key not in data:
        raise InvalidComponents(where, f"missing; write a whole number from {least} to {most}")
    number = data[key]
    if not _is_whole(number, least, most):
        raise InvalidComponents(where, f"must be a whole number from {least} to {most}")
    return int(number)


def whole_numbers(
    data: Mapping[str, Any], key: str, path: str | None = None, *, least: int, most: int
) -> tuple[int, ...]:
    """A list of whole numbers from ``least`` to ``most``; may be empty."""
    where = path or key
    found = data.get(key)
    if not isinstance(found, list) or not all(_is_whole(number, least, most) for number in found):
        raise InvalidComponents(where, f"must be a list of whole numbers from {least} to {most}, as [1, 2]")
    return tuple(found)


def text(data: Mapping[str, Any], key: str, path: str | None = None) -> str:
    """A name for people: 1 to 64 printable characters."""
    found = data.get(key)
    if not isinstance(found, str) or not 0 < len(found) <= _MAX_TEXT or not found.isprintable():
        raise InvalidComponents(path or key, f"must be a text of 1 to {_MAX_TEXT} printable characters")
    return found


def choice(data: Mapping[str, Any], key: str, path: str | None = None, *, among: Iterable[str]) -> str:
    """One of the texts ``among``."""
    names = list(among)
    found = data.get(key)
    if not isinstance(found, str) or found not in names:
        raise InvalidComponents(path or key, f"must be one of: {', '.join(repr(name) for name in names)}")
    return found


def choices(data: Mapping[str, Any], key: str, path: str | None = None, *, among: Iterable[str]) -> tuple[str, ...]:
    """A list of texts, each ``among`` those given; may be empty, and may repeat them."""
    names = list(among)
    found = data.get(key)
    if not isinstance(found, list) or not all(isinstance(item, str) and item in names for item in found):
        raise InvalidComponents(path or key, f"must be a list of: {', '.join(repr(name) for name in names)}")
    return tuple(found)


def _is_whole(number: object, least: int, most: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and least <= number <= most
