"""``dragonhall bot``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dragonhall.bots import all_kinds, is_place, policies_of, run_bot
from dragonhall.bots.kinds import BUDGETS, usual_name
from dragonhall.cli.access import given
from dragonhall.cli.arguments import DEFAULT_ADDRESS, Connect, Ponder, Processes, Workers, check_file, check_text
from dragonhall.cli.children import end_with_parent
from dragonhall.cli.exits import run, with_exit_codes
from dragonhall.cli.logs import Format, Level, LogFormat, LogLevel, set_up_logs


@with_exit_codes
def bot(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help=f"How it plays: {', '.join(all_kinds())}; {BUDGETS}; or a bot of your own, FILE.py:CLASS or"
            " module:CLASS.",
            callback=check_text,
        ),
    ],
    connect: Connect = DEFAULT_ADDRESS,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The name that seats are reserved for; the kind unless given (mcts@2000 is called mcts-2000). A bot of"
            " your own needs one.",
            callback=check_text,
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Any text; with the same one the bot plays the same deal the same way.",
            callback=check_text,
        ),
    ] = None,
    identity: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keeps the bot's secret, made if missing: started again with it, a killed bot goes on with its games.",
            callback=check_file,
        ),
    ] = None,
    processes: Processes = None,
    workers: Workers = 1,
    steady: Annotated[
        bool,
        typer.Option(
            help="Where a bot thinks by time, and others do not see what it holds, all its answers take as long,"
            " whatever there is to decide: it might be told from them. In games of bots alone that is lost time."
        ),
    ] = True,
    ponder: Ponder = False,
    operator: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Tell whoever asks there what the bot thinks (dragonhall explain), and with it what its seats hold:"
            " PORT of the loopback device, or unix:PATH.",
            callback=check_text,
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Serve what the bot does as numbers, for Prometheus; PORT alone: to this machine.",
            callback=check_text,
        ),
    ] = None,
    log_level: Level = LogLevel.INFO,
    log_format: Format = LogFormat.TEXT,
    exit_with_parent: Annotated[bool, typer.Option(hidden=True)] = False,
    end_on_fault: Annotated[bool, typer.Option(hidden=True)] = False,
) -> None:
    """Play every seat that is reserved for this bot, in as many games as there are, until Ctrl-C or SIGTERM.

    The bot is a client like any other: it sees what its seats see. It outlives restarts of the server. Whoever makes a
    game reserves its seats, as dragonhall match dragons --seats greedy,greedy,rex --connect HOST:PORT does.

    Those that search think 0.1 s about a decision (mcts-fast), 1 s (mcts), or 5 s (mcts-strong); mcts@2000 makes 2000
    simulations, mcts@0.5s thinks half a second.

    [bold]Examples[/bold]

        dragonhall bot greedy

        dragonhall bot greedy --name greedy-2 --identity greedy-2.key --connect games.example:7350

        dragonhall bot tortoise.py:Tortoise --name tortoise

        dragonhall bot mcts-strong --processes 4 --operator 7351 --metrics 9464

        dragonhall bot mcts@0.5s --name deep --processes 4 --workers 4
    """
    policies_of(kind)  # before anything is waited for
    if name is None and is_place(kind):
        raise typer.BadParameter("a bot of your own needs a name for which seats are reserved", param_hint="--name")
    set_up_logs("dragonhall.bots", log_level, log_format)
    if exit_with_parent:
        end_with_parent()
    run(
        run_bot(
            name or usual_name(kind),
            kind,
            connect,
            seed=seed,
            identity=identity,
            end_on_fault=end_on_fault,
            connect=given().client,
            processes=processes,
            workers=workers,
            steady=steady,
            ponder=ponder,
            metrics=metrics,
            operator=operator,
        )
    )
