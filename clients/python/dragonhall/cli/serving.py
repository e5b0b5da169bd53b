"""The options of ``dragonhall serve``: one each for what `dragonhall.server.ServerConfig` has, in groups."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from dragonhall.cli.arguments import MAX_SECONDS, check_file, check_listen_address, check_number

ACCESS: Final = "Access"
GAMES: Final = "Games"
CONNECTIONS: Final = "Streams and connections"
LIMITS: Final = "Limits"
SANDBOX: Final = "Sandbox"
STOPPING: Final = "Stopping"

_DURATION: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)(s|m|h|d)")
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
NEVER: Final = "never"

MAX_NUMBER: Final = 2**31 - 1
"""gRPC takes no larger one."""


def parse_duration(text: str) -> timedelta | None:
    """``90s``, ``15m``, ``12h`` or ``7d``; ``None`` for ``never``."""
    if text == NEVER:
        return None
    written = _DURATION.fullmatch(text)
    if not written or not float(written[1]):
        raise typer.BadParameter(f"{text!r} is not a time above 0, as 90s, 15m, 12h or 7d, nor 'never'")
    return timedelta(**{_UNITS[written[2]]: float(written[1])})


def _check_duration(text: str) -> str:
    parse_duration(text)
    return text


def _file(panel: str, flag: str, help: str) -> Any:
    return typer.Option(flag, metavar="FILE", help=help, callback=check_file, rich_help_panel=panel)


def _seconds(panel: str, flag: str, help: str, least: float = 0.1) -> Any:
    return typer.Option(
        flag, metavar="SECONDS", min=least, max=MAX_SECONDS, help=help, callback=check_number, rich_help_panel=panel
    )


def _time(panel: str, flag: str, help: str) -> Any:
    return typer.Option(flag, metavar="TIME", help=help, callback=_check_duration, rich_help_panel=panel)


def _number(panel: str, flag: str, help: str, metavar: str = "NUMBER", least: int = 1) -> Any:
    return typer.Option(flag, metavar=metavar, min=least, max=MAX_NUMBER, help=help, rich_help_panel=panel)


Listen = Annotated[
    str,
    typer.Option(metavar="HOST:PORT", help="Where to listen. Port 0 takes a free one.", callback=check_listen_address),
]
Store = Annotated[
    Path,
    typer.Option(metavar="FILE", help="The SQLite file that keeps all games; made if missing.", callback=check_file),
]

TlsCertificate = Annotated[
    Path | None,
    _file(ACCESS, "--tls-cert", "The server's certificate, with its chain (PEM). Read again when changed."),
]
TlsKey = Annotated[Path | None, _file(ACCESS, "--tls-key", "The certificate's key (PEM, without a passphrase).")]
TlsClientCa = Annotated[
    Path | None,
    _file(ACCESS, "--tls-client-ca", "Let nobody in without a certificate that one of these signed (PEM)."),
]
Auth = Annotated[
    Path | None,
    _file(
        ACCESS,
        "--auth",
        "Who may do what, by API key, JSON Web Token or certificate (TOML; see 'dragonhall key'). Read again when it"
        " changes, and on SIGHUP.",
    ),
]
AllowImports = Annotated[
    bool,
    typer.Option(
        "--allow-imports/--no-imports",
        help="Whether records of games played elsewhere may be brought in, where the auth file does not say.",
        rich_help_panel=ACCESS,
    ),
]
HostSeeds = Annotated[
    bool,
    typer.Option(
        "--host-seeds/--no-host-seeds",
        help="Whether a game's host may choose its seed, as matches do. All players are told.",
        rich_help_panel=ACCESS,
    ),
]

Idle = Annotated[float, _seconds(GAMES, "--idle", "A game that nobody uses leaves memory after this.")]
WaitingExpiry = Annotated[
    str, _time(GAMES, "--waiting-expiry", "A game that waits for players is ended when nothing happens for so long.")
]
RunningExpiry = Annotated[str, _time(GAMES, "--running-expiry", "The same of a running game.")]
Retention = Annotated[str, _time(GAMES, "--retention", "A game that is over is removed, its record too, after this.")]
SubstituteWait = Annotated[
    float,
    _seconds(GAMES, "--substitute-wait", "How long decisions of a vacant seat wait for its substitute.", 0.0),
]

Heartbeat = Annotated[float, _seconds(CONNECTIONS, "--heartbeat", "A silent stream gets a heartbeat after this.")]
MaxLag = Annotated[
    int,
    _number(CONNECTIONS, "--max-lag", "A reader further behind than this is moved on by a snapshot.", "REVISIONS"),
]
PingEvery = Annotated[
    float,
    _seconds(CONNECTIONS, "--ping-every", "A connection silent for so long is asked if it is there.", 1.0),
]
PingTimeout = Annotated[
    float, _seconds(CONNECTIONS, "--ping-timeout", "It is closed when no answer comes within this.")
]
LeastPingInterval = Annotated[
    float, _seconds(CONNECTIONS, "--least-ping-interval", "Clients that ping more often than this are sent away.")
]
MaxConnectionAge = Annotated[
    str,
    _time(
        CONNECTIONS,
        "--max-connection-age",
        "After this a client is asked to connect anew, so that a load balancer can choose again.",
    ),
]
MaxConnectionStreams = Annotated[
    int, _number(CONNECTIONS, "--max-connection-streams", "Calls under way on one connection.")
]

MaxRequestBytes = Annotated[int, _number(LIMITS, "--max-request-bytes", "Size of one request.", "BYTES")]
MaxChannels = Annotated[int, _number(LIMITS, "--max-channels", "Attached seats of one Play stream.")]
MaxOpenGames = Annotated[int, _number(LIMITS, "--max-open-games", "Games that wait or run.")]
MaxGamesInMemory = Annotated[
    int, _number(LIMITS, "--max-games-in-memory", "Beyond it games that nobody uses leave memory at once.")
]
GamesPerCaller = Annotated[int, _number(LIMITS, "--games-per-caller", "Games of one caller that are not over.")]
StreamsPerCaller = Annotated[int, _number(LIMITS, "--streams-per-caller", "Open streams of one caller.")]
SubmitsPerSecond = Annotated[
    float,
    typer.Option(
        "--submits-per-second",
        metavar="NUMBER",
        min=0.001,
        max=1e6,
        help="Answers of one caller in the long run.",
        callback=check_number,
        rich_help_panel=LIMITS,
    ),
]
SubmitsBurst = Annotated[int, _number(LIMITS, "--submits-burst", "Answers of one caller at once.")]

SandboxWorkers = Annotated[
    int | None,
    _number(
        SANDBOX,
        "--sandbox-workers",
        "Processes that compute for it, at low priority; 0: no sandbox. Half of the processors unless given.",
        least=0,
    ),
]
SandboxSeconds = Annotated[int, _number(SANDBOX, "--sandbox-seconds", "Of processor time for one call.", "SECONDS")]
SandboxCallsPerCaller = Annotated[
    int, _number(SANDBOX, "--sandbox-calls-per-caller", "Calls of one caller to it under way.")
]

Drain = Annotated[
    float, _seconds(STOPPING, "--drain", "How long games go on after SIGTERM, while no new ones are made.", 0.0)
]
Grace = Annotated[float, _seconds(STOPPING, "--grace", "How long to wait for requests under way after that.", 0.0)]
ReconnectDelay = Annotated[
    float, _seconds(STOPPING, "--reconnect-delay", "When clients are told to come back, on average.", 0.0)
]
