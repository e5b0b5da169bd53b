"""``dragonhall certify``."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from dragonhall.cli.arguments import BOT_NAME, MAX_SECONDS, check_file, check_number, check_text
from dragonhall.cli.certify.bench import Plan
from dragonhall.cli.certify.report import summary, trial_table, verdict_table, write_junit
from dragonhall.cli.certify.session import certify as go_through
from dragonhall.cli.certify.trials import TRIALS, Trial
from dragonhall.cli.certify.verdicts import Result, Verdict
from dragonhall.cli.console import note, results
from dragonhall.cli.exits import NO, fail, run, with_exit_codes
from dragonhall.rules import GAMES

_NAME: Final = "candidate"


@with_exit_codes
def certify(
    command: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="Starts the bot. {target} and {name} in it, and DRAGONHALL_TARGET and DRAGONHALL_NAME in its"
            " environment, say where to connect and what seats are reserved for.",
            callback=check_text,
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"The bot's name; {_NAME} unless given. Without --command: of a bot that you start yourself.",
            callback=check_text,
        ),
    ] = None,
    games: Annotated[
        str | None,
        typer.Option(metavar="GAME,GAME,…", help="The games that it plays; all unless given.", callback=check_text),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="TRIAL", help="Try this alone. Repeat it.")
    ] = None,
    list_trials: Annotated[bool, typer.Option("--list", help="Say what is tried, and end.")] = False,
    timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=MAX_SECONDS,
            help="How long the bot may take for anything it is to do.",
            callback=check_number,
        ),
    ] = 15.0,
    time_per_decision: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=MAX_SECONDS,
            help="The limit in games with a clock: one decision is to be answered within it.",
            callback=check_number,
        ),
    ] = 1.0,
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="Where the bot connects; 0 takes a free port.")
    ] = 0,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the verdicts there as JUnit XML.", callback=check_file)
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep what the bot prints in this file.", callback=check_file)
    ] = None,
) -> None:
    """Try a bot, in whatever language: does it keep to the contract?

    Starts a server and the bot, and has befall it what befalls every bot some day: lost connections, a killed server,
    prompts that come twice, games that are aborted. Says what it did and which sentence of the contract that breaks.
    Exit code 1 if it fails a trial. A bot ends with its process group; on Linux also what has left that group for a
    session of its own ends, unless it was started with another environment.

    [bold]Examples[/bold]

        dragonhall certify --command "python tortoise.py" --games dragons

        dragonhall certify --command "./rex --connect {target} --name {name}" --junit certify.xml

        dragonhall certify --command "./rex {target}" --only reconnect --only restart --log rex.log

        dragonhall certify --name rex --port 7351
    """
    trials = _chosen(only or [])
    if list_trials:
        results().print(trial_table(trials))
        return
    if command is None and name is None:
        raise typer.BadParameter("say how to start the bot, or what it is called with --name", param_hint="--command")
    plan = Plan(_checked_name(name or _NAME), _checked(command), _parse_games(games), timeout, time_per_decision, port)
    verdicts = _try(plan, trials, log)
    results().print(verdict_table(verdicts))
    found = {verdict.result for verdict in verdicts}
    if found & {Result.FAILED, Result.NOT_TRIED} and log is None:
        note("what the bot printed is kept with --log FILE")
    note(summary(verdicts))
    if junit is not None:
        write_junit(verdicts, plan.name, junit)
    if found & {Result.FAILED, Result.NOT_TRIED}:
        raise typer.Exit(NO)
    if found == {Result.NOT_APPLICABLE}:
        fail("nothing was tried: none of these trials applies to a bot that plays these games", NO)


def _try(plan: Plan, trials: Sequence[Trial], log: Path | None) -> list[Verdict]:
    verdicts: list[Verdict] = []

    def ended(verdict: Verdict) -> None:
        verdicts.append(verdict)
        note(f"{verdict.trial.key}: {verdict.result}")

    with tempfile.TemporaryDirectory(prefix="dragonhall-certify-", ignore_cleanup_errors=True) as folder:
        run(go_through(plan, trials, Path(folder), log or Path(folder) / "bot.log", note, ended))
    return verdicts


def _chosen(keys: Sequence[str]) -> list[Trial]:
    known = [trial.key for trial in TRIALS]
    unknown = [key for key in keys if key not in known]
    if unknown:
        raise typer.BadParameter(
            f"there is no trial {unknown[0]!r}; there are: {', '.join(known)}", param_hint="--only"
        )
    return [trial for trial in TRIALS if not keys or trial.key in keys]


def _checked_name(name: str) -> str:
    if not BOT_NAME.fullmatch(name):
        raise typer.BadParameter(f"{name!r} is not 1 to 64 of a-z, 0-9, '-', '_' and '.'", param_hint="--name")
    return name


def _checked(command: str | None) -> str | None:
    try:
        empty = command is not None and not shlex.split(command)
    except ValueError as error:
        raise typer.BadParameter(f"{command!r}: {error}", param_hint="--command") from error
    if empty:
        raise typer.BadParameter("is empty", param_hint="--command")
    return command


def _parse_games(text: str | None) -> tuple[str, ...]:
    games = tuple(part.strip() for part in text.split(",")) if text is not None else tuple(GAMES)
    unknown = [game for game in games if game not in GAMES]
    if unknown:
        raise typer.BadParameter(
            f"there is no game {unknown[0]!r}; there are: {', '.join(GAMES)}", param_hint="--games"
        )
    return games
