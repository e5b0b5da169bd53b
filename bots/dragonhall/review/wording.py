"""Words and numbers of a review, alike on the terminal and on the page."""

from __future__ import annotations

import math
from typing import Final

from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.phrases import counted
from dragonhall.review.judge import SURE, Verdict
from dragonhall.review.reviewing import Player, Review
from dragonhall.rules import GAMES
from dragonhall.v1 import record_pb2
from dragonhall.wire.texts import printable

NOTHING: Final = "–"
"""Where there is no number."""

NO_LOSSES: Final = "Nothing was worse than what the search would have played, beyond the noise."
CHOICE_HELP: Final = (
    "The search plays what it simulated most, which is listed first. An action with fewer simulations may show a"
    " slightly better rank, but a less certain one."
)
"""Why the search's choice may not have the best mean of those that are listed."""

_BY: Final = {
    record_pb2.ANSWERED_BY_SUBSTITUTE: "by the substitute",
    record_pb2.ANSWERED_BY_TIME: "default action: out of time",
    record_pb2.ANSWERED_BY_ABSENCE: "default action: away",
    record_pb2.ANSWERED_BY_FORFEIT: "default action: had forfeited",
}


def by_words(verdict: Verdict) -> str:
    """Who answered, if it was not the seat's own player; else empty."""
    return _BY.get(verdict.by, "")


def remarks(verdict: Verdict) -> str:
    """Who answered, and what had been taken back before; mostly empty."""
    taken_back = [f"taken back before: {words}" for words in verdict.taken_back]
    return "; ".join(filter(None, [by_words(verdict), *taken_back]))


def loss_words(verdict: Verdict) -> str:
    """``0.31 ± 0.05``; nothing where the search would have played the same."""
    return NOTHING if verdict.agrees else f"{verdict.loss:.2f} ± {verdict.error:.2f}"


def rank_words(rank: float, error: float = math.nan) -> str:
    """``2.10 ± 0.03``, as far as it is known."""
    if math.isnan(rank):
        return NOTHING
    return f"{rank:.2f}" if math.isnan(error) else f"{rank:.2f} ± {error:.2f}"


def win_words(win: float) -> str:
    """``31 %``."""
    return NOTHING if math.isnan(win) else f"{win:.0%}".replace("%", " %")


def budget_words(budget: Budget) -> str:
    """``1000 simulations a decision``."""
    limits = []
    if budget.simulations is not None:
        limits.append(counted(budget.simulations, "simulation"))
    if budget.seconds is not None:
        limits.append(f"{budget.seconds:g} s")
    return f"{' or '.join(limits)} a decision"


def player_words(player: Player) -> str:
    """``seat 1 (Ann)``."""
    name = printable(player.name)
    return f"seat {player.seat} ({name})" if name else f"seat {player.seat}"


def heading(review: Review) -> str:
    """Which game it is."""
    return f"{GAMES[review.game].title}, game {printable(review.game_id)}"


def left_out_words(review: Review) -> str:
    """Which decisions are not told."""
    if not review.forced:
        return "All decisions had more than one legal answer."
    return f"{counted(review.forced, 'decision')} with a single legal answer left out."


def reading_help(review: Review) -> list[str]:
    """How to read it, a paragraph each."""
    return [
        "Each decision was thought about again, from what its seat knew when it was asked and nothing else: its view,"
        f" and what it had been told; {budget_words(review.manner.budget)}.",
        "Loss: by how much the answer made the expected rank worse, compared with the search's choice in the same"
        f" worlds, ± its standard error. Marked is a loss of more than {SURE:.1f} standard errors, which chance alone"
        " brings in one decision of 200. Below 0 the answer did better than the search's choice.",
        "The search is no oracle. The error says how much luck is in a number, not where the search misjudges what"
        " comes later; it reckons with opponents that play as it would, and does not know who will forfeit.",
        "Win: the share of the win that the seat could expect at the time, with the search's choice.",
        f"What else was considered opens at the search's choice. {CHOICE_HELP}",
        "Seats, piles and places are numbered from 0, decisions from 1, as in the record.",
    ]
