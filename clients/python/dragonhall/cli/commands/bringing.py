"""``dragonhall import``."""

from __future__ import annotations

from typing import Annotated

import typer

from dragonhall.cli import access
from dragonhall.cli.arguments import DEFAULT_ADDRESS, Connect, Timeout, patience
from dragonhall.cli.commands.verify import content_of
from dragonhall.cli.exits import run, with_exit_codes
from dragonhall.v1.game_pb2 import Game
from dragonhall.v1.record_pb2 import GameRecord
from dragonhall.wire.records import read_record


@with_exit_codes
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record, JSON or binary; - is stdin.")],
    connect: Connect = DEFAULT_ADDRESS,
    timeout: Timeout = 5.0,
) -> None:
    """Bring a game that was played elsewhere to a server: from its record, which the server verifies first.

    It keeps its id, and can be read there like one that was played there. The server has to allow it (serve
    --allow-imports).

    [bold]Examples[/bold]

        dragonhall import game.json

        dragonhall record GAME_ID | dragonhall import - --connect other.example:7350
    """
    game = run(_bring(connect, read_record(content_of(file)), timeout))
    print(f"imported {game.game_id}")


async def _bring(target: str, record: GameRecord, timeout: float) -> Game:
    async with access.client(target, patience(timeout)) as client:
        return await client.import_record(record)
