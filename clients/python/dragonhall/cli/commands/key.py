"""``dragonhall key``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from dragonhall.cli.arguments import check_file
from dragonhall.cli.console import note
from dragonhall.cli.exits import with_exit_codes


def _check_name(name: str) -> str:
    from dragonhall.server.identity.auth_file import CALLER_NAME

    if not CALLER_NAME.fullmatch(name):
        raise typer.BadParameter(f"{name!r} is not 1 to 64 of a-z, 0-9, '-', '_', '.' and '@'")
    return name


@with_exit_codes
def key(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Of the caller that the key is for.", callback=_check_name)
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Put the key into this new file, which only you may read, instead of showing it.",
            callback=check_file,
        ),
    ] = None,
) -> None:
    """Make an API key: what a server is to know of it goes to stdout, and the key itself, once, to stderr.

    The first belongs into the file of "serve --auth". It has the key's hash alone: a lost key is replaced, not found.
    The second is for the caller, who shows it in the metadata "authorization: Bearer KEY"; commands do with
    --api-key-file.

    What the caller may do is said there, below its name, and holds as soon as the file is saved: "create = false" for
    one that makes no games and only plays in others', "import = true" for one that may bring in records,
    "bots = \\["greedy"]" for bots whose names nobody else may play under, and "games = 20" and other quotas.

    [bold]Examples[/bold]

        dragonhall key web >> auth.toml

        dragonhall key greedy-bots --output bots.key >> auth.toml
    """
    from dragonhall.server.identity.keys import new_key, stanza

    made = new_key()
    if output is not None:
        _save(output, made)
    print(f"\n{stanza(name, made)}", end="", flush=True)
    if output is None:
        note(f"the key of {name}, shown only now:\n{made}")


def _save(path: Path, made: str) -> None:
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(made + "\n")
    except FileExistsError as error:
        raise typer.BadParameter(f"{path} is there already; name a new file", param_hint="--output") from error
