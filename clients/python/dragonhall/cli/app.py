"""The commands, put together."""

from __future__ import annotations

from typing import Final

import typer

from dragonhall.cli.commands.about import health, version
from dragonhall.cli.commands.bot import bot
from dragonhall.cli.commands.demo import demo
from dragonhall.cli.commands.match import match
from dragonhall.cli.commands.record import record
from dragonhall.cli.commands.serve import serve
from dragonhall.cli.commands.verify import verify
from dragonhall.cli.exits import EXIT_CODES_HELP

_PLAY: Final = "Play"
_HOST: Final = "Host"
_RECORDS: Final = "Records"

app: Final = typer.Typer(
    name="dragonhall",
    help="Imperfect-information card games over gRPC: a server, bots that are clients, matches and checked records.\n\n"
    "Begin with [bold]dragonhall demo --once[/bold].",
    epilog=EXIT_CODES_HELP,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(rich_help_panel=_PLAY)(demo)
app.command(rich_help_panel=_PLAY)(match)
app.command(rich_help_panel=_PLAY)(bot)
app.command(rich_help_panel=_HOST)(serve)
app.command(rich_help_panel=_HOST)(health)
app.command(rich_help_panel=_HOST)(version)
app.command(rich_help_panel=_RECORDS)(record)
app.command(rich_help_panel=_RECORDS)(verify)


def main() -> None:
    """The entry point; ends the process with one of the documented exit codes."""
    app()
