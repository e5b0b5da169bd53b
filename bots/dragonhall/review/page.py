"""A review as one HTML page that needs nothing else: no network, no scripts; light and dark; for phones, too."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Final
from xml.etree.ElementTree import Element

from dragonhall.review.judge import Option, Verdict
from dragonhall.review.markup import Child, document, element
from dragonhall.review.plot import mark, plot, row_id
from dragonhall.review.reviewing import Player, Review
from dragonhall.review.wording import (
    heading,
    loss_words,
    player_words,
    printable,
    rank_words,
    reading_help,
    remarks,
    win_words,
)

_WORST: Final = 10
"""Decisions that are listed first."""
_NOTHING_FROM_ELSEWHERE: Final = "default-src 'none'; style-src 'unsafe-inline'"


def page(review: Review) -> str:
    """The whole page. The same review makes the same page."""
    return document(
        element(
            "html",
            _head(review),
            element("body", _header(review), element("main", *_sections(review))),
            lang="en",
        )
    )


def _head(review: Review) -> Element:
    style = files("dragonhall.review").joinpath("style.css").read_text(encoding="utf-8")
    policy = element("meta", content=_NOTHING_FROM_ELSEWHERE)
    policy.set("http-equiv", "Content-Security-Policy")
    return element(
        "head",
        element("meta", charset="utf-8"),
        policy,
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", f"Review of {heading(review)}"),
        element("style", style),
    )


def _header(review: Review) -> Element:
    made = element("header", element("h1", heading(review)))
    if review.title:
        made.append(element("p", printable(review.title), class_="quiet"))
    return made


def _sections(review: Review) -> list[Element]:
    worst = [verdict for verdict in review.worst if verdict.is_loss][:_WORST]
    return [
        _section("players", "Players", _scrolls(_players(review), "Players")),
        _section("game", "Win expectation over the game", _figure(review)),
        _section("worst", "What cost most", _worst(worst, review)),
        _section("decisions", "All decisions", _scrolls(_decisions(review), "All decisions")),
        _section("help", "How to read this", *(element("p", text) for text in reading_help(review))),
    ]


def _section(name: str, title: str, *content: Child) -> Element:
    return element("section", element("h2", title, id=name), *content, aria_labelledby=name)


def _scrolls(content: Element, label: str) -> Element:
    """What may be wider than the screen; those who have no mouse reach it, too."""
    return element("div", content, class_="wide", tabindex="0", role="region", aria_label=label)


def _row(cells: Sequence[Element], **attributes: str) -> Element:
    return element("tr", *cells, **attributes)


def _headings(*names: str, numbers: Sequence[str] = ()) -> Element:
    cells = [element("th", name, scope="col", **_number_class(name in numbers)) for name in names]
    return element("thead", _row(cells))


def _number_class(is_number: bool) -> dict[str, str]:
    return {"class_": "number"} if is_number else {}


def _number(content: Child) -> Element:
    return element("td", content, class_="number")


# -- the players ------------------------------------------------------------------------------------------------------


def _players(review: Review) -> Element:
    names = ("player", "rank", "points", "decisions", "as the search", "losses", "ranks lost")
    return element(
        "table",
        element("caption", "Decisions that somebody made, so without default actions. Losses: those beyond the noise."),
        _headings(*names, numbers=names[1:]),
        element("tbody", *(_player(player, review) for player in review.players)),
    )


def _player(player: Player, review: Review) -> Element:
    tally = review.tally(player.seat)
    rank = f"{player.rank} (forfeited)" if player.forfeited else str(player.rank)
    numbers = (rank, str(player.score), str(tally.decisions), str(tally.agreed), str(tally.losses), f"{tally.lost:.2f}")
    name = element("th", mark(player.seat), " ", player_words(player), scope="row")
    return _row([name, *map(_number, numbers)])


# -- the plot ---------------------------------------------------------------------------------------------------------


def _figure(review: Review) -> Element:
    legend = [element("li", mark(player.seat), " ", player_words(player)) for player in review.players]
    explained = (
        "What share of the win each seat could expect at its own decisions, from what it knew then; at the right end,"
        " what it had of the win. Filled marks are losses beyond the noise. The table below says the same in numbers."
    )
    return element(
        "figure",
        _scrolls(plot(review), "Plot"),
        element("ul", *legend, class_="legend"),
        element("figcaption", explained),
    )


# -- the decisions ----------------------------------------------------------------------------------------------------


def _worst(verdicts: Sequence[Verdict], review: Review) -> Element:
    if not verdicts:
        return element("p", "Nothing was worse than what the search would have played, beyond the noise.")
    return element("ol", *(_worst_item(verdict, review) for verdict in verdicts))


def _worst_item(verdict: Verdict, review: Review) -> Element:
    link = element("a", f"decision {verdict.decision_id}", href=f"#{row_id(verdict.decision_id)}")
    said = f", {player_words(review.players[verdict.seat])}: {verdict.played} instead of {verdict.best}"
    return element("li", link, f"{said}, {loss_words(verdict)} ranks", *_quiet(remarks(verdict)))


def _quiet(text: str) -> list[Child]:
    return [" ", element("span", f"({text})", class_="quiet")] if text else []


def _decisions(review: Review) -> Element:
    names = ("no.", "player", "asked", "played", "the search", "loss in rank", "win")
    forced = f"Decisions with a single legal answer are left out: {review.forced}."
    return element(
        "table",
        element("caption", forced),
        _headings(*names, numbers=("loss in rank", "win")),
        element("tbody", *(_decision(verdict, review) for verdict in review.verdicts)),
        class_="decisions",
    )


def _decision(verdict: Verdict, review: Review) -> Element:
    player = review.players[verdict.seat]
    cells = [
        element("th", str(verdict.decision_id), scope="row"),
        element("td", mark(player.seat), " ", player_words(player)),
        element("td", verdict.asked),
        element("td", verdict.played, *_quiet(remarks(verdict))),
        element("td", _considered(verdict)),
        _number(element("mark", loss_words(verdict)) if verdict.is_loss else loss_words(verdict)),
        _number(win_words(verdict.win)),
    ]
    marked = {"class_": "loss"} if verdict.is_loss else {}
    return _row(cells, id=row_id(verdict.decision_id), **marked)


def _considered(verdict: Verdict) -> Element:
    """The search's choice; what else it considered is there to be opened."""
    choice = "the same" if verdict.agrees else verdict.best
    tried = [element("li", _option(option, verdict.simulations)) for option in verdict.options]
    return element("details", element("summary", choice), element("ul", *tried))


def _option(option: Option, simulations: int) -> str:
    share = option.visits / simulations if simulations else 0.0
    said = f"{option.words}: rank {rank_words(option.expected_rank, option.rank_error)}, win {win_words(option.win)}"
    return f"{said}, {share:.0%} of the simulations{' (played)' if option.is_played else ''}".replace("% of", " % of")
