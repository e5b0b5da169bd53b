"""``dragonhall demo``."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated, Final

import typer

from dragonhall.arena import GamePlan, Pairing, PlayedGame, play_games
from dragonhall.bots import BOT_KINDS
from dragonhall.bots.kinds import quick_kinds
from dragonhall.bots.phrases import counted
from dragonhall.cli.console import note, results, shown
from dragonhall.cli.exits import NO, fail, run, with_exit_codes
from dragonhall.cli.hall import Hall, HallPlan, open_hall
from dragonhall.cli.progress import GamesProgress
from dragonhall.cli.reports import game_table
from dragonhall.client import Client
from dragonhall.rules import GAMES
from dragonhall.rules.game import Game
from dragonhall.v1.record_pb2 import GameRecord
from dragonhall.wire import CODECS
from dragonhall.wire.records import to_json, verify_record

_SEATS: Final = 4
"""Seats of a demo's game, where its rules allow that many."""


@with_exit_codes
def demo(
    once: Annotated[bool, typer.Option("--once", help="End after the games instead of going on serving.")] = False,
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="Where to serve; 0 takes a free port.")
    ] = 0,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where to keep the games, records and logs; a temporary one unless given."),
    ] = None,
) -> None:
    """See it all work: a server, a process for each kind of bot, and one game of each kind, played over gRPC.

    Afterwards the records are checked and the server goes on serving, with its bots, until Ctrl-C.

    [bold]Examples[/bold]

        dragonhall demo --once

        dragonhall demo --port 7350 --folder demo
    """
    place = folder or Path(tempfile.mkdtemp(prefix="dragonhall-demo-"))
    (place / "records").mkdir(parents=True, exist_ok=True)
    run(_demo(place, port, once))


async def _demo(folder: Path, port: int, once: bool) -> None:
    note(f"starting a server and the bots {', '.join(quick_kinds())} …")
    async with open_hall(HallPlan(folder, {kind: kind for kind in quick_kinds()}, port=port)) as hall:
        await hall.children.alive_during(_show(hall, folder, once))


async def _show(hall: Hall, folder: Path, once: bool) -> None:
    console = results()
    async with Client(hall.target) as client:
        for game in GAMES.values():
            played = await _play(client, game, folder)
            path = folder / "records" / f"{game.name}-{played.game.game_id}.json"
            verdict = _keep_record(await client.record(played.game.game_id), path)
            console.print(f"[bold]{game.title}[/bold], game {played.game.game_id}", game_table(played), sep="\n")
            console.print(f"record: {path} ({verdict})\n", soft_wrap=True)
    if once:
        return
    note(f"Serving on {hall.target} with the bots {', '.join(quick_kinds())}, until Ctrl-C. In another terminal:")
    for game in GAMES.values():
        line_up = ",".join(_line_up(game))
        note(f"  dragonhall match {game.name} --seats {line_up} --connect {hall.target}")
    await asyncio.Event().wait()


async def _play(client: Client, game: Game, folder: Path) -> PlayedGame:
    """One game, its seed drawn by the server, as in real play."""
    pairing = Pairing(0, 0, 0, _line_up(game), b"")
    options = CODECS[game.name].options_to_proto(game.make_options({}))
    plan = GamePlan(options, title=f"A demo of {game.title}", use_seeds=False)
    progress = GamesProgress(1, game.title, left_at=f"in {folder}")
    with shown(progress):
        [played] = [played async for played in play_games(client, [pairing], plan, watcher=progress)]
    return played


def _line_up(game: Game) -> tuple[str, ...]:
    """All kinds of bots that play it and need little time, in turn."""
    kinds = sorted(BOT_KINDS[game.name])
    seats = min(game.max_seats, max(game.min_seats, _SEATS))
    return tuple(kinds[seat % len(kinds)] for seat in range(seats))


def _keep_record(record: GameRecord, path: Path) -> str:
    path.write_text(to_json(record), encoding="utf-8")
    report = verify_record(record)
    if not report.ok:
        fail(f"the record of game {record.game_id} is rejected: {report.findings[0]}", NO)
    return f"checked: {counted(report.decisions, 'decision')}, {counted(report.chance_outcomes, 'outcome')} of chance"
