"""``dragonhall record``."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dragonhall.cli import access
from dragonhall.cli.arguments import DEFAULT_ADDRESS, Connect, Timeout, check_file, check_text, patience
from dragonhall.cli.console import note
from dragonhall.cli.exits import run, with_exit_codes
from dragonhall.v1.record_pb2 import GameRecord
from dragonhall.wire.records import to_binary, to_json


class Format(StrEnum):
    """The two file formats of a record."""

    JSON = "json"
    BINARY = "binary"


@with_exit_codes
def record(
    game_id: Annotated[str, typer.Argument(metavar="GAME_ID", help="A finished game.", callback=check_text)],
    connect: Connect = DEFAULT_ADDRESS,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to write it; stdout unless given.", callback=check_file
        ),
    ] = None,
    format: Annotated[
        Format,
        typer.Option(
            metavar="FORMAT",
            help="json: protobuf JSON; binary: the protobuf wire format, less than a tenth of its size.",
        ),
    ] = Format.JSON,
    timeout: Timeout = 5.0,
) -> None:
    """Fetch the record of a finished game: seed, every card's order, every decision, every event, the outcome.

    Of a game that is not over there is none: it holds what nobody may know before. dragonhall verify checks it.

    [bold]Examples[/bold]

        dragonhall record GAME_ID --output game.json && dragonhall verify game.json

        dragonhall record GAME_ID | jq .outcome
    """
    content = encode(run(_fetch(connect, game_id, timeout)), format)
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        output.write_bytes(content)
        note(f"written to {output}")


def encode(fetched: GameRecord, format: Format) -> bytes:
    """The file's content."""
    return to_binary(fetched) if format is Format.BINARY else to_json(fetched).encode()


async def _fetch(target: str, game_id: str, timeout: float) -> GameRecord:
    async with access.client(target, patience(timeout)) as client:
        return await client.record(game_id)
