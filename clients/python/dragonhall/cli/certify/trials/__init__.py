"""The trials, in the order in which a bot goes through them."""

from __future__ import annotations

from typing import Final

from dragonhall.cli.certify.trials import clocks, company, lines, newer, playing, prompts
from dragonhall.cli.certify.trials.trial import Trial

TRIALS: Final[tuple[Trial, ...]] = (
    *lines.FIRST,
    *playing.TRIALS,
    *prompts.TRIALS,
    *newer.TRIALS,
    *clocks.TRIALS,
    *company.TRIALS,
    *lines.TRIALS,
)

__all__ = ["TRIALS", "Trial"]
