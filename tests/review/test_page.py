"""The page: everything is on it, nothing comes from elsewhere, and whatever a name holds stays a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from dragonhall.review import Review, page
from dragonhall.review.plot import number_step, row_id
from dragonhall.review.wording import CHOICE_HELP, loss_words
from tests.review.found import NASTY, made_up

VOID = {"meta", "br", "hr", "img", "input", "link"}


@dataclass
class Node:
    """One element of a page."""

    name: str
    attributes: dict[str, str]
    inside: list[Node | str] = field(default_factory=list)

    def all(self, name: str = "", class_: str = "") -> Iterator[Node]:
        """Elements in it with that name and of that class."""
        for node in self.inside:
            if isinstance(node, Node):
                if name in ("", node.name) and (not class_ or class_ in node.attributes.get("class", "").split()):
                    yield node
                yield from node.all(name, class_)

    @property
    def text(self) -> str:
        return "".join(node if isinstance(node, str) else node.text for node in self.inside)


class Tree(HTMLParser):
    """Reads a page, and insists on every element being closed where it should."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = Node("", {})
        self._open = [self.root]
        self.feed(text)
        self.close()
        assert self._open == [self.root], "all is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        node = Node(tag, {name: value or "" for name, value in attrs})
        self._open[-1].inside.append(node)
        if tag not in VOID:
            self._open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().name == tag

    def handle_data(self, data: str) -> None:
        self._open[-1].inside.append(data)


def read(review: Review) -> Node:
    return Tree(page(review)).root


def table(root: Node, number: int) -> tuple[list[str], list[list[str]]]:
    """The headings of a page's table, and the cells of its rows."""
    found = list(root.all("table"))[number]
    [head], [body] = found.all("thead"), found.all("tbody")
    cells = [[cell.text.strip() for cell in row.inside if isinstance(cell, Node)] for row in body.all("tr")]
    return [cell.text for cell in head.all("th")], cells


@pytest.mark.parametrize("seats", range(2, 7))
def test_every_decision_has_a_row_and_a_mark_that_leads_to_it(seats: int) -> None:
    review = made_up(seats)
    root = read(review)
    ids = [row.attributes["id"] for row in root.all("tr") if "id" in row.attributes]
    assert ids == [row_id(verdict.decision_id) for verdict in review.verdicts]
    [plot] = root.all("svg", "plot")
    points = list(plot.all("a", "point"))
    assert sorted(point.attributes["href"] for point in points) == sorted(f"#{id}" for id in ids)
    for seat in range(seats):
        [own] = plot.all("g", f"seat{seat}")
        assert len(list(own.all("a", "point"))) == len(review.of_seat(seat))
        [line] = own.all("path", "line")
        assert len(re.findall(r"[ML]", line.attributes["d"])) == len(review.of_seat(seat)) + 1, "and its outcome"


def test_the_table_says_what_was_found() -> None:
    review = made_up()
    headings, rows = table(read(review), 1)
    assert headings == ["no.", "player", "asked", "played", "the search", "loss in rank", "win"]
    for verdict, row in zip(review.verdicts, rows, strict=True):
        assert row[0] == str(verdict.decision_id)
        assert row[1] == f"seat {verdict.seat} (player {verdict.seat})"
        assert row[3].startswith(verdict.played)
        assert row[4].startswith("the same" if verdict.agrees else verdict.best)
        assert row[5:] == [loss_words(verdict), f"{verdict.decision_id} %"]
        for option in verdict.options:
            assert f"{option.words}: rank" in row[4]
    assert rows[2][5] == "0.30 ± 0.02"
    assert rows[4][3] == "claim pile 1 (default action: out of time)"
    assert rows[6][3] == "draw (taken back before: claim pile 2)"


def test_marks_are_where_the_numbers_are() -> None:
    review = made_up()
    [plot] = read(review).all("svg", "plot")
    for seat in range(3):
        [own] = plot.all("g", f"seat{seat}")
        drawn = [next(point.all("svg")).attributes for point in own.all("a", "point")]
        numbers = [(float(at["x"].rstrip("%")), float(at["y"].rstrip("%"))) for at in drawn]
        shares = [verdict.win for verdict in review.of_seat(seat)]
        assert [y for _, y in numbers] == pytest.approx([100 - 100 * share for share in shares])
        assert [y for _, y in numbers] == sorted((y for _, y in numbers), reverse=True), "more is higher"
        assert shares == sorted(shares)
        assert [x for x, _ in numbers] == sorted(x for x, _ in numbers)


@pytest.mark.parametrize(("last", "step"), [(0, 1), (8, 1), (9, 2), (46, 10), (95, 20), (349, 50), (801, 200)])
def test_the_plots_numbers_are_round_and_few(last: int, step: int) -> None:
    assert number_step(last) == step


def test_losses_are_marked_in_the_plot_in_the_table_and_in_the_list() -> None:
    review = made_up()
    root = read(review)
    losses = [verdict.decision_id for verdict in review.losses]
    assert losses == [5, 3]
    marked = {row_id(number) for number in losses}
    assert {row.attributes["id"] for row in root.all("tr", "loss")} == marked
    assert {point.attributes["href"] for point in root.all("a", "loss")} == {f"#{id}" for id in marked}
    [listed] = root.all("ol")
    assert [link.attributes["href"] for link in listed.all("a")] == [f"#{row_id(number)}" for number in losses]


def test_every_link_leads_somewhere_on_the_page() -> None:
    root = read(made_up())
    ids = [node.attributes["id"] for node in root.all() if "id" in node.attributes]
    assert len(set(ids)) == len(ids)
    assert {link.attributes["href"] for link in root.all("a")} <= {f"#{id}" for id in ids}
    assert {node.attributes["aria-labelledby"] for node in root.all("section")} <= set(ids)


def test_the_players_are_counted() -> None:
    review = made_up()
    _, rows = table(read(review), 0)
    assert rows[0] == ["seat 0 (player 0)", "1", "50", "3", "1", "1", "0.30"]
    assert rows[2] == ["seat 2 (player 2)", "3 (forfeited)", "48", "2", "1", "0", "0.00"]


def test_players_whose_decisions_were_not_looked_at_are_not_counted() -> None:
    _, rows = table(read(replace(made_up(), seat=1)), 0)
    assert [row[0] for row in rows] == ["seat 1 (player 1)"]


def test_it_says_why_the_choice_may_not_have_the_best_rank() -> None:
    assert CHOICE_HELP in read(made_up()).text


def test_names_stay_names() -> None:
    root = read(made_up(names=(NASTY, "Ada & <Bob>", '"龍" \\ /')))
    assert list(root.all("script")) == []
    [legend] = root.all("ul", "legend")
    shown = [item.text.strip() for item in legend.all("li")]
    assert shown == [
        "seat 0 (</td><script>alert('\"&')</script>\ufffd\ufffd[31m)",
        "seat 1 (Ada & <Bob>)",
        'seat 2 ("龍" \\ /)',
    ]


def test_nothing_comes_from_elsewhere() -> None:
    text = page(made_up())
    root = Tree(text).root
    assert text.startswith("<!doctype html>")
    assert {"script", "link", "img", "iframe", "object"}.isdisjoint(node.name for node in root.all())
    assert not re.search(r"https?:|@import|url\(", text)
    [policy] = [node for node in root.all("meta") if node.attributes.get("http-equiv") == "Content-Security-Policy"]
    assert policy.attributes["content"].startswith("default-src 'none'")


def test_it_can_be_read_without_eyes_and_without_a_mouse() -> None:
    root = read(made_up())
    [html] = root.all("html")
    assert html.attributes["lang"] == "en"
    for found in root.all("table"):
        assert len(list(found.all("caption"))) == 1
        assert {cell.attributes["scope"] for cell in found.all("th")} == {"col", "row"}
    [plot] = root.all("svg", "plot")
    assert plot.attributes["role"] == "img"
    assert next(iter(plot.all("title"))).text == "Chance to win of every seat over the game"
    [description] = plot.all("desc")
    assert "seat 1 (player 1) begins with 1 %, has 1 % to 10 % and ends with 0 %" in description.text
    labels = [text.text for text in plot.all("text")]
    assert {"chance to win", "0 %", "100 %", "decision", "end"} <= set(labels), "its axes say what they are"
    assert {point.attributes["tabindex"] for point in plot.all("a")} == {"-1"}, "the table is shorter to go through"
    assert [level.name for level in root.all() if re.fullmatch(r"h\d", level.name)] == ["h1"] + ["h2"] * 5


def test_on_a_narrow_screen_every_cell_has_its_name() -> None:
    """There rows stand as blocks, without the headings above."""
    root = read(made_up())
    for found in root.all("table"):
        [head], [body] = found.all("thead"), found.all("tbody")
        names = [cell.text for cell in head.all("th")]
        for row in body.all("tr"):
            assert [cell.attributes["data-name"] for cell in row.inside if isinstance(cell, Node)] == names
    style = next(iter(root.all("style"))).text
    assert "content: attr(data-name)" in style
    assert "min-width" not in style, "nothing is wider than the screen"


def test_a_review_without_losses_or_decisions_has_a_page() -> None:
    review = made_up()
    nothing = Review(review.game_id, review.game, "", review.players, review.manner, (), 0)
    root = read(nothing)
    assert "Nothing was worse than what the search would have played" in root.text
    assert table(root, 1)[1] == []


def test_the_same_review_makes_the_same_page() -> None:
    assert page(made_up()) == page(made_up())


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_stand_out_from_the_paper(scheme: int) -> None:
    """WCAG's contrast ratio: 4.5 for text, 3 for what is drawn."""
    style = files("dragonhall.review").joinpath("style.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", style.split("@media")[scheme]))
    assert {"paper", "ink", "quiet", "marked", *(f"seat{seat}" for seat in range(6))} <= colours.keys()

    def contrast(one: str, other: str) -> float:
        low, high = sorted((_luminance(colours[one]), _luminance(colours[other])))
        return (high + 0.05) / (low + 0.05)

    for paper in ("paper", "marked"):
        assert contrast("ink", paper) >= 4.5
        assert contrast("quiet", paper) >= 4.5
        assert min(contrast(f"seat{seat}", paper) for seat in range(6)) >= 3
