"""``dragonhall version`` and ``dragonhall health``."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version as installed_version
from typing import Annotated

import typer

from dragonhall.cli import access
from dragonhall.cli.arguments import DEFAULT_ADDRESS, AsJson, Connect, Timeout, patience
from dragonhall.cli.console import print_json
from dragonhall.cli.exits import NO, fail, run, with_exit_codes
from dragonhall.rules import GAMES
from dragonhall.rules.build import is_compiled


@with_exit_codes
def version(as_json: AsJson = False) -> None:
    """Say what is installed: version, whether the rules are compiled, and the games with their rules' versions.

    A record can be checked by an installation that plays its game by the same version of the rules.
    """
    about = {
        "version": installed_version("dragonhall"),
        "rules": "compiled" if is_compiled() else "interpreted",
        "python": platform.python_version(),
        "games": {game.name: game.rules_version for game in GAMES.values()},
    }
    if as_json:
        print_json(about)
        return
    print(f"dragonhall {about['version']}, rules {about['rules']}, Python {about['python']}")
    if not is_compiled():
        print(
            "interpreted, searches are slow: DRAGONHALL_COMPILE=require pip install … compiles, or says why it cannot"
        )
    for game in GAMES.values():
        print(f"{game.name}: rules version {game.rules_version}, {game.min_seats} to {game.max_seats} seats")


@with_exit_codes
def health(
    connect: Connect = DEFAULT_ADDRESS,
    timeout: Timeout = 3.0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the exit code.")] = False,
) -> None:
    """Ask a server whether it is serving, by the standard gRPC health protocol.

    Exit code 0: it is. 1: it is there, and not serving. 3: it cannot be reached.

    [bold]Example[/bold]

        dragonhall health --connect 127.0.0.1:7350 --quiet && echo up
    """
    serving = run(_is_serving(connect, timeout))
    if not serving:
        fail(f"{connect} is not serving", NO)
    if not quiet:
        print(f"{connect} is serving", file=sys.stdout)


async def _is_serving(target: str, timeout: float) -> bool:
    async with access.client(target, patience(timeout)) as client:
        return await client.is_serving()
