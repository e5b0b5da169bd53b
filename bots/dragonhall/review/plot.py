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

_WIDTH: Final = 960.0
_HEIGHT: Final = 360.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 48.0, 16.0, 12.0, 40.0
_TICKS: Final = 8
"""About so many numbers below."""

_LOSS_SIZE: Final = 1.6
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
    """Where decisions and shares are."""

    last: int
    """The last decision; the outcome is one further on."""

    def x(self, decision_id: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * decision_id / (self.last + 1)

    def y(self, share: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)


def row_id(decision_id: int) -> str:
    """The anchor of a decision's row."""
    return f"d{decision_id}"


def plot(review: Review) -> Element:
    """The plot; each point leads to its decision's row. To be read by those who see it: the table says the same."""
    axes = _Axes(max((verdict.decision_id for verdict in review.verdicts), default=0))
    return element(
        "svg",
        element("title", "Win expectation of every seat over the game"),
        *_grid(axes),
        *_numbers(axes),
        *(_curve(player, review, axes) for player in review.players),
        viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}",
        role="img",
        class_="plot",
    )


def mark(seat: int) -> Element:
    """A seat's mark by itself, for the legend."""
    return element("svg", _mark(seat), viewBox="-7 -7 14 14", aria_hidden="true", class_=f"mark seat{seat}")


def _grid(axes: _Axes) -> list[Element]:
    made = []
    for percent in (0, 25, 50, 75, 100):
        y = axes.y(percent / 100)
        made.append(element("path", d=f"M{_LEFT:g} {y:.1f}H{_WIDTH - _RIGHT:g}", class_="grid", stroke="currentColor"))
        made.append(element("text", f"{percent} %", x=_LEFT - 8, y=y + 4, text_anchor="end", font_size=12))
    return made


def _numbers(axes: _Axes) -> list[Element]:
    step = number_step(axes.last)
    made = [
        element("text", str(number), x=axes.x(number), y=_HEIGHT - 22, text_anchor="middle", font_size=12)
        for number in range(step, axes.last + 1, step)
    ]
    return [*made, element("text", "decision", x=_WIDTH / 2, y=_HEIGHT - 5, text_anchor="middle", font_size=12)]


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
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in (*places, end))
    points = [_point(verdict, player, place) for verdict, place in zip(verdicts, places, strict=True)]
    return element(
        "g",
        element("path", d=f"M{path}", class_="line", fill="none", stroke="currentColor"),
        *points,
        class_=f"seat{player.seat}",
    )


def _point(verdict: Verdict, player: Player, place: tuple[float, float]) -> Element:
    said = f"decision {verdict.decision_id}, {player_words(player)}: {win_words(verdict.win)}, played {verdict.played}"
    if verdict.is_loss:
        said += f"; {verdict.best} was better by {verdict.loss:.2f} ranks"
    return element(
        "a",
        element("title", said),
        _mark(player.seat, _LOSS_SIZE if verdict.is_loss else 1),
        href=f"#{row_id(verdict.decision_id)}",
        tabindex="-1",
        transform=f"translate({place[0]:.1f} {place[1]:.1f})",
        class_="point loss" if verdict.is_loss else "point",
    )


def _mark(seat: int, size: float = 1) -> Element:
    return element("path", d=_MARKS[seat % len(_MARKS)], transform=f"scale({size:g})")


def _share(player: Player, players: Sequence[Player]) -> float:
    """What the seat has of the win in the end."""
    winners = [other for other in players if other.rank == 1]
    return 1 / len(winners) if player in winners else 0.0
