"""``dragonhall serve``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from dragonhall.cli.arguments import (
    DEFAULT_ADDRESS,
    MAX_SECONDS,
    ComponentFiles,
    check_file,
    check_listen_address,
    check_number,
    read_components,
)
from dragonhall.cli.children import end_with_parent
from dragonhall.cli.exits import FAILED, USAGE, fail, with_exit_codes
from dragonhall.cli.logs import Format, Level, LogFormat, LogLevel


@contextmanager
def server_errors() -> Iterator[None]:
    """A server that cannot start says why in one line."""
    from dragonhall.server import ConfigError, StoreError

    try:
        yield
    except ConfigError as error:
        fail(str(error), USAGE)
    except StoreError as error:
        fail(str(error), FAILED)


@with_exit_codes
def serve(
    listen: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT", help="Where to listen. Port 0 takes a free one.", callback=check_listen_address
        ),
    ] = DEFAULT_ADDRESS,
    store: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="The SQLite file that keeps all games; made if missing.", callback=check_file
        ),
    ] = Path("dragonhall.db"),
    components: ComponentFiles = None,
    heartbeat: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=MAX_SECONDS,
            help="A silent stream gets a heartbeat after this.",
            callback=check_number,
        ),
    ] = 15.0,
    idle: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=MAX_SECONDS,
            help="A game that nobody uses leaves memory after this.",
            callback=check_number,
        ),
    ] = 120.0,
    max_lag: Annotated[
        int,
        typer.Option(metavar="REVISIONS", min=1, help="A reader further behind than this is moved on by a snapshot."),
    ] = 256,
    grace: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.0,
            max=MAX_SECONDS,
            help="How long to wait for requests under way when stopping.",
            callback=check_number,
        ),
    ] = 5.0,
    host_seeds: Annotated[
        bool,
        typer.Option(
            "--host-seeds/--no-host-seeds",
            help="Whether a game's host may choose its seed, as matches do. All players are told.",
        ),
    ] = True,
    log_level: Level = LogLevel.INFO,
    log_format: Format = LogFormat.TEXT,
    exit_with_parent: Annotated[bool, typer.Option(hidden=True)] = False,
) -> None:
    """Serve games over gRPC until Ctrl-C or SIGTERM.

    Prints "dragonhall: serving on HOST:PORT" on stdout when it is ready. Every accepted action is on disk before
    anybody is told of it: after a crash, start it again with the same store, and all games go on.

    There is no TLS yet: listen on addresses that you trust.

    [bold]Examples[/bold]

        dragonhall serve

        dragonhall serve --listen 0.0.0.0:7350 --store games.db --log-format json

        dragonhall serve --components my-dragons.toml --no-host-seeds
    """
    from dragonhall.server import ServerConfig
    from dragonhall.server import run as run_server

    files = [read_components(path) for path in components or ()]
    config = ServerConfig(
        listen=listen,
        store=store,
        heartbeat=timedelta(seconds=heartbeat),
        idle=timedelta(seconds=idle),
        max_lag=max_lag,
        grace=timedelta(seconds=grace),
        allow_host_seeds=host_seeds,
        component_files=tuple((file.game.name, file.path) for file in files),
        log_level=log_level.name,
        log_format=log_format.value,
    )
    if exit_with_parent:
        end_with_parent()
    with server_errors():
        run_server(config)
