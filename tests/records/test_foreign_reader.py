"""A second implementation of the game, written from the .proto files, agrees with every record."""

from __future__ import annotations

import ast
import json
from collections import Counter
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dragonhall.wire.records import to_json
from tests.records import foreign_facts, foreign_parts, foreign_reader
from tests.records.foreign_reader import rebuild
from tests.records.games import Played, record_of
from tests.rules import derivation

OPTIONS = ("extra_year", "open_piles", "hidden_card")
VARIANTS = [dict(zip(OPTIONS, on, strict=True)) for on in product((False, True), repeat=3)]


def written(record: dict[str, Any]) -> dict[str, Any]:
    """What the reader has to find out: the record's steps and outcome without what follows from nothing."""
    not_derived = ("revision", "time", "chance")
    steps = [{key: step[key] for key in step if key not in not_derived} for step in record["steps"]]
    return {"steps": steps, "outcome": record["outcome"]}


@pytest.mark.parametrize("draws", [0.2, 0.9])
@pytest.mark.parametrize("options", VARIANTS, ids=lambda on: "+".join(name for name in on if on[name]) or "plain")
@pytest.mark.parametrize("seats", range(3, 7))
def test_the_foreign_reader_rebuilds_what_a_record_says(seats: int, options: dict[str, bool], draws: float) -> None:
    for first_seat in (None, 0, seats - 1):
        played = Played(seats, {**options, "first_seat": first_seat}, bytes([seats] * 32), choices=seats, draws=draws)
        record = json.loads(to_json(record_of(played)))
        assert rebuild(record) == written(record)


def test_the_foreign_reader_ranks_as_the_rules_do() -> None:
    """Many ends: between them come ties for rank and gems, and seats starved twice, once and not at all."""
    seen: Counter[str] = Counter()
    for seats, choices in product(range(3, 7), range(60)):
        record = json.loads(to_json(record_of(Played(seats, choices=choices, seed=bytes([choices] * 32), draws=0.1))))
        found = rebuild(record)["outcome"]["results"]
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


@pytest.mark.parametrize(
    "module", [foreign_parts, foreign_reader, foreign_facts, derivation], ids=lambda module: module.__name__
)
def test_the_foreign_reader_imports_nothing_of_the_product(module: ModuleType) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert not [name for name in imported if name and name.split(".")[0] in ("dragonhall", "google")]
