"""``dragonhall serve``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragonhall.cli import serving
from dragonhall.cli.arguments import DEFAULT_ADDRESS, ComponentFiles, read_components
from dragonhall.cli.children import end_with_parent
from dragonhall.cli.exits import FAILED, USAGE, fail, with_exit_codes
from dragonhall.cli.logs import Format, Level, LogFormat, LogLevel
from dragonhall.cli.serving import NEVER, parse_duration

if TYPE_CHECKING:
    from dragonhall.sandbox import SandboxSettings
    from dragonhall.server import TlsFiles


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


def _tls(certificate: Path | None, key: Path | None, client_ca: Path | None) -> TlsFiles | None:
    from dragonhall.server import TlsFiles

    if certificate is not None and key is not None:
        return TlsFiles(certificate, key, client_ca)
    if certificate is not None or key is not None or client_ca is not None:
        raise typer.BadParameter("TLS takes --tls-cert and --tls-key, and with them --tls-client-ca if you like")
    return None


def _sandbox(workers: int | None, seconds: int) -> SandboxSettings:
    from dragonhall.cli.playouts import POLICIES
    from dragonhall.sandbox import SandboxLimits, SandboxSettings

    settings = SandboxSettings(limits=SandboxLimits(seconds=seconds), policies=POLICIES)
    return settings if workers is None else replace(settings, workers=workers)


@with_exit_codes
def serve(
    listen: serving.Listen = DEFAULT_ADDRESS,
    store: serving.Store = Path("dragonhall.db"),
    components: ComponentFiles = None,
    tls_cert: serving.TlsCertificate = None,
    tls_key: serving.TlsKey = None,
    tls_client_ca: serving.TlsClientCa = None,
    auth: serving.Auth = None,
    allow_imports: serving.AllowImports = False,
    host_seeds: serving.HostSeeds = True,
    waiting_expiry: serving.WaitingExpiry = "7d",
    running_expiry: serving.RunningExpiry = "30d",
    retention: serving.Retention = NEVER,
    substitute_wait: serving.SubstituteWait = 30.0,
    idle: serving.Idle = 120.0,
    heartbeat: serving.Heartbeat = 15.0,
    max_lag: serving.MaxLag = 256,
    ping_every: serving.PingEvery = 40.0,
    ping_timeout: serving.PingTimeout = 20.0,
    least_ping_interval: serving.LeastPingInterval = 10.0,
    max_connection_age: serving.MaxConnectionAge = NEVER,
    max_connection_streams: serving.MaxConnectionStreams = 10_000,
    games_per_caller: serving.GamesPerCaller = 10_000,
    streams_per_caller: serving.StreamsPerCaller = 5_000,
    submits_per_second: serving.SubmitsPerSecond = 10_000.0,
    submits_burst: serving.SubmitsBurst = 50_000,
    max_open_games: serving.MaxOpenGames = 100_000,
    max_games_in_memory: serving.MaxGamesInMemory = 2_000,
    max_channels: serving.MaxChannels = 10_000,
    max_request_bytes: serving.MaxRequestBytes = 1 << 20,
    sandbox_workers: serving.SandboxWorkers = None,
    sandbox_seconds: serving.SandboxSeconds = 60,
    sandbox_calls_per_caller: serving.SandboxCallsPerCaller = 32,
    drain: serving.Drain = 0.0,
    grace: serving.Grace = 5.0,
    reconnect_delay: serving.ReconnectDelay = 2.0,
    log_level: Level = LogLevel.INFO,
    log_format: Format = LogFormat.TEXT,
    exit_with_parent: Annotated[bool, typer.Option(hidden=True)] = False,
) -> None:
    """Serve games over gRPC until Ctrl-C or SIGTERM.

    Prints "dragonhall: serving on HOST:PORT" on stdout when it is ready. Every accepted action is on disk before
    anybody is told of it: after a crash, start it again with the same store, and all games go on.

    Without --tls-cert all is sent in plain text, and without --auth whoever reaches the port may create games: for this
    machine, or a network that you trust. TIME is 90s, 15m, 12h or 7d, or never.

    [bold]Examples[/bold]

        dragonhall serve

        dragonhall serve --listen 0.0.0.0:7350 --tls-cert hall.pem --tls-key hall.key --auth auth.toml

        dragonhall serve --components my-dragons.toml --no-host-seeds --retention 90d --log-format json
    """
    from dragonhall.server import Connections, Limits, ServerConfig
    from dragonhall.server import run as run_server

    files = [read_components(path) for path in components or ()]
    config = ServerConfig(
        listen=listen,
        store=store,
        tls=_tls(tls_cert, tls_key, tls_client_ca),
        auth=auth,
        allow_imports=allow_imports,
        allow_host_seeds=host_seeds,
        component_files=tuple((file.game.name, file.path) for file in files),
        waiting_expiry=parse_duration(waiting_expiry),
        running_expiry=parse_duration(running_expiry),
        finished_retention=parse_duration(retention),
        substitute_wait=timedelta(seconds=substitute_wait),
        idle=timedelta(seconds=idle),
        heartbeat=timedelta(seconds=heartbeat),
        max_lag=max_lag,
        connections=Connections(
            ping_every=timedelta(seconds=ping_every),
            ping_timeout=timedelta(seconds=ping_timeout),
            least_ping_interval=timedelta(seconds=least_ping_interval),
            max_streams=max_connection_streams,
            max_age=parse_duration(max_connection_age),
        ),
        limits=Limits(
            max_request_bytes=max_request_bytes,
            max_channels=max_channels,
            max_open_games=max_open_games,
            max_games_in_memory=max_games_in_memory,
            max_games_per_caller=games_per_caller,
            max_streams_per_caller=streams_per_caller,
            submits_per_second=submits_per_second,
            submits_burst=submits_burst,
            max_sandbox_calls_per_caller=sandbox_calls_per_caller,
        ),
        sandbox=_sandbox(sandbox_workers, sandbox_seconds),
        drain=timedelta(seconds=drain),
        grace=timedelta(seconds=grace),
        reconnect_delay=timedelta(seconds=reconnect_delay),
        log_level=log_level.name,
        log_format=log_format.value,
    )
    if exit_with_parent:
        end_with_parent()
    with server_errors():
        run_server(config)
