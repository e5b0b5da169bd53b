"""What comes of playouts, and that it depends on the request alone."""

from __future__ import annotations

import doctest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dragonhall.cli.playouts import POLICIES
from dragonhall.sandbox import SandboxLimits, SandboxSettings, tally
from dragonhall.v1.sandbox_service_pb2 import Knowledge, Line, RollOutRequest, RollOutTotals
from tests.sandbox.asking import asked_of_one, explore, known, line, line_for_each, responses, roll_out
from tests.sandbox.situations import GAMES, played
from tests.service.harness import Running, running

each_game = pytest.mark.parametrize("name", GAMES)
NAMES = ("points", "ranks", "wins", "payoffs", "payoff_squares")


def added(totals: Sequence[RollOutTotals]) -> dict[int, dict[str, Any]]:
    """Sums by line."""
    lines: dict[int, dict[str, Any]] = {}
    for each in totals:
        sums = lines.setdefault(each.line, {"playouts": 0, "decisions": 0, "worlds": 0, **{n: [] for n in NAMES}})
        sums["playouts"] += each.playouts
        sums["decisions"] += each.decisions
        sums["worlds"] += each.worlds.count
        for name in NAMES:
            values = getattr(each, name)
            sums[name] = [a + b for a, b in zip(sums[name] or [0] * len(values), values, strict=True)]
    return lines


@each_game
async def test_totals_are_sums_however_they_are_cut(server: Running, name: str) -> None:
    game = await played(server, name, 10)
    seat, prompt, knowledge = await asked_of_one(server, game)
    lines = line_for_each(seat, prompt, count=3)[:5]
    together = added(await roll_out(server, knowledge, lines, playouts=4, seed=5, max_decisions=400))
    each_world = await roll_out(server, knowledge, lines, playouts=4, seed=5, max_decisions=400, per_world=True)
    cells = [(each.line, each.worlds.first, each.worlds.count) for each in each_world]
    assert sorted(cells) == [(n, world, 1) for n in range(len(lines)) for world in range(3)]
    for n, sums in added(each_world).items():
        assert together[n] == {key: pytest.approx(value) for key, value in sums.items()}
        assert (sums["playouts"], sums["worlds"]) == (12, 3)


@each_game
async def test_every_playout_ends_with_all_ranks_and_one_win(server: Running, name: str) -> None:
    game = await played(server, name, 10)
    seats = GAMES[name][0]
    totals = await roll_out(server, await known(server, game, 0), [line(count=40)], per_world=True)
    for each in totals:
        assert sum(each.ranks) == pytest.approx(seats * (seats + 1) / 2)
        assert sum(each.wins) == pytest.approx(1)
        assert sum(each.payoffs) == pytest.approx(seats / 2)
        assert list(each.payoff_squares) == pytest.approx([payoff * payoff for payoff in each.payoffs])
        assert list(each.payoffs) == pytest.approx([(seats - rank) / (seats - 1) for rank in each.ranks])
        assert (each.unfinished, each.playouts) == (0, 1)
    assert len({tuple(each.points) for each in totals}) > 1


async def test_a_playout_of_a_world_has_the_same_luck_in_every_line(server: Running) -> None:
    """Two lines that are one and the same are found to be exactly as good."""
    game = await played(server, "dragonisles", 8)
    seat, _, knowledge = await asked_of_one(server, game)
    twins = [line((seat, 0), count=5), line((seat, 0), count=5)]
    sums = added(await roll_out(server, knowledge, twins, playouts=3))
    assert sums[0] == sums[1]


async def test_who_stops_early_has_tried_all_lines_alike(server: Running) -> None:
    game = await played(server, "dragons", 6)
    seat, prompt, knowledge = await asked_of_one(server, game)
    lines = [*line_for_each(seat, prompt, count=200), line((seat, 0), first=7, count=30)]
    tried: dict[int, int] = {}
    for each in await roll_out(server, knowledge, lines, playouts=2):
        tried[each.line] = tried.get(each.line, 0) + each.playouts
        wide = [count for n, count in tried.items() if n < len(lines) - 1]
        assert max(wide) - min(wide) <= 64
    assert tried == {**dict.fromkeys(range(len(lines) - 1), 400), len(lines) - 1: 60}


async def test_decisions_can_be_limited_and_what_is_unfinished_is_scored_as_it_stands(server: Running) -> None:
    game = await played(server, "dragonisles", 4)
    knowledge = await known(server, game, 0)
    (totals,) = await roll_out(server, knowledge, [line(count=10)], max_decisions=5)
    assert (totals.playouts, totals.unfinished, totals.decisions) == (10, 10, 50)
    (position,) = await explore(server, knowledge, [line()], standing=True)
    assert [result.score for result in position.standing.results] == [0, 0, 0]


@each_game
async def test_the_bots_play_on_in_any_position(server: Running, name: str) -> None:
    """Also for seats whose memories they have not, and every one to its end."""
    for answers in (0, 9, 30):
        game = await played(server, name, answers)
        knowledge = await known(server, game, 0)
        totals = await roll_out(server, knowledge, [line(first=answers)], policy="greedy")
        assert [(each.playouts, each.unfinished) for each in totals] == [(1, 0)]


async def test_bots_win_sooner_than_chance_does(server: Running) -> None:
    """DragonIsles ends when somebody has won eight challenges, which takes 300 decisions if nobody means to."""
    game = await played(server, "dragonisles", 0)
    knowledge = await known(server, game, 0)
    (greedy,), (chance,) = [
        await roll_out(server, knowledge, [line()], policy=policy) for policy in ("greedy", "random")
    ]
    assert greedy.decisions < chance.decisions / 2


def test_examples_hold() -> None:
    results = doctest.testmod(tally)
    assert (results.failed, results.attempted) == (0, 2)


# ---- Nothing but the request


async def questions(server: Running, name: str) -> tuple[Knowledge, list[Line]]:
    game = await played(server, name, 11)
    seat, prompt, knowledge = await asked_of_one(server, game)
    return knowledge, line_for_each(seat, prompt, count=12)[:6]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dragons", "dragons_interest", "dragonisles"])
async def test_an_answer_depends_on_nothing_but_its_request(tmp_path: Path, name: str) -> None:
    """Not on the game: it is the same, message by message, on a server that has never heard of it; nor on the number of
    workers, on what they were asked before, or on what else they are asked."""
    alone = {"max_decisions": 60, "playouts": 2, "seed": 9}
    async with running(tmp_path / "one.db", sandbox=SandboxSettings(workers=1, policies=POLICIES)) as server:
        knowledge, lines = await questions(server, name)
        expected = await responses(server, knowledge, lines, **alone)
        greedy = await responses(server, knowledge, lines[:2], policy="greedy", max_decisions=8)
    async with running(tmp_path / "two.db", sandbox=SandboxSettings(workers=2, policies=POLICIES)) as other:
        await played(other, name, 3)
        busy: Any = other.sandbox.RollOut(RollOutRequest(knowledge=knowledge, lines=lines, playouts=300))
        await busy.read()
        assert await responses(other, knowledge, lines, **alone) == expected
        busy.cancel()
        assert await responses(other, knowledge, lines, **alone) == expected
        assert await responses(other, knowledge, lines[:2], policy="greedy", max_decisions=8) == greedy
        assert await responses(other, knowledge, lines, **{**alone, "seed": 10}) != expected


async def test_what_the_client_leaves_unsaid_is_the_servers_limit(tmp_path: Path) -> None:
    settings = SandboxSettings(limits=SandboxLimits(decisions=25))
    async with running(tmp_path / "games.db", sandbox=settings) as server:
        game = await played(server, "dragonisles", 0)
        (totals,) = await roll_out(server, await known(server, game, 0), [line(count=4)])
    assert (totals.decisions, totals.unfinished) == (100, 4)
