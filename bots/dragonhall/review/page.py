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
    NO_LOSSES,
    NOTHING,
    budget_words,
    heading,
    left_out_words,
    loss_words,
    player_words,
    rank_words,
    reading_help,
    remarks,
    win_words,
)
from dragonhall.rules import GAMES
from dragonhall.wire.texts import printable

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
    facts = [printable(review.title), f"game {printable(review.game_id)}", budget_words(review.manner.budget)]
    said = ", ".join(filter(None, facts))
    return element(
        "header", element("h1", f"Review of a game of {GAMES[review.game].title}"), element("p", said, class_="quiet")
    )


def _sections(review: Review) -> list[Element]:
    return [
        _section("players", "Players", _players(review)),
        _section("game", "Chance to win over the game", _figure(review)),
        _section("worst", "What cost most", _worst(review.losses[:_WORST], review)),
        _section("decisions", "All decisions", _decisions(review)),
        _section("help", "How to read this", *(element("p", text) for text in reading_help(review))),
    ]


def _section(name: str, title: str, *content: Child) -> Element:
    return element("section", element("h2", title, id=name), *content, aria_labelledby=name)


def _table(caption: str, names: Sequence[str], numbers: Sequence[str], rows: Sequence[Element]) -> Element:
    """A table; on a narrow screen each row stands as a block, its cells below each other, each after its name."""
    cells = [element("th", name, scope="col", **_number_class(name in numbers)) for name in names]
    for row in rows:
        for cell, name in zip(row, names, strict=True):
            cell.set("data-name", name)
    captions = [element("caption", caption)] if caption else []
    return element("table", *captions, element("thead", element("tr", *cells)), element("tbody", *rows))


def _number_class(is_number: bool) -> dict[str, str]:
    return {"class_": "number"} if is_number else {}


def _number(content: Child) -> Element:
    return element("td", content, class_="number")


# -- the players ------------------------------------------------------------------------------------------------------


def _players(review: Review) -> Element:
    names = ("player", "rank", "points", "decisions", "as the search", "losses", "ranks lost")
    caption = "Decisions that somebody made, so without default actions. Losses: those beyond the noise."
    return _table(caption, names, names[1:], [_player(player, review) for player in review.judged])


def _player(player: Player, review: Review) -> Element:
    tally = review.tally(player.seat)
    rank = f"{player.rank} (forfeited)" if player.forfeited else str(player.rank)
    numbers = (rank, str(player.score), str(tally.decisions), str(tally.agreed), str(tally.losses), f"{tally.lost:.2f}")
    name = element("th", mark(player.seat), " ", player_words(player), scope="row")
    return element("tr", name, *map(_number, numbers))


# -- the plot ---------------------------------------------------------------------------------------------------------


def _figure(review: Review) -> Element:
    legend = [element("li", mark(player.seat), " ", player_words(player)) for player in review.players]
    explained = (
        "What share of the win each seat could expect at its own decisions, from what it knew then; at the right end,"
        " what it had of the win. Filled marks are losses beyond the noise. The table below says the same in numbers."
    )
    return element(
        "figure",
        element("ul", *legend, class_="legend"),
        plot(review),
        element("figcaption", explained),
    )


# -- the decisions ----------------------------------------------------------------------------------------------------


def _worst(verdicts: Sequence[Verdict], review: Review) -> Element:
    if not verdicts:
        return element("p", NO_LOSSES)
    return element("ol", *(_worst_item(verdict, review) for verdict in verdicts))


def _worst_item(verdict: Verdict, review: Review) -> Element:
    """``decision 7, seat 2 (Ann): draw a card. 0.96 ± 0.02 ranks better: claim pile 1 (4 cards)``."""
    link = element("a", f"decision {verdict.decision_id}", href=f"#{row_id(verdict.decision_id)}")
    player = f" {player_words(review.players[verdict.seat])}: "
    better = f". {loss_words(verdict)} ranks better: {verdict.best}"
    played = [element("b", verdict.played), *_quiet(remarks(verdict))]
    return element("li", link, ", ", mark(verdict.seat), player, *played, better)


def _quiet(text: str) -> list[Child]:
    return [" ", element("span", f"({text})", class_="quiet")] if text else []


def _decisions(review: Review) -> Element:
    names = ("no.", "player", "asked", "played", "the search", "loss in rank", "win")
    rows = [_decision(verdict, review) for verdict in review.verdicts]
    made = _table(left_out_words(review), names, ("loss in rank", "win"), rows)
    made.set("class", "decisions")
    return made


def _decision(verdict: Verdict, review: Review) -> Element:
    player = review.players[verdict.seat]
    cells = [
        element("th", str(verdict.decision_id), scope="row"),
        element("td", mark(player.seat), " ", player_words(player)),
        element("td", verdict.asked),
        element("td", verdict.played, *_quiet(remarks(verdict))),
        element("td", _considered(verdict)),
        element("td", NOTHING, class_="number nothing") if verdict.agrees else _number(_loss(verdict)),
        _number(win_words(verdict.win)),
    ]
    marked = {"class_": "loss"} if verdict.is_loss else {}
    return element("tr", *cells, id=row_id(verdict.decision_id), **marked)


def _loss(verdict: Verdict) -> Child:
    return element("mark", loss_words(verdict)) if verdict.is_loss else loss_words(verdict)


def _considered(verdict: Verdict) -> Element:
    """The search's choice; what else it considered is there to be opened."""
    choice = "the same" if verdict.agrees else verdict.best
    tried = [element("li", _option(option, verdict.simulations)) for option in verdict.options]
    return element("details", element("summary", choice), element("ul", *tried))


def _option(option: Option, simulations: int) -> str:
    share = option.visits / simulations if simulations else 0.0
    said = f"{option.words}: rank {rank_words(option.expected_rank, option.rank_error)}, win {win_words(option.win)}"
    return f"{said}, {share:.0%} of the simulations{' (played)' if option.is_played else ''}".replace("% of", " % of")
