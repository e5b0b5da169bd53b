"""The plot of a game: what share of the win each seat could expect, decision by decision, as inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from dragonhall.review.judge import Verdict
from dragonhall.review.markup import element
from dragonhall.review.reviewing import Player, Review
from dragonhall.review.wording import player_words, win_words

_TICKS: Final = 8
"""About so many numbers below."""
_NEAR_THE_END: Final = 86.0
"""Percent of the width: a number further right would touch the word there on a phone."""

_MARKS: Final = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-3.6-3.6h7.2v7.2h-7.2z",
    "M0-5L5 0L0 5L-5 0z",
    "M0-4.6L4.6 3.6H-4.6z",
    "M0 4.6L4.6-3.6H-4.6z",
    "M-1.6-4.6h3.2v3h3v3.2h-3v3h-3.2v-3h-3v-3.2h3z",
)
"""By seat, so that colour is not all that tells seats apart: circle, square, diamond, triangles, cross."""


@dataclass(frozen=True)
class _Axes:
    """Where decisions and shares are, in percent of the plot's width and height: so letters and marks keep their size
    on a narrow screen."""

    last: int
    """The last decision; the outcome is one further on."""

    def x(self, decision_id: int) -> float:
        return 100.0 * decision_id / (self.last + 1)

    def y(self, share: float) -> float:
        return 100.0 * (1 - share)


def row_id(decision_id: int) -> str:
    """The anchor of a decision's row."""
    return f"d{decision_id}"


def plot(review: Review) -> Element:
    """The plot; each point leads to its decision's row. To those who do not see it, it is told in short."""
    axes = _Axes(max((verdict.decision_id for verdict in review.verdicts), default=0))
    return element(
        "svg",
        element("title", "Chance to win of every seat over the game"),
        element("desc", ". ".join(_course(player, review) for player in review.players)),
        *_grid(axes),
        *_numbers(axes),
        *(_curve(player, review, axes) for player in review.players),
        role="img",
        class_="plot",
    )


def mark(seat: int) -> Element:
    """A seat's mark by itself, for the legend."""
    return element("svg", _mark(seat), viewBox="-7 -7 14 14", aria_hidden="true", class_=f"mark seat{seat}")


def _course(player: Player, review: Review) -> str:
    """A seat's curve in words."""
    shares = [verdict.win for verdict in review.of_seat(player.seat)]
    end = f"ends with {win_words(_share(player, review.players))}"
    if not shares:
        return f"{player_words(player)} {end}"
    least, most = win_words(min(shares)), win_words(max(shares))
    return f"{player_words(player)} begins with {win_words(shares[0])}, has {least} to {most} and {end}"


def _grid(axes: _Axes) -> list[Element]:
    made = [element("text", "chance to win", x=0, y=-12)]
    for percent in (0, 25, 50, 75, 100):
        y = f"{axes.y(percent / 100):g}%"
        made.append(element("line", x1=0, x2="100%", y1=y, y2=y, class_="grid"))
        made.append(element("text", f"{percent} %", x=-8, y=y, dy=4, text_anchor="end"))
    return made


def _numbers(axes: _Axes) -> list[Element]:
    step = number_step(axes.last)
    shown = [number for number in range(step, axes.last + 1, step) if axes.x(number) < _NEAR_THE_END]
    return [
        *(_below(str(number), f"{axes.x(number):.2f}%", 18, "middle") for number in shown),
        _below("end", "100%", 18, "end"),
        _below("decision", "50%", 36, "middle"),
    ]


def _below(text: str, x: str, down: int, anchor: str) -> Element:
    return element("text", text, x=x, y="100%", dy=down, text_anchor=anchor)


def number_step(last: int) -> int:
    """Between the numbers below: a round one, so that there are few.

    >>> [number_step(last) for last in (1, 46, 95, 349)]
    [1, 10, 20, 50]
    """
    step = 1
    while step * _TICKS < last:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return step


def _curve(player: Player, review: Review, axes: _Axes) -> Element:
    """A seat's line through its own decisions and on to its outcome, and the marks on it."""
    verdicts = review.of_seat(player.seat)
    places = [(axes.x(verdict.decision_id), axes.y(verdict.win)) for verdict in verdicts]
    end = (axes.x(axes.last + 1), axes.y(_share(player, review.players)))
    path = "L".join(f"{x:.2f} {y:.2f}" for x, y in (*places, end))
    line = element("path", d=f"M{path}", class_="line", fill="none", vector_effect="non-scaling-stroke")
    points = [_point(verdict, player, place) for verdict, place in zip(verdicts, places, strict=True)]
    return element(
        "g",
        element("svg", line, viewBox="0 0 100 100", preserveAspectRatio="none", width="100%", height="100%"),
        *points,
        class_=f"seat{player.seat}",
    )


def _point(verdict: Verdict, player: Player, place: tuple[float, float]) -> Element:
    said = f"decision {verdict.decision_id}, {player_words(player)}: {win_words(verdict.win)}; {verdict.played}"
    if verdict.is_loss:
        said += f"; better by {verdict.loss:.2f} ranks: {verdict.best}"
    drawn = element("svg", element("title", said), _mark(player.seat), x=f"{place[0]:.2f}%", y=f"{place[1]:.2f}%")
    return element(
        "a",
        drawn,
        href=f"#{row_id(verdict.decision_id)}",
        tabindex="-1",
        class_="point loss" if verdict.is_loss else "point",
    )


def _mark(seat: int) -> Element:
    return element("path", d=_MARKS[seat % len(_MARKS)])


def _share(player: Player, players: Sequence[Player]) -> float:
    """What the seat has of the win in the end."""
    winners = [other for other in players if other.rank == 1]
    return 1 / len(winners) if player in winners else 0.0
