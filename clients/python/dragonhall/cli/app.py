"""The commands, put together."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Final

import typer

from dragonhall.cli import access
from dragonhall.cli.commands.about import health, version
from dragonhall.cli.commands.bot import bot
from dragonhall.cli.commands.bringing import import_
from dragonhall.cli.commands.certify import certify
from dragonhall.cli.commands.demo import demo
from dragonhall.cli.commands.explain import explain
from dragonhall.cli.commands.key import key
from dragonhall.cli.commands.match import match
from dragonhall.cli.commands.record import record
from dragonhall.cli.commands.review import review
from dragonhall.cli.commands.serve import serve
from dragonhall.cli.commands.verify import verify
from dragonhall.cli.exits import EXIT_CODES_HELP
from dragonhall.cli.help import Command, Group
from dragonhall.cli.streams import standard_streams

_PLAY: Final = "Play"
_HOST: Final = "Host"
_RECORDS: Final = "Records"

app: Final = typer.Typer(
    name="dragonhall",
    cls=Group,
    help="Imperfect-information card games over gRPC: a server, bots that are clients, matches and checked records.\n\n"
    "Begin with [bold]dragonhall demo --once[/bold].",
    epilog=EXIT_CODES_HELP,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        version()
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="As the command version.")
    ] = False,
    tls: access.UseTls = False,
    tls_ca: access.TlsCa = None,
    client_cert: access.ClientCert = None,
    client_key: access.ClientKey = None,
    api_key_file: access.ApiKeyFile = None,
) -> None:
    """What is given before a command."""
    context.call_on_close(access.give(access.Access(tls, tls_ca, client_cert, client_key, api_key_file)))


def _add(command: Callable[..., None], panel: str) -> None:
    """Adds a command whose docstring is its help. Lines of a paragraph are joined: the terminal's width breaks them.

    It has the function's name; one that Python keeps for itself has an underscore there.
    """
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    text = "\n\n".join(part if part.startswith(" ") else part.replace("\n", " ") for part in paragraphs)
    app.command(command.__name__.rstrip("_"), cls=Command, help=text, rich_help_panel=panel)(command)


_add(demo, _PLAY)
_add(match, _PLAY)
_add(bot, _PLAY)
_add(explain, _PLAY)
_add(certify, _PLAY)
_add(serve, _HOST)
_add(key, _HOST)
_add(health, _HOST)
_add(version, _HOST)
_add(record, _RECORDS)
_add(verify, _RECORDS)
_add(review, _RECORDS)
_add(import_, _RECORDS)


def main() -> None:
    """The entry point; ends the process with one of the documented exit codes."""
    with standard_streams():
        app()
