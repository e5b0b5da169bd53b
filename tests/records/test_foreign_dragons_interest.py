"""The foreign reader of Dragon's Interest in depth: rare events, another component set, views, and legal actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import pytest

from dragonhall.rules.table import Table
from tests.records.foreign_dragons_interest import GAME, InterestTable, rebuild
from tests.records.foreign_interest_prompts import legal_actions
from tests.records.foreign_interest_views import view
from tests.records.games import Played, json_of, moments_of, prompts_of, view_of, written

SEATS = range(3, 6)
OTHER_PRINTING = """
    id = "other-printing"
    version = 3

    [contracts]
    numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 21]
    jester = { value = 10, needs_any_of = [8, 9] }

    [mountain]
    ring = ["castle", "guild", "temple", "harbor", "city_hall", "arena"]

    [tiles.castle]
    start = "generous_dragon"
    gold = [1, 98, 99]
    events = ["calendar", "calendar", "calendar", "calendar", "calendar", "invasion"]

    [tiles.harbor]
    start = 99
    gold = [65, 76, 87]
    events = ["calendar", "calendar", "calendar", "calendar", "calendar", "invasion"]

    [tiles.temple]
    start = 3
    gold = [50, 50, 50]
    events = ["calendar", "calendar", "calendar", "calendar", "calendar", "invasion"]

    [tiles.city_hall]
    start = 9
    gold = [71, 71]
    events = ["generous_dragon", "calendar", "calendar", "calendar", "calendar", "calendar", "invasion"]

    [tiles.guild]
    gold = [30, 31, 32, 33, 34]
    events = ["calendar", "calendar", "invasion", "invasion", "invasion"]

    [tiles.arena]
    gold = [2, 94]
    events = ["generous_dragon", "calendar", "calendar", "calendar", "calendar", "calendar", "invasion", "invasion"]
"""
"""All that may differ from the default set differs. Calendars are many, and gold to pay for them."""


def _played(seats: int, choices: int, components: str = "") -> Played:
    """Seats that choose wildly are ruined early; those that bid low and pass play to the last tile."""
    draws = (0.05, 0.6, 0.9)[choices % 3]
    return Played(seats, {}, bytes([choices] * 32), True, choices, draws, "dragons_interest", components)


EVENTS = {
    *("tilesTurnedUp", "roundStarted", "bidsRevealed", "contractReturned", "tileTaken", "goldCollectedAgain"),
    *("passed", "buildingActivated", "incomeTaken", "offerMade", "offerAccepted", "offerMatched", "stakePlaced"),
    *("commitmentsRevealed", "stakeWon", "stakeKept", "stakeReturned", "tilesDiscarded", "invasionSuffered"),
    *("interestWaived", "dragonMoved", "interestPaid", "gameEnded"),
}
RARE = {
    *("a Jester returned", "a number returned", "two Invasions together", "a building lost"),
    *("ended by ruined", "ended by completed", "ended by stacksEmpty", "two ruined", "tie for rank", "tie for score"),
}
RARE_IN_OTHER_PRINTING = {
    *("a stack passed twice", "an Invasion without a question", "2 knights lost", "1 knights lost", "0 knights lost"),
}


@pytest.mark.parametrize(
    ("components", "rare"),
    [("", RARE), (OTHER_PRINTING, RARE_IN_OTHER_PRINTING)],
    ids=["default set", "other printing"],
)
def test_the_foreign_reader_agrees_on_whatever_may_happen(components: str, rare: set[str]) -> None:
    seen: Counter[str] = Counter()
    for seats, choices in product(SEATS, range(30)):
        record = json_of(_played(seats, choices, components))
        assert rebuild(record) == written(record)
        seen.update(_what_happened(record))
    assert set(seen) >= EVENTS | rare


def _what_happened(record: dict[str, Any]) -> Iterator[str]:
    for step in record["steps"]:
        told = [item for event in step["events"] for item in event["event"][GAME].items()]
        for kind, fields in told:
            yield kind
            yield from _what_is_rare(kind, fields)
        yield from ["an Invasion without a question"] * ({"tilesTurnedUp", "invasionSuffered"} <= dict(told).keys())
    for ranking in ("rank", "score"):
        yield from [f"tie for {ranking}"] * _any_twice(
            [result.get(ranking, 0) for result in record["outcome"]["results"]]
        )


def _what_is_rare(kind: str, fields: dict[str, Any]) -> Iterator[str]:
    if kind == "tilesTurnedUp":
        invasions = [tile for tile in fields["tiles"] if tile.get("event") == "TILE_EVENT_INVASION"]
        yield from ["two Invasions together"] * (len(invasions) >= 2)
    elif kind == "contractReturned":
        yield "a number returned" if fields["contract"] else "a Jester returned"
    elif kind == "dragonMoved":
        yield from ["a stack passed twice"] * _any_twice(fields["passed"])
    elif kind == "invasionSuffered":
        for loss in fields["losses"]:
            yield "a building lost" if "building" in loss else f"{loss.get('knights', 0)} knights lost"
    elif kind == "gameEnded":
        yield from (f"ended by {reason}" for reason in fields)
        yield from ["two ruined"] * (len(fields.get("ruined", [])) >= 2)


def _any_twice(values: list[Any]) -> bool:
    return len(set(values)) < len(values)


@pytest.mark.parametrize("components", ["", OTHER_PRINTING], ids=["default set", "other printing"])
@pytest.mark.parametrize("seats", SEATS)
def test_the_foreign_reader_finds_every_view_and_every_prompts_legal_actions(seats: int, components: str) -> None:
    for choices in range(6):
        played = _played(seats, choices, components)
        record, moments = json_of(played), moments_of(played)
        table = InterestTable(record)
        for step in record["steps"][1:]:
            actions = {written.get("seat", 0): written["action"][GAME] for written in step["decisions"]}
            for served in islice(moments, len(actions)):
                prompts = {seat: prompt["legalActions"] for seat, prompt in prompts_of(served).items()}
                assert {seat: legal_actions(table, seat) for seat in prompts} == prompts
                _compare_views(table, served, {seat: actions[seat] for seat in actions if seat not in prompts})
            table.follow(step)
        _compare_views(table, next(moments), {})


def _compare_views(table: InterestTable, served: Table, answered: dict[int, Any]) -> None:
    for viewer in (*range(table.seats), None):
        assert {GAME: view(table, viewer, answered)} == view_of(served, viewer)
