"""What a failed bot is quoted stands in the protos, word for word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dragonhall.cli.certify.contract import CLAUSES, Clause
from dragonhall.cli.certify.trials import TRIALS

PROTOS = Path(__file__).resolve().parents[2] / "protos" / "dragonhall" / "v1"


def comments(proto: str) -> str:
    """All comments of a file in one line; a table's columns are one space apart."""
    lines = (PROTOS / proto).read_text(encoding="utf-8").splitlines()
    return re.sub(r"\s+", " ", " ".join(line.partition("//")[2] for line in lines))


@pytest.mark.parametrize("clause", CLAUSES, ids=lambda clause: clause.text[:40])
def test_a_clause_stands_in_its_proto(clause: Clause) -> None:
    assert clause.text in comments(clause.proto)


def test_every_trial_is_about_one_of_them() -> None:
    assert {trial.clause for trial in TRIALS} <= set(CLAUSES)
