"""What became of a trial."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dragonhall.cli.certify.contract import Clause
    from dragonhall.cli.certify.trials import Trial


class Broken(Exception):
    """The bot does not keep to the contract."""

    def __init__(self, reason: str, clause: Clause) -> None:
        super().__init__(reason)
        self.reason = reason
        """What it did, or did not do."""
        self.clause = clause
        """The sentence that it broke."""


class NotApplicable(Exception):
    """Nothing here can be tried with this bot. The message says why."""


class Result(StrEnum):
    """How a trial ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"
    NOT_TRIED = "not tried"
    """The bot never came, so that there was nothing to see."""


@dataclass(frozen=True)
class Verdict:
    """One trial's."""

    trial: Trial
    result: Result
    reason: str = ""
    """Empty if it passed."""
    clause: Clause | None = None
    """What it broke, if it failed."""
    seconds: float = 0.0
