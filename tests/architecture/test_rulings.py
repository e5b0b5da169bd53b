"""Every ruling that a game's page lists is named by the code that applies it and by a test that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "server" / "dragonhall" / "rules").glob("*/README.md"))
RULING = re.compile(r"\bR[DIL]-\d+\b")


def named_in(files: Iterable[Path]) -> set[str]:
    return {ruling for file in files for ruling in RULING.findall(file.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_rulings_are_named_in_code_and_tests(page: Path) -> None:
    rulings = named_in([page])
    assert rulings, "the page lists the game's rulings"
    assert named_in(page.parent.rglob("*.py")) == rulings
    assert rulings <= named_in((ROOT / "tests" / "rules").rglob("*.py"))


def test_every_game_has_a_page() -> None:
    games = {file.parent for file in (ROOT / "server" / "dragonhall" / "rules").glob("*/state.py")}
    assert games == {page.parent for page in PAGES}
