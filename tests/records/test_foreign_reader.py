"""A second implementation of each game, written from the .proto files, agrees with every record."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.records import (
    foreign_dragonisles,
    foreign_dragons_interest,
    foreign_facts,
    foreign_interest_facts,
    foreign_interest_prompts,
    foreign_interest_views,
    foreign_isles_facts,
    foreign_isles_parts,
    foreign_isles_prompts,
    foreign_isles_table,
    foreign_isles_views,
    foreign_parts,
    foreign_reader,
)
from tests.records.games import Played, dragonisles_set, json_of, written
from tests.rules import derivation

Options = dict[str, bool | str]

REBUILD: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "dragons": foreign_reader.rebuild,
    "dragons_interest": foreign_dragons_interest.rebuild,
    "dragonisles": foreign_dragonisles.rebuild,
}
SEATS = {"dragons": range(3, 7), "dragons_interest": range(3, 6), "dragonisles": range(2, 6)}
DRAGONS_OPTIONS = ("extra_year", "open_piles", "hidden_card")
OPTIONS: dict[str, list[Options]] = {
    "dragons": [dict(zip(DRAGONS_OPTIONS, on, strict=True)) for on in product((False, True), repeat=3)],
    "dragons_interest": [{"start_player": value} for value in ("rotates", "fixed")],
    "dragonisles": [{"draft": value} for value in (False, True)],
}
COMPONENTS = {"dragonisles": dragonisles_set()}
VARIANTS = [(game, seats, options) for game in REBUILD for seats, options in product(SEATS[game], OPTIONS[game])]


def _named(part: object) -> str:
    if isinstance(part, dict):
        return "+".join(name if value is True else str(value) for name, value in part.items() if value) or "plain"
    return str(part)


@pytest.mark.parametrize("draws", [0.2, 0.9])
@pytest.mark.parametrize(("game", "seats", "options"), VARIANTS, ids=_named)
def test_the_foreign_reader_rebuilds_what_a_record_says(game: str, seats: int, options: Options, draws: float) -> None:
    for first_seat in (None, 0, seats - 1):
        chosen = {**options, "first_seat": first_seat}
        seed, components = bytes([seats] * 32), COMPONENTS.get(game, "")
        record = json_of(Played(seats, chosen, seed, True, seats, draws, game, components))
        assert REBUILD[game](record) == written(record)


def test_the_foreign_reader_ranks_as_the_rules_do() -> None:
    """Many ends: between them come ties for rank and gems, and seats starved twice, once and not at all."""
    seen: Counter[str] = Counter()
    for seats, choices in product(range(3, 7), range(60)):
        record = json_of(Played(seats, choices=choices, seed=bytes([choices] * 32), draws=0.1))
        found = foreign_reader.rebuild(record)["outcome"]["results"]
        assert found == record["outcome"]["results"]
        seen.update(_what_is_special(found))
    assert set(seen) >= {"tie for rank", "tie for gems", "FAMINE_ANIMALS", "FAMINE_COWS", "FAMINE_SHEEP"}


def _what_is_special(found: list[dict[str, Any]]) -> list[str]:
    lines = [result["breakdown"]["dragons"] for result in found]
    special = [famine for line in lines for famine in line.get("famines", [])]
    special += ["tie for rank"] if len({result["rank"] for result in found}) < len(found) else []
    special += (
        ["tie for gems"] if any(line.get(gem, 12) < 12 for line in lines for gem in ("pinkGems", "blueGems")) else []
    )
    return special


FOREIGN = [
    *(foreign_parts, foreign_reader, foreign_facts, derivation),
    *(foreign_dragons_interest, foreign_interest_prompts, foreign_interest_views, foreign_interest_facts),
    *(foreign_dragonisles, foreign_isles_table, foreign_isles_parts),
    *(foreign_isles_prompts, foreign_isles_views, foreign_isles_facts),
]


@pytest.mark.parametrize("module", FOREIGN, ids=lambda module: module.__name__)
def test_the_foreign_reader_imports_nothing_of_the_product(module: ModuleType) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert not [name for name in imported if name and name.split(".")[0] in ("dragonhall", "google")]
