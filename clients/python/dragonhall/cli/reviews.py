"""Reviews of games as tables for people, and how far they are."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from dragonhall.cli.console import note, table
from dragonhall.review import Option, Review, Verdict
from dragonhall.review.wording import loss_words, player_words, rank_words, remarks, win_words

_REMARK_EVERY: Final = 10.0
"""Seconds between remarks where there is no terminal."""


class ReviewProgress:
    """How many decisions were thought about. Something that rich can draw."""

    def __init__(self) -> None:
        self._done = 0
        self._total = 0
        self._began = self._remarked = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """So many are done now."""
        self._done, self._total = done, total
        now = time.monotonic()
        if now - self._remarked > _REMARK_EVERY:
            self._remarked = now
            note(self._words())

    def _words(self) -> str:
        said = f"{self._done} of {self._total} decisions"
        if not self._done:
            return said
        left = (time.monotonic() - self._began) / self._done * (self._total - self._done)
        return f"{said}, about {left:.0f} s to go"

    def __rich__(self) -> RenderableType:
        return Text(self._words())


def players_table(review: Review) -> Table:
    """Every seat that was looked at, with how it ended and how it decided."""
    numbers = ("rank", "points", "decisions", "as the search", "losses", "ranks lost")
    made = table("player", *numbers, numbers=numbers)
    for player in review.judged:
        tally = review.tally(player.seat)
        made.add_row(
            Text(player_words(player)),
            f"{player.rank} (forfeited)" if player.forfeited else str(player.rank),
            *map(str, (player.score, tally.decisions, tally.agreed, tally.losses)),
            f"{tally.lost:.2f}",
        )
    return made


def decisions_table(review: Review, verdicts: Sequence[Verdict]) -> Table:
    """Decisions in the order given; losses beyond the noise are marked."""
    texts, numbers = ("asked", "played", "the search"), ("no.", "seat", "loss in rank", "win")
    made = table("no.", "seat", *texts, "loss in rank", "", "win", numbers=numbers, wraps=texts)
    for verdict in verdicts:
        made.add_row(
            str(verdict.decision_id),
            str(verdict.seat),
            Text(verdict.asked),
            Text(_played(verdict)),
            Text("the same", style="dim") if verdict.agrees else Text(verdict.best),
            loss_words(verdict),
            "*" if verdict.is_loss else "",
            win_words(verdict.win),
            style="bold" if verdict.is_loss else "",
        )
    return made


def legend() -> str:
    """What the columns of `decisions_table` say."""
    return (
        "loss in rank: by how much the seat's expected rank was worse for what it played, with its standard error;"
        " below 0 it was better. *: a loss beyond that noise. win: the share of the win that the seat could expect"
        " with what the search would have played. The search errs, too, and more so with few simulations."
    )


def _played(verdict: Verdict) -> str:
    said = remarks(verdict)
    return f"{verdict.played} ({said})" if said else verdict.played


def decision_lines(verdict: Verdict, review: Review) -> Iterator[str]:
    """One decision in words."""
    yield f"Decision {verdict.decision_id}, {player_words(review.players[verdict.seat])}: {verdict.asked}"
    yield f"The search would play: {verdict.best}"
    if verdict.agrees:
        yield "So it was played."
    else:
        judged = "beyond the noise" if verdict.is_loss else "within the noise"
        yield f"Played was: {_played(verdict)}; loss in rank {loss_words(verdict)}, {judged}"


def options_table(verdict: Verdict) -> Table:
    """What was considered, the most visited first."""
    numbers = ("rank", "win", "simulations", "at first sight")
    made = table("action", *numbers, "", numbers=numbers, wraps=("action",))
    for option in verdict.options:
        made.add_row(*_option_cells(option))
    return made


def _option_cells(option: Option) -> tuple[Text | str, ...]:
    return (
        Text(option.words),
        rank_words(option.expected_rank, option.rank_error),
        win_words(option.win),
        str(option.visits),
        win_words(option.prior),
        "played" if option.is_played else "",
    )
