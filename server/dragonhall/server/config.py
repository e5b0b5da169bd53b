"""How a server is set up."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Literal

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


@dataclass(frozen=True)
class ServerConfig:
    """All settings of a server, with their defaults."""

    listen: str = "127.0.0.1:7350"
    """``HOST:PORT``; port 0 takes a free one. Without TLS, and whoever reaches it may create games: keep it on a
    network that you trust."""
    store: Path = Path("dragonhall.db")
    """The SQLite file; made if missing. Beside it lie ``-wal``, ``-shm`` and ``.lock`` files of the same name."""
    heartbeat: timedelta = timedelta(seconds=15)
    """A stream on which nothing was sent for so long gets a heartbeat."""
    idle: timedelta = timedelta(minutes=2)
    """A game that nobody reads or writes leaves memory after this; it comes back when asked for."""
    grace: timedelta = timedelta(seconds=5)
    """How long a stopping server waits for requests under way."""
    allow_host_seeds: bool = True
    """Whether whoever creates a game may give its seed (and so may know every hidden card; all players are told)."""
    component_files: tuple[tuple[str, Path], ...] = ()
    """Further component sets: pairs of a game's name, as ``dragons``, and a TOML file."""
    max_lag: int = 256
    """A running stream that is more revisions behind than this gets a fresh snapshot instead of them."""
    limits: Limits = field(default_factory=Limits)
    log_level: str = "INFO"
    """As Python's logging has them: DEBUG, INFO, WARNING, ERROR."""
    log_format: LogFormat = "text"
    """``text``: ``key=value`` pairs; ``json``: an object a line. Logs go to standard error."""


class ConfigError(Exception):
    """Settings with which no server can run. The message says what to change."""
