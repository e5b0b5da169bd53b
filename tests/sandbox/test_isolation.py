"""The sandbox cannot reach the games that are played: not by what it imports, is given, or has open."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from dragonhall.rules.chance import Chance, SeededChance, game_key
from dragonhall.rules.dragons.state import State
from dragonhall.server.log import Created
from dragonhall.server.playthrough import seeded_chance
from dragonhall.server.services import sandbox_service
from dragonhall.server.services.sandbox_service import SandboxService
from dragonhall.v1.sandbox_service_pb2 import POSITION_VIEWS_ALL
from tests.architecture.imports import imports_of, our_modules
from tests.sandbox.asking import asked_of_one, explore, known, line, line_for_each, responses
from tests.sandbox.situations import played
from tests.service.harness import Running, running

OF_GAMES = ("hub", "game", "playthrough", "published", "lobby", "log", "store", "operations", "trail", "encoding")
"""The server's modules that have to do with games that are played."""

MODULES_OF_A_WORKER = """
import sys
from dragonhall.bots.kinds import BOT_KINDS
from dragonhall.cli.playouts import POLICIES
from dragonhall.sandbox import worker
print("\\n".join(name for name in sys.modules if name.startswith("dragonhall.")))
"""


def test_a_worker_imports_nothing_of_the_server_not_even_with_the_bots() -> None:
    """That the layer as a whole imports rules and messages only, the tests of the architecture see to."""
    run = [sys.executable, "-c", MODULES_OF_A_WORKER]
    modules = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert "dragonhall.sandbox.worker" in modules
    assert "dragonhall.bots.kinds" in modules
    assert [name for name in modules if name == "dragonhall.server" or name.startswith("dragonhall.server.")] == []


def test_the_service_is_given_a_pool_and_imports_nothing_of_games() -> None:
    parameters = inspect.signature(SandboxService).parameters
    assert list(parameters) == ["pool", "calls_per_caller", "closing"]
    source = dict(our_modules())[sandbox_service.__name__].read_text(encoding="utf-8")
    imported = {each.name for each in imports_of(source, "dragonhall.server.services")}
    forbidden = tuple(f"dragonhall.server.{name}" for name in OF_GAMES)
    assert [name for name in imported if name.startswith(forbidden)] == []


def opened_by(process: str) -> set[str]:
    """What a process has open."""
    return {os.readlink(entry) for entry in Path(f"/proc/{process}/fd").iterdir() if entry.is_symlink()}


async def test_a_worker_has_nothing_open_but_its_pipes(server: Running) -> None:
    game = await played(server, "dragons", 2)
    await explore(server, await known(server, game, 0), [line()])
    (pid,) = server.server.sandbox.pids
    opened = opened_by(str(pid))
    store = str(server.server.config.store)
    assert [name for name in opened if name.startswith(store)] == []
    ours = opened_by("self")
    assert [name for name in ours if name.startswith(store)], "while the server has it open"
    assert [name for name in opened if name.startswith("socket:")] == []


class OtherCards(SeededChance):
    """The game's chance, but for two cards that are drawn in its last year."""

    def shuffle(self, name: str, items: list[int]) -> list[int]:
        order = super().shuffle(name, items)
        other = next(place for place in range(len(order) - 1, -1, -1) if order[place] != order[-1])
        order[-1], order[other] = order[other], order[-1]
        return order


def other_cards(created: Created, nonces: Sequence[bytes]) -> Chance:
    """The chance of a server whose games hide something else."""
    return OtherCards(game_key(created.seed, nonces))


async def test_games_that_a_seat_cannot_tell_apart_are_thought_about_alike(tmp_path: Path) -> None:
    """On one server the cards still to come are other ones than on the other: what the sandboxes answer is the same."""
    told, answers, decks = [], [], []
    for name, chance_of in (("one", seeded_chance), ("other", other_cards)):
        async with running(tmp_path / f"{name}.db", chance_of) as server:
            game = await played(server, "dragons", 6)
            seat, prompt, knowledge = await asked_of_one(server, game)
            told.append(knowledge.SerializeToString(deterministic=True))
            worlds = await explore(server, knowledge, [line(count=8)], seed=1, views=POSITION_VIEWS_ALL)
            lines = line_for_each(seat, prompt, count=5)
            answers.append((worlds, await responses(server, knowledge, lines, seed=1)))
            table = (await server.server.hub.game(game.game_id)).playthrough.table
            assert table is not None
            assert isinstance(table.state, State)
            decks.append(list(table.state.deal.order))
    assert decks[0] != decks[1]
    assert told[0] == told[1]
    assert answers[0] == answers[1]
