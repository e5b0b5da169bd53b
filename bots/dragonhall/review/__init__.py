"""Looking back on finished games: what would a search have played, and what has it cost not to?

In reading order: `moments` (what each seat knew at each decision, from the record), `judge` (the search's choice, and
the answer that was given) with `duel` (the two in the same worlds), `reviewing` (a whole game, by `workers`); `page`
(with `plot` and `markup`) and `data` show it to people and to machines.
"""

from __future__ import annotations

from dragonhall.review.data import review_data
from dragonhall.review.judge import Option, Verdict
from dragonhall.review.moments import Moment, moments
from dragonhall.review.page import page
from dragonhall.review.reviewing import DEFAULT_BUDGET, Manner, NotThere, Player, Review, Tally, review
from dragonhall.review.workers import WorkerDied

__all__ = [
    "DEFAULT_BUDGET",
    "Manner",
    "Moment",
    "NotThere",
    "Option",
    "Player",
    "Review",
    "Tally",
    "Verdict",
    "WorkerDied",
    "moments",
    "page",
    "review",
    "review_data",
]
