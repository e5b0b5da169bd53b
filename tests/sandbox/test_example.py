"""The worked example: a search that knows no rules, on a real server, against players at random."""

from __future__ import annotations

import asyncio
import importlib.util
import re
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Final

import pytest

from dragonhall.client import Client, open_seat
from tests.architecture.imports import imports_of
from tests.service.harness import Running, Seated, at_random, dragons

REPOSITORY: Final = Path(__file__).resolve().parents[2]
EXAMPLE: Final = REPOSITORY / "clients" / "examples" / "sandbox_mcts.py"
README: Final = REPOSITORY / "server" / "dragonhall" / "sandbox" / "README.md"

GAMES: Final = 12
WINS: Final = 9
"""Who plays as well as the two others wins so many of these games, or more, once in 2600 times."""


def the_example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sandbox_mcts", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
async def test_it_beats_random_play(server: Running) -> None:
    """In every seat as often as in the others. Ties count as the share of a win that they are."""
    example = the_example()
    async with Client(f"127.0.0.1:{server.port}") as client:
        shares = await asyncio.gather(*(one_game(server, client, example, number) for number in range(GAMES)))
    assert sum(shares) >= WINS, shares


async def one_game(server: Running, client: Client, example: ModuleType, number: int) -> float:
    """The example's share of the win."""
    ours = number % 3
    game_id = (await client.create_game(dragons(), [open_seat()] * 3, seed=number.to_bytes(32))).game.game_id
    seats = [await client.take_seat(game_id, f"Player {seat}") for seat in range(3)]
    game, rng = Seated(game_id, "", [seat.token for seat in seats]), Random(number)
    others = [server.play_seat(game, seat, at_random(rng)) for seat in range(3) if seat != ours]
    await asyncio.gather(example.play(client, seats[ours]), *others)
    ranks = [result.rank for result in (await client.get_game(game_id)).outcome.results]
    return (ranks[ours] == 1) / ranks.count(1)


def test_it_knows_no_rules() -> None:
    imported = {each.name for each in imports_of(EXAMPLE.read_text(encoding="utf-8"), "")}
    ours = {name for name in imported if name.startswith("dragonhall.")}
    assert {name.split(".")[1] for name in ours} == {"client", "dragons", "v1"}


def test_the_readme_shows_it_as_it_is() -> None:
    found = re.search(r"<!-- file: (\S+) -->\n```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    assert (README.parent / found[1]).resolve() == EXAMPLE
    assert found[2] == EXAMPLE.read_text(encoding="utf-8")


def test_the_readmes_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (README.parent / link).exists()] == []
