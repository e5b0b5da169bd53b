"""Reading a table of a TOML file strictly: what is wrong is named by its place, and nothing is passed over."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from dragonhall.server.config import ConfigError


class Table:
    """A table whose keys are taken one by one; `end` finds those that nobody took. All methods raise `ConfigError`."""

    def __init__(self, place: str, data: dict[str, Any]) -> None:
        """``place``: what messages call it, as ``auth.toml: caller[2]``."""
        self._place = place
        self._data = data
        self._taken: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def wrong(self, key: str, message: str) -> ConfigError:
        """What is wrong with a key's value."""
        return ConfigError(f"{self._place}: {key}: {message}")

    def end(self) -> None:
        """Nothing else may be in it."""
        for key in self._data:
            if key not in self._taken:
                raise self.wrong(key, f"is not known here; there are: {', '.join(sorted(self._taken))}")

    def table(self, key: str) -> Table:
        """A table in it; an empty one if there is none."""
        data = self._take(key, {})
        if not isinstance(data, dict):
            raise self.wrong(key, f"has to be a table: write [{key}]")
        return Table(f"{self._place}: {key}", data)

    def tables(self, key: str) -> Iterator[Table]:
        """All of a row of tables, counted from 1."""
        row = self._take(key, [])
        if not isinstance(row, list) or not all(isinstance(data, dict) for data in row):
            raise self.wrong(key, f"has to be tables: write [[{key}]] for each")
        for i, data in enumerate(row, 1):
            yield Table(f"{self._place}: {key}[{i}]", data)

    def flag(self, key: str, default: bool) -> bool:
        """true or false."""
        value = self._take(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, "has to be true or false")
        return value

    def whole_number(self, key: str, default: int, least: int = 0) -> int:
        """``least`` or more."""
        value = self._take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.wrong(key, f"has to be a whole number from {least}")
        return value

    def positive(self, key: str, default: float) -> float:
        """More than 0, with or without a fraction."""
        value = self._take(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < math.inf:
            raise self.wrong(key, "has to be a number above 0")
        return float(value)

    def text(self, key: str, form: re.Pattern[str] = re.compile(r".+"), default: str | None = None) -> str:
        """A text of the given form. Needed, unless there is a default."""
        value = self._take(key, default)
        if value is None:
            raise self.wrong(key, "is needed")
        return self._checked(key, value, form)

    def texts(self, key: str, form: re.Pattern[str] = re.compile(r".+"), default: tuple[str, ...] = ()) -> list[str]:
        """Any number of texts of the given form; a single one may stand without brackets."""
        value = self._take(key, default)
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list | tuple):
            raise self.wrong(key, "has to be a text, or texts in brackets")
        return [self._checked(key, text, form) for text in values]

    def _checked(self, key: str, value: object, form: re.Pattern[str]) -> str:
        if not isinstance(value, str) or not form.fullmatch(value):
            raise self.wrong(key, f"has to be a text of the form {form.pattern}")  # it may be a secret: no word of it
        return value

    def _take(self, key: str, default: Any) -> Any:
        self._taken.add(key)
        return self._data.get(key, default)
