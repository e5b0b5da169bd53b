"""How a server is set up."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Literal

from dragonhall.sandbox import SandboxSettings

LogFormat = Literal["text", "json"]


@dataclass(frozen=True)
class Limits:
    """What a server puts up with. Beyond it: LIMIT_EXCEEDED, or gRPC's own RESOURCE_EXHAUSTED for a message's size."""

    max_request_bytes: int = 1 << 20
    """Size of one request message."""
    max_channels: int = 10_000
    """Attached seats of one Play stream."""
    max_open_games: int = 100_000
    """Games that wait or run."""
    max_games_in_memory: int = 2_000
    """Beyond it, games that nobody reads or writes leave memory at once; games in use stay."""

    # Of each caller; the auth file may say otherwise. Callers without credentials are told apart by their address.
    max_games_per_caller: int = 10_000
    """Games that it created and that are not over."""
    max_streams_per_caller: int = 5_000
    """Open at the same time, over all its connections."""
    submits_per_second: float = 10_000.0
    """Answers to decisions in the long run: unless it is set lower, more than a server can take of all together."""
    submits_burst: int = 50_000
    """Answers at once, after a while without any."""
    max_sandbox_calls_per_caller: int = 32
    """Calls to the sandbox under way at the same time."""


@dataclass(frozen=True)
class TlsFiles:
    """What a server proves itself with. All files are PEM, and read again for the next connection when they change."""

    certificate: Path
    """The server's certificate, and those that it was signed with up to the root."""
    key: Path
    """Its private key, without a passphrase."""
    client_ca: Path | None = None
    """If given, nobody is let in without a certificate that one of these signed."""


@dataclass(frozen=True)
class Connections:
    """What a server expects of connections, and does to keep them."""

    ping_every: timedelta = timedelta(seconds=40)
    """A connection on which nothing came for so long is asked whether it is there: less than the 60 s after which the
    stricter NATs and proxies forget one."""
    ping_timeout: timedelta = timedelta(seconds=20)
    """It is closed when no answer comes within this."""
    least_ping_interval: timedelta = timedelta(seconds=10)
    """Clients may ping as often as this, also without open calls; those that do so more often are sent away
    (ENHANCE_YOUR_CALM)."""
    max_streams: int = 10_000
    """Calls under way on one connection. Clients do not send more, but let them wait: so it has to be above
    `Limits.max_streams_per_caller`, which is refused with a reason."""
    max_age: timedelta | None = None
    """After this (and up to a tenth more or less) a client is asked to make a new connection, so that a load balancer
    can choose anew; calls under way may go on for ``max_age_grace``. ``None``: never."""
    max_age_grace: timedelta = timedelta(minutes=1)


@dataclass(frozen=True)
class ServerConfig:
    """All settings of a server, with their defaults."""

    listen: str = "127.0.0.1:7350"
    """``HOST:PORT``; port 0 takes a free one."""
    tls: TlsFiles | None = None
    """``None``: plain text, for this machine, a network that you trust, or a proxy that brings TLS."""
    auth: Path | None = None
    """Who may do what, as `dragonhall.server.identity.auth_file` reads it. ``None``: whoever reaches the server may
    create games."""
    allow_imports: bool = False
    """Whether callers of whom the auth file says nothing else may import records of games played elsewhere."""
    connections: Connections = field(default_factory=Connections)
    store: Path = Path("dragonhall.db")
    """The SQLite file; made if missing. Beside it lie ``-wal``, ``-shm`` and ``.lock`` files of the same name."""
    heartbeat: timedelta = timedelta(seconds=15)
    """A stream on which nothing was sent for so long gets a heartbeat."""
    idle: timedelta = timedelta(minutes=2)
    """A game that nobody reads or writes leaves memory after this; it comes back when asked for."""
    waiting_expiry: timedelta | None = timedelta(days=7)
    """A game that waits for players and in which nothing has happened for so long is ended. ``None``: never."""
    running_expiry: timedelta | None = timedelta(days=30)
    """The same of a running game. ``None``: never."""
    finished_retention: timedelta | None = None
    """Games that have been over for so long are removed with everything that is known of them. ``None``: never."""
    substitute_wait: timedelta = timedelta(seconds=30)
    """How long each decision of a vacant seat waits for the substitute, in games that are made from now on."""
    drain: timedelta = timedelta(0)
    """How long games go on after the server was told to stop, while no new ones are made."""
    grace: timedelta = timedelta(seconds=5)
    """How long a stopping server waits for requests under way, after that."""
    reconnect_delay: timedelta = timedelta(seconds=2)
    """When clients of a stopping server are told to come again: each is told a time of its own around this one."""
    allow_host_seeds: bool = True
    """Whether whoever creates a game may give its seed (and so may know every hidden card; all players are told)."""
    component_files: tuple[tuple[str, Path], ...] = ()
    """Further component sets: pairs of a game's name, as ``dragons``, and a TOML file."""
    max_lag: int = 256
    """A running stream that is more revisions behind than this gets a fresh snapshot instead of them."""
    limits: Limits = field(default_factory=Limits)
    sandbox: SandboxSettings = field(default_factory=SandboxSettings)
    log_level: str = "INFO"
    """As Python's logging has them: DEBUG, INFO, WARNING, ERROR."""
    log_format: LogFormat = "text"
    """``text``: ``key=value`` pairs; ``json``: an object a line. Logs go to standard error."""


class ConfigError(Exception):
    """Settings with which no server can run. The message says what to change."""
