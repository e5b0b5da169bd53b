"""``dragonhall match``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from dragonhall.arena import GamePlan, PlayedGame, standings
from dragonhall.bots.kinds import usual_name
from dragonhall.bots.mcts.levels import is_timed
from dragonhall.bots.phrases import counted
from dragonhall.cli.arguments import (
    MAX_SECONDS,
    AsJson,
    ComponentFiles,
    Ponder,
    Processes,
    Workers,
    check_address,
    check_number,
    check_text,
    find_game,
    parse_bots,
    parse_game_options,
    parse_seats,
    parse_seed,
    read_components,
)
from dragonhall.cli.console import note, print_json, results, shown
from dragonhall.cli.exits import run, with_exit_codes
from dragonhall.cli.matches import MAX_AT_ONCE, MAX_GAMES, Finished, Match, Place, Prepared, play_match
from dragonhall.cli.progress import GamesProgress
from dragonhall.cli.reports import game_data, game_table, standing_data, standings_table
from dragonhall.client import per_decision
from dragonhall.rules.game import Game
from dragonhall.v1.game_pb2 import GameSettings
from dragonhall.wire import CODECS
from dragonhall.wire.records import to_json


@with_exit_codes
def match(
    game: Annotated[str, typer.Argument(metavar="GAME", help="As dragons.")],
    seats: Annotated[
        str,
        typer.Option(
            metavar="BOT,BOT,…",
            help="Who plays, clockwise from seat 0: kinds of bots, as greedy,random or mcts@2000,mcts-strong.",
            callback=check_text,
        ),
    ],
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot",
            metavar="NAME=KIND",
            help="Start a bot of this name here, and how it plays: a kind of bot, or a bot of your own as"
            " FILE.py:CLASS or module:CLASS. Repeat it.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            metavar="NAME=VALUE",
            help="An option of the game, as open_piles=true or characters=monk,pirate. Repeat it.",
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="Up to 64 hexadecimal digits: the same seed gives the same match again."),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            min=1,
            max=MAX_GAMES,
            metavar="N",
            help=f"Play N games (rounded up to whole deals), mirrored; at most {MAX_GAMES}.",
        ),
    ] = 1,
    at_once: Annotated[
        int, typer.Option(min=1, max=MAX_AT_ONCE, metavar="N", help=f"How many games at a time; at most {MAX_AT_ONCE}.")
    ] = 8,
    record: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Keep the game's record in this file; of several games: in this folder."),
    ] = None,
    as_json: AsJson = False,
    components: ComponentFiles = None,
    component_set: Annotated[
        str,
        typer.Option(metavar="ID", help="With --connect: one of that server's component sets.", callback=check_text),
    ] = "",
    connect: Annotated[
        str | None,
        typer.Option(
            "--connect",
            "-c",
            metavar="HOST:PORT",
            help="Play on this server, with the bots of these names that wait there, instead of starting one.",
            callback=check_address,
        ),
    ] = None,
    start_bots: Annotated[
        bool, typer.Option("--start-bots", help="With --connect: start the bots here, as processes of their own.")
    ] = False,
    processes: Processes = None,
    workers: Workers = 1,
    ponder: Ponder = False,
    time_per_decision: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=MAX_SECONDS,
            help="How long a bot may think; then the game's default action is its answer, and it plays on. Without a"
            " limit unless given.",
            callback=check_number,
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=MAX_SECONDS,
            help="When a game waits so long for a bot to come or answer, abort all games and end with exit code 1;"
            " for ever unless given.",
            callback=check_number,
        ),
    ] = None,
) -> None:
    """Have bots play a game, or many, and say who won.

    Starts a server and one process for each kind of bot, plays over gRPC, and ends them all. With --seed everything but
    ids and times is the same each time.

    With --games each deal is played once for every way to rotate the line-up, so that everybody has every seat with the
    same cards; shares of wins come with a 95 % interval over deals. The deals' seeds are derived from --seed.

    [bold]Examples[/bold]

        dragonhall match dragons --seats greedy,random,random --seed 1 --record game.json

        dragonhall match dragons --seats greedy,random,random,random --games 200

        dragonhall match dragons --seats greedy,greedy,random -o hidden_card=true --json

        dragonhall match dragons --seats tortoise,greedy,random --bot tortoise=tortoise.py:Tortoise --games 90

        dragonhall match dragons --seats mine,greedy,random --bot mine=mine.py:Mine --games 30 --time-per-decision 2

        dragonhall match dragons --seats greedy,random,random --connect 127.0.0.1:7350 --start-bots

        dragonhall match dragons --seats mcts@2000,greedy,greedy --games 30 --seed 1 --processes 2
    """
    rules = find_game(game)
    own = parse_bots(bot or [], rules)
    start_all = connect is None or start_bots
    players = parse_seats(seats, rules, own if start_all else None)
    idle = [name for name in own if name not in players]
    if idle:
        raise typer.BadParameter(f"{idle[0]} has no seat in --seats", param_hint="--bot")
    line_up = tuple(map(usual_name, players))
    bots = {usual_name(name): own.get(name, name) for name in players if start_all or name in own}
    if len(set(players)) > len(set(line_up)):
        raise typer.BadParameter("two kinds of bots have one name: give one another with --bot", param_hint="--seats")
    if ponder and not any(map(is_timed, bots.values())):
        raise typer.BadParameter(
            "no bot that is started here can think while others are asked: it takes one that searches with a budget of"
            " time, as mcts or mcts@0.5s",
            param_hint="--ponder",
        )
    component_set_id = _component_set(rules, components or [], component_set, connect)
    options = parse_game_options(option or [], rules, len(line_up))
    base_seed = parse_seed(seed) if seed is not None else None
    plan = GamePlan(
        options=CODECS[rules.name].options_to_proto(options),
        component_set_id=component_set_id,
        title="dragonhall match",
        use_seeds=base_seed is not None or games > 1,
        give_up_after=timedelta(seconds=timeout) if timeout is not None else None,
        settings=_settings(time_per_decision),
    )
    played = Match(line_up, plan, base_seed, games, at_once)
    prepared = Prepared.of(played)
    if prepared.games != games:
        note(f"{counted(prepared.games, 'game')} instead of {games}, so that each deal is played with every rotation")
    place = Place(connect, bots, components or (), _thinking(processes, workers), ponder)
    finished = _play(played, prepared, place, rules, record)
    if as_json:
        _print_json(rules, played, prepared, finished)
    else:
        _print(rules, prepared, finished)


def _thinking(processes: int | None, workers: int) -> Sequence[str]:
    """For the bots that need long. Nobody is at the table who would look at the clock."""
    given = ["--no-steady"]
    given += ["--processes", str(processes)] if processes is not None else []
    given += ["--workers", str(workers)] if workers > 1 else []
    return given


def _settings(time_per_decision: float | None) -> GameSettings | None:
    if time_per_decision is None:
        return None
    return GameSettings(time_control=per_decision(timedelta(seconds=time_per_decision)))


def _component_set(rules: Game, files: list[Path], component_set: str, connect: str | None) -> str:
    """The id of the set to play with: the last file's, as read here before any server is."""
    if files and connect is not None:
        raise typer.BadParameter(
            "a running server has its own sets (dragonhall serve --components): choose one with --component-set",
            param_hint="--components",
        )
    if component_set and connect is None:
        raise typer.BadParameter("without --connect: give the file with --components", param_hint="--component-set")
    sets = [read_components(path) for path in files]
    others = [file for file in sets if file.game.name != rules.name]
    if others:
        raise typer.BadParameter(f"{others[0].path} is a set of {others[0].game.name}", param_hint="--components")
    return sets[-1].components.id if sets else component_set


def _play(played: Match, prepared: Prepared, place: Place, rules: Game, record: Path | None) -> list[PlayedGame]:
    """All games in the schedule's order; records are written as the games end, and not kept."""
    several = prepared.games > 1
    if record is not None:
        _make_room(record, several)
    server = None if place.connect is None else f"on {place.connect}"
    progress = GamesProgress(prepared.games, rules.title, left_at=server)
    finished: list[PlayedGame] = []

    def ended(game: Finished) -> None:
        finished.append(game.played)
        progress.ended(game.played)
        if record is not None and game.record is not None:
            path = record / f"{game.played.pairing.number:06}.json" if several else record
            path.write_text(to_json(game.record), encoding="utf-8")

    with shown(progress):
        run(play_match(played, prepared, place, progress, ended, with_records=record is not None))
    return sorted(finished, key=lambda game: game.pairing.number)


def _make_room(record: Path, several: bool) -> None:
    """The folder for the records; for one record, of its file."""
    if not several and record.is_dir():
        raise typer.BadParameter(f"{str(record)!r} is a folder; name a file for one game", param_hint="--record")
    (record if several else record.parent).mkdir(parents=True, exist_ok=True)


def _print_json(rules: Game, played: Match, prepared: Prepared, finished: list[PlayedGame]) -> None:
    print_json(
        {
            "game": rules.name,
            "lineUp": list(played.line_up),
            "seed": prepared.seed.hex() if prepared.seed is not None else None,
            "games": [game_data(game) for game in finished],
            "standings": [standing_data(standing) for standing in standings(finished)],
        }
    )


def _print(rules: Game, prepared: Prepared, finished: list[PlayedGame]) -> None:
    console = results()
    if len(finished) == 1:
        console.print(f"{rules.title}, game {finished[0].game.game_id}")
        console.print(game_table(finished[0]))
        return
    seed = prepared.seed.hex() if prepared.seed is not None else ""
    console.print(f"{rules.title}: {counted(len(finished), 'game')}, {counted(prepared.deals, 'deal')}, seed {seed}")
    console.print(standings_table(standings(finished)))
