"""Component sets as plain data, with something changed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from dragonhall.rules.errors import InvalidComponents


def changed_data(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A set with one value replaced, or removed for ``None``; the path as ``encounters.3.sneak.target``."""
    made = copy.deepcopy(data)
    *way, key = path.split(".")
    target: Any = made
    for step in way:
        target = target[int(step) if isinstance(target, list) else step]
    place: Any = int(key) if isinstance(target, list) else key
    if value is None:
        del target[place]
    else:
        target[place] = value
    return made


def refusal_of(read: Callable[[Any], object], written: Any) -> InvalidComponents:
    """Why ``read`` does not take a set."""
    with pytest.raises(InvalidComponents) as refused:
        read(written)
    return refused.value
