"""What a check finds wrong with a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Part = Literal["facts", "seed", "chance", "decision", "event", "outcome", "incident", "clock"]
"""The part of a record that a finding is about."""


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it should be."""

    part: Part
    where: str
    """As ``decision 12 of seat 2`` or ``dragons/treasure, card 17 of 104``."""
    message: str
    """What is wrong, in a sentence."""
    blocks: bool = False
    """No replay is possible."""

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


@dataclass(frozen=True)
class Report:
    """The result of checking a record."""

    findings: tuple[Finding, ...]
    decisions: int
    """Decisions that were replayed, up to where the replay had to stop."""
    chance_outcomes: int
    """Outcomes of chance that were derived from the seed and compared."""

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def written_against(written: str, expected: str, source: str) -> str:
    """The one sentence of most findings."""
    return f"{written} in the record, {expected} by {source}"
