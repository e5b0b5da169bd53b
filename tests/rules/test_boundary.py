"""What crosses the boundary of the rules are values: they are compared by content and never change."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil

import pytest

import dragonhall.rules
from dragonhall.rules import GAMES
from dragonhall.rules.game import Game

VALUES = sorted(
    {
        value
        for module in pkgutil.walk_packages(dragonhall.rules.__path__, "dragonhall.rules.")
        for value in vars(importlib.import_module(module.name)).values()
        if isinstance(value, type) and dataclasses.is_dataclass(value)
    },
    key=lambda value: value.__qualname__,
)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value.__qualname__)
def test_values_are_frozen(value: type) -> None:
    assert value.__dataclass_params__.frozen  # type: ignore[attr-defined]


def test_values_were_found() -> None:
    assert {"Card", "Draw", "CardDrawn", "View", "Breakdown", "ChanceOutcome", "Ticket", "Step"} <= {
        value.__qualname__ for value in VALUES
    }


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_game_is_listed_under_its_name_and_says_what_it_takes(game: Game) -> None:
    assert GAMES[game.name] is game
    assert 2 <= game.min_seats <= game.max_seats
    assert game.rules_version >= 1
    assert len({spec.name for spec in game.options}) == len(game.options)
    assert all(spec.title and spec.help.endswith(".") for spec in game.options)
