"""The service: games played over gRPC, each a log in a store.

From the wire inwards: `services` (gRPC) → `hub` (the games in memory) → `game` (one game's single writer) →
`playthrough` (a game as a function of its `log`) → `store` (where the logs are kept).
"""

from __future__ import annotations

from dragonhall.server.app import Server, run, serve
from dragonhall.server.config import ConfigError, Connections, Limits, ServerConfig, TlsFiles
from dragonhall.server.store.base import StoreError

__all__ = [
    "ConfigError",
    "Connections",
    "Limits",
    "Server",
    "ServerConfig",
    "StoreError",
    "TlsFiles",
    "run",
    "serve",
]
